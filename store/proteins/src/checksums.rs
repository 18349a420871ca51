//! The optional index of the digests of all sequences, by which the proteins of exactly one sequence are found.
//!
//! ```text
//! checksums/
//!   md5.directory          for each bucket, its first entry (40 bits) and their number (24 bits)
//!   md5.buckets            entries: 24 bits of a digest, and the number of an accession (40 bits), ascending in a bucket
//!   sha512t24u.directory   likewise
//!   sha512t24u.buckets
//! ```
//!
//! All numbers are little-endian, of eight bytes. The first bits of a digest are the number of its bucket, and the next 24 are in the entry.
//! As digests are evenly distributed, a bucket has about as many entries as any other. One that fits into a page of the file lies in one, so
//! that a look-up reads two pages. Entries only tell which proteins may have a sequence: the sequence itself decides.

mod entry;
mod lookup;
mod reader;
mod writer;

pub use entry::ChecksumsEntry;
pub use lookup::Checksums;
pub use writer::{ChecksumsWriter, DigestsWriter};

pub(super) use entry::Fingerprint;
pub(super) use reader::ChecksumsFiles;
