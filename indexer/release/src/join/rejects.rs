//! The bad rows of a release: a list for each part of the run, and one list of all at the end.

use std::collections::HashSet;
use std::fs::{self, DirEntry, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use indexer::run::{RejectedRow, one_line};
use indexer::sort::Sorter;
use indexer::{Error, Result};
use store::durable;

use crate::read::RowOrigin;

const LIST_PREFIX: &str = "rejects-";

/// Returns the name of the part of the run for a range.
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
    let mut lists: Vec<PathBuf> = durable::entries(work)?.iter().map(DirEntry::path).collect();
    lists.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(LIST_PREFIX)));
    lists.sort_unstable();
    Ok(lists)
}

/// Joins the lists of all parts into one file with a header, sorted by file and row, whatever the
/// parts of the run.
pub(crate) fn join_lists(work: &Path, names: &[String], memory_bytes: usize, into: &Path) -> Result<()> {
    let mut sorter = Sorter::named(work, "rejected", memory_bytes);
    for list in lists(work)? {
        let reader = File::open(&list).map(BufReader::new).map_err(Error::io("cannot open", &list))?;
        for line in reader.lines() {
            let line = line.map_err(Error::io("cannot read", &list))?;
            let (origin, cells) = parse(&line).ok_or(Error::CorruptSpill)?;
            sorter.push(origin.0, cells.as_bytes())?;
        }
    }
    let mut entries = sorter.finish()?;
    let file = File::create(into).map_err(Error::io("cannot create", into))?;
    let mut writer = BufWriter::new(file);
    RejectedRow::write_header(&mut writer).map_err(Error::io("cannot write", into))?;
    let mut cells = Vec::new();
    while let Some(origin) = entries.next(&mut cells)? {
        let name = one_line(&names[usize::from(RowOrigin(origin).file())]);
        let write = write!(writer, "{name}\t").and_then(|()| writer.write_all(&cells)).and_then(|()| writeln!(writer));
        write.map_err(Error::io("cannot write", into))?;
    }
    writer.flush().map_err(Error::io("cannot write", into))
}

/// Splits a line of a list into the origin of the row, and the cells after the file.
fn parse(line: &str) -> Option<(RowOrigin, &str)> {
    let (file, cells) = line.split_once('\t')?;
    let (row, _) = cells.split_once('\t')?;
    Some((RowOrigin::new(file.parse().ok()?, row.parse().ok()?), cells))
}
