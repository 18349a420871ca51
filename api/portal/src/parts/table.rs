//! Tables made from documents.

use crate::parts::number::Number;

/// The name and CSS class of a column.
pub(crate) type Column = (&'static str, &'static str);

/// A table with its own heading.
pub(crate) struct Table {
    pub(crate) heading: String,
    /// A sentence above the table; may be empty.
    pub(crate) note: String,
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Vec<Cell>>,
    /// The address and text of the link to all rows, if some are not shown.
    pub(crate) all: Option<(String, String)>,
}

#[derive(Default)]
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) href: Option<String>,
    /// A second line.
    pub(crate) note: String,
    /// The length of a bar shown instead of the text, in thousandths.
    pub(crate) share: Option<u64>,
}

impl Table {
    pub(crate) fn new(heading: impl Into<String>, columns: &[Column], rows: Vec<Vec<Cell>>) -> Self {
        Self { heading: heading.into(), note: String::new(), columns: columns.to_vec(), rows, all: None }
    }

    /// Returns the table, or `None` if it has no rows.
    pub(crate) fn non_empty(self) -> Option<Self> {
        (!self.rows.is_empty()).then_some(self)
    }

    pub(crate) fn has_bars(&self) -> bool {
        self.rows.iter().flatten().any(|cell| cell.share.is_some())
    }

    /// Adds a link to all rows if some are not shown.
    pub(crate) fn link_to_all(mut self, count: usize, what: &str, path: String) -> Self {
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
