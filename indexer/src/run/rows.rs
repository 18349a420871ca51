//! The rows of each input: the numbers of read, accepted and rejected ones, and the rejects file.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::{FileReport, RejectedRow, Rejection, RowOrigin};
use crate::{Error, Result};

/// The file of a generation that lists the rejected rows.
pub const REJECTS: &str = "rejects.tsv";

/// The rejects file of a run that failed because of them.
pub const REJECTS_OF_FAILED_RUN: &str = "rejects-of-last-failed-run.tsv";

/// The text in place of the first bad row if only an earlier run has read it.
const OF_EARLIER_RUN: &str = "of an earlier run";

/// Counts rows by input, and lists the rejected ones.
pub struct Rows {
    /// The reports of the inputs, by position.
    pub files: Vec<FileReport>,
    limit: RejectLimit,
    /// Set if all bad rows are counted, even if there are too many.
    counts_all: bool,
    path: PathBuf,
    writer: BufWriter<File>,
}

impl Rows {
    /// Creates the rejects file of a draft.
    pub fn create(generations: &Path, draft: &Path, inputs: Vec<String>, max_rejects: u64) -> Result<Self> {
        let path = draft.join(REJECTS);
        let file = File::create(&path).map_err(Error::io("cannot create", &path))?;
        let mut writer = BufWriter::new(file);
        RejectedRow::write_header(&mut writer).map_err(Error::io("cannot write", &path))?;
        let files = inputs.into_iter().map(|name| FileReport { name, ..FileReport::default() }).collect();
        let limit = RejectLimit::new(max_rejects, generations.join(REJECTS_OF_FAILED_RUN));
        Ok(Self { files, limit, counts_all: false, path, writer })
    }

    /// Counts and lists a rejected row of an input. The caller must count it as read.
    pub fn reject(&mut self, file: usize, row: &RejectedRow) -> Result<()> {
        let FileReport { name, rejected, .. } = &mut self.files[file];
        row.write(&mut self.writer, name).map_err(Error::io("cannot write", &self.path))?;
        *rejected.entry(row.rejection.reason.name()).or_default() += 1;
        let name = &self.files[file].name;
        let added =
            if self.counts_all { self.limit.add(name, row).or(Ok(())) } else { self.limit.add_patiently(name, row) };
        added.or_else(|error| self.keep().and(Err(error)))
    }

    /// Counts and lists the rejected row at a position, like [`Rows::reject`].
    pub fn reject_at(&mut self, origin: &RowOrigin, rejection: Rejection) -> Result<()> {
        self.reject(origin.file, &rejection.at_row(origin.line, &origin.excerpt))
    }

    /// Describes the position of an earlier equal row.
    pub fn first_at(&self, origin: &RowOrigin) -> String {
        format!("first in {}, line {}", self.files[origin.file].name, origin.line)
    }

    /// Sets whether all bad rows are counted before [`Rows::check`] refuses them, so that users can
    /// fix all of them at once. Otherwise only some more are counted than are allowed.
    #[must_use]
    pub fn counting_all(self, counts_all: bool) -> Self {
        Self { counts_all, ..self }
    }

    /// Fails if too many rows are bad, and then keeps the rejects file.
    pub fn check(&mut self) -> Result<()> {
        self.limit.check().or_else(|error| self.keep().and(Err(error)))
    }

    /// Checks the rows, and writes all data that is still in memory. If the first `num_files`
    /// inputs have no good row, that is an error, and the rejects file is kept.
    pub fn finish(&mut self, num_files: usize) -> Result<()> {
        self.check()?;
        if self.files[..num_files].iter().all(|file| file.num_accepted == 0) {
            let Some(error) = self.limit.nothing_accepted() else { return Err(Error::NothingToLoad) };
            return self.keep().and(Err(error));
        }
        self.flush()
    }

    /// Checks the rows, and writes all data that is still in memory, whether or not there are good
    /// rows.
    pub fn flush(&mut self) -> Result<()> {
        self.check()?;
        self.writer.flush().map_err(Error::io("cannot write", &self.path))
    }

    /// Moves the rejects file to a folder where it outlasts the failed run.
    fn keep(&mut self) -> Result<()> {
        let rejects_file = &self.limit.rejects_file;
        let kept = self.writer.flush().and_then(|()| fs::rename(&self.path, rejects_file));
        kept.map_err(Error::io("cannot keep", rejects_file))
    }
}

fn describe(name: &str, row: &RejectedRow) -> String {
    let Rejection { reason, detail, .. } = &row.rejection;
    format!("{name}, line {}: {} ({detail})", row.line, reason.name())
}

/// The number of further bad rows that a run counts after there are too many, and the time it
/// continues for that: several rows are more helpful for fixing them.
const FURTHER_ROWS: u64 = 1000;
const FURTHER_TIME: Duration = Duration::from_mins(1);

/// Counts the bad rows of all threads.
pub struct RejectLimit {
    max: u64,
    num: AtomicU64,
    /// File, line and reason of the first bad row that this process found.
    first: OnceLock<String>,
    /// The time when there were too many.
    exceeded: OnceLock<Instant>,
    /// The list of the rejected rows, for the error if there are too many.
    rejects_file: PathBuf,
}

