//! The accessions of assemblies, and the assemblies of contigs.

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

    fn write(&self, before: Before<'_, Self>, bytes: &mut Vec<u8>) {
        put_varint(bytes, self.position - before.key().0);
        put_varint(bytes, self.accession.len() as u64);
        bytes.extend(self.accession.as_bytes());
    }

    fn read(before: Before<'_, Self>, bytes: &mut &[u8]) -> Option<Self> {
        let position = before.key().0.checked_add(take_varint(bytes)?)?;
        let length = usize::try_from(take_varint(bytes)?).ok()?;
        let accession = std::str::from_utf8(bytes.split_off(..length)?).ok()?.to_owned();
        Some(Self { position, accession })
    }
}

/// The assembly of the contigs from a number on, up to the next run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// The number of the first contig.
    pub(super) first: u64,
    /// The position of the assembly.
    pub(super) assembly: u64,
}

impl Entry for Run {
    fn key(&self) -> Key {
        (self.first, self.assembly)
    }

    fn write(&self, before: Before<'_, Self>, bytes: &mut Vec<u8>) {
        put_varint(bytes, self.first - before.key().0);
        put_varint(bytes, self.assembly);
    }

    fn read(before: Before<'_, Self>, bytes: &mut &[u8]) -> Option<Self> {
        let first = before.key().0.checked_add(take_varint(bytes)?)?;
        Some(Self { first, assembly: take_varint(bytes)? })
    }
}
