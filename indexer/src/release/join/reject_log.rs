//! The bad rows of a release: a list for each part of the run, and in the end one of all.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::rejects::{RejectedRow, one_line, write_header, write_row};
use crate::release::context::RunContext;
use crate::release::read::block::RowOrigin;
use crate::sort::Sorter;
use crate::{Error, Result};

/// What the name of each list starts with.
const LIST_PREFIX: &str = "rejects-";

/// Lists the bad rows of a part of the run. Without bad rows there is no file.
pub(super) struct RejectLog<'a> {
    path: PathBuf,
    context: &'a RunContext,
    writer: Option<BufWriter<File>>,
}

impl<'a> RejectLog<'a> {
    pub(super) fn new(context: &'a RunContext, part: &str) -> Self {
        Self { path: list_path(&context.work, part), context, writer: None }
    }

    /// Lists a bad row of a file.
    pub(super) fn add(&mut self, file: u16, row: &RejectedRow) -> Result<()> {
        let writer = match &mut self.writer {
            Some(writer) => writer,
            none => {
                let file = File::create(&self.path).map_err(Error::io("cannot create", &self.path))?;
                none.insert(BufWriter::new(file))
            }
        };
        // The position, and not the name: a run that is continued may know the file by another path.
        write_row(writer, &file.to_string(), row).map_err(Error::io("cannot write", &self.path))?;
        self.context.limit.add(&self.context.names[usize::from(file)], row)
    }

    /// Waits until the list is on the disk: the journal will say that it is.
    pub(super) fn finish(mut self) -> Result<()> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        writer.flush().and_then(|()| writer.get_ref().sync_all()).map_err(Error::io("cannot write", &self.path))?;
        let folder = self.path.parent().unwrap_or(Path::new("."));
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::io("cannot sync", folder))
    }
}

impl Drop for RejectLog<'_> {
    fn drop(&mut self) {
        // A failed run lists the bad rows that it has met.
        if let Some(writer) = &mut self.writer {
            let _ = writer.flush();
        }
    }
}

/// Returns the name of the part of the run that is a range.
pub(crate) fn range_part(number: u32) -> String {
    format!("range-{number:06}")
}

fn list_path(work: &Path, part: &str) -> PathBuf {
    work.join(format!("{LIST_PREFIX}{part}.tsv"))
}

/// Removes the lists of all other parts.
///
/// # Errors
///
/// * A list cannot be removed.
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
///
/// # Errors
///
/// * A list cannot be read; the file cannot be written.
pub(crate) fn join_lists(context: &RunContext, into: &Path) -> Result<()> {
    let RunContext { work, names, budget, .. } = context;
    let mut sorter = Sorter::named(work, "rejected", budget.sorting_bytes);
    for list in lists(work)? {
        let reader = File::open(&list).map(BufReader::new).map_err(Error::io("cannot open", &list))?;
        for line in reader.lines() {
            let line = line.map_err(Error::io("cannot read", &list))?;
            let (origin, cells) = parse(&line).ok_or(Error::Spill)?;
            sorter.push(origin.to_bits(), cells.as_bytes())?;
        }
    }
    let mut entries = sorter.finish()?;
    let file = File::create(into).map_err(Error::io("cannot create", into))?;
    let mut writer = BufWriter::new(file);
    write_header(&mut writer).map_err(Error::io("cannot write", into))?;
    let mut cells = Vec::new();
    while let Some(origin) = entries.next(&mut cells)? {
        let name = one_line(&names[usize::from(RowOrigin::from_bits(origin).file())]);
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
