//! The files of a harvest, written section by section.

use std::collections::HashSet;
use std::path::Path;

use indexer::{Error, Result};

use super::lines::LineWriter;
use super::objects::{Objects, hash, member};
use super::previous::{CONTENTS, Place, Previous, Section};

/// A file of a harvest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// Its name up to the first dot.
    pub(super) name: &'static str,
    /// The member that identifies the object of a line.
    pub(super) id: &'static str,
    /// Set if several lines of an object add up, so that an older one never contradicts a newer
    /// one.
    pub(super) adds_up: bool,
}

/// A file and its name.
struct Written {
    kind: Kind,
    file: LineWriter,
}

/// The section that is being written.
#[derive(Default)]
struct Open {
    section: Section,
    /// The objects in the section, by file and identifier.
    lines: HashSet<(&'static str, u64)>,
    /// Lines that are used for an object only if no better line exists.
    fallbacks: Vec<(&'static str, String, String)>,
    is_whole: bool,
    /// Set while its lines are those of the previous harvest.
    is_carried: bool,
}

/// Writes files, reusing the parts of the previous harvest that need no request.
pub(super) struct Writer {
    files: Vec<Written>,
    contents: LineWriter,
    previous: Option<Previous>,
    open: Option<Open>,
    pub(super) objects: Objects,
}

impl Writer {
    /// Creates the files of a harvest in a folder.
    pub(super) fn create(folder: &Path, kinds: &[Kind], previous: Option<Previous>) -> Result<Self> {
        let written = |kind: &Kind| Ok(Written { kind: *kind, file: LineWriter::create(folder, kind.name)? });
        Ok(Self {
            files: kinds.iter().map(written).collect::<Result<_>>()?,
            contents: LineWriter::create(folder, CONTENTS)?,
            previous,
            open: None,
            objects: Objects::default(),
        })
    }

    /// Advances to a place. If the previous harvest has a section there with the same stamp, writes
    /// that section; otherwise begins a new one. Returns whether the section was reused.
    pub(super) fn carry(&mut self, place: Place, stamp: &str) -> Result<bool> {
        self.pass_before(place)?;
        let (stage, id) = (place.0, place.1.to_owned());
        let section = Section { stage, id, stamp: stamp.to_owned(), ..Section::default() };
        self.open = Some(Open { section, is_whole: true, ..Open::default() });
        let previous = self.previous.as_ref().and_then(|previous| previous.at(place));
        if stamp.is_empty() || previous.is_none_or(|previous| previous.stamp != stamp) {
            return Ok(false);
        }
        self.open.iter_mut().for_each(|open| open.is_carried = true);
        self.take_previous(|writer, name, id, line| writer.line(name, &id, line))?;
        self.close()?;
        Ok(true)
    }

    /// Writes a line of the open section.
    pub(super) fn line(&mut self, name: &'static str, id: &str, line: &str) -> Result<()> {
        let open = self.open.as_mut().ok_or(Error::Internal("a line belongs to no section"))?;
        let id = hash(id);
        open.lines.insert((name, id));
        *open.section.lines.entry(name.to_owned()).or_default() += 1;
        self.objects.add_new(name, id, line, !open.is_carried);
        let written = self.files.iter_mut().find(|written| written.kind.name == name);
        written.ok_or(Error::Internal("a line belongs to no file"))?.file.write(line)
    }

    /// Writes a line unless the section ends up with a better one of the object, even an older one.
    pub(super) fn fallback_line(&mut self, name: &'static str, id: &str, line: &str) {
        if let Some(open) = &mut self.open {
            open.fallbacks.push((name, id.to_owned(), line.to_owned()));
        }
    }

    /// Notes that a part of the open section is missing: the lines of the previous harvest stay,
    /// and the section is requested again next time.
    pub(super) fn mark_incomplete(&mut self) {
        if let Some(open) = &mut self.open {
            open.is_whole = false;
        }
    }

    /// Ends the open section.
    pub(super) fn end(&mut self) -> Result<()> {
        let Some(open) = &self.open else { return Ok(()) };
        let (stage, id) = (open.section.stage, open.section.id.clone());
        if self.previous.as_ref().is_some_and(|previous| previous.at((stage, &id)).is_some()) {
            self.open.iter_mut().for_each(|open| open.is_carried = true);
            self.take_previous(|writer, name, id, line| {
                let Some(open) = &writer.open else { return Ok(()) };
                let is_known = open.lines.contains(&(name, hash(&id)));
                let adds_up = writer.files.iter().any(|written| written.kind.name == name && written.kind.adds_up);
                if !open.is_whole && (!is_known || adds_up) {
                    writer.line(name, &id, line)?;
                }
                Ok(())
            })?;
        }
        let fallbacks = self.open.as_mut().map(|open| std::mem::take(&mut open.fallbacks)).unwrap_or_default();
        for (name, id, line) in fallbacks {
            if self.open.as_ref().is_some_and(|open| !open.lines.contains(&(name, hash(&id)))) {
                self.line(name, &id, &line)?;
            }
        }
        self.close()
    }

    /// Skips the sections of the previous harvest that are missing in this one.
    fn pass_before(&mut self, place: Place) -> Result<()> {
        while self.previous.as_ref().is_some_and(|previous| previous.before(place).is_some()) {
            self.take_previous(|_, _, _, _| Ok(()))?;
        }
        Ok(())
    }

    /// Passes on the lines of the next section of the previous harvest, with the names of their
    /// files and identifiers.
    fn take_previous(
        &mut self,
        mut take: impl FnMut(&mut Self, &'static str, String, &str) -> Result<()>,
    ) -> Result<()> {
        let Some(mut previous) = self.previous.take() else { return Ok(()) };
        previous.take(|name, line| {
            let kind = self.files.iter().map(|written| written.kind).find(|kind| kind.name == name);
            let id = kind.and_then(|kind| member(line, kind.id)).unwrap_or_else(|| line.to_owned());
            self.objects.add_old(name, hash(&id), line);
            take(self, name, id, line)
        })?;
        self.previous = Some(previous);
        Ok(())
    }

    fn close(&mut self) -> Result<()> {
        let Some(Open { mut section, is_whole, .. }) = self.open.take() else { return Ok(()) };
        // Hidden objects may reappear unchanged.
        if !is_whole || section.lines.is_empty() {
            section.stamp.clear();
        }
        let line = serde_json::to_string(&section).map_err(|_| Error::Internal("a section has no JSON"))?;
        self.contents.write(&line)
    }

    /// Ends all files, and returns their objects, and the names of the files without lines.
    pub(super) fn finish(mut self) -> Result<(Objects, Vec<&'static str>)> {
        self.pass_before((u8::MAX, ""))?;
        self.contents.finish()?;
        let mut empty = Vec::new();
        for Written { kind, file } in self.files {
            if !file.finish()? {
                empty.push(kind.name);
            }
        }
        Ok((self.objects, empty))
    }
}
