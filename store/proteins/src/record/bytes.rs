//! The bytes of a record. Integers have a variable length.

use store_context::varint::{take_signed, take_varint};

pub(super) use store_context::varint::put_signed;
pub(crate) use store_context::varint::put_varint;

/// The reason why bytes are not a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The record ends too early.
    #[error("the record is cut short")]
    Short,
    /// The checksum is not that of these bytes and this accession.
    #[error("the checksum of the record is wrong")]
    Checksum,
    /// The version is unknown.
    #[error("record version {0} is unknown")]
    Version(u8),
    /// A value is impossible.
    #[error("the record contains an impossible value: {0}")]
    Value(&'static str),
}

/// The unread rest of a record.
#[derive(Clone, Copy)]
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], RecordError> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(RecordError::Short)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, RecordError> {
        let (&byte, rest) = self.0.split_first().ok_or(RecordError::Short)?;
        self.0 = rest;
        Ok(byte)
    }

    pub(crate) fn varint(&mut self) -> Result<u64, RecordError> {
        take_varint(&mut self.0).ok_or(RecordError::Value("an integer that is cut short, or too long"))
    }

    pub(crate) fn varint_u32(&mut self) -> Result<u32, RecordError> {
        u32::try_from(self.varint()?).map_err(|_| RecordError::Value("an integer of more than 32 bits"))
    }

    /// Reads the length of a list. Every element takes at least one byte, so that a damaged length
    /// cannot request more memory than the record has.
    pub(crate) fn length(&mut self) -> Result<usize, RecordError> {
        match usize::try_from(self.varint()?) {
            Ok(length) if length <= self.0.len() => Ok(length),
            _ => Err(RecordError::Short),
        }
    }

    pub(crate) fn text(&mut self, length: usize) -> Result<String, RecordError> {
        let text = std::str::from_utf8(self.take(length)?);
        text.map(str::to_owned).map_err(|_| RecordError::Value("a text that is not UTF-8"))
    }

    pub(crate) fn signed(&mut self) -> Result<i64, RecordError> {
        take_signed(&mut self.0).ok_or(RecordError::Value("an integer that is cut short, or too long"))
    }
}
