//! Lines of an input in batches, each with its number.

use std::io::{self, BufRead, BufReader, Read};

use serde::de::IgnoredAny;
use store::BYTE_ORDER_MARK;

const BATCH_BYTES: usize = 256 * 1024;

/// The longest line that is read; the longest real row, that of `MGYP000000000005`, has about 200
/// kB.
pub const LINE_BYTES_MAX: usize = 4 * 1024 * 1024;

const LINE_BUFFER_BYTES: usize = 64 * 1024;

/// The byte order mark that some programs write before a text.

#[derive(Debug, Default)]
pub struct LineBatch {
    /// The number of the first line, 1-based.
    pub(crate) first_line: u64,
    /// The lines without line feeds and carriage returns.
    bytes: Vec<u8>,
    /// The end of each line in `bytes`, with a flag for those that were cut because they were too
    /// long.
    ends: Vec<(usize, bool)>,
}

/// A line of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// 1-based.
    pub number: u64,
    /// The line without line feed and carriage return, or only its start if it is too long.
    pub bytes: &'a [u8],
    /// Set if the line is longer than the reader allows.
    pub is_cut: bool,
}

impl<'a> Line<'a> {
    /// Returns the bytes without the byte order mark that may precede the first line.
    pub fn without_mark(&self) -> &'a [u8] {
        let first = if self.number == 1 { self.bytes.strip_prefix(BYTE_ORDER_MARK) } else { None };
        first.unwrap_or(self.bytes)
    }
}

impl LineBatch {
    /// Returns the lines in the order of the input.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|&(end, _)| end));
        (self.first_line..).zip(starts).zip(&self.ends).map(|((number, start), &(end, is_cut))| Line {
            number,
            bytes: &self.bytes[start..end],
            is_cut,
        })
    }
}

/// Splits an input into batches of lines.
pub struct LineReader<R> {
    input: BufReader<R>,
    line_bytes_max: usize,
    num_lines: u64,
    is_json: bool,
}

impl<R: Read> LineReader<R> {
    /// Starts at the first line; lines may have up to [`LINE_BYTES_MAX`] bytes.
    pub fn new(input: R) -> Self {
        Self::with_limit(input, LINE_BYTES_MAX)
    }

    /// Starts at the first line, with another limit for the length of lines.
    pub fn with_limit(input: R, line_bytes_max: usize) -> Self {
        Self { input: BufReader::with_capacity(LINE_BUFFER_BYTES, input), line_bytes_max, num_lines: 0, is_json: false }
    }

    /// Fails, like a compressed input that is cut off, if the last line is JSON that ends too early
    /// and has no line feed.
    #[must_use]
    pub fn ending_in_whole_json(self) -> Self {
        Self { is_json: true, ..self }
    }

    /// Numbers the lines as if `num_lines` lines preceded them.
    #[must_use]
    pub fn numbered_after(self, num_lines: u64) -> Self {
        Self { num_lines, ..self }
    }

    /// Returns the number of lines that were read.
    pub fn num_lines(&self) -> u64 {
        self.num_lines
    }

    /// Reads the next lines, or `None` at the end of the input.
    pub fn next_batch(&mut self) -> io::Result<Option<LineBatch>> {
        let mut batch = LineBatch { first_line: self.num_lines + 1, ..LineBatch::default() };
        while batch.bytes.len() < BATCH_BYTES {
            let start = batch.bytes.len();
            let limit = self.line_bytes_max as u64 + 1;
            if self.input.by_ref().take(limit).read_until(b'\n', &mut batch.bytes)? == 0 {
                break;
            }
            let is_cut = batch.bytes.len() - start > self.line_bytes_max && batch.bytes.last() != Some(&b'\n');
            if is_cut {
                self.input.skip_until(b'\n')?;
                // Only its start is needed.
                batch.bytes.truncate(start + LINE_BUFFER_BYTES);
            }
            if self.is_json && !is_cut && is_cut_off_json(&batch.bytes[start..]) {
                return Err(cut_off());
            }
            for end_byte in [b'\n', b'\r'] {
                if batch.bytes.len() > start && batch.bytes.last() == Some(&end_byte) {
                    batch.bytes.pop();
                }
            }
            batch.ends.push((batch.bytes.len(), is_cut));
            self.num_lines += 1;
        }
        Ok((!batch.ends.is_empty()).then_some(batch))
    }
}

