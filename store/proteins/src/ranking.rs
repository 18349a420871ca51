//! The longest or shortest matches of a query, and those of the largest or smallest clusters.

use std::fmt;
use std::ops::{ControlFlow, RangeInclusive};
use std::str::FromStr;

use store::Result;
use store::engine::catch_panics;
use tantivy::DocId;

use super::ProteinGeneration;
use super::evaluation::{NUMBER_WORK, Work, walk};
use super::found_protein::FoundProtein;
use super::lowest::Lowest;
use super::query::ProteinQuery;
use super::rows::Rows;
use super::segments::bucket::{Buckets, LENGTH_RANGES, SIZE_RANGES};
use super::segments::segment::NumberColumn;

/// An order of proteins by a number. Those of the same number are in ascending order of accession.
///
/// As a text it is `length` or `cluster_size`, with a hyphen before it for the highest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProteinOrder {
    /// The shortest first, or the longest.
    Length {
        /// The longest first.
        descending: bool,
    },
    /// Those of the smallest clusters first, or of the largest.
    ClusterSize {
        /// The largest first.
        descending: bool,
    },
}

impl ProteinOrder {
    fn is_descending(self) -> bool {
        let (Self::Length { descending } | Self::ClusterSize { descending }) = self;
        descending
    }

    fn buckets(self) -> Buckets {
        match self {
            Self::Length { .. } => LENGTH_RANGES,
            Self::ClusterSize { .. } => SIZE_RANGES,
        }
    }

    fn condition(self, numbers: RangeInclusive<u64>) -> ProteinQuery {
        match self {
            Self::Length { .. } => ProteinQuery::Length(numbers),
            Self::ClusterSize { .. } => ProteinQuery::ClusterSize(numbers),
        }
    }
}

impl FromStr for ProteinOrder {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let (name, descending) = text.strip_prefix('-').map_or((text, false), |name| (name, true));
        match name {
            "length" => Ok(Self::Length { descending }),
            "cluster_size" => Ok(Self::ClusterSize { descending }),
            _ => Err("The order must be length, -length, cluster_size or -cluster_size.".to_owned()),
        }
    }
}

impl fmt::Display for ProteinOrder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if let Self::Length { .. } = self { "length" } else { "cluster_size" };
        write!(formatter, "{}{name}", if self.is_descending() { "-" } else { "" })
    }
}

impl ProteinGeneration {
    /// Returns the first `num_wanted` of all matches in an order. Returns `None` if a budget of
    /// work is spent first; its unit is that of [`super::PAGE_BUDGET`].
    ///
    /// The numbers are visited in ranges of powers of two, the first range of the order first: the
    /// cost is that of visiting the matches in the ranges of the first ones.
    ///
    /// # Errors
    ///
    /// * The index is damaged or cannot be read.
    pub fn first_in_order(
        &self,
        query: &ProteinQuery,
        order: ProteinOrder,
        num_wanted: usize,
        budget: u64,
    ) -> Result<Option<Vec<FoundProtein>>> {
        let mut lowest = Lowest::new(num_wanted);
        let mut work = Work::new(budget);
        let mut ranges: Vec<_> = order.buckets().ranges().collect();
        if order.is_descending() {
            ranges.reverse();
        }
        catch_panics(&self.path, || {
            for numbers in ranges {
                if work.is_spent() {
                    return Ok(None);
                }
                let is_one_number = numbers.start() == numbers.end();
                let query = ProteinQuery::And(vec![query.clone(), order.condition(numbers)]);
                let (mut docs, mut values): (Vec<DocId>, Vec<u64>) = Default::default();
                let mut is_filled = false;
                let end = walk(self, &self.segments, &query, None, &mut work, |matches, work| {
                    docs.clear();
                    docs.extend(matches.docs());
                    work.spend(NUMBER_WORK * docs.len() as u64);
                    values.resize(docs.len(), 0);
                    let column = match order {
                        ProteinOrder::Length { .. } => NumberColumn::Lengths(matches.segment),
                        ProteinOrder::ClusterSize { .. } => NumberColumn::Sizes(matches.segment),
                    };
                    column.get_all(&docs, &mut values);
                    for (&doc, &value) in docs.iter().zip(&values) {
                        lowest.insert(if order.is_descending() { !value } else { value }, matches.row(doc));
                    }
                    // Further matches of the same number follow these.
                    is_filled = is_one_number && lowest.is_full();
                    Ok(if is_filled { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
                })?;
                if end.is_some() && !is_filled {
                    return Ok(None);
                }
                if lowest.is_full() {
                    break;
                }
            }
            Rows(&self.segments).found(&lowest.into_rows()).map(Some)
        })
    }
}
