//! Reading entries that are close to each other.

use std::ops::Range;

use store::Result;

use super::{Entry, Key, Page, Pages};

/// The most pages that are kept.
const KEPT_MAX: usize = 4;

/// Reads ranges of entries, and keeps the pages that were read last: close ranges are quick.
pub struct Walk<'a, E> {
    pages: &'a Pages<E>,
    /// The first one was read first.
    kept: Vec<Page<E>>,
    num_reads: u64,
}

impl<'a, E: Entry> Walk<'a, E> {
    /// Begins without a page.
    pub fn new(pages: &'a Pages<E>) -> Self {
        Self { pages, kept: Vec::new(), num_reads: 0 }
    }

    /// Returns a page by its number, or `None` after the last one.
    ///
    /// # Errors
    ///
    /// * The file is damaged or cannot be read. So it is for all functions here.
    pub fn page(&mut self, number: u64) -> Result<Option<&Page<E>>> {
        if !self.kept.iter().any(|page| page.number == number) {
            let Some(page) = self.pages.page(number)? else { return Ok(None) };
            self.num_reads += 1;
            if self.kept.len() == KEPT_MAX {
                self.kept.remove(0);
            }
            self.kept.push(page);
        }
        Ok(self.kept.iter().find(|page| page.number == number))
    }

    /// Returns the number of a page like [`Pages::find`].
    pub fn find(&mut self, key: Key) -> Result<u64> {
        let reaches = |page: &&Page<E>| page.entries.last().is_some_and(|last| key <= last.key());
        if let Some(page) = self.kept.iter().find(|page| page.start <= key && reaches(page)) {
            return Ok(page.number);
        }
        self.num_reads += 1;
        self.pages.find(key)
    }

    /// Returns at most `limit` entries with keys in a range, ascending. They are found quickly if
    /// `page` is the number of a page with one of them.
    pub fn range(&mut self, keys: Range<Key>, page: Option<u64>, limit: usize) -> Result<Vec<E>>
    where
        E: Clone,
    {
        let mut number = page.map_or_else(|| self.find(keys.start), Ok)?;
        let begins_later = |page: &Page<E>| keys.start < page.entries[0].key();
        while page.is_some() && number > 0 && self.page(number)?.is_some_and(begins_later) {
            number -= 1;
        }
        let mut found = Vec::new();
        while let Some(Page { entries, .. }) = self.page(number)? {
            let [start, end] = [keys.start, keys.end].map(|key| entries.partition_point(|entry| entry.key() < key));
            found.extend(entries[start.min(end)..end].iter().take(limit - found.len()).cloned());
            if end < entries.len() || found.len() == limit {
                break;
            }
            number += 1;
        }
        Ok(found)
    }

    /// Returns the number of pages that were read since the last call.
    pub fn take_reads(&mut self) -> u64 {
        std::mem::take(&mut self.num_reads)
    }
}
