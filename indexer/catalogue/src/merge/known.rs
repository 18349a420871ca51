//! Facts that rows are merged with.

use indexer::Result;
use indexer::sort::SortSpace;

use super::documents::{self, Documents};
use super::partials::{Partials, checked_partial};
use crate::read::objects::{LineFacts, line_facts};
use crate::read::{Form, Identifier, Identity, Present, Reader, Row, RunFiles};

/// All facts about resources that are not in their rows.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) partials: Partials,
    pub(crate) documents: Documents,
}

enum Fact {
    Partial(Identity, Box<str>),
    Line(Box<LineFacts>),
}

impl Known {
    /// Reads partial resources, with those of the present generation first, and documents. Partial
    /// resources may use the memory of `space`; documents are kept in its folder.
    pub(crate) fn read(
        files: &RunFiles,
        identifier: &Identifier,
        present: Option<&Present<'_>>,
        space: SortSpace<'_>,
        reader: &mut Reader<'_>,
    ) -> Result<Self> {
        let mut partials = Partials::new(space.memory_bytes);
        if let Some(present) = present {
            present.for_each_partial(identifier, |identity, text| partials.add(identity, text, true))?;
        }
        let mut documents = documents::Collector::create(identifier, space.folder)?;
        let examine = |row: Row<'_>| match row.form {
            Form::Objects(kind) => Ok(Fact::Line(Box::new(line_facts(kind, row.text)?))),
            _ => checked_partial(identifier, row.text).map(|(identity, text)| Fact::Partial(identity, text)),
        };
        for files in [&files.links, &files.documents].into_iter().filter(|files| !files.inputs.is_empty()) {
            reader.read(files, examine, |fact| match fact {
                Fact::Partial(identity, text) => partials.add(identity, text, false),
                Fact::Line(facts) => documents.collect(*facts),
            })?;
        }
        Ok(Self { partials, documents: documents.finish()? })
    }
}
