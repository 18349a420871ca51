//! Reading a file of pages.

use std::fs::File;
use std::marker::PhantomData;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use store::{Error, Result};

use super::layout::{
    PAGE_BYTES, entries_of, first_page, is_sealed, keys_of, num_groups, num_positions, position_of, position_of_keys,
};
use super::{Before, Entry, Key, PagesEntry, Walk};
use crate::bits::BitReader;

/// An open file.
pub struct Pages<E> {
    path: PathBuf,
    file: File,
    /// The number of pages with entries.
    end: u64,
    num_entries: u64,
    /// The first key of each group of pages.
    top: Vec<Key>,
    entry: PhantomData<fn() -> E>,
    #[cfg(test)]
    pub(crate) num_reads: std::sync::atomic::AtomicU64,
}

/// The entries of a page.
#[derive(Clone, Debug)]
pub struct Page<E> {
    /// The number of the page, 0-based.
    pub number: u64,
    /// The key from which the entries follow.
    pub start: Key,
    /// The number of entries before the page.
    pub num_before: u64,
    /// The entries, at least one.
    pub entries: Vec<E>,
}

impl<E: Entry> Pages<E> {
    /// Opens a file of a generation.
    ///
    /// # Errors
    ///
    /// * The file is damaged or cannot be read.
    pub fn open(generation: &Path, entry: &PagesEntry) -> Result<Self> {
        let path = generation.join(&entry.file);
        let file = File::open(&path).map_err(Error::io("cannot open", &path))?;
        let length = file.metadata().map_err(Error::io("cannot read", &path))?.len();
        let mut pages = Self {
            path,
            file,
            end: entry.num_pages,
            num_entries: entry.num_entries,
            top: Vec::new(),
            entry: PhantomData,
            #[cfg(test)]
            num_reads: 0.into(),
        };
        if num_positions(entry.num_pages).checked_mul(PAGE_BYTES as u64) != Some(length) {
            return Err(pages.altered(format!("it does not have {} pages", entry.num_pages)));
        }
        let num_groups = num_groups(entry.num_pages);
        for position in entry.num_pages + num_groups..num_positions(entry.num_pages) {
            let page = pages.read(position)?;
            pages.top.extend(keys_of(&page));
        }
        if pages.top.len() as u64 == num_groups { Ok(pages) } else { Err(pages.altered("keys of pages are missing")) }
    }

    /// Returns the number of entries.
    pub fn num_entries(&self) -> u64 {
        self.num_entries
    }

    /// Returns the number of the page with the first entry from a key on. If this page has
    /// none, it is the first one of the next page. This reads one page.
    pub fn find(&self, key: Key) -> Result<u64> {
        let Some(group) = self.top.partition_point(|start| *start <= key).checked_sub(1) else { return Ok(0) };
        let group = group as u64;
        let keys = self.read(position_of_keys(self.end, group))?;
        let num_starts = keys_of(&keys).take_while(|start| *start <= key).count() as u64;
        Ok(first_page(group) + num_starts.saturating_sub(1))
    }

    /// Returns a page by its number, or `None` after the last one. This reads one page.
    ///
    /// # Errors
    ///
    /// * The page is damaged or cannot be read.
    pub fn page(&self, number: u64) -> Result<Option<Page<E>>> {
        if number >= self.end {
            return Ok(None);
        }
        let page = self.read(position_of(number))?;
        let damaged = || self.altered(format!("page {number} has a wrong entry"));
        let (start, num_before, num_entries, bytes) = entries_of(&page);
        let mut bits = BitReader::new(bytes);
        let mut entries: Vec<E> = Vec::with_capacity(num_entries.min(PAGE_BYTES));
        for _ in 0..num_entries {
            let before = entries.last().map_or(Before::Page(start), Before::Entry);
            entries.push(E::read(before, &mut bits).ok_or_else(damaged)?);
        }
        if entries.is_empty() { Err(damaged()) } else { Ok(Some(Page { number, start, num_before, entries })) }
    }

    /// Returns the number of entries before a key.
    pub fn rank(&self, key: Key) -> Result<u64> {
        let page = self.page(self.find(key)?)?;
        Ok(page.map_or(0, |page| page.num_before + page.entries.partition_point(|entry| entry.key() < key) as u64))
    }

    /// Returns at most `limit` entries with keys in a range; see [`Walk::range`].
    pub fn range(&self, keys: Range<Key>, limit: usize) -> Result<Vec<E>>
    where
        E: Clone,
    {
        Walk::new(self).range(keys, None, limit)
    }

    /// Reads the whole file, checks the order of its entries, and passes them to `visit`.
    pub fn verify(&self, mut visit: impl FnMut(&E) -> Result<()>) -> Result<()> {
        let mut num_before = 0;
        let mut last = None;
        for (group, top) in (0..).zip(&self.top) {
            let keys = self.read(position_of_keys(self.end, group))?;
            let pages = first_page(group)..self.end.min(first_page(group + 1));
            if keys_of(&keys).next() != Some(*top) || keys_of(&keys).count() as u64 != pages.end - pages.start {
                return Err(self.altered("pages have other keys than their index"));
            }
            for (number, start) in pages.zip(keys_of(&keys)) {
                let Some(page) = self.page(number)? else { break };
                let first = page.entries[0].key();
                let continues = last.is_some_and(|last: Key| last.0 == first.0);
                let is_start = page.start == (first.0, if continues { first.1 } else { 0 });
                if page.start != start || !is_start || page.num_before != num_before {
                    return Err(self.altered(format!("page {number} has another beginning than its index")));
                }
                for entry in &page.entries {
                    if last.is_some_and(|last| last >= entry.key()) {
                        return Err(self.altered(format!("page {number} is out of order")));
                    }
                    last = Some(entry.key());
                    visit(entry)?;
                }
                num_before += page.entries.len() as u64;
            }
        }
        if num_before == self.num_entries { Ok(()) } else { Err(self.altered("it has another number of entries")) }
    }

    /// Returns the error of a damaged file.
    pub fn altered(&self, problem: impl Into<String>) -> Error {
        Error::altered(&self.path, problem)
    }

    fn read(&self, position: u64) -> Result<Box<[u8; PAGE_BYTES]>> {
        #[cfg(test)]
        self.num_reads.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let mut page = Box::new([0; PAGE_BYTES]);
        let read = self.file.read_exact_at(&mut *page, position * PAGE_BYTES as u64);
        read.map_err(Error::io("cannot read", &self.path))?;
        let problem = || self.altered(format!("the page at {position} differs from its checksum"));
        if is_sealed(&page, position) { Ok(page) } else { Err(problem()) }
    }
}
