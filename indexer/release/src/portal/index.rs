//! The second half of a run: sorted records are indexed; of several with the same accession, the
//! first in the input is kept.

use indexer::Result;
use indexer::run::{Progress, Reason, Rejection, RowOrigin, Rows, StageReport, Unit};
use indexer::sort::SortedEntries;
use indexer::values::accession;
use store_proteins::ProteinsBuilder;

use super::gather::EncodedRecord;

/// The number of proteins between two updates of the progress.
const PROGRESS_INTERVAL: u64 = 4096;

/// Indexes all entries, `num_read` at most, and counts them by input.
pub(super) fn index(
    mut entries: SortedEntries,
    num_read: u64,
    rows: &mut Rows,
    builder: &mut ProteinsBuilder,
) -> Result<StageReport> {
    let progress = Progress::start("indexing", Unit::Proteins, num_read);
    let mut num_indexed = 0;
    let mut payload = Vec::new();
    // The last protein that was indexed, and its row.
    let mut last: Option<(u64, RowOrigin)> = None;
    while let Some((key, EncodedRecord { origin, record })) = entries.next_value::<EncodedRecord>(&mut payload)? {
        if let Some((_, first)) = last.as_ref().filter(|(accession, _)| *accession == key) {
            rows.reject_at(&origin, Rejection::new(Reason::DuplicateAccession, rows.first_at(first)))?;
            continue;
        }
        builder.add(accession(key)?, &record)?;
        rows.files[origin.file].num_accepted += 1;
        last = Some((key, origin));
        num_indexed += 1;
        if num_indexed % PROGRESS_INTERVAL == 0 {
            progress.set(num_indexed);
        }
    }
    progress.set(num_indexed);
    Ok(StageReport::new("indexing", progress.finish()))
}
