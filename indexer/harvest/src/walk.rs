//! The parts of a walk: lists, objects, and stages that are written or carried over.

use std::collections::BTreeMap;
use std::path::PathBuf;

use indexer::Result;
use indexer::run::peak_memory_bytes;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::Analyses;
use super::answers::Answers;
use super::client::Answer;
use super::estimate::Estimate;
use super::notes::Notes;
use super::objects::member;
use super::pages::{self, List, Row, Seen};
use super::previous::Previous;
use super::report::HarvestReport;
use super::writer::Writer;

/// The characters that are escaped in a path segment.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b':');

/// A walk through a server.
pub(super) struct Walk<'a> {
    pub(super) answers: Answers,
    pub(super) notes: Notes,
    pub(super) writer: Writer,
    /// The folder of the previous harvest.
    pub(super) since: Option<PathBuf>,
    pub(super) analyses: Analyses,
    pub(super) report: HarvestReport,
    pub(super) estimate: Estimate<'a>,
}

/// A row of a list about an object.
#[derive(Default)]
pub(super) struct Listed {
    /// A text that changes when the object does.
    pub(super) stamp: String,
    /// The JSON of the row.
    pub(super) text: String,
}

/// Returns an identifier as a segment of a path.
pub(super) fn segment(id: &str) -> String {
    utf8_percent_encode(id, ESCAPED).to_string()
}

impl Walk<'_> {
    /// Reads a list, and passes its rows on with the writer. If rows are missing, the open section
    /// is marked as incomplete.
    pub(super) fn list(&mut self, list: List, mut take: impl FnMut(&mut Writer, Row) -> Result<()>) -> Result<Seen> {
        let Self { answers, notes, writer, .. } = self;
        let seen = pages::read(answers, notes, list, false, &mut |row| take(writer, row).map(|()| true))?;
        if seen.is_missing {
            notes.skip(list.path, "the list does not exist")?;
        }
        if !seen.is_whole {
            writer.mark_incomplete();
        }
        self.step()?;
        Ok(seen)
    }

    /// Requests an object, which must have an identifier in the member `name`. If it does not exist
    /// or the request fails, that is noted; in the latter case, the open section is marked as
    /// incomplete.
    pub(super) fn object(&mut self, path: &str, name: &str, id: &str) -> Result<Answer> {
        let mut answer = self.answers.ask(path)?;
        if let Answer::Json(text) = &answer
            && member(text, name).as_deref() != Some(id)
        {
            answer = Answer::Fault("its answer is not the requested object".to_owned());
        }
        match &answer {
            Answer::Json(_) => {}
            Answer::Missing => self.notes.skip(path, "it does not exist, or is hidden")?,
            Answer::Fault(why) => {
                self.notes.skip(path, why)?;
                self.writer.mark_incomplete();
            }
        }
        self.step()?;
        Ok(answer)
    }

    /// Reads a list into memory, by identifier. If the list is incomplete, the objects of the
    /// previous harvest at a stage are kept too.
    pub(super) fn listed(
        &mut self,
        stage: u8,
        list: List,
        stamp: fn(&str) -> String,
    ) -> Result<BTreeMap<String, Listed>> {
        let mut listed = BTreeMap::new();
        let seen = self.list(list, |_, Row { id, text }| {
            listed.insert(id, Listed { stamp: stamp(text), text: text.to_owned() });
            Ok(())
        })?;
        if !seen.is_whole {
            for (id, stamp) in self.stamps(stage)? {
                listed.entry(id).or_insert(Listed { stamp, text: String::new() });
            }
        }
        Ok(listed)
    }

    /// Returns the identifiers and stamps of the previous harvest at a stage.
    pub(super) fn stamps(&self, stage: u8) -> Result<BTreeMap<String, String>> {
        self.since.as_deref().map_or(Ok(BTreeMap::new()), |since| Previous::stamps(since, stage))
    }

    /// Writes a stage: a section for each object, reused from the previous harvest if its stamp is
    /// the same.
    pub(super) fn stage(
        &mut self,
        stage: u8,
        listed: BTreeMap<String, Listed>,
        mut write: impl FnMut(&mut Self, &str, &str) -> Result<()>,
    ) -> Result<()> {
        for (id, Listed { stamp, text }) in listed {
            if !self.writer.carry((stage, &id), &stamp)? {
                write(self, &id, &text)?;
                self.writer.end()?;
            }
        }
        Ok(())
    }

    /// Writes a stage of one section, which is always requested.
    pub(super) fn whole_stage(&mut self, stage: u8, mut write: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        let listed = BTreeMap::from([(String::new(), Listed::default())]);
        self.stage(stage, listed, |walk, _, _| write(walk))
    }

    fn step(&mut self) -> Result<()> {
        self.answers.limits.check("a type", self.writer.objects.max_objects())?;
        self.estimate.step(&self.answers);
        if self.estimate.is_due() { self.note() } else { Ok(()) }
    }

    /// Expects `num_left` further requests.
    pub(super) fn expect(&mut self, num_left: u64) {
        self.estimate.expect(&self.answers, num_left);
    }

    fn so_far(&self) -> HarvestReport {
        let mut report = self.report.clone();
        report.add_cost(self.answers.cost);
        report.objects = self.writer.objects.numbers();
        report.peak_memory_bytes = peak_memory_bytes();
        report.skipped = self.notes.num_skipped;
        report.incomplete.clone_from(&self.notes.incomplete);
        report
    }

    /// Writes the report of a harvest under way.
    pub(super) fn note(&mut self) -> Result<()> {
        let report = self.so_far();
        self.estimate.note(&self.answers, report)
    }

    /// Ends all files, and returns the report, and the names of the files without lines.
    pub(super) fn finish(mut self) -> Result<(HarvestReport, Vec<&'static str>)> {
        let report = self.so_far();
        self.estimate.finish();
        self.notes.finish()?;
        let (objects, empty) = self.writer.finish()?;
        self.answers.finish()?;
        Ok((HarvestReport { objects: objects.numbers(), ..report }, empty))
    }
}
