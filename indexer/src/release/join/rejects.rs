//! The bad rows of a release: how many there may be, the list of each part of the run, and in the end one of all.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::rejects::{RejectedRow, one_line, write_header};
use crate::release::read::RowOrigin;
use crate::sort::Sorter;
use crate::{Error, Result};

const LIST_PREFIX: &str = "rejects-";

pub(crate) struct RejectLimit {
    max: u64,
    num: AtomicU64,
    /// File, line and reason of the first one that was met.
    first: Mutex<Option<String>>,
    listed_in: PathBuf,
}

impl RejectLimit {
    pub(crate) fn new(max: u64, listed_in: PathBuf) -> Self {
        Self { max, num: AtomicU64::new(0), first: Mutex::new(None), listed_in }
    }

    /// Goes back to the number of bad rows in what is done for good: all others are read again.
    pub(crate) fn restart(&self, num_before: u64) -> Result<()> {
        self.num.store(num_before, Ordering::Relaxed);
        if num_before <= self.max { Ok(()) } else { Err(self.too_many(num_before, "of an earlier run".to_owned())) }
    }

    pub(super) fn add(&self, name: &str, row: &RejectedRow) -> Result<()> {
        let reason = row.rejection.reason;
        if !reason.counts_towards_limit() {
            return Ok(());
        }
        let num_rejected = self.num.fetch_add(1, Ordering::Relaxed) + 1;
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        let first = first
            .get_or_insert_with(|| format!("{name}, line {}: {} ({})", row.line, reason.name(), row.rejection.detail));
        if num_rejected <= self.max { Ok(()) } else { Err(self.too_many(num_rejected, first.clone())) }
    }

    fn too_many(&self, num_rejected: u64, first: String) -> Error {
        let rejects_file = self.listed_in.clone();
        Error::TooManyRejects { num_rejected, max_rejects: self.max, first, rejects_file }
    }

    /// Returns the error of a run that has accepted nothing, or `None` if it has not met a bad row.
    pub(crate) fn nothing_accepted(&self) -> Option<Error> {
        let num_rejected = self.num.load(Ordering::Relaxed);
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let first = first.unwrap_or_else(|| "of an earlier run".to_owned());
        (num_rejected > 0).then(|| Error::NothingAccepted { num_rejected, first, rejects_file: self.listed_in.clone() })
    }
}

/// Returns the name of the part of the run that is a range.
pub(crate) fn range_part(number: u32) -> String {
    format!("range-{number:06}")
}

pub(super) fn list_path(work: &Path, part: &str) -> PathBuf {
    work.join(format!("{LIST_PREFIX}{part}.tsv"))
}

/// Removes the lists of all other parts.
pub(crate) fn keep_lists(work: &Path, parts: &[String]) -> Result<()> {
    let kept: HashSet<PathBuf> = parts.iter().map(|part| list_path(work, part)).collect();
    for list in lists(work)?.iter().filter(|list| !kept.contains(*list)) {
        fs::remove_file(list).map_err(Error::io("cannot remove", list))?;
    }
    Ok(())
}

/// Returns the lists of all parts, in the order of their names.
fn lists(work: &Path) -> Result<Vec<PathBuf>> {
    let mut lists: Vec<PathBuf> = fs::read_dir(work)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
        .map_err(Error::io("cannot read", work))?;
    lists.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(LIST_PREFIX)));
    lists.sort_unstable();
    Ok(lists)
}

/// Joins the lists of all parts into one file with a header, by file and row, however the run was cut into parts.
pub(crate) fn join_lists(work: &Path, names: &[String], memory_bytes: usize, into: &Path) -> Result<()> {
    let mut sorter = Sorter::named(work, "rejected", memory_bytes);
    for list in lists(work)? {
        let reader = File::open(&list).map(BufReader::new).map_err(Error::io("cannot open", &list))?;
        for line in reader.lines() {
            let line = line.map_err(Error::io("cannot read", &list))?;
            let (origin, cells) = parse(&line).ok_or(Error::Spill)?;
            sorter.push(origin.0, cells.as_bytes())?;
        }
    }
    let mut entries = sorter.finish()?;
    let file = File::create(into).map_err(Error::io("cannot create", into))?;
    let mut writer = BufWriter::new(file);
    write_header(&mut writer).map_err(Error::io("cannot write", into))?;
    let mut cells = Vec::new();
    while let Some(origin) = entries.next(&mut cells)? {
        let name = one_line(&names[usize::from(RowOrigin(origin).file())]);
        let write = write!(writer, "{name}\t").and_then(|()| writer.write_all(&cells)).and_then(|()| writeln!(writer));
        write.map_err(Error::io("cannot write", into))?;
    }
    writer.flush().map_err(Error::io("cannot write", into))
}

/// Splits a line of a list into the origin of the row, and the cells behind the file.
fn parse(line: &str) -> Option<(RowOrigin, &str)> {
    let (file, cells) = line.split_once('\t')?;
    let (row, _) = cells.split_once('\t')?;
    Some((RowOrigin::new(file.parse().ok()?, row.parse().ok()?), cells))
}
