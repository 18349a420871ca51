//! Reading inputs row by row: each is good or bad, whether it was a line or part of a document.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexer::Result;
use indexer::lines::Line;
use indexer::ordered::Queue;
use indexer::run::{Noted, Reason, RejectedRow, Rejection, Rows, StageReport, preflight, read_in_order};
use store::InputEntry;

use super::document::{Document, begins_as_page, split};
use super::files::{Files, Form};
use super::input::read_input;
use super::pieces::{Content, Limits, Piece, ResourceBatch};
use super::resource::Relation;
use super::table::{TableRules, push_table};

/// The JSON of a possible resource, or of an object of version 2.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) text: &'a str,
    pub(crate) form: Form,
    pub(crate) is_included: bool,
    /// The related collection that lists it: only for resources in `data`, not for those in
    /// `included`.
    pub(crate) found_in: Option<&'a Arc<Relation>>,
}

impl<'a> Row<'a> {
    /// Returns a resource that is not from a file.
    pub(crate) const fn of(text: &'a str, is_included: bool) -> Self {
        Self { text, form: Form::Resources, is_included, found_in: None }
    }
}

/// Reads files: splits them into rows, and counts these.
pub(crate) struct Reader<'a> {
    pub(crate) rows: Rows,
    limits: Limits,
    tables: TableRules<'a>,
    /// The files that were read, by position.
    entries: BTreeMap<usize, InputEntry>,
    stages: Vec<StageReport>,
}

impl<'a> Reader<'a> {
    pub(crate) const fn new(rows: Rows, limits: Limits, tables: TableRules<'a>) -> Self {
        Self { rows, limits, tables, entries: BTreeMap::new(), stages: Vec::new() }
    }

    /// Reads files. The results of `examine` for good rows are passed to `collect` in the order of
    /// the input.
    pub(crate) fn read<T>(
        &mut self,
        files: &Files,
        examine: impl Fn(Row<'_>) -> Result<T, Rejection> + Sync,
        mut collect: impl FnMut(T) -> Result<()> + Send,
    ) -> Result<()> {
        let Self { rows, limits, tables, .. } = self;
        let Files { inputs, forms, first, .. } = files;
        let total_bytes = preflight::total_bytes(&preflight::input_sizes(inputs)?);
        let read = |file: usize, reader, queue: &mut Queue<Piece>| {
            let mut num_lines = 0;
            let mut push = |content| queue.push(Piece { file: first + file, content });
            let read = match forms[file] {
                Form::Table => push_table(reader, *tables, *limits, &mut num_lines, &mut push),
                _ => read_input(reader, *limits, &mut num_lines, &mut push),
            };
            read.map_err(|source| inputs[file].error(num_lines, source))
        };
        let worker = || |piece: Piece| check(forms[piece.file - first], limits.line_bytes, piece, &examine);
        let (entries, stage) =
            read_in_order(inputs, total_bytes, limits.num_threads, read, worker, |checked: Checked<T>| {
                let counts = &mut rows.files[checked.file];
                counts.num_read += (checked.good.len() + checked.rejected.len()) as u64;
                counts.num_accepted += checked.good.len() as u64;
                if let Some((noted, line)) = checked.noted.filter(|_| !checked.good.is_empty()) {
                    counts.note(noted, line);
                }
                checked.rejected.iter().try_for_each(|row| rows.reject(checked.file, row))?;
                checked.good.into_iter().try_for_each(&mut collect)
            })?;
        if let Some(name) = files.stage {
            self.entries.extend((*first..).zip(entries));
            self.stages.push(StageReport { name: name.to_owned(), ..stage });
        }
        Ok(())
    }

    /// Returns the numbers of rows, the stages, and the files in the order of the report.
    pub(crate) fn finish(self) -> (Rows, Vec<StageReport>, Vec<InputEntry>) {
        (self.rows, self.stages, self.entries.into_values().collect())
    }
}

struct Checked<T> {
    /// The input, by position.
    file: usize,
    good: Vec<T>,
    rejected: Vec<RejectedRow>,
    noted: Option<(Noted, u64)>,
}

fn check<T>(
    form: Form,
    line_bytes_max: usize,
    piece: Piece,
    examine: impl Fn(Row<'_>) -> Result<T, Rejection>,
) -> Checked<T> {
    let mut checked = Checked { file: piece.file, good: Vec::new(), rejected: Vec::new(), noted: None };
    match piece.content {
        Content::Rejected(row) => checked.rejected.push(row),
        Content::Lines(batch) => {
            for line in batch.lines().filter(|line| !line.bytes.trim_ascii().is_empty()) {
                if let Err(rejection) = checked.add_line(form, line_bytes_max, line, &examine) {
                    checked.rejected.push(rejection.at_row(line.number, line.bytes));
                }
            }
        }
        Content::Resources(ResourceBatch { found_in, resources, noted }) => {
            checked.noted = noted;
            for (text, line, is_included) in resources {
                let found_in = found_in.as_ref().filter(|_| !is_included);
                checked.add(Row { text: &text, form, is_included, found_in }, line, &examine);
            }
        }
    }
    checked
}

impl<T> Checked<T> {
    /// Adds a line: a resource, or a document.
    fn add_line(
        &mut self,
        form: Form,
        line_bytes_max: usize,
        line: Line<'_>,
        examine: impl Fn(Row<'_>) -> Result<T, Rejection>,
    ) -> Result<(), Rejection> {
        if line.is_cut {
            let detail = format!("longer than {line_bytes_max} bytes: raise --memory");
            return Err(Rejection::new(Reason::TooLong, detail));
        }
        let text = str::from_utf8(line.bytes)
            .map_err(|error| Rejection::new(Reason::UnreadableJson, format!("it is not UTF-8 text: {error}")))?;
        let is_plain = matches!(form, Form::Objects(_));
        let document = if is_plain && !begins_as_page(text) { Document::of(text) } else { split(text)? };
        if let Some((text, rejection)) = document.bad_included {
            self.rejected.push(rejection.at_row(line.number, text.as_bytes()));
        }
        let found_in = document.found_in.map(Arc::new);
        for (text, is_included) in document.resources {
            let found_in = found_in.as_ref().filter(|_| !is_included);
            self.add(Row { text, form, is_included, found_in }, line.number, &examine);
        }
        Ok(())
    }

    /// Adds a row, whether it is good or bad.
    fn add(&mut self, row: Row<'_>, line: u64, examine: impl Fn(Row<'_>) -> Result<T, Rejection>) {
        match examine(row) {
            Ok(good) => self.good.push(good),
            Err(rejection) => self.rejected.push(rejection.at_row(line, row.text.as_bytes())),
        }
    }
}
