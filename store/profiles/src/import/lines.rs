//! The lines of an export, read one at a time.

use std::io::{self, BufRead, BufReader, Read};

use store::BYTE_ORDER_MARK;

use super::line;
use crate::Profile;
use crate::record::{self, PROFILE_BYTES_MAX};

/// The longest line that is read: the largest profile with all letters written as escapes.
const LINE_BYTES_MAX: usize = 6 * PROFILE_BYTES_MAX;

const READ_BUFFER_BYTES: usize = 128 << 10;

/// A line of an export.
#[derive(Debug)]
pub struct ExportLine {
    /// 1-based.
    pub number: u64,
    /// The profile, with its line as a server would write it, or the reason why it is rejected.
    pub profile: Result<(Profile, Vec<u8>), String>,
}

/// Reads the lines of an export that are not blank. It ends after an error of the input.
pub fn export_lines(input: impl Read) -> impl Iterator<Item = io::Result<ExportLine>> {
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
                if text.trim_ascii().is_empty() { Ok(None) } else { line::parse(text).and_then(with_line).map(Some) }
            });
            if let Some(profile) = profile.transpose() {
                return Some(Ok(ExportLine { number, profile }));
            }
        }
    })
}

fn with_line(profile: Profile) -> Result<(Profile, Vec<u8>), String> {
    line_of(&profile).map(|line| (profile, line))
}

/// Returns the line of a profile, or the reason why no server can have written it.
pub(super) fn line_of(profile: &Profile) -> Result<Vec<u8>, String> {
    let line = record::line(profile);
    if line.len() > PROFILE_BYTES_MAX {
        return Err(format!("it has more than {PROFILE_BYTES_MAX} bytes"));
    }
    if profile.version == 0 || i64::try_from(profile.version).is_err() {
        return Err(format!("the version {} is impossible", profile.version));
    }
    Ok(line)
}

/// Reads the next line without its line feed, or returns the reason why it is rejected. Returns
/// `None` at the end.
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

#[cfg(test)]
mod tests;
