//! Tables that are made of documents.

use crate::parts::number::Number;

/// The name of a column, and its class in the style sheet.
pub(crate) type Column = (&'static str, &'static str);

/// A table below a heading of its own.
pub(crate) struct Table {
    pub(crate) heading: String,
    /// A sentence above it, perhaps empty.
    pub(crate) note: String,
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Vec<Cell>>,
    /// Where all rows are, and what leads there, if not all are shown.
    pub(crate) all: Option<(String, String)>,
}

#[derive(Default)]
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) href: Option<String>,
    /// A second line.
    pub(crate) note: String,
    /// The length of a bar in place of the text, in thousandths.
    pub(crate) share: Option<u64>,
}

impl Table {
    pub(crate) fn new(heading: impl Into<String>, columns: &[Column], rows: Vec<Vec<Cell>>) -> Self {
        Self { heading: heading.into(), note: String::new(), columns: columns.to_vec(), rows, all: None }
    }

    /// Returns the table, or nothing if it has no rows.
    pub(crate) fn unless_empty(self) -> Option<Self> {
        (!self.rows.is_empty()).then_some(self)
    }

    pub(crate) fn has_bars(&self) -> bool {
        self.rows.iter().flatten().any(|cell| cell.share.is_some())
    }

    /// Says how many of all rows there are, if not all of them.
    pub(crate) fn of_all(mut self, count: usize, what: &str, path: String) -> Self {
        if self.rows.len() < count {
            self.all = Some((path, format!("All {} {what}", Number::of(count))));
        }
        self
    }
}

impl Cell {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    pub(crate) fn bar(share: u64) -> Self {
        Self { share: Some(share), ..Self::default() }
    }

    pub(crate) fn linked(self, href: Option<String>) -> Self {
        Self { href, ..self }
    }
}
