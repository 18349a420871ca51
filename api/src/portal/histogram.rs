//! Numbers of proteins by length.

use store::{PAGE_BUDGET, ProteinGeneration, ProteinQuery};

use super::number::{Count, Number};

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
    pub(super) count: Count,
    /// The number as thousandths of the largest one.
    pub(super) share: u64,
}

impl Bar {
    pub(super) fn label(&self) -> String {
        let from = Number(self.from);
        self.to.map_or_else(|| format!("{from} and more"), |to| format!("{from}–{}", Number(to)))
    }
}

/// Counts the proteins of a query by their length, with the budget of work of one page.
pub(super) fn count(data: &ProteinGeneration, query: &ProteinQuery) -> store::Result<Vec<Bar>> {
    let mut bars = Vec::new();
    for number in 0..NUM_BARS {
        let is_last = number + 1 == NUM_BARS;
        let (from, to) = (number * WIDTH, (!is_last).then_some((number + 1) * WIDTH - 1));
        let lengths = ProteinQuery::Length(from..=to.unwrap_or(u64::MAX));
        let total = data.total(&ProteinQuery::And(vec![query.clone(), lengths]), PAGE_BUDGET / NUM_BARS)?;
        bars.push(Bar { from, to, count: total.into(), share: 0 });
    }
    let most = bars.iter().map(|bar| bar.count.value).max().unwrap_or_default().max(1);
    for bar in &mut bars {
        bar.share = bar.count.value * 1000 / most;
    }
    Ok(bars)
}
