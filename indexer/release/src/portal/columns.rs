//! The columns of a row.

use csv_core::ReadRecordResult;
use indexer::run::{Reason, Rejection};
use indexer::values;
use store::BYTE_ORDER_MARK;

/// The names of the columns in the order of a file without header.
const NAMES: [&str; 5] = ["mgyp", "sequence", "full_length", "cluster_size", "metadata"];

/// The positions of the columns in a file, in the order of [`NAMES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    positions: [usize; NAMES.len()],
    /// The number of columns of a row, including unknown ones.
    width: usize,
}

impl Default for Columns {
    fn default() -> Self {
        Self { positions: [0, 1, 2, 3, 4], width: NAMES.len() }
    }
}

impl Columns {
    /// Reads the first line of a file as a header, which must have all columns, or returns `None`
    /// if it is a row.
    pub(super) fn from_header(line: &[u8]) -> Result<Option<Self>, String> {
        let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        let mut splitter = Splitter::default();
        let Ok(fields) = splitter.split(line) else { return Ok(None) };
        let names: Vec<String> = fields.map(|field| field.trim().to_ascii_lowercase()).collect();
        if !names.iter().any(|name| name == NAMES[0]) {
            return Ok(None);
        }
        let mut columns = Self { positions: [0; NAMES.len()], width: names.len() };
        for (position, wanted) in columns.positions.iter_mut().zip(NAMES) {
            *position = names
                .iter()
                .position(|name| name == wanted)
                .ok_or_else(|| format!("the header has no column {wanted}"))?;
        }
        Ok(Some(columns))
    }

    /// Returns the fields of a row, unquoted, in the order of [`NAMES`].
    pub(super) fn split<'a>(
        &self,
        splitter: &'a mut Splitter,
        line: &[u8],
    ) -> Result<[&'a str; NAMES.len()], Rejection> {
        let fields: Vec<&str> = splitter.split(line)?.collect();
        if fields.len() != self.width {
            let detail = format!("expected {} columns, found {}", self.width, fields.len());
            return Err(Rejection::new(Reason::BadRow, detail));
        }
        Ok(self.positions.map(|position| fields[position]))
    }
}

/// Splits lines of CSV into fields, in reused memory.
pub(super) struct Splitter {
    reader: csv_core::Reader,
    /// The fields without quotes, concatenated.
    fields: Vec<u8>,
    ends: Vec<usize>,
}

impl Default for Splitter {
    fn default() -> Self {
        // A carriage return inside a row is a character like any other.
        let reader = csv_core::ReaderBuilder::new().terminator(csv_core::Terminator::Any(b'\n')).build();
        Self { reader, fields: vec![0; 4096], ends: vec![0; 16] }
    }
}

impl Splitter {
    fn split(&mut self, line: &[u8]) -> Result<impl Iterator<Item = &str>, Rejection> {
        // Unquoting only shortens, so the fields fit into the space of the line.
        self.fields.resize(self.fields.len().max(line.len() + 1), 0);
        self.reader.reset();
        let (mut read, mut written, mut num_fields) = (0, 0, 0);
        loop {
            let (result, taken, put, ended) =
                self.reader.read_record(&line[read..], &mut self.fields[written..], &mut self.ends[num_fields..]);
            (read, written, num_fields) = (read + taken, written + put, num_fields + ended);
            match result {
                // At the end of the line, the reader must be called with empty input.
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputEndsFull => self.ends.resize(self.ends.len() * 2, 0),
                ReadRecordResult::OutputFull => self.fields.resize(self.fields.len() * 2, 0),
                ReadRecordResult::Record | ReadRecordResult::End => break,
            }
        }
        let text = values::utf8(&self.fields[..written])?;
        let starts = std::iter::once(0).chain(self.ends[..num_fields].iter().copied());
        let ranges: Vec<_> = starts.zip(self.ends[..num_fields].iter().copied()).collect();
        if ranges.iter().any(|&(start, end)| text.get(start..end).is_none()) {
            return Err(Rejection::new(Reason::BadRow, "not UTF-8 text: a character is split"));
        }
        Ok(ranges.into_iter().map(move |(start, end)| &text[start..end]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_decide_the_order() {
        assert_eq!(Columns::from_header(b"4580619181,MIWI,false,1,{}"), Ok(None));
        assert_eq!(
            Columns::from_header(b"mgyp,sequence,full_length,cluster_size,metadata"),
            Ok(Some(Columns::default()))
        );
        let columns = Columns::from_header(b"\xef\xbb\xbfmetadata,\"MGYP\",extra,sequence,cluster_size,full_length")
            .expect("complete")
            .expect("a header");
        let mut splitter = Splitter::default();
        let fields = columns.split(&mut splitter, br#""{""b"":[[1,2]]}",7,x,MK,3,true"#).expect("six columns");
        assert_eq!(fields, ["7", "MK", "true", "3", r#"{"b":[[1,2]]}"#]);
        assert_eq!(Columns::from_header(b"mgyp,sequence"), Err("the header has no column full_length".into()));
    }

    #[test]
    fn rows_of_another_width_are_rejected() {
        let mut splitter = Splitter::default();
        for line in ["1,MK,true,1", "1,MK,true,1,{},", "", &",".repeat(100)] {
            let rejection = Columns::default().split(&mut splitter, line.as_bytes()).expect_err(line);
            assert_eq!(rejection.reason, Reason::BadRow, "{line}");
        }
        assert!(Columns::default().split(&mut splitter, b"1,M\xffK,true,1,{}").is_err());
        assert!(Columns::default().split(&mut splitter, b"1,M\xc3,\xa9,1,{}").is_err());
        let fields = Columns::default().split(&mut splitter, b"1,MK,,1,").expect("empty fields are fields");
        assert_eq!(fields, ["1", "MK", "", "1", ""]);
    }
}
