//! Reading an input, and splitting it into pieces of work.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use indexer::lines::LineReader;
use serde_json::value::RawValue;
use store::BYTE_ORDER_MARK;

use super::document::{begins_as_resource, is_object, is_resource_or_document};
use super::pieces::{Content, Limits, LineCounter, push_documents};

/// Reads an input line by line if its first line is a whole object. Otherwise reads it as
/// documents, unless these are unreadable because the first of many lines is torn. A document on
/// the first line may be longer than a line.
pub(super) fn read_input(
    reader: impl Read,
    limits: Limits,
    num_lines: &mut u64,
    push: &mut impl FnMut(Content) -> io::Result<()>,
) -> io::Result<()> {
    let mut input = BufReader::new(reader);
    let mut head = Vec::new();
    let first = read_first_line(&mut input, limits, &mut head)?;
    match form(&head[first..], limits) {
        Form::Lines => {}
        Form::LongDocument => {
            push_documents(&head, false, limits, push)?;
            *num_lines = LineCounter::new(&head, 0).line_of(&head[head.len()..]);
            head.clear();
        }
        Form::Documents => {
            let room = (limits.document_bytes + 1).saturating_sub(head.len()) as u64;
            input.by_ref().take(room).read_to_end(&mut head)?;
            let is_cut = head.len() > limits.document_bytes;
            if !is_torn_at_its_first_line(&head) {
                *num_lines = LineCounter::new(&head, 0).line_of(&head[head.len()..]);
                push_documents(&head, is_cut, limits, push)?;
                if is_cut {
                    io::copy(&mut input, &mut io::sink())?;
                }
                return Ok(());
            }
        }
    }
    let text = Cursor::new(head).chain(input);
    let mut lines = LineReader::with_limit(text, limits.line_bytes).ending_in_whole_json().numbered_after(*num_lines);
    loop {
        let batch = lines.next_batch();
        *num_lines = lines.num_lines();
        let Some(batch) = batch? else { return Ok(()) };
        push(Content::Lines(batch))?;
    }
}

enum Form {
    /// Resources or documents, each on a line.
    Lines,
    /// The same, but the first one is a document that is longer than a line may be.
    LongDocument,
    /// Documents over many lines.
    Documents,
}

fn form(line: &[u8], limits: Limits) -> Form {
    let is_long = line.len() > limits.line_bytes;
    // A line that is cut is not a readable document, and a resource may not be longer here than on
    // any other line.
    let is_resource = || str::from_utf8(line).is_ok_and(|line| begins_as_resource(line.trim_ascii()));
    if is_long && (line.len() > limits.document_bytes || is_resource()) {
        return Form::Lines;
    }
    match (is_object(line), is_long) {
        (true, true) => Form::LongDocument,
        (true, false) => Form::Lines,
        (false, _) => Form::Documents,
    }
}

/// Returns whether an unreadable text consists of lines of which the first is torn, at its start or
/// at its end: the first line does not look like the start of a document over many lines, and the
/// second one is a whole object and, like a document, more than a reference.
fn is_torn_at_its_first_line(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let (Some(first), Some(second)) = (lines.next(), lines.next()) else { return false };
    let continues = first.starts_with(b"[") || [&b"{"[..], b"[", b","].iter().any(|end| first.ends_with(end));
    !continues && is_resource_or_document(second) && is_damaged(text)
}

/// Returns whether a text is not JSON for another reason than ending too early.
fn is_damaged(text: &[u8]) -> bool {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<&RawValue>();
    values.any(|value| value.is_err_and(|error| !error.is_eof()))
}

