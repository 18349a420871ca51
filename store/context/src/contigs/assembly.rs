//! The accessions of assemblies.

use crate::bits::{BitReader, BitWriter};
use crate::pages::{Before, Entry, Key};
use crate::varint::{put_varint, take_varint};

/// An assembly of a table. Positions ascend in the order of accessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Assembly {
    pub(super) position: u64,
    /// The accession, which is empty in own data without one.
    pub(super) accession: String,
}

impl Entry for Assembly {
    fn key(&self) -> Key {
        (self.position, 0)
    }

    fn write(&self, before: Before<'_, Self>, bits: &mut BitWriter) {
        let bytes = bits.bytes();
        put_varint(bytes, self.position - before.key().0);
        put_varint(bytes, self.accession.len() as u64);
        bytes.extend(self.accession.as_bytes());
    }

    fn read(before: Before<'_, Self>, bits: &mut BitReader<'_>) -> Option<Self> {
        bits.take_bytes(|bytes| {
            let position = before.key().0.checked_add(take_varint(bytes)?)?;
            let length = usize::try_from(take_varint(bytes)?).ok()?;
            let accession = std::str::from_utf8(bytes.split_off(..length)?).ok()?.to_owned();
            Some(Self { position, accession })
        })
    }
}
