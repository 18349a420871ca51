//! Key ranges: each holds about the same number of proteins that are indexed, and becomes one part of the index.

use std::ops::Range;
use std::sync::Arc;

use crossbeam::channel::Sender;

use crate::release::read::{RowBlock, RowOrigin};
use crate::run::RejectedRow;

use super::tally::Tally;

/// The end of the last range: no key is as high.
pub(crate) const KEYS_END: u64 = u64::MAX;

/// A protein that is to be indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RangeProtein {
    pub(crate) number: u64,
    pub(crate) cluster_size: u64,
    /// The row that names it.
    pub(crate) origin: RowOrigin,
}

/// A range of keys with the proteins in it. Ranges are disjoint and together hold every key.
#[derive(Debug)]
pub(crate) struct KeyRange {
    pub(crate) number: u32,
    pub(crate) keys: Range<u64>,
    pub(crate) proteins: Vec<RangeProtein>,
}

/// The order to cut the slice of a range.
pub(crate) struct SliceOrder {
    pub(crate) range: Arc<KeyRange>,
    /// Takes the parts of the slice, or is `None` where an earlier run has finished the range.
    pub(crate) parts: Option<Sender<SlicePart>>,
}

#[derive(Default)]
pub(crate) struct SlicePart {
    /// Rows in ascending order. Those of proteins that are not in the range have lost their payloads.
    pub(crate) rows: RowBlock,
    /// Bad rows, each with its file.
    pub(crate) rejected: Vec<(u16, RejectedRow)>,
    /// In the last part: the numbers of all rows that were read.
    pub(crate) tally: Option<Tally>,
}