impl RejectLimit {
    /// Allows `max` bad rows, which the file lists.
    pub fn new(max: u64, rejects_file: PathBuf) -> Self {
        Self { max, num: AtomicU64::new(0), first: OnceLock::new(), exceeded: OnceLock::new(), rejects_file }
    }

    /// Restarts with the number of bad rows in finished work, which is not repeated. Fails if it
    /// exceeds the limit, as after an earlier run with a higher one.
    pub fn restart(&self, num_before: u64) -> Result<()> {
        self.num.store(num_before, Ordering::Relaxed);
        if self.exceeded.get().is_some() { self.check_overdue() } else { self.check() }
    }

    /// Counts a bad row of a file. Fails if there are too many.
    pub fn add(&self, name: &str, row: &RejectedRow) -> Result<()> {
        let reason = row.rejection.reason;
        if !reason.counts_towards_limit() {
            return Ok(());
        }
        let num_rejected = self.num.fetch_add(1, Ordering::Relaxed) + 1;
        let first = self.first.get_or_init(|| describe(name, row));
        if num_rejected <= self.max { Ok(()) } else { Err(self.too_many(num_rejected, first)) }
    }

    /// Counts a bad row of a file. Fails once there have been too many for another thousand rows or
    /// a minute.
    pub fn add_patiently(&self, name: &str, row: &RejectedRow) -> Result<()> {
        let Err(error) = self.add(name, row) else { return Ok(()) };
        self.exceeded.get_or_init(Instant::now);
        let is_enough = self.num.load(Ordering::Relaxed) > self.max.saturating_add(FURTHER_ROWS);
        if is_enough { Err(error) } else { self.check_overdue() }
    }

    /// Fails if there have been too many bad rows for a minute.
    pub fn check_overdue(&self) -> Result<()> {
        if self.exceeded.get().is_some_and(|since| since.elapsed() > FURTHER_TIME) { self.check() } else { Ok(()) }
    }

    /// Fails if more rows are bad than allowed.
    pub fn check(&self) -> Result<()> {
        let num_rejected = self.num.load(Ordering::Relaxed);
        let first = self.first.get().map_or(OF_EARLIER_RUN, |first| first);
        if num_rejected <= self.max { Ok(()) } else { Err(self.too_many(num_rejected, first)) }
    }

    /// Returns the error of a run that has accepted nothing, or `None` if no row was bad.
    pub fn nothing_accepted(&self) -> Option<Error> {
        let num_rejected = self.num.load(Ordering::Relaxed);
        let first = self.first.get().cloned().unwrap_or_else(|| OF_EARLIER_RUN.to_owned());
        let rejects_file = self.rejects_file.clone();
        (num_rejected > 0).then_some(Error::NothingAccepted { num_rejected, first, rejects_file })
    }

    fn too_many(&self, num_rejected: u64, first: &str) -> Error {
        let (first, rejects_file) = (first.to_owned(), self.rejects_file.clone());
        Error::TooManyRejects { num_rejected, max_rejects: self.max, first, rejects_file }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::run::Reason;

    #[test]
    fn patient_limits_count_some_more_rows() {
        let row = Rejection::new(Reason::BadSequence, "why").at_row(3, b"text");
        let limit = || RejectLimit::new(2, PathBuf::new());
        let many = limit();
        assert!((0..2 + FURTHER_ROWS).all(|_| many.add_patiently("a", &row).is_ok()));
        let error = many.add_patiently("a", &row).expect_err("enough").to_string();
        assert!(
            error.starts_with("1,003 bad rows") && many.check_overdue().is_ok() && many.check().is_err(),
            "{error}"
        );
        let late = limit();
        let long_ago = Instant::now().checked_sub(FURTHER_TIME * 2).expect("the machine runs for longer");
        late.exceeded.set(long_ago).expect("not set");
        assert!((0..2).all(|_| late.add_patiently("a", &row).is_ok() && late.check_overdue().is_ok()));
        assert!(late.add_patiently("a", &row).is_err() && late.check_overdue().is_err());
    }

    #[test]
    fn cycles_do_not_count_towards_the_limit() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let draft = folder.path().join("building");
        fs::create_dir(&draft).expect("new");
        let mut rows = Rows::create(folder.path(), &draft, vec!["a".into(), "b".into()], 1).expect("writable");
        let row = |line, reason| Rejection::new(reason, "why").at_row(line, b"text");
        rows.reject(0, &row(3, Reason::ReplacementCycle)).expect("does not count");
        rows.reject(1, &row(5, Reason::BadSequence)).expect("one is allowed");
        rows.reject(1, &row(7, Reason::BadAccession)).expect("reported at the end");
        let error = rows.check().expect_err("one too many").to_string();
        assert!(error.contains("b, line 5: bad_sequence (why)"), "{error}");
        let listed = fs::read_to_string(folder.path().join(REJECTS_OF_FAILED_RUN)).expect("kept");
        assert_eq!(listed.lines().count(), 4);
        assert_eq!(rows.files[1].rejected, BTreeMap::from([("bad_accession", 1), ("bad_sequence", 1)]));
    }
}
