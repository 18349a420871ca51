//! The files of a run, by the form of their rows.

use std::mem;
use std::path::Path;

use indexer::Result;
use indexer::input::{Input, expand};

use super::objects::{Folder, Kind};

/// The form of the rows of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Resources and documents of JSON:API.
    Resources,
    /// One's own resources in a table.
    Table,
    /// Partial resources, in the same form as others.
    Links,
    /// Objects of version 2: each line is an object whatever its members are called, and none is a
    /// document of JSON:API.
    Objects(Kind),
}

impl Form {
    /// Returns the name of the form in reports.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Resources => "resources",
            Self::Table => "table",
            Self::Links => "links",
            Self::Objects(_) => "documents",
        }
    }
}

/// Files that are read one after another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    /// The name of the stage, or `None` for files that are not inputs of the generation.
    pub(super) stage: Option<&'static str>,
    pub(crate) inputs: Vec<Input>,
    pub(super) forms: Vec<Form>,
    /// The position of the first file among those of the run.
    pub(crate) first: usize,
}

impl Files {
    fn new(stage: &'static str, first: usize, files: impl IntoIterator<Item = (Input, Form)>) -> Self {
        let (inputs, forms) = files.into_iter().unzip();
        Self { stage: Some(stage), inputs, forms, first }
    }

    fn next(&self) -> usize {
        self.first + self.inputs.len()
    }

    /// Takes out the files whose rows only name resources.
    pub(crate) fn take_names(&mut self) -> Self {
        Self { stage: None, inputs: mem::take(&mut self.inputs), ..self.clone() }
    }
}

/// All files of a run.
pub(crate) struct RunFiles {
    pub(crate) rows: Files,
    /// Partial resources and documents, which are read before all rows.
    pub(crate) links: Files,
    pub(crate) documents: Files,
    /// A sentence that names the files that are not read.
    pub(crate) unread: Option<String>,
}

impl RunFiles {
    /// Lists files and folders of resources, tables, such files and folders of partial resources,
    /// and a folder of documents.
    pub(crate) fn list(inputs: &[Input], tables: &[Input], links: &[Input], folder: Option<&Path>) -> Result<Self> {
        let of = |form: Form| move |input: Input| (input, form);
        let rows = expand(inputs)?.into_iter().map(of(Form::Resources));
        let rows = Files::new("reading", 0, rows.chain(tables.iter().cloned().map(of(Form::Table))));
        let links = Files::new("reading links", rows.next(), expand(links)?.into_iter().map(of(Form::Links)));
        let Folder { files, unread } = folder.map(Folder::list).transpose()?.unwrap_or_default();
        let documents = files.into_iter().map(|(input, kind)| (input, Form::Objects(kind)));
        let documents = Files::new("reading documents", links.next(), documents);
        Ok(Self { rows, links, documents, unread })
    }

    /// Returns all files in the order of the report.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&Input, Form)> {
        let all = [&self.rows, &self.links, &self.documents].into_iter();
        all.flat_map(|files| files.inputs.iter().zip(files.forms.iter().copied()))
    }
}
