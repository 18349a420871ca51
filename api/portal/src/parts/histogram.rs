//! Protein counts by length and by cluster size.

use std::ops::RangeInclusive;

use store_proteins::{PAGE_BUDGET, ProteinGeneration, ProteinQuery};

use crate::context::address::Pairs;
use crate::parts::number::Number;
use crate::plots::histogram::{Column, Histogram};
use crate::plots::plot::Plot;

/// A range of lengths or cluster sizes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberRange {
    /// The smallest number of residues or proteins.
    pub(crate) from: u64,
    /// The greatest number, or `None` for the last range.
    pub(crate) to: Option<u64>,
}

/// A number of proteins by which they are counted.
#[derive(Debug)]
pub(crate) struct Counted {
    /// The name of the plot.
    name: &'static str,
    of: &'static str,
    /// The field of queries.
    pub(crate) field: &'static str,
    condition: fn(RangeInclusive<u64>) -> ProteinQuery,
    /// The smallest number of each range. The last range includes all greater numbers.
    starts: &'static [u64],
}

pub(crate) const LENGTHS: Counted = Counted {
    name: "lengths",
    of: "Residues",
    field: "length",
    condition: ProteinQuery::Length,
    starts: &[0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000],
};

pub(crate) const SIZES: Counted = Counted {
    name: "sizes",
    of: "Proteins in the cluster",
    field: "cluster_size",
    condition: ProteinQuery::ClusterSize,
    starts: &[1, 2, 10, 100, 1000],
};

impl NumberRange {
    /// Returns the parameters of a search with this range.
    pub(crate) fn add_to(self, pairs: &Pairs, field: &str) -> Pairs {
        let pairs = pairs.with(&format!("min_{field}"), &self.from.to_string());
        self.to.map_or_else(|| pairs.clone(), |to| pairs.with(&format!("max_{field}"), &to.to_string()))
    }

    pub(crate) fn label(self) -> String {
        let from = Number(self.from);
        match self.to {
            None => format!("{from}+"),
            Some(to) if to == self.from => from.to_string(),
            Some(to) => format!("{from}–{}", Number(to)),
        }
    }
}

impl Counted {
    /// Counts the matches of a query by range, within the work budget of a page. `place` returns
    /// the address of the proteins of a range, and whether the range is selected; `range` is that
    /// of a range selected by dragging.
    pub(crate) fn histogram(
        &self,
        data: &ProteinGeneration,
        query: &ProteinQuery,
        place: impl Fn(NumberRange) -> (String, bool),
        range: String,
    ) -> store::Result<Histogram> {
        let (mut columns, budget) = (Vec::new(), PAGE_BUDGET / self.starts.len() as u64);
        for (number, &from) in self.starts.iter().enumerate() {
            let numbers = NumberRange { from, to: self.starts.get(number + 1).map(|next| next - 1) };
            let condition = (self.condition)(from..=numbers.to.unwrap_or(u64::MAX));
            let count = data.total(&ProteinQuery::And(vec![query.clone(), condition]), budget)?.into();
            let (href, is_chosen) = place(numbers);
            let ends = [from.to_string(), numbers.to.map(|to| to.to_string()).unwrap_or_default()];
            columns.push(Column { label: numbers.label(), count, href, is_chosen, ends });
        }
        let (of, counted) = (self.of.to_owned(), "Proteins".to_owned());
        let plot = Plot { name: self.name, range, ..Plot::default() };
        Ok(Histogram { of, counted, columns, plot, unit: String::new() })
    }
}
