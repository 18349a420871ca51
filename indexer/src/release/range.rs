//! Key ranges: each holds about the same number of proteins that are indexed, and becomes one part of the index.

use crossbeam::channel::{Receiver, Sender};

use super::block::{RowBlock, RowPlace};
use crate::run::RejectedRow;

/// A protein that is to be indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RangeProtein {
    /// The number of its accession.
    pub(super) number: u64,
    /// How many proteins its cluster has.
    pub(super) cluster_size: u64,
    /// Where it was named.
    pub(super) place: RowPlace,
}

/// A range of keys with the proteins in it. Ranges are disjoint and together hold every key.
#[derive(Debug)]
pub(super) struct KeyRange {
    /// The rank of the range, 0-based.
    pub(super) number: u32,
    /// The first key behind the range; `None` for the last range, which has no end.
    pub(super) end: Option<u64>,
    /// The proteins, ascending.
    pub(super) proteins: Vec<RangeProtein>,
    /// An earlier run has finished the range.
    pub(super) is_done: bool,
}

impl KeyRange {
    /// Tells whether a key lies behind the range.
    pub(super) fn is_before(&self, key: u64) -> bool {
        self.end.is_some_and(|end| key >= end)
    }
}

/// What a reader sends of a range, in the order of the input.
pub(super) enum SlicePart {
    /// Rows in ascending order. Those of proteins that are not in the range have lost their payloads.
    Rows(RowBlock),
    /// Bad rows: file and row.
    Rejected(Vec<(u16, RejectedRow)>),
    /// There are no more.
    End(SliceCounts),
}

/// How many rows a reader has read in a range, by file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SliceCounts {
    /// File and all of its rows in the range.
    pub(super) num_read: Vec<(u16, u64)>,
    /// File and those of its rows that have a clan in place of a family.
    pub(super) num_clan_rows: Vec<(u16, u64)>,
    /// How many proteins, indexed or not, each biome has, by ordinal. Only readers of biomes count them.
    pub(super) proteins_by_biome: Vec<(u32, u64)>,
}

/// Adds to the number of a key in a short list.
pub(super) fn count<K: PartialEq>(list: &mut Vec<(K, u64)>, key: K, num: u64) {
    match list.iter_mut().rev().find(|(known, _)| *known == key) {
        Some((_, sum)) => *sum += num,
        None => list.push((key, num)),
    }
}

/// The reader's end of the slice of a range.
pub(super) type SliceSender = Sender<SlicePart>;

/// The indexing worker's end of the slice of a range.
pub(super) type SliceReceiver = Receiver<SlicePart>;
