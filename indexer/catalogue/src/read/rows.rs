//! Reading inputs row by row: each is good or bad, whether it came as a line or within a document.

use std::sync::Arc;

use indexer::Result;
use indexer::input::Input;
use indexer::lines::Line;
use indexer::run::{Noted, Reason, RejectedRow, Rejection, Rows, StageReport, read_in_order};
use store::InputEntry;

use super::document::{Document, begins_as_page, split};
use super::input::read;
use super::pieces::{Content, Limits, Piece, ResourceBatch};
use super::table::TableRules;
use crate::read::resource::Relation;

/// The JSON of what should be a resource.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) text: &'a str,
    pub(crate) is_included: bool,
    /// The related collection that lists it. It lists what is in `data`, and not what is in `included`.
    pub(crate) found_in: Option<&'a Arc<Relation>>,
}

impl<'a> Row<'a> {
    fn new(text: &'a str, is_included: bool, found_in: Option<&'a Arc<Relation>>) -> Self {
        Self { text, is_included, found_in: found_in.filter(|_| !is_included) }
    }
}

/// Inputs of one kind.
#[derive(Clone, Copy)]
pub(crate) struct InputFiles<'a> {
    pub(crate) inputs: &'a [Input],
    /// The position of the first input among those of all kinds.
    pub(crate) first_file: usize,
    /// Their bytes on disk, as far as they are known.
    pub(crate) total_bytes: u64,
    /// The rules of those that are tables, and the position of the first one, behind which all are.
    pub(crate) tables: Option<(usize, TableRules<'a>)>,
    /// Lines are objects of their own, whatever their members are called, and none is a document of JSON:API.
    pub(crate) are_plain: bool,
}

/// Reads inputs, and counts their rows. What `examine` makes of good rows goes to `collect` in the order of the input.
pub(crate) fn read_rows<T>(
    InputFiles { inputs, first_file, total_bytes, tables, are_plain }: InputFiles<'_>,
    limits: Limits,
    rows: &mut Rows,
    examine: impl Fn(Row<'_>) -> Result<T, Rejection> + Sync,
    mut collect: impl FnMut(T) -> Result<()> + Send,
) -> Result<(Vec<InputEntry>, StageReport)> {
    let read = |file: usize, reader, queue: &mut _| {
        let rules = tables.filter(|(first, _)| file >= *first).map(|(_, rules)| rules);
        read(&inputs[file], first_file + file, reader, (limits, rules), queue)
    };
    let worker = || |piece| check(piece, (limits.line_bytes, are_plain), &examine);
    read_in_order(inputs, total_bytes, limits.num_threads, read, worker, |checked: Checked<T>| {
        let counts = &mut rows.files[checked.file];
        counts.num_read += (checked.good.len() + checked.rejected.len()) as u64;
        counts.num_accepted += checked.good.len() as u64;
        if let Some((noted, line)) = checked.noted.filter(|_| !checked.good.is_empty()) {
            counts.note(noted, line);
        }
        checked.rejected.iter().try_for_each(|row| rows.reject(checked.file, row))?;
        checked.good.into_iter().try_for_each(&mut collect)
    })
}

struct Checked<T> {
    /// The input, by position.
    file: usize,
    good: Vec<T>,
    rejected: Vec<RejectedRow>,
    noted: Option<(Noted, u64)>,
}

fn check<T>(piece: Piece, form: (usize, bool), examine: impl Fn(Row<'_>) -> Result<T, Rejection>) -> Checked<T> {
    let mut checked = Checked { file: piece.file, good: Vec::new(), rejected: Vec::new(), noted: None };
    match piece.content {
        Content::Rejected(row) => checked.rejected.push(row),
        Content::Lines(batch) => {
            for line in batch.lines().filter(|line| !line.bytes.trim_ascii().is_empty()) {
                if let Err(rejection) = checked.add_line(form, line, &examine) {
                    checked.rejected.push(rejection.at_row(line.number, line.bytes));
                }
            }
        }
        Content::Resources(ResourceBatch { found_in, resources, noted }) => {
            checked.noted = noted;
            for (text, line, is_included) in resources {
                checked.add(Row::new(&text, is_included, found_in.as_ref()), line, &examine);
            }
        }
    }
    checked
}

impl<T> Checked<T> {
    /// Adds a line: a resource, or a document.
    fn add_line(
        &mut self,
        (line_bytes_max, is_plain): (usize, bool),
        line: Line<'_>,
        examine: impl Fn(Row<'_>) -> Result<T, Rejection>,
    ) -> Result<(), Rejection> {
        if line.is_cut {
            let detail = format!("longer than {line_bytes_max} bytes: raise --memory");
            return Err(Rejection::new(Reason::TooLong, detail));
        }
        let text = str::from_utf8(line.bytes)
            .map_err(|error| Rejection::new(Reason::UnreadableJson, format!("it is not UTF-8 text: {error}")))?;
        let document = if is_plain && !begins_as_page(text) { Document::of(text) } else { split(text)? };
        if let Some((text, rejection)) = document.bad_included {
            self.rejected.push(rejection.at_row(line.number, text.as_bytes()));
        }
        let found_in = document.found_in.map(Arc::new);
        for (text, is_included) in document.resources {
            self.add(Row::new(text, is_included, found_in.as_ref()), line.number, &examine);
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
