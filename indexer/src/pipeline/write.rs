//! The last stage: sorted records are indexed; of two with the same accession the first in the input stays.

use store::{ProteinAccession, ProteinsBuilder};

use crate::progress::{Progress, Unit};
use crate::rejects::{Reason, RejectedRow, Rejection, Rejects};
use crate::report::StageReport;
use crate::sort::SortedEntries;
use crate::{Error, Result};

use super::FileCounts;

/// How many proteins are indexed between two looks at the progress.
const PROGRESS_INTERVAL: u64 = 4096;

/// The bytes before the excerpt: file, line, length of the excerpt.
const HEAD_BYTES: usize = 13;

/// A record with the place it came from, as it goes through the sorter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry<'a> {
    /// The input, by position.
    pub(super) file: usize,
    /// The line, 1-based.
    pub(super) line: u64,
    /// The start of the raw text.
    pub(super) excerpt: &'a [u8],
    /// The record as it will be stored.
    pub(super) record: &'a [u8],
}

impl<'a> Entry<'a> {
    /// Appends the bytes of the entry.
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        let file = u32::try_from(self.file).expect("a command line has fewer files than 2^32");
        let excerpt_length = u8::try_from(self.excerpt.len()).expect("an excerpt is short");
        out.extend(file.to_le_bytes());
        out.extend(self.line.to_le_bytes());
        out.push(excerpt_length);
        out.extend(self.excerpt);
        out.extend(self.record);
    }

    /// Reads the bytes of an entry.
    fn take(bytes: &'a [u8]) -> Option<Self> {
        let (head, rest) = bytes.split_first_chunk::<HEAD_BYTES>()?;
        let [f0, f1, f2, f3, l0, l1, l2, l3, l4, l5, l6, l7, excerpt_length] = *head;
        let (excerpt, record) = rest.split_at_checked(excerpt_length.into())?;
        let file = u32::from_le_bytes([f0, f1, f2, f3]) as usize;
        Some(Self { file, line: u64::from_le_bytes([l0, l1, l2, l3, l4, l5, l6, l7]), excerpt, record })
    }
}

/// Indexes all entries, and counts them by input.
///
/// # Errors
///
/// * An entry cannot be read back; too many rows are duplicates; the disk is full.
pub(crate) fn write(
    mut entries: SortedEntries,
    files: &mut [FileCounts],
    builder: &mut ProteinsBuilder,
    rejects: &mut Rejects,
) -> Result<StageReport> {
    let total: u64 = files.iter().map(|counts| counts.num_read).sum();
    let mut progress = Progress::start("indexing", Unit::Proteins, total);
    let mut num_indexed = 0;
    let mut payload = Vec::new();
    let mut previous: Option<(u64, usize, u64)> = None;
    while let Some(key) = entries.next(&mut payload)? {
        let torn = || Error::io("cannot read back from", builder.path())(std::io::ErrorKind::InvalidData.into());
        let entry = Entry::take(&payload).ok_or_else(torn)?;
        if let Some((accession, file, line)) = previous
            && accession == key
        {
            let detail = format!("first in {}, line {line}", rejects.name(file));
            let rejection = Rejection::new(Reason::DuplicateAccession, detail);
            let row = RejectedRow { line: entry.line, rejection, excerpt: entry.excerpt.to_vec() };
            rejects.add(entry.file, &row)?;
            continue;
        }
        let accession = ProteinAccession::new(key).map_err(|_| torn())?;
        builder.add(accession, entry.record)?;
        files[entry.file].num_accepted += 1;
        previous = Some((key, entry.file, entry.line));
        num_indexed += 1;
        if num_indexed % PROGRESS_INTERVAL == 0 {
            progress.set(num_indexed);
        }
    }
    progress.set(num_indexed);
    Ok(StageReport::new("indexing", progress.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back() {
        let entry = Entry { file: 3, line: 1 << 40, excerpt: b"12,MK", record: b"record" };
        let mut bytes = Vec::new();
        entry.put(&mut bytes);
        assert_eq!(Entry::take(&bytes), Some(entry));
        assert_eq!(Entry::take(&bytes[..HEAD_BYTES + 2]), None);
    }
}
