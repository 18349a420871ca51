//! A file of sorted entries in pages, see the crate. A look-up reads two pages.

mod layout;
mod reader;
mod walk;
mod writer;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::bits::{BitReader, BitWriter};

pub use reader::{Page, Pages};
pub use walk::Walk;
pub use writer::PagesWriter;

/// The key of an entry. A look-up by the first number, with 0 as the second, finds the first entry
/// of that number.
pub type Key = (u64, u64);

/// An entry of a file.
pub trait Entry: Sized {
    /// Returns the key. All keys of a file differ.
    fn key(&self) -> Key;

    /// Appends the entry, which takes at most [`ENTRY_BYTES_MAX`].
    fn write(&self, before: Before<'_, Self>, bits: &mut BitWriter);

    /// Takes the entry, or returns `None` if the next bits are no entry.
    fn read(before: Before<'_, Self>, bits: &mut BitReader<'_>) -> Option<Self>;
}

/// The most bytes of an entry.
pub const ENTRY_BYTES_MAX: usize = layout::ENTRIES_BYTES;

/// The place before an entry, from which differences are stored.
#[derive(Clone, Copy, Debug)]
pub enum Before<'a, E> {
    /// The entry is the first one of a page, which begins at this key. It is the key of the entry,
    /// or the first entry of its first number has this key: then its second number is 0.
    Page(Key),
    /// The entry follows this one in its page.
    Entry(&'a E),
}

impl<E: Entry> Before<'_, E> {
    /// Returns the key of the place.
    pub fn key(&self) -> Key {
        match self {
            Self::Page(key) => *key,
            Self::Entry(entry) => entry.key(),
        }
    }
}

/// A file in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PagesEntry {
    /// The file inside the generation.
    pub file: String,
    /// The number of pages with entries.
    pub num_pages: u64,
    /// The number of entries.
    pub num_entries: u64,
}