/// Reads up to the end of the first line that is not blank, and returns where that line starts. A
/// line that is too long is cut.
fn read_first_line(input: &mut impl BufRead, limits: Limits, head: &mut Vec<u8>) -> io::Result<usize> {
    loop {
        let start = head.len();
        let num_read = input.take(limits.document_bytes as u64 + 1).read_until(b'\n', head)?;
        if start == 0 && head.starts_with(BYTE_ORDER_MARK) {
            head.drain(..BYTE_ORDER_MARK.len());
        }
        if num_read == 0 || !head[start..].trim_ascii().is_empty() || head.len() > limits.document_bytes {
            return Ok(start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { num_threads: 1, line_bytes: 100, document_bytes: 400 };

    /// Returns the pieces of a text: lines, resources with their lines, rejections.
    fn pieces(text: &[u8]) -> Vec<String> {
        read_pieces(text).expect("whole")
    }

    /// Returns the same, or, for a text that is cut off, the number of lines before the cut.
    fn read_pieces(text: &[u8]) -> Result<Vec<String>, u64> {
        let mut pieces = Vec::new();
        let mut push = |content| {
            match content {
                Content::Lines(batch) => {
                    pieces.extend(batch.lines().map(|line| format!("line {} cut {}", line.number, line.is_cut)));
                }
                Content::Resources(batch) => {
                    pieces.extend(
                        batch.resources.iter().map(|(text, line, is_included)| format!("{line} {is_included} {text}")),
                    );
                }
                Content::Rejected(row) => pieces.push(format!("{} {}", row.line, row.rejection.reason.name())),
            }
            Ok(())
        };
        let mut num_lines = 0;
        let read = read_input(text, LIMITS, &mut num_lines, &mut push);
        read.map(|()| pieces).map_err(|error| {
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
            num_lines
        })
    }

    #[test]
    fn a_whole_object_on_the_first_line_means_lines() {
        assert_eq!(pieces(b"\n{\"type\": 1}\n{\n"), ["line 1 cut false", "line 2 cut false", "line 3 cut false"]);
        assert_eq!(pieces(b"\xef\xbb\xbf{}\r\n"), ["line 1 cut false"]);
        assert_eq!(pieces(b""), [""; 0]);
        assert_eq!(pieces(b" \n\n"), [""; 0]);
        assert_eq!(pieces(&[b'x'; 150]), ["1 unreadable_json"]);
    }

    #[test]
    fn a_document_may_have_many_lines() {
        let text = b"{\n\"data\": [\n{\"id\": 1},\n{\"id\":\n2}],\n\"included\": [7]\n}\n";
        assert_eq!(pieces(text), ["3 false {\"id\": 1}", "4 false {\"id\":\n2}", "6 true 7"]);
        assert_eq!(pieces(b"{\n\"id\": 1}\n{\n\"id\": 2}"), ["1 false {\n\"id\": 1}", "3 false {\n\"id\": 2}"]);
        assert_eq!(pieces(b"[{\"id\": 1},\n2]"), ["1 false {\"id\": 1}", "2 false 2"]);
        assert_eq!(pieces(b"{\n\"errors\": []}"), ["1 error_document"]);
    }

    #[test]
    fn a_torn_first_line_does_not_hide_the_others() {
        let second = r#"{"type": "a", "id": "1", "links": {}}"#;
        for first in [r#"{"type": "a"#, r#""a"}}"#, r#"{"data": [{"type""#, "nonsense"] {
            let text = format!("\n{first}\n\n{second}\n{{\n");
            let lines = (1..=5).map(|number| format!("line {number} cut false")).collect::<Vec<_>>();
            assert_eq!(pieces(text.as_bytes()), lines, "{first}");
        }
    }

    #[test]
    fn a_damaged_document_is_not_read_line_by_line() {
        let reference = r#"{"type": "a", "id": "1"}"#;
        let resource = r#"{"type": "a", "id": "1", "attributes": {}}"#;
        for (text, expected) in [
            (format!("{{\"data\": [\n{resource}\n, NaN]}}"), "1 unreadable_json"),
            (format!("[\n{resource}\n, NaN]"), "1 unreadable_json"),
            (format!("\n{{\n\"x\": [NaN,\n{reference}\n]}}"), "2 unreadable_json"),
            (format!("x\": [NaN,\n{reference}\n]}}"), "1 unreadable_json"),
        ] {
            assert_eq!(pieces(text.as_bytes()), [expected], "{text}");
        }
        let text = b"{\n\"id\": 1}\n\n{\n\"id\": \"\xff\"\n}\n{\n\"id\": 2}\n";
        assert_eq!(pieces(text), ["1 false {\n\"id\": 1}", "4 unreadable_json"]);
    }

    #[test]
    fn a_document_may_be_longer_than_a_line_and_its_bad_parts_are_rows() {
        let item = format!(r#"{{"id": "{}"}}"#, "x".repeat(150));
        let text = format!("\n{{\"data\": [{item}], \"included\": 7}}\n{{\n{}\n", "y".repeat(150));
        let expected = ["2 not_a_resource", &format!("2 false {item}"), "line 3 cut false", "line 4 cut true"];
        assert_eq!(pieces(text.as_bytes()), expected);
        assert_eq!(pieces(format!("[{item}]").as_bytes()), [format!("1 false {item}")]);
        assert_eq!(pieces(item.as_bytes()), ["line 1 cut true"], "a resource is not a document");
        let longest = format!("{{\"data\": [{item}, {item}, {item}]}}\n{{}}");
        assert_eq!(pieces(longest.as_bytes()), ["line 1 cut true", "line 2 cut false"]);
    }

    #[test]
    fn cut_texts_are_errors_and_too_long_documents_are_bad_rows() {
        assert_eq!(read_pieces(b"{\n\"data\": [\n{\"id\": 1},\n"), Err(3));
        assert_eq!(read_pieces(b"{\"id\": 1}\n{\"id\""), Err(1));
        assert_eq!(read_pieces(b"{\"id\""), Err(0));
        let long = [&b"{\n\"data\": [\n"[..], &b"7,\n".repeat(200), b"7]}"].concat();
        assert_eq!(pieces(&long).len(), 1);
        assert!(pieces(&long)[0].ends_with(" too_long"));
    }
}
