//! Finds the beginning and the end of the heads of requests.
//!
//! The parser accepts a line feed alone as the end of a line, which others do not: one header for a
//! proxy could be two headers here. So it is replaced by a byte that the parser refuses. The parser
//! determines the length of a body, so that nothing is read in two ways; after a body without a
//! length, the connection closes.

use std::mem;

use hyper::body::{Body, Incoming};

/// A byte that the parser never accepts in a head.
const REFUSED: u8 = 0;

/// The part of a request that is next. By default, it is a head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Framing {
    body_left: u64,
    has_begun: bool,
    is_in_line: bool,
    is_behind_return: bool,
}

impl Framing {
    pub(super) fn is_between_requests(self) -> bool {
        self == Self::default()
    }

    /// Begins the body of the request whose head was read.
    pub(super) fn begin_body(&mut self, body: &Incoming) {
        self.body_left = if body.is_end_stream() { 0 } else { body.size_hint().exact().unwrap_or(u64::MAX) };
    }

    /// Examines bytes that were read. Returns the number of bytes that may be parsed before the
    /// kind of the others is known: those up to the end of a head or of a body.
    pub(super) fn advance(&mut self, bytes: &mut [u8]) -> usize {
        if self.body_left > 0 {
            let num_bytes = usize::try_from(self.body_left).unwrap_or(usize::MAX).min(bytes.len());
            self.body_left -= num_bytes as u64;
            return num_bytes;
        }
        let end = bytes.iter_mut().position(|byte| self.ends_with(byte));
        end.map_or(bytes.len(), |end| end + 1)
    }

    /// Reads a byte of a head, and returns whether it ends the empty line.
    fn ends_with(&mut self, byte: &mut u8) -> bool {
        let is_behind_return = mem::replace(&mut self.is_behind_return, *byte == b'\r');
        match *byte {
            b'\n' if is_behind_return => {
                let is_end = !mem::take(&mut self.is_in_line) && self.has_begun;
                self.has_begun &= !is_end;
                return is_end;
            }
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

    /// Reads a text in pieces of `num_bytes`, and returns the parts that were passed on, up to each
    /// end.
    fn parts(mut framing: Framing, text: &str, num_bytes: usize) -> Vec<String> {
        let mut parts = vec![String::new()];
        for piece in text.as_bytes().chunks(num_bytes) {
            let mut piece = piece.to_vec();
            let mut rest = &mut piece[..];
            while !rest.is_empty() {
                let end = framing.advance(rest);
                let (part, after) = rest.split_at_mut(end);
                parts.last_mut().expect("one").push_str(str::from_utf8(part).expect("UTF-8"));
                if framing.is_between_requests() {
                    parts.push(String::new());
                }
                rest = after;
            }
        }
        assert_eq!(parts.pop().as_deref(), Some(""), "{text:?} ends");
        parts
    }

    #[test]
    fn heads_and_bodies_are_separated_and_bare_line_feeds_refused_in_heads() {
        for num_bytes in [1, 2, 3, 7, 1000] {
            let heads = ["GET / HTTP/1.1\r\nA: b\r\n\r\n", "GET /b HTTP/1.1\r\n\r\n"];
            assert_eq!(parts(Framing::default(), &heads.concat(), num_bytes), heads);
            let hidden = "G\nA: b\nC: d\r\n\n\r\n\r\n";
            assert_eq!(parts(Framing::default(), hidden, num_bytes), ["G\0A: b\0C: d\r\n\0\r\n\r\n"]);
            let body = Framing { body_left: 5, ..Framing::default() };
            assert_eq!(parts(body, "a\n\r\nbG\n\r\n\r\n", num_bytes), ["a\n\r\nb", "G\0\r\n\r\n"]);
        }
    }
}
