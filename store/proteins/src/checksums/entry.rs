//! Keys, entries and buckets.

use serde::{Deserialize, Serialize};
use store::ProteinAccession;

use crate::{DigestAlgorithm, SequenceDigest};

/// The least average number of entries of a bucket. The most is less than twice this number.
const BUCKET_ENTRIES: u64 = 32;

/// The letter of a stop codon, which translations may have at their end.
pub(super) const STOP: &str = "*";

/// The bits of a digest that an entry has.
const KEY_BITS: u32 = 24;

/// The bits of the number of an accession.
const ACCESSION_BITS: u32 = 40;

pub(super) const ENTRY_BYTES: usize = size_of::<u64>();

/// The bytes of a page of a file.
pub(super) const PAGE_BYTES: usize = 4096;

/// The entries of a page.
pub(super) const PAGE_ENTRIES: u64 = (PAGE_BYTES / ENTRY_BYTES) as u64;

/// The index of the digests of some proteins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChecksumsEntry {
    /// The folder inside the generation.
    pub folder: String,
    /// The number of proteins.
    pub num_proteins: u64,
}

impl ChecksumsEntry {
    /// Returns the keys of the digests that find a sequence, each once: of the sequence, and of the
    /// sequence without the stop at its end.
    pub fn keys(&self, algorithm: DigestAlgorithm, sequence: &str) -> impl Iterator<Item = u64> {
        let key = |sequence: &str| self.key(&algorithm.digest(sequence));
        let whole = key(sequence);
        let bare = sequence.strip_suffix(STOP).map(key);
        [whole].into_iter().chain(bare.filter(|bare| *bare != whole))
    }

    /// Returns the key that sorts a digest: its first bits, as many as are stored.
    pub(super) fn key(&self, digest: &SequenceDigest) -> u64 {
        digest.head() >> (u64::BITS - self.bucket_bits() - KEY_BITS)
    }

    pub(super) fn num_buckets(&self) -> u64 {
        1 << self.bucket_bits()
    }

    const fn bucket_bits(&self) -> u32 {
        match self.num_proteins.div_ceil(BUCKET_ENTRIES).checked_ilog2() {
            Some(bits) => bits,
            None => 0,
        }
    }

    pub(super) fn file(&self, algorithm: DigestAlgorithm, part: &str) -> String {
        format!("{}/{}.{part}", self.folder, algorithm.name())
    }
}

/// Returns the bucket of a key.
pub(super) const fn bucket_of(key: u64) -> u64 {
    key >> KEY_BITS
}

/// Returns the entry of a protein in the bucket of its key.
pub(super) const fn entry_of(key: u64, number: u64) -> u64 {
    key << ACCESSION_BITS | number
}

/// Returns the key of an entry in a bucket.
pub(super) const fn key_of(bucket: u64, entry: u64) -> u64 {
    bucket << KEY_BITS | entry >> ACCESSION_BITS
}

pub(super) const fn number_of(entry: u64) -> u64 {
    entry & ((1 << ACCESSION_BITS) - 1)
}

/// The entries of a bucket, as the directory describes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bucket {
    /// The first one, counted from the start of the file.
    pub(super) start: u64,
    pub(super) num_entries: u64,
}

impl Bucket {
    const NUMBER_BITS: u32 = 24;

    /// Returns `None` if the bucket has too many entries.
    pub(super) fn pack(self) -> Option<u64> {
        let fits = self.num_entries >> Self::NUMBER_BITS == 0 && self.start >> (u64::BITS - Self::NUMBER_BITS) == 0;
        fits.then_some(self.start << Self::NUMBER_BITS | self.num_entries)
    }

    pub(super) const fn unpack(packed: u64) -> Self {
        Self { start: packed >> Self::NUMBER_BITS, num_entries: packed & ((1 << Self::NUMBER_BITS) - 1) }
    }
}

/// A fingerprint of a set of entries. Their order does not matter. Different sets practically never
/// have equal fingerprints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    num_entries: u64,
    sum: u64,
}

impl Fingerprint {
    pub(crate) fn add(&mut self, key: u64, accession: ProteinAccession) {
        let mut hash = (key ^ accession.number().rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        self.num_entries += 1;
        self.sum = self.sum.wrapping_add(hash ^ hash >> 32);
    }
}
