//! Protein counts by length and by cluster size.

use std::ops::RangeInclusive;

use store_proteins::{PAGE_BUDGET, ProteinGeneration, ProteinQuery};

use crate::parts::number::{Count, Number};

/// The width of a bar of lengths, in residues.
const WIDTH: u64 = 100;

/// The number of bars of lengths. The last one includes all greater lengths.
const NUM_BARS: u64 = 11;

/// Cluster sizes: the smallest and the greatest of each bar.
const SIZES: [(u64, Option<u64>); 5] = [(1, Some(1)), (2, Some(9)), (10, Some(99)), (100, Some(999)), (1000, None)];

#[derive(Clone, Debug)]
pub(crate) struct Bar {
    /// The smallest number of residues or proteins.
    pub(crate) from: u64,
    /// The greatest number, or `None` for the last bar.
    pub(crate) to: Option<u64>,
    pub(crate) count: Count,
    /// The count, in thousandths of the largest one.
    pub(crate) share: u64,
}

impl Bar {
    pub(crate) fn label(&self) -> String {
        let from = Number(self.from);
        match self.to {
            None => format!("{from} and more"),
            Some(to) if to == self.from => from.to_string(),
            Some(to) => format!("{from}–{}", Number(to)),
        }
    }
}

/// Counts the matches of a query by length within the work budget of a page.
pub(crate) fn lengths(data: &ProteinGeneration, query: &ProteinQuery) -> store::Result<Vec<Bar>> {
    let range = |number| {
        let to = (number + 1 < NUM_BARS).then_some((number + 1) * WIDTH - 1);
        (number * WIDTH, to)
    };
    count(data, query, &(0..NUM_BARS).map(range).collect::<Vec<_>>(), ProteinQuery::Length)
}

/// Counts the matches of a query by cluster size within the work budget of a page.
pub(crate) fn sizes(data: &ProteinGeneration, query: &ProteinQuery) -> store::Result<Vec<Bar>> {
    count(data, query, &SIZES, ProteinQuery::ClusterSize)
}

fn count(
    data: &ProteinGeneration,
    query: &ProteinQuery,
    ranges: &[(u64, Option<u64>)],
    condition: fn(RangeInclusive<u64>) -> ProteinQuery,
) -> store::Result<Vec<Bar>> {
    let (mut bars, budget) = (Vec::new(), PAGE_BUDGET / ranges.len() as u64);
    for &(from, to) in ranges {
        let query = ProteinQuery::And(vec![query.clone(), condition(from..=to.unwrap_or(u64::MAX))]);
        bars.push(Bar { from, to, count: data.total(&query, budget)?.into(), share: 0 });
    }
    let most = bars.iter().map(|bar| bar.count.value).max().unwrap_or_default().max(1);
    for bar in &mut bars {
        bar.share = bar.count.value * 1000 / most;
    }
    Ok(bars)
}
