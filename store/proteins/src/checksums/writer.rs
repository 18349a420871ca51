//! Writing an index of digests.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use store::{Error, ProteinAccession, Result};

use crate::DigestAlgorithm;

use super::entry::{Bucket, ChecksumsEntry, Fingerprint, PAGE_ENTRIES, bucket_of, entry_of};
use super::reader::DigestFiles;

/// Writes the index of the digests of all proteins of a draft, one algorithm after another.
pub struct ChecksumsWriter {
    draft: PathBuf,
    entry: ChecksumsEntry,
}

impl ChecksumsWriter {
    pub(crate) fn create(draft: &Path, folder: String, num_proteins: u64) -> Result<Self> {
        let entry = ChecksumsEntry { folder, num_proteins };
        let path = draft.join(&entry.folder);
        // A run that was killed may have left a folder.
        fs::create_dir_all(&path).map_err(Error::io("cannot create", &path))?;
        Ok(Self { draft: draft.to_owned(), entry })
    }

    /// Returns the description of the index, which knows the keys of digests.
    pub fn entry(&self) -> &ChecksumsEntry {
        &self.entry
    }

    /// Begins to write the digests of an algorithm.
    pub fn digests(&self, algorithm: DigestAlgorithm) -> Result<DigestsWriter<'_>> {
        let create = |part: &str| {
            let path = self.draft.join(self.entry.file(algorithm, part));
            let file = File::create(&path).map_err(Error::io("cannot create", &path))?;
            Ok(Output { path, file: BufWriter::new(file) })
        };
        Ok(DigestsWriter {
            checksums: self,
            algorithm,
            directory: create("directory")?,
            buckets: create("buckets")?,
            bucket: 0,
            pending: Vec::new(),
            start: 0,
            end: 0,
            fingerprint: Fingerprint::default(),
        })
    }
}

/// Writes the digests of one algorithm.
pub struct DigestsWriter<'a> {
    checksums: &'a ChecksumsWriter,
    algorithm: DigestAlgorithm,
    directory: Output,
    buckets: Output,
    /// The bucket that is being written.
    bucket: u64,
    /// The entries of the bucket that are not written yet.
    pending: Vec<u64>,
    /// The first entry of the bucket in the file, if some are written.
    start: u64,
    /// The number of entries in the file.
    end: u64,
    fingerprint: Fingerprint,
}

struct Output {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Output {
    fn write(&mut self, number: u64) -> Result<()> {
        self.file.write_all(&number.to_le_bytes()).map_err(Error::io("cannot write", &self.path))
    }

    fn finish(mut self) -> Result<()> {
        self.file.flush().map_err(Error::io("cannot write", &self.path))
    }
}

impl DigestsWriter<'_> {
    /// Adds a protein with the key of its digest, see [`ChecksumsEntry::keys`]. Keys must ascend,
    /// and so must the accessions of equal keys.
    pub fn add(&mut self, key: u64, accession: ProteinAccession) -> Result<()> {
        while self.bucket < bucket_of(key) {
            self.end_bucket()?;
        }
        self.pending.push(entry_of(key, accession.number()));
        self.fingerprint.add(key, accession);
        if self.pending.len() as u64 > PAGE_ENTRIES { self.flush() } else { Ok(()) }
    }

    /// Writes the rest that is in memory, and reads the whole index back.
    ///
    /// # Errors
    ///
    /// * Keys did not ascend, or their number is not the number of proteins.
    pub fn finish(mut self) -> Result<()> {
        while self.bucket < self.checksums.entry.num_buckets() {
            self.end_bucket()?;
        }
        self.directory.finish()?;
        self.buckets.finish()?;
        let ChecksumsWriter { draft, entry } = self.checksums;
        let read = DigestFiles::open(draft, entry, self.algorithm)?.verify()?;
        if read == self.fingerprint {
            return Ok(());
        }
        Err(Error::altered(draft.join(&entry.folder), "its contents differ from what was written"))
    }

    fn end_bucket(&mut self) -> Result<()> {
        self.flush()?;
        let bucket = Bucket { start: self.start, num_entries: self.end - self.start };
        let too_many = || Error::altered(&self.directory.path, "too many proteins have the same sequence");
        let packed = bucket.pack().ok_or_else(too_many)?;
        self.directory.write(packed)?;
        self.start = self.end;
        self.bucket += 1;
        Ok(())
    }

    /// Writes pending entries. The first ones of a bucket begin another page if they would not fit
    /// into this one.
    fn flush(&mut self) -> Result<()> {
        let rest = self.end.next_multiple_of(PAGE_ENTRIES) - self.end;
        if self.start == self.end && self.pending.len() as u64 > rest {
            (0..rest).try_for_each(|_| self.buckets.write(0))?;
            self.end += rest;
            self.start = self.end;
        }
        self.end += self.pending.len() as u64;
        self.pending.drain(..).try_for_each(|entry| self.buckets.write(entry))
    }
}
