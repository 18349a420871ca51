//! Numbers of proteins by length.

use store::{PAGE_BUDGET, ProteinGeneration, ProteinQuery, Relation};

use super::number::Number;

/// The residues from one bar to the next.
const WIDTH: u64 = 100;

/// The bars; the last one is for all that is longer.
const NUM_BARS: u64 = 11;

#[derive(Clone, Debug)]
pub(super) struct Bar {
    /// The least number of residues.
    pub(super) from: u64,
    /// The greatest, or nothing.
    pub(super) to: Option<u64>,
    pub(super) count: Number,
    pub(super) is_at_least: bool,
    /// The number as thousandths of the largest one.
    pub(super) share: u64,
}

/// Counts the proteins of a query by their length, with the budget of work of one page.
pub(super) fn count(data: &ProteinGeneration, query: &ProteinQuery) -> store::Result<Vec<Bar>> {
    let mut bars = Vec::new();
    for number in 0..NUM_BARS {
        let is_last = number + 1 == NUM_BARS;
        let (from, to) = (number * WIDTH, (!is_last).then_some((number + 1) * WIDTH - 1));
        let lengths = ProteinQuery::Length(from..=to.unwrap_or(u64::MAX));
        let total = data.total(&ProteinQuery::And(vec![query.clone(), lengths]), PAGE_BUDGET / NUM_BARS)?;
        let is_at_least = total.relation == Relation::Gte;
        bars.push(Bar { from, to, count: Number(total.value), is_at_least, share: 0 });
    }
    let most = bars.iter().map(|bar| bar.count.0).max().unwrap_or_default().max(1);
    for bar in &mut bars {
        bar.share = bar.count.0 * 1000 / most;
    }
    Ok(bars)
}
