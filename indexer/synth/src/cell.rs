//! The values of rows, whatever file they go to.

use std::io::Write;

/// A value of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell<'a> {
    /// No value.
    Null,
    /// The number of a protein's accession.
    Protein(u64),
    /// The number of a contig's accession.
    Contig(u64),
    /// The number of a family.
    Family(u64),
    /// A whole number.
    Whole(i64),
    /// Any number.
    Real(f64),
    /// True or false.
    Flag(bool),
    /// Text.
    Text(&'a str),
}

/// Below this, numbers are written with an exponent.
const EXPONENT_BELOW: f64 = 1e-4;

impl Cell<'_> {
    /// Appends the value as flat files have it.
    pub(crate) fn write_text(self, line: &mut Vec<u8>) {
        let written = match self {
            Self::Null => Ok(()),
            Self::Protein(id) => write!(line, "MGYP{id:012}"),
            Self::Contig(id) => write!(line, "MGYC{id:012}"),
            Self::Family(0) => line.write_all(b"PF0"),
            Self::Family(family) => write!(line, "PF{family:05}"),
            Self::Whole(number) => write!(line, "{number}"),
            Self::Real(number) if number < EXPONENT_BELOW => write!(line, "{number:e}"),
            Self::Real(number) => write!(line, "{number}"),
            Self::Flag(flag) => write!(line, "{}", u8::from(flag)),
            Self::Text(text) => line.write_all(text.as_bytes()),
        };
        written.expect("memory");
    }

    /// Appends the value so that [`Cell::take`] finds it again.
    pub(crate) fn write_bytes(self, payload: &mut Vec<u8>) {
        let (tag, number) = match self {
            Self::Null => (0, [0; 8]),
            Self::Protein(id) => (1, id.to_le_bytes()),
            Self::Contig(id) => (2, id.to_le_bytes()),
            Self::Family(family) => (3, family.to_le_bytes()),
            Self::Whole(number) => (4, number.to_le_bytes()),
            Self::Real(number) => (5, number.to_le_bytes()),
            Self::Flag(flag) => (6, u64::from(flag).to_le_bytes()),
            Self::Text(text) => (7, (text.len() as u64).to_le_bytes()),
        };
        payload.push(tag);
        payload.extend(number);
        if let Self::Text(text) = self {
            payload.extend(text.as_bytes());
        }
    }
}

impl<'a> Cell<'a> {
    /// Takes a value off bytes, or nothing at their end.
    pub(crate) fn take(payload: &mut &'a [u8]) -> Option<Self> {
        let (&tag, rest) = payload.split_first()?;
        let (number, mut rest) = rest.split_first_chunk()?;
        let whole = u64::from_le_bytes(*number);
        let cell = match tag {
            0 => Self::Null,
            1 => Self::Protein(whole),
            2 => Self::Contig(whole),
            3 => Self::Family(whole),
            4 => Self::Whole(i64::from_le_bytes(*number)),
            5 => Self::Real(f64::from_le_bytes(*number)),
            6 => Self::Flag(whole != 0),
            _ => {
                let (text, behind) = rest.split_at_checked(usize::try_from(whole).ok()?)?;
                rest = behind;
                Self::Text(std::str::from_utf8(text).ok()?)
            }
        };
        *payload = rest;
        Some(cell)
    }
}

/// Replaces a line by the text of a row: values with tabs between and a line feed behind.
pub(crate) fn set_line(cells: &[Cell], line: &mut Vec<u8>) {
    line.clear();
    for (index, cell) in cells.iter().enumerate() {
        if index > 0 {
            line.push(b'\t');
        }
        cell.write_text(line);
    }
    line.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_flat_files_have_them() {
        let mut line = Vec::new();
        let cells =
            [Cell::Protein(12), Cell::Family(5), Cell::Real(5.5e-19), Cell::Real(76.25), Cell::Whole(-1), Cell::Null];
        set_line(&cells, &mut line);
        assert_eq!(String::from_utf8(line).expect("text"), "MGYP000000000012\tPF00005\t5.5e-19\t76.25\t-1\t\n");
    }

    #[test]
    fn values_come_back_from_bytes() {
        let cells = [
            Cell::Null,
            Cell::Protein(1),
            Cell::Contig(2),
            Cell::Family(3),
            Cell::Whole(-4),
            Cell::Real(0.1),
            Cell::Flag(true),
            Cell::Text("röt"),
            Cell::Text(""),
        ];
        let mut payload = Vec::new();
        for cell in cells {
            cell.write_bytes(&mut payload);
        }
        let mut rest = &*payload;
        let mut taken = Vec::new();
        while let Some(cell) = Cell::take(&mut rest) {
            taken.push(cell);
        }
        assert_eq!((&*taken, rest), (&cells[..], &b""[..]));
    }
}
