//! The previous harvest, read from beginning to end in parallel with the new one.

use std::collections::BTreeMap;
use std::path::Path;

use indexer::{Error, Result};
use serde::{Deserialize, Serialize};

use super::lines::LineReader;

/// The name of the table of contents.
pub(super) const CONTENTS: &str = "harvest.contents";

/// A part of a harvest that is requested and reused as a whole: a study with all its objects, or a
/// genome.
///
/// Sections are in ascending order of their places, and so are the lines of each file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Section {
    pub(super) stage: u8,
    pub(super) id: String,
    /// A text that changes when the section does, or an empty text if the section must always be
    /// requested.
    pub(super) stamp: String,
    /// The number of its lines in each file.
    pub(super) lines: BTreeMap<String, u64>,
}

/// The place of a section.
pub(super) type Place<'a> = (u8, &'a str);

/// A harvest that was finished.
pub(super) struct Previous {
    contents: LineReader,
    /// The files by name.
    files: Vec<(&'static str, LineReader)>,
    next: Option<Section>,
}

impl Section {
    pub(super) fn place(&self) -> Place<'_> {
        (self.stage, &self.id)
    }
}

impl Previous {
    pub(super) fn open(folder: &Path, names: &[&'static str]) -> Result<Self> {
        let contents = LineReader::open(folder, CONTENTS)?;
        let mut files = Vec::new();
        for name in names {
            files.extend(LineReader::find(folder, name)?.map(|file| (*name, file)));
        }
        let mut previous = Self { contents, files, next: None };
        previous.advance()?;
        Ok(previous)
    }

    /// Returns the identifiers and stamps of the sections of a stage.
    pub(super) fn stamps(folder: &Path, stage: u8) -> Result<BTreeMap<String, String>> {
        let mut contents = LineReader::open(folder, CONTENTS)?;
        let mut stamps = BTreeMap::new();
        while let Some(line) = contents.next()? {
            let section = read(line)?;
            if section.stage == stage {
                stamps.insert(section.id, section.stamp);
            }
        }
        Ok(stamps)
    }

    fn advance(&mut self) -> Result<()> {
        self.next = self.contents.next()?.map(read).transpose()?;
        Ok(())
    }

    /// Returns the next section if it is before a place.
    pub(super) fn before(&self, place: Place) -> Option<&Section> {
        self.next.as_ref().filter(|section| section.place() < place)
    }

    /// Returns the section at a place, which must be the next one.
    pub(super) fn at(&self, place: Place) -> Option<&Section> {
        self.next.as_ref().filter(|section| section.place() == place)
    }

    /// Passes on the lines of the next section, each with the name of its file, and advances past
    /// it.
    pub(super) fn take(&mut self, mut take: impl FnMut(&'static str, &str) -> Result<()>) -> Result<()> {
        let Some(mut section) = self.next.take() else { return Ok(()) };
        for (name, file) in &mut self.files {
            for _ in 0..section.lines.remove(*name).unwrap_or_default() {
                take(name, file.next()?.ok_or_else(damaged)?)?;
            }
        }
        if section.lines.is_empty() { self.advance() } else { Err(damaged()) }
    }
}

fn read(line: &str) -> Result<Section> {
    serde_json::from_str(line).map_err(|_| damaged())
}

fn damaged() -> Error {
    let problem = "the files of the previous harvest do not match its contents: harvest without --since".to_owned();
    Error::Refused { problem }
}
