//! Divides the memory of a run.

use store_proteins::SEGMENT_DOCS_MAX;

/// The most memory of a block of rows, with its index and spare capacity of its lists.
const BLOCK_BYTES: usize = 384 * 1024;

/// The tables whose blocks in use matter: sequences, biomes, Pfam hits, occurrences.
const HEAVY_TABLES: usize = 4;

/// At most one in this number of blocks of a table may wait behind its decoders, if it has several.
const DECODED_SHARE: usize = 4;

/// The approximate number of proteins with their sequences in one block.
const PROTEINS_PER_BLOCK: usize = 800;

/// The least memory for a worker: the engine's writer needs some even when empty.
const WORKER_BYTES_MIN: usize = 32 << 20;

/// The number of workers that keep a merging thread busy: merging is four times as fast as
/// indexing.
const WORKERS_PER_MERGER: usize = 4;

/// The memory of a document while segments are merged (see [`store_proteins::merge_segments`]),
/// with some reserve.
const MERGED_DOC_BYTES: usize = 40;

/// The number of workers that keep a decoder of each table busy: the largest table takes a ninth of
/// the time.
const WORKERS_PER_DECODER: usize = 4;

/// The least memory for a decoder of each table: a page of each column, in addition to its blocks.
const DECODER_BYTES_MIN: usize = 256 << 20;

const JOINED_TABLES: usize = 6;

/// The memory of a sorted run while it is read.
const RUN_BYTES: usize = 1 << 20;

/// The least and the greatest number of proteins of a range.
const RANGE_PROTEINS: (usize, usize) = (4096, 262_144);

/// The shares of the memory, and the numbers that follow from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    pub(super) num_workers: usize,
    pub(super) range_proteins: usize,
    /// The number of blocks of each table that may be in use.
    pub(super) blocks_per_table: usize,
    /// The number of threads that decode a table.
    pub(super) num_decoders: usize,
    /// The number of blocks of a table that each of several decoders may have ready.
    pub(super) blocks_per_decoder: usize,
    /// The most memory of the segment of a worker.
    pub(super) segment_bytes: usize,
    /// The number of groups of segments that may be merged at once while ranges are indexed.
    pub(super) num_mergers: usize,
    pub(super) merged_docs: u32,
    /// The memory of a sorter while nothing else runs.
    pub(super) sorting_bytes: usize,
    /// The number of sorted runs of a table that may be open while it is joined.
    pub(super) num_runs_max: usize,
}

impl Budget {
    /// Divides the memory among at most `num_threads` threads: half of it for rows in use, a
    /// quarter for segments that are written, an eighth for segments that are merged, and an eighth
    /// for sorted runs.
    pub(super) fn new(memory_bytes: usize, num_threads: usize) -> Self {
        let num_workers = num_threads.clamp(1, (memory_bytes / WORKER_BYTES_MIN).max(1));
        let blocks_per_table = (memory_bytes / 2 / HEAVY_TABLES / BLOCK_BYTES).max(2);
        // All workers are busy if the blocks in use belong to more ranges than there are workers.
        let range_proteins = blocks_per_table * PROTEINS_PER_BLOCK / (num_workers + 1);
        let num_decoders = (num_workers / WORKERS_PER_DECODER).min(memory_bytes / DECODER_BYTES_MIN).max(1);
        let num_mergers = num_workers.div_ceil(WORKERS_PER_MERGER);
        let merged_docs = u32::try_from(memory_bytes / 8 / num_mergers / MERGED_DOC_BYTES).unwrap_or(u32::MAX);
        Self {
            num_workers,
            range_proteins: range_proteins.clamp(RANGE_PROTEINS.0, RANGE_PROTEINS.1),
            blocks_per_table,
            num_decoders,
            blocks_per_decoder: blocks_per_table / DECODED_SHARE / num_decoders,
            segment_bytes: memory_bytes / 4 / num_workers,
            num_mergers,
            merged_docs: merged_docs.min(SEGMENT_DOCS_MAX),
            sorting_bytes: memory_bytes / 2,
            num_runs_max: (memory_bytes / 8 / JOINED_TABLES / RUN_BYTES).clamp(2, 64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_fit_into_the_memory() {
        for memory_bytes in [64 << 20, 256 << 20, 1 << 30, 64 << 30] {
            for num_threads in [1, 2, 16, 128] {
                let budget = Budget::new(memory_bytes, num_threads);
                let rows = budget.blocks_per_table * HEAVY_TABLES * BLOCK_BYTES;
                let segments = budget.segment_bytes * budget.num_workers;
                let merging = budget.num_mergers * budget.merged_docs as usize * MERGED_DOC_BYTES;
                assert!(rows + segments + merging <= memory_bytes, "{budget:?}");
                assert!(budget.num_workers >= 1 && budget.merged_docs > 0, "{budget:?}");
            }
        }
    }
}
