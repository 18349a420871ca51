//! Tab-separated texts.

/// Appends a text as a cell, as R, pandas, polars, DuckDB and Python's `csv` read it by default: a
/// text with quotes is quoted, and its own quotes are doubled. Tabs and line breaks become spaces,
/// so that a row is a line even for programs that do not know quotes.
///
/// # Examples
///
/// ```
/// let mut row = Vec::new();
/// api_tables::push_tsv_text("aminoglycoside APH(2\")-Ia", &mut row);
/// row.push(b'\t');
/// api_tables::push_tsv_text("two\nlines", &mut row);
/// assert_eq!(row, b"\"aminoglycoside APH(2\"\")-Ia\"\ttwo lines");
/// ```
pub fn push_tsv_text(text: &str, row: &mut Vec<u8>) {
    if !text.contains(['"', '\t', '\r', '\n']) {
        return row.extend_from_slice(text.as_bytes());
    }
    let is_quoted = text.contains('"');
    row.extend(is_quoted.then_some(b'"'));
    for byte in text.bytes() {
        match byte {
            b'"' => row.extend(b"\"\""),
            b'\t' | b'\r' | b'\n' => row.push(b' '),
            byte => row.push(byte),
        }
    }
    row.extend(is_quoted.then_some(b'"'));
}

/// Ends a row that began at `start`. An empty line would not be a row for most readers, so it gets
/// quotes.
pub fn end_tsv_row(start: usize, row: &mut Vec<u8>) {
    if row.len() == start {
        row.extend(b"\"\"");
    }
    row.push(b'\n');
}
