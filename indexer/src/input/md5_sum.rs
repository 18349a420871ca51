//! MD5 sums, with which a release shows whether its files arrived whole.

use std::fmt;
use std::io::{self, Read};
use std::sync::atomic::Ordering;

use md5::{Digest, Md5};

use super::BytesRead;

/// The MD5 of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Md5Sum(u128);

/// The sum that a release lists for a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedSum {
    /// The sum.
    pub sum: Md5Sum,
    /// The name of the file that lists it.
    pub listed_in: String,
}

/// The bytes of a file do not have the listed sum.
#[derive(Debug, thiserror::Error)]
#[error("its MD5 sum is {found}, and {} says {}", expected.listed_in, expected.sum)]
pub(crate) struct SumMismatch {
    pub(crate) expected: ListedSum,
    pub(crate) found: Md5Sum,
}

/// Counts the bytes that are read, and computes their sum. If it is not the listed sum, the last
/// read fails with the error of a wrong sum.
pub struct SummingReader<R> {
    inner: R,
    bytes_read: BytesRead,
    /// The sum so far and the listed one; `None` if there is nothing to compare with, or it was
    /// compared.
    open: Option<(Md5, ListedSum)>,
}

impl Md5Sum {
    /// Reads 32 hexadecimal digits.
    pub fn from_hex(text: &str) -> Option<Self> {
        let is_hex = text.len() == 32 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        if is_hex { u128::from_str_radix(text, 16).ok().map(Self) } else { None }
    }
}

impl fmt::Display for Md5Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl<R> SummingReader<R> {
    /// Creates a reader that fails at the end of the file if its sum differs from the expected one.
    pub fn new(inner: R, bytes_read: &BytesRead, expected: Option<&ListedSum>) -> Self {
        let bytes_read = BytesRead::clone(bytes_read);
        Self { inner, bytes_read, open: expected.map(|expected| (Md5::new(), expected.clone())) }
    }
}

impl<R: Read> Read for SummingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.bytes_read.fetch_add(length as u64, Ordering::Relaxed);
        if let Some((hash, _)) = &mut self.open {
            hash.update(&buffer[..length]);
        }
        if length == 0
            && !buffer.is_empty()
            && let Some((hash, expected)) = self.open.take()
        {
            let found = Md5Sum(u128::from_be_bytes(hash.finalize().into()));
            if found != expected.sum {
                return Err(io::Error::new(io::ErrorKind::InvalidData, SumMismatch { expected, found }));
            }
        }
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(hex: &str) -> ListedSum {
        ListedSum { sum: Md5Sum::from_hex(hex).expect(hex), listed_in: "md5sum.txt".to_owned() }
    }

    #[test]
    fn sums_are_compared_at_the_end() {
        let mut text = String::new();
        let expected = listed("900150983cd24fb0d6963f7d28e17f72");
        SummingReader::new(&b"abc"[..], &BytesRead::default(), Some(&expected))
            .read_to_string(&mut text)
            .expect("the sum of RFC 1321");
        assert_eq!(text, "abc");
        let mut reader = SummingReader::new(&b"abd"[..], &BytesRead::default(), Some(&expected));
        let error = reader.read_to_string(&mut text).expect_err("another sum").to_string();
        let expected =
            "its MD5 sum is 4911e516e5aa21d327512e0c8b197616, and md5sum.txt says 900150983cd24fb0d6963f7d28e17f72";
        assert_eq!(error, expected);
    }

    #[test]
    fn sums_are_32_hexadecimal_digits() {
        assert_eq!(listed("D41D8CD98F00B204E9800998ECF8427E").sum.to_string(), "d41d8cd98f00b204e9800998ecf8427e");
        for text in ["", "d41d8cd98f00b204e9800998ecf8427", "+41d8cd98f00b204e9800998ecf8427e", "sum"] {
            assert!(Md5Sum::from_hex(text).is_none(), "{text}");
        }
    }
}
