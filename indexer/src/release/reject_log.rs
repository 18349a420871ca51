//! The bad rows of a release: a file for each part of the run, and one limit for all.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::block::RowPlace;
use crate::run::{RejectLimit, RejectedRow, one_line};
use crate::sort::Sorter;
use crate::{Error, Result};

/// What the name of each list starts with.
const LIST_PREFIX: &str = "rejects-";

/// Lists the bad rows of a part of the run. Without bad rows there is no file.
pub(super) struct RejectLog<'a> {
    /// The file.
    path: PathBuf,
    /// The names of all inputs, by position.
    names: &'a [String],
    /// The limit.
    limit: &'a RejectLimit,
    /// Writes the file.
    writer: Option<BufWriter<File>>,
}

impl<'a> RejectLog<'a> {
    /// Starts a list; whatever an earlier run has written there is forgotten.
    pub(super) fn new(path: PathBuf, names: &'a [String], limit: &'a RejectLimit) -> Self {
        Self { path, names, limit, writer: None }
    }

    /// Lists a bad row of a file.
    ///
    /// # Errors
    ///
    /// * It is one too many; or the file cannot be written.
    pub(super) fn add(&mut self, file: u16, row: &RejectedRow) -> Result<()> {
        let name = &self.names[usize::from(file)];
        let writer = match &mut self.writer {
            Some(writer) => writer,
            none => {
                let file = File::create(&self.path).map_err(Error::io("cannot create", &self.path))?;
                none.insert(BufWriter::new(file))
            }
        };
        // The position, and not the name: a run that goes on may know the file by another path.
        row.write(writer, &file.to_string()).map_err(Error::io("cannot write", &self.path))?;
        self.limit.add(name, row)
    }

    /// Writes what is still in memory, and waits until it is on the disk: the journal will say that it is.
    ///
    /// # Errors
    ///
    /// * The file cannot be written.
    pub(super) fn finish(mut self) -> Result<()> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        writer.flush().and_then(|()| writer.get_ref().sync_all()).map_err(Error::io("cannot write", &self.path))?;
        let folder = self.path.parent().unwrap_or(Path::new("."));
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::io("cannot sync", folder))
    }
}

impl Drop for RejectLog<'_> {
    fn drop(&mut self) {
        // A failed run lists what it has met.
        if let Some(writer) = &mut self.writer {
            let _ = writer.flush();
        }
    }
}

/// Returns the name of the list of a part of the run, inside the folder of the work.
pub(super) fn list_path(work: &Path, part: &str) -> PathBuf {
    work.join(format!("{LIST_PREFIX}{part}.tsv"))
}

/// Returns the name of the part of the run that is a range.
pub(super) fn range_list(number: u32) -> String {
    format!("range-{number:06}")
}

/// Removes all lists but those of known parts.
///
/// # Errors
///
/// * A list cannot be removed.
pub(super) fn remove_lists_but(work: &Path, known_parts: &[String]) -> Result<()> {
    let known: HashSet<PathBuf> = known_parts.iter().map(|part| list_path(work, part)).collect();
    for list in lists(work)?.iter().filter(|list| !known.contains(*list)) {
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

/// Joins the lists of all parts into one file with a header, in the order of the inputs: by file and row, however the run was cut
/// into parts.
///
/// # Errors
///
/// * A list cannot be read; the file cannot be written.
pub(super) fn join_lists(work: &Path, names: &[String], memory_bytes: usize, into: &Path) -> Result<()> {
    let mut sorter = Sorter::named(work, "rejected", memory_bytes);
    for list in lists(work)? {
        let reader = File::open(&list).map(BufReader::new).map_err(Error::io("cannot open", &list))?;
        for line in reader.lines() {
            let line = line.map_err(Error::io("cannot read", &list))?;
            let (place, cells) = place_of(&line).ok_or(Error::Spill)?;
            sorter.push(place.to_bits(), cells.as_bytes())?;
        }
    }
    let mut entries = sorter.finish()?;
    let file = File::create(into).map_err(Error::io("cannot create", into))?;
    let mut writer = BufWriter::new(file);
    RejectedRow::write_header(&mut writer).map_err(Error::io("cannot write", into))?;
    let mut cells = Vec::new();
    while let Some(place) = entries.next(&mut cells)? {
        let name = one_line(&names[usize::from(RowPlace::from_bits(place).file())]);
        let write = write!(writer, "{name}\t").and_then(|()| writer.write_all(&cells)).and_then(|()| writeln!(writer));
        write.map_err(Error::io("cannot write", into))?;
    }
    writer.flush().map_err(Error::io("cannot write", into))
}

/// Splits a line of a list into the place that it names, and the cells behind the file.
fn place_of(line: &str) -> Option<(RowPlace, &str)> {
    let (file, cells) = line.split_once('\t')?;
    let (row, _) = cells.split_once('\t')?;
    Some((RowPlace::new(file.parse().ok()?, row.parse().ok()?), cells))
}
