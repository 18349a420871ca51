//! Reading an index of digests. Its files are not mapped: a look-up reads two pages of them.

use std::fs::File;
use std::io::{BufReader, Read};
use std::ops::ControlFlow;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use store::{Error, ProteinAccession, Result};

use crate::{DigestAlgorithm, SequenceDigest};

use super::entry::{
    Bucket, ChecksumsEntry, ENTRY_BYTES, Fingerprint, PAGE_BYTES, PAGE_ENTRIES, bucket_of, entry_of, key_of, number_of,
};

/// The open files of an index.
pub(crate) struct ChecksumsFiles {
    pub(crate) entry: ChecksumsEntry,
    /// By algorithm.
    digests: [DigestFiles; 2],
}

impl ChecksumsFiles {
    pub(crate) fn open(generation: &Path, entry: &ChecksumsEntry) -> Result<Self> {
        let [md5, sha512t24u] = DigestAlgorithm::ALL.map(|algorithm| DigestFiles::open(generation, entry, algorithm));
        Ok(Self { entry: entry.clone(), digests: [md5?, sha512t24u?] })
    }

    /// Reads all entries, and returns a fingerprint of the entries of each algorithm.
    pub(crate) fn verify(&self) -> Result<[Fingerprint; 2]> {
        let [md5, sha512t24u] = self.digests.each_ref().map(DigestFiles::verify);
        Ok([md5?, sha512t24u?])
    }

    /// Passes the proteins that may have a digest to `visit`, ascending from an accession, until it
    /// breaks.
    pub(super) fn candidates(
        &self,
        digest: &SequenceDigest,
        from: ProteinAccession,
        visit: impl FnMut(ProteinAccession) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        self.digests[digest.algorithm() as usize].candidates(self.entry.key(digest), from, visit)
    }
}

/// The files of an algorithm.
pub(super) struct DigestFiles {
    entry: ChecksumsEntry,
    directory: (PathBuf, File),
    buckets: (PathBuf, File),
}

impl DigestFiles {
    pub(super) fn open(generation: &Path, entry: &ChecksumsEntry, algorithm: DigestAlgorithm) -> Result<Self> {
        let open = |part: &str| {
            let path = generation.join(entry.file(algorithm, part));
            let file = File::open(&path).map_err(Error::io("cannot open", &path))?;
            Ok((path, file))
        };
        let files = Self { entry: entry.clone(), directory: open("directory")?, buckets: open("buckets")? };
        let (path, file) = &files.directory;
        let length = file.metadata().map_err(Error::io("cannot read", path))?.len();
        if length == entry.num_buckets() * ENTRY_BYTES as u64 {
            return Ok(files);
        }
        Err(Error::altered(path, "its number of buckets does not match the number of proteins"))
    }

    fn candidates(
        &self,
        key: u64,
        from: ProteinAccession,
        mut visit: impl FnMut(ProteinAccession) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let mut word = [0; 1];
        read(&self.directory, bucket_of(key), &mut word)?;
        let bucket = Bucket::unpack(word[0]);
        let first = entry_of(key, from.number());
        // Whole pages are skipped by bisection. Few buckets have more than one.
        let mut pages = 0..bucket.num_entries.div_ceil(PAGE_ENTRIES);
        while pages.start + 1 < pages.end {
            let middle = pages.start + (pages.end - pages.start) / 2;
            read(&self.buckets, bucket.start + middle * PAGE_ENTRIES, &mut word)?;
            if word[0] <= first { pages.start = middle } else { pages.end = middle }
        }
        let mut page = [0; PAGE_BYTES / ENTRY_BYTES];
        let mut start = pages.start * PAGE_ENTRIES;
        while start < bucket.num_entries {
            let num_entries = usize::try_from(bucket.num_entries - start).unwrap_or(usize::MAX).min(page.len());
            let entries = &mut page[..num_entries];
            read(&self.buckets, bucket.start + start, entries)?;
            for &entry in &entries[entries.partition_point(|entry| *entry < first)..] {
                if key_of(bucket_of(key), entry) != key || visit(self.accession(entry)?)?.is_break() {
                    return Ok(());
                }
            }
            start += PAGE_ENTRIES;
        }
        Ok(())
    }

    fn accession(&self, entry: u64) -> Result<ProteinAccession> {
        ProteinAccession::new(number_of(entry)).map_err(|error| Error::altered(&self.buckets.0, error.to_string()))
    }

    /// Reads all entries, and checks their order.
    pub(super) fn verify(&self) -> Result<Fingerprint> {
        let (path, file) = &self.directory;
        let mut directory = BufReader::new(file.try_clone().map_err(Error::io("cannot read", path))?);
        let mut fingerprint = Fingerprint::default();
        let mut end = 0;
        let mut page = [0; PAGE_BYTES / ENTRY_BYTES];
        for number in 0..self.entry.num_buckets() {
            let mut word = [0; ENTRY_BYTES];
            directory.read_exact(&mut word).map_err(Error::io("cannot read", path))?;
            let bucket = Bucket::unpack(u64::from_le_bytes(word));
            if bucket.start < end {
                return Err(Error::altered(path, format!("bucket {number} overlaps with the one before it")));
            }
            end = bucket.start + bucket.num_entries;
            let mut previous = 0;
            for start in (bucket.start..end).step_by(page.len()) {
                let num_entries = usize::try_from(end - start).unwrap_or(usize::MAX).min(page.len());
                let entries = &mut page[..num_entries];
                read(&self.buckets, start, entries)?;
                for &entry in &*entries {
                    if entry <= previous {
                        return Err(Error::altered(&self.buckets.0, format!("bucket {number} is out of order")));
                    }
                    previous = entry;
                    fingerprint.add(key_of(number, entry), self.accession(entry)?);
                }
            }
        }
        Ok(fingerprint)
    }
}

/// Reads numbers of a file, from number `start` on.
fn read((path, file): &(PathBuf, File), start: u64, numbers: &mut [u64]) -> Result<()> {
    let mut bytes = [0; PAGE_BYTES];
    let bytes = &mut bytes[..size_of_val(numbers)];
    file.read_exact_at(bytes, start * ENTRY_BYTES as u64).map_err(Error::io("cannot read", path))?;
    for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks().0) {
        *number = u64::from_le_bytes(*bytes);
    }
    Ok(())
}
