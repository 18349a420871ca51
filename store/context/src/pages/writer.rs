//! Writing a file of pages.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::mem;
use std::path::{Path, PathBuf};

use store::{Error, Result};

use super::layout::{ENTRIES_BYTES, PAGE_BYTES, PAGE_KEYS, put_entries, put_keys, seal};
use super::{Before, Entry, Key, Pages, PagesEntry};
use crate::bits::BitWriter;

const ENTRIES_BITS: usize = 8 * ENTRIES_BYTES;

/// Writes a file. Its memory grows by 16 bytes for each 256 KiB of the file.
pub struct PagesWriter<E> {
    draft: PathBuf,
    entry: PagesEntry,
    path: PathBuf,
    file: BufWriter<File>,
    /// The number of pages in the file.
    position: u64,
    page: Box<[u8; PAGE_BYTES]>,
    /// The key from which the entries that are not in the file follow, their number, and their
    /// bits.
    start: Key,
    num_pending: u64,
    pending: BitWriter,
    last: Option<E>,
    /// The keys of the pages of this group.
    keys: Vec<Key>,
    /// The first keys of all groups before.
    top: Vec<Key>,
}

impl<E: Entry> PagesWriter<E> {
    /// Creates the file, whose name is that inside the draft. Its missing folders are created.
    pub fn create(draft: &Path, file: String) -> Result<Self> {
        let path = draft.join(&file);
        let folder = path.parent().unwrap_or(draft);
        fs::create_dir_all(folder).map_err(Error::io("cannot create", folder))?;
        let created = File::create(&path).map_err(Error::io("cannot create", &path))?;
        Ok(Self {
            draft: draft.to_owned(),
            entry: PagesEntry { file, num_pages: 0, num_entries: 0 },
            path,
            file: BufWriter::with_capacity(8 * PAGE_BYTES, created),
            position: 0,
            page: Box::new([0; PAGE_BYTES]),
            start: (0, 0),
            num_pending: 0,
            pending: BitWriter::default(),
            last: None,
            keys: Vec::new(),
            top: Vec::new(),
        })
    }

    /// Adds an entry.
    ///
    /// # Errors
    ///
    /// * Its key is not above that of the entry before it.
    /// * It takes more than [`super::ENTRY_BYTES_MAX`].
    pub fn add(&mut self, entry: E) -> Result<()> {
        let key = entry.key();
        if self.last.as_ref().is_some_and(|last| last.key() >= key) {
            return Err(Error::altered(&self.path, format!("its entry {key:?} is out of order")));
        }
        let num_bits = self.pending.num_bits();
        if let Some(last) = self.last.as_ref().filter(|_| self.num_pending > 0) {
            entry.write(Before::Entry(last), &mut self.pending);
        }
        if self.num_pending == 0 || self.pending.num_bits() > ENTRIES_BITS {
            self.pending.truncate(num_bits);
            self.end_page()?;
            let continues = self.last.as_ref().is_some_and(|last| last.key().0 == key.0);
            self.start = (key.0, if continues { key.1 } else { 0 });
            entry.write(Before::Page(self.start), &mut self.pending);
        }
        if self.pending.num_bits() > ENTRIES_BITS {
            return Err(Error::altered(&self.path, format!("its entry {key:?} does not fit into a page")));
        }
        self.num_pending += 1;
        self.last = Some(entry);
        Ok(())
    }

    /// Returns the number of the page with the last entry.
    pub fn page(&self) -> u64 {
        self.entry.num_pages
    }

    /// Writes the rest, and reads the whole file back.
    pub fn finish(mut self) -> Result<PagesEntry> {
        self.end_page()?;
        self.end_group()?;
        for keys in mem::take(&mut self.top).chunks(PAGE_KEYS) {
            put_keys(&mut self.page, keys);
            self.write_page()?;
        }
        self.file.flush().map_err(Error::io("cannot write", &self.path))?;
        Pages::<E>::open(&self.draft, &self.entry)?.verify(|_| Ok(()))?;
        Ok(self.entry)
    }

    fn end_page(&mut self) -> Result<()> {
        if self.num_pending == 0 {
            return Ok(());
        }
        if self.keys.len() == PAGE_KEYS {
            self.end_group()?;
        }
        let numbers = [self.entry.num_entries, self.num_pending];
        put_entries(&mut self.page, self.start, numbers, mem::take(&mut self.pending).bytes());
        self.write_page()?;
        self.keys.push(self.start);
        self.entry.num_pages += 1;
        self.entry.num_entries += mem::take(&mut self.num_pending);
        Ok(())
    }

    fn end_group(&mut self) -> Result<()> {
        let Some(first) = self.keys.first() else { return Ok(()) };
        self.top.push(*first);
        put_keys(&mut self.page, &self.keys);
        self.keys.clear();
        self.write_page()
    }

    fn write_page(&mut self) -> Result<()> {
        seal(&mut self.page, self.position);
        self.position += 1;
        self.file.write_all(&*self.page).map_err(Error::io("cannot write", &self.path))
    }
}
