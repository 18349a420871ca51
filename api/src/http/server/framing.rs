//! Where the heads of requests begin and end.
//!
//! The parser takes a line feed by itself for the end of a line, which others do not: what is one header for a proxy could be two here. So it is
//! replaced by what the parser refuses. The parser says how long a body is, so that nothing is read in two ways.

use std::mem;

use hyper::body::{Body, Incoming};

/// What is in no head that the parser takes.
const REFUSED: u8 = 0;

/// What comes next of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    /// Its head, or what is behind its last chunk.
    Lines(Lines),
    /// So many bytes of its body.
    Body(u64),
    /// The size of a chunk, as far as it was read, and whether it was read to its end.
    Size(u64, bool),
    /// So many bytes of a chunk and of the end of its line.
    Chunk(u64),
}

/// Lines until an empty one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lines {
    has_begun: bool,
    is_in_line: bool,
    is_behind_return: bool,
}

impl Framing {
    pub(super) const BETWEEN: Self =
        Self::Lines(Lines { has_begun: false, is_in_line: false, is_behind_return: false });

    /// Begins the body of the request whose head was read.
    pub(super) fn begin_body(&mut self, body: &Incoming) {
        if !body.is_end_stream() {
            *self = body.size_hint().exact().map_or(Self::Size(0, false), Self::Body);
        }
    }

    /// Looks at bytes that were read. Returns the number of those that may be parsed before it is known what the others are: up to the end of a head
    /// or of a body.
    pub(super) fn advance(&mut self, bytes: &mut [u8]) -> usize {
        let mut position = 0;
        while let Some(&byte) = bytes.get(position) {
            let (char, num_left) = (char::from(byte), bytes.len() - position);
            position += 1;
            match self {
                Self::Lines(lines) => {
                    if lines.ends_with(&mut bytes[position - 1]) {
                        *self = Self::BETWEEN;
                        break;
                    }
                }
                Self::Body(left) => {
                    position += subtract(left, num_left) - 1;
                    if *left == 0 {
                        *self = Self::BETWEEN;
                        break;
                    }
                }
                Self::Chunk(left) => {
                    position += subtract(left, num_left) - 1;
                    if *left == 0 {
                        *self = Self::Size(0, false);
                    }
                }
                Self::Size(0, _) if char == '\n' => *self = Self::Lines(Lines { has_begun: true, ..Lines::default() }),
                Self::Size(size, _) if char == '\n' => *self = Self::Chunk(size.saturating_add(2)),
                Self::Size(size, is_read) => match char.to_digit(16) {
                    Some(digit) if !*is_read => *size = size.saturating_mul(16).saturating_add(digit.into()),
                    _ => *is_read = true,
                },
            }
        }
        position
    }
}

/// Subtracts as much of a number of bytes as there is, one at least, and returns it.
fn subtract(left: &mut u64, num_bytes: usize) -> usize {
    let num_taken = usize::try_from(*left).unwrap_or(usize::MAX).min(num_bytes).max(1);
    *left = left.saturating_sub(num_taken as u64);
    num_taken
}

impl Lines {
    /// Takes a byte, and returns whether it ends the empty line.
    fn ends_with(&mut self, byte: &mut u8) -> bool {
        let is_behind_return = mem::replace(&mut self.is_behind_return, *byte == b'\r');
        match *byte {
            b'\n' if is_behind_return => return !mem::take(&mut self.is_in_line) && self.has_begun,
            b'\r' => return false,
            b'\n' => *byte = REFUSED,
            _ => {}
        }
        (self.has_begun, self.is_in_line) = (true, true);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a text in pieces of some length, and returns what was passed on at a time, up to each end.
    fn parts(mut framing: Framing, text: &str, num_bytes: usize) -> Vec<String> {
        let mut parts = vec![String::new()];
        for piece in text.as_bytes().chunks(num_bytes) {
            let mut piece = piece.to_vec();
            let mut rest = &mut piece[..];
            while !rest.is_empty() {
                let end = framing.advance(rest);
                let (part, behind) = rest.split_at_mut(end);
                parts.last_mut().expect("one").push_str(str::from_utf8(part).expect("UTF-8"));
                if framing == Framing::BETWEEN {
                    parts.push(String::new());
                }
                rest = behind;
            }
        }
        assert_eq!(parts.pop().as_deref(), Some(""), "{text:?} ends");
        parts
    }

    #[test]
    fn heads_and_bodies_end_where_they_end_and_a_line_feed_is_refused_in_heads_alone() {
        let between = Framing::BETWEEN;
        for num_bytes in [1, 2, 3, 7, 1000] {
            let heads = ["GET / HTTP/1.1\r\nA: b\r\n\r\n", "GET /b HTTP/1.1\r\n\r\n"];
            assert_eq!(parts(between, &heads.concat(), num_bytes), heads);
            assert_eq!(parts(between, "G\nA: b\nC: d\r\n\n\r\n\r\n", num_bytes), ["G\0A: b\0C: d\r\n\0\r\n\r\n"]);
            assert_eq!(parts(Framing::Body(5), "a\n\r\nbG\n\r\n\r\n", num_bytes), ["a\n\r\nb", "G\0\r\n\r\n"]);
            let chunked = "A;x=1f\r\n\n\n\r\n\r\n\n\n\n\n\r\n1 \r\n\n\r\n0\r\n\r\n";
            let with_trailer = "0\r\nA: b\r\n\r\n";
            for body in [chunked, with_trailer] {
                let both = format!("{body}G\n\r\n\r\n");
                assert_eq!(parts(Framing::Size(0, false), &both, num_bytes), [body, "G\0\r\n\r\n"]);
            }
        }
    }
}
