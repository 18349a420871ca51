//! The second half of a run: sorted records are indexed; of two with the same accession the first in the input stays.

use indexer::Result;
use indexer::run::{Progress, Reason, Rejection, Rows, StageReport, Unit};
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
    // Accession, file and line of the last protein that was indexed.
    let mut last: Option<(u64, usize, u64)> = None;
    while let Some((key, entry)) = entries.next_value::<EncodedRecord>(&mut payload)? {
        if let Some((accession, file, line)) = last
            && accession == key
        {
            let detail = format!("first in {}, line {line}", rows.files[file].name);
            let rejection = Rejection::new(Reason::DuplicateAccession, detail);
            rows.reject(entry.file, &rejection.at_row(entry.line, &entry.excerpt))?;
            continue;
        }
        builder.add(accession(key)?, &entry.record)?;
        rows.files[entry.file].num_accepted += 1;
        last = Some((key, entry.file, entry.line));
        num_indexed += 1;
        if num_indexed % PROGRESS_INTERVAL == 0 {
            progress.set(num_indexed);
        }
    }
    progress.set(num_indexed);
    Ok(StageReport::new("indexing", progress.finish()))
}