/// Returns whether a line is the start of a JSON text, and nothing follows it, not even a line
/// feed.
fn is_cut_off_json(line: &[u8]) -> bool {
    let text = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii();
    !line.ends_with(b"\n")
        && !text.is_empty()
        && serde_json::from_slice::<IgnoredAny>(text).is_err_and(|error| error.is_eof())
}

/// Returns the error of an input that ends in the middle of a JSON text.
pub fn cut_off() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the last JSON text is incomplete")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8]) -> Vec<(u64, Vec<u8>, bool)> {
        let mut reader = LineReader::new(text);
        let mut lines = Vec::new();
        while let Some(batch) = reader.next_batch().expect("in memory") {
            lines.extend(batch.lines().map(|line| (line.number, line.bytes.to_vec(), line.is_cut)));
        }
        assert_eq!(reader.num_lines(), lines.len() as u64);
        lines
    }

    #[test]
    fn lines_end_with_or_without_carriage_return() {
        let expected = vec![(1, b"one".to_vec(), false), (2, Vec::new(), false), (3, b"three".to_vec(), false)];
        assert_eq!(lines(b"one\n\nthree\n"), expected);
        assert_eq!(lines(b"one\r\n\r\nthree\r\n"), expected);
        assert_eq!(lines(b"one\n\nthree"), expected);
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn line_numbers_continue_across_batches() {
        let text = b"0123456789\n".repeat(100_000);
        let lines = lines(&text);
        assert_eq!(lines.len(), 100_000);
        assert!(lines.iter().zip(1..).all(|(line, number)| line.0 == number && line.1 == b"0123456789"));
    }

    #[test]
    fn too_long_lines_are_cut_and_the_next_is_whole() {
        let text = [vec![b'x'; LINE_BYTES_MAX + 7], b"\nnext\n".to_vec()].concat();
        let lines = lines(&text);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].2 && lines[0].1.len() < LINE_BYTES_MAX);
        assert_eq!(lines[1], (2, b"next".to_vec(), false));

        let longest = [vec![b'x'; LINE_BYTES_MAX], b"\n".to_vec()].concat();
        assert_eq!(super::tests::lines(&longest), [(1, vec![b'x'; LINE_BYTES_MAX], false)]);
    }

    #[test]
    fn cut_off_json_on_the_last_line_is_an_error() {
        let read = |text: &[u8]| {
            let mut reader = LineReader::new(text).ending_in_whole_json();
            loop {
                match reader.next_batch() {
                    Ok(Some(_)) => {}
                    Ok(None) => break Ok(reader.num_lines()),
                    Err(error) => break Err((error.kind(), reader.num_lines())),
                }
            }
        };
        let cut_off_after = |line| Err((io::ErrorKind::UnexpectedEof, line));
        for (text, expected) in [
            (&b"{}\n{\"a\": \"\xc3"[..], cut_off_after(1)),
            (b"{}\n\n[1", cut_off_after(2)),
            (b"\xef\xbb\xbf{", cut_off_after(0)),
            (b"{}\n{", cut_off_after(1)),
            (b"{}\n{\n", Ok(2)),
            (b"{\n{}", Ok(2)),
            (b"{}\nnonsense", Ok(2)),
            (b"{}\n  ", Ok(2)),
            (b"", Ok(0)),
        ] {
            assert_eq!(read(text), expected, "{}", String::from_utf8_lossy(text));
        }
        let long = [&b"{\"a\": \""[..], &vec![b'x'; LINE_BYTES_MAX]].concat();
        assert_eq!(read(&long), Ok(1), "it is rejected as too long");
    }
}
