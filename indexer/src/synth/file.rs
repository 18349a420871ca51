//! A file of a release, in order or shuffled.

use std::fs;
use std::path::Path;
use std::thread::Scope;

use crate::run::{Progress, Unit};
use crate::sort::Sorter;
use crate::synth::SynthLayout;
use crate::synth::cell::{Cell, set_line};
use crate::synth::chance::mix;
use crate::synth::columns::Column;
use crate::synth::gzip::GzipFile;
use crate::synth::parquet::ParquetFile;
use crate::{Error, Result};

/// How many rows there are between two steps of the progress.
const PROGRESS_STEP: u64 = 1024;

/// How rows are shuffled.
pub(crate) struct Shuffling<'a> {
    /// Chance for each row.
    pub(crate) stream: u64,
    /// A folder for sorting.
    pub(crate) folder: &'a Path,
    /// The memory for sorting.
    pub(crate) memory_bytes: usize,
}

/// A file of a release that is being written.
pub(crate) struct TableFile<'scope> {
    /// What it is called.
    pub(crate) name: &'static str,
    /// How many rows it has.
    pub(crate) num_rows: u64,
    /// How many lines they are; in a Parquet file as many as rows.
    num_lines: u64,
    /// Where rows go in the end.
    form: Form<'scope>,
    /// What brings them into another order, and chance for each.
    shuffle: Option<(Sorter, u64)>,
    /// The bytes of a row.
    row: Vec<u8>,
}

/// The form of a file.
enum Form<'scope> {
    /// Parquet.
    Parquet(ParquetFile<'scope>),
    /// Text in gzip.
    Gzip(GzipFile<'scope>),
}

impl<'scope> TableFile<'scope> {
    /// Makes a file.
    ///
    /// # Errors
    ///
    /// * It cannot be made.
    pub(crate) fn create(
        scope: &'scope Scope<'scope, '_>,
        folder: &Path,
        name: &'static str,
        layout: SynthLayout,
        columns: &[Column],
        shuffling: Option<&Shuffling>,
    ) -> Result<Self> {
        let path = folder.join(name);
        let form = match layout {
            SynthLayout::Parquet => Form::Parquet(ParquetFile::create(scope, &path, columns)?),
            SynthLayout::Flat => Form::Gzip(GzipFile::create(scope, &path)?),
        };
        let shuffle = match shuffling {
            Some(&Shuffling { stream, folder, memory_bytes }) => {
                let runs = folder.join(name);
                fs::create_dir(&runs).map_err(Error::io("cannot create", &runs))?;
                Some((Sorter::new(&runs, memory_bytes), stream))
            }
            None => None,
        };
        Ok(Self { name, num_rows: 0, num_lines: 0, form, shuffle, row: Vec::new() })
    }

    /// Appends a row and returns its position, 1-based: the row of a Parquet file, the first line of a flat one.
    ///
    /// # Errors
    ///
    /// * It cannot be written.
    pub(crate) fn write(&mut self, cells: &[Cell]) -> Result<u64> {
        let position = self.num_lines + 1;
        match &mut self.form {
            Form::Parquet(file) => {
                self.num_lines += 1;
                if self.shuffle.is_some() {
                    self.row.clear();
                    for cell in cells {
                        cell.write_bytes(&mut self.row);
                    }
                } else {
                    file.write(cells.iter().copied())?;
                }
            }
            Form::Gzip(file) => {
                set_line(cells, &mut self.row);
                self.num_lines += self.row.iter().map(|&byte| u64::from(byte == b'\n')).sum::<u64>();
                if self.shuffle.is_none() {
                    file.write(&self.row)?;
                }
            }
        }
        if let Some((sorter, stream)) = &mut self.shuffle {
            sorter.push(mix(*stream, self.num_rows), &self.row)?;
        }
        self.num_rows += 1;
        Ok(position)
    }

    /// Writes what is missing.
    ///
    /// # Errors
    ///
    /// * It cannot be written.
    pub(crate) fn finish(mut self) -> Result<()> {
        if let Some((sorter, _)) = self.shuffle {
            let mut rows = sorter.finish()?;
            let mut progress = Progress::start("shuffling", Unit::Rows, self.num_rows);
            let mut num_done = 0;
            while rows.next(&mut self.row)?.is_some() {
                match &mut self.form {
                    Form::Parquet(file) => {
                        let mut rest = &*self.row;
                        file.write(std::iter::from_fn(|| Cell::take(&mut rest)))?;
                    }
                    Form::Gzip(file) => file.write(&self.row)?,
                }
                num_done += 1;
                if u64::is_multiple_of(num_done, PROGRESS_STEP) {
                    progress.set(num_done);
                }
            }
            progress.set(num_done);
            progress.finish();
        }
        match self.form {
            Form::Parquet(file) => file.finish(),
            Form::Gzip(file) => file.finish(),
        }
    }
}
