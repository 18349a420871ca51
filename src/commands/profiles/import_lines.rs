//! The lines of an export, read back. Whatever no server could have written is refused: none could change it, or even show it.

mod attributes;
mod fields;
mod quoted;
mod schema;

use std::io::{self, BufRead, BufReader, Read};

use store::{PROFILE_BYTES_MAX, Profile, UniqueJson};

/// The longest line that is read: a profile of the largest size whose letters are all written as escapes.
const LINE_BYTES_MAX: usize = 6 * PROFILE_BYTES_MAX;

/// How much is read at once.
const READ_BUFFER_BYTES: usize = 128 << 10;

/// What some programs begin a text with.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A line.
pub(super) struct Line {
    /// Its number, from 1.
    pub(super) number: u64,
    /// The profile, or why it is none.
    pub(super) profile: Result<Profile, String>,
}

/// Reads all lines that are not blank. An error is one of the input, after which there are no more lines.
pub(super) fn read(input: impl Read) -> impl Iterator<Item = io::Result<Line>> {
    let mut reader = BufReader::with_capacity(READ_BUFFER_BYTES, input);
    let mut number = 0;
    std::iter::from_fn(move || {
        loop {
            number += 1;
            let line = match next(&mut reader).transpose()? {
                Ok(line) => line,
                Err(error) => return Some(Err(error)),
            };
            let profile = line.and_then(|line| {
                let marked = if number == 1 { line.strip_prefix(BYTE_ORDER_MARK) } else { None };
                let text = marked.unwrap_or(&line);
                if text.trim_ascii().is_empty() { Ok(None) } else { parse(text).map(Some) }
            });
            if let Some(profile) = profile.transpose() {
                return Some(Ok(Line { number, profile }));
            }
        }
    })
}

/// Reads the next line without its line feed, or says that it is too long; nothing at the end.
fn next(reader: &mut impl BufRead) -> io::Result<Option<Result<Vec<u8>, String>>> {
    let mut line = Vec::new();
    if reader.by_ref().take(LINE_BYTES_MAX as u64 + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() > LINE_BYTES_MAX {
        reader.skip_until(b'\n')?;
        return Ok(Some(Err(format!("it has more than {LINE_BYTES_MAX} bytes"))));
    }
    Ok(Some(Ok(line)))
}

/// Reads a profile, or says why it is none.
fn parse(line: &[u8]) -> Result<Profile, String> {
    let UniqueJson(value) = serde_json::from_slice(line).map_err(|error| {
        // The number of the line is that of the file.
        let text = error.to_string();
        let problem = text.split(" at line ").next().unwrap_or_default();
        format!("it is no profile: {problem} at column {}", error.column())
    })?;
    fields::check(&value)?;
    let profile: Profile = serde_json::from_value(value).map_err(|error| format!("it is no profile: {error}"))?;
    attributes::check(&profile.attributes)?;
    schema::check(&profile)?;
    Ok(profile)
}

#[cfg(test)]
mod tests;
