//! The optional index of the digests of all sequences. It finds the proteins that have a given
//! sequence.
//!
//! ```text
//! checksums/
//!   md5.directory          for each bucket, its first entry (40 bits) and their number (24 bits)
//!   md5.buckets            entries: 24 bits of a digest, and the number of an accession (40 bits), ascending in a bucket
//!   sha512t24u.directory   likewise
//!   sha512t24u.buckets
//! ```
//!
//! All numbers are little-endian, of eight bytes. The first bits of a digest are the number of its
//! bucket, and the next 24 are in the entry. Digests are evenly distributed, so all buckets have
//! about the same number of entries. A bucket that fits into a page of the file lies in one page,
//! so a look-up reads two pages. Entries only show which proteins may have a sequence: the sequence
//! itself decides.

mod entry;
mod lookup;
mod reader;
mod writer;

pub use entry::ChecksumsEntry;
pub use lookup::Checksums;
pub use writer::{ChecksumsWriter, DigestsWriter};

pub(super) use entry::Fingerprint;
pub(super) use reader::ChecksumsFiles;
