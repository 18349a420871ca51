//! Protein counts by length and by cluster size.

use store_proteins::{PAGE_BUDGET, ProteinGeneration, ProteinQuery};

use crate::context::address::Pairs;
use crate::parts::number::Number;
use crate::plots::histogram::{Column, Histogram};

/// The width of a bar of lengths, in residues.
const WIDTH: u64 = 100;

/// The number of bars of lengths. The last one includes all greater lengths.
const NUM_BARS: u64 = 11;

/// Cluster sizes: the smallest and the greatest of each bar.
const SIZES: [(u64, Option<u64>); 5] = [(1, Some(1)), (2, Some(9)), (10, Some(99)), (100, Some(999)), (1000, None)];

/// A range of lengths or cluster sizes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberRange {
    /// The smallest number of residues or proteins.
    pub(crate) from: u64,
    /// The greatest number, or `None` for the last range.
    pub(crate) to: Option<u64>,
}

/// A number of proteins by which they are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    Lengths,
    Sizes,
}

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
    /// Returns the field of queries.
    pub(crate) fn field(self) -> &'static str {
        match self {
            Self::Lengths => "length",
            Self::Sizes => "cluster_size",
        }
    }

    fn ranges(self) -> Vec<NumberRange> {
        match self {
            Self::Lengths => (0..NUM_BARS)
                .map(|number| NumberRange {
                    from: number * WIDTH,
                    to: (number + 1 < NUM_BARS).then_some((number + 1) * WIDTH - 1),
                })
                .collect(),
            Self::Sizes => SIZES.map(|(from, to)| NumberRange { from, to }).to_vec(),
        }
    }

    /// Counts the matches of a query by range, within the work budget of a page. `place` returns
    /// the address of the proteins of a range, and whether the range is selected.
    pub(crate) fn histogram(
        self,
        data: &ProteinGeneration,
        query: &ProteinQuery,
        place: impl Fn(NumberRange) -> (String, bool),
    ) -> store::Result<Histogram> {
        let ranges = self.ranges();
        let (mut columns, budget) = (Vec::new(), PAGE_BUDGET / ranges.len() as u64);
        for range in ranges {
            let numbers = range.from..=range.to.unwrap_or(u64::MAX);
            let condition = match self {
                Self::Lengths => ProteinQuery::Length(numbers),
                Self::Sizes => ProteinQuery::ClusterSize(numbers),
            };
            let count = data.total(&ProteinQuery::And(vec![query.clone(), condition]), budget)?.into();
            let (href, is_chosen) = place(range);
            let ends = [range.from.to_string(), range.to.map(|to| to.to_string()).unwrap_or_default()];
            columns.push(Column { label: range.label(), count, href, is_chosen, ends });
        }
        let (name, of) = match self {
            Self::Lengths => ("lengths", "Residues"),
            Self::Sizes => ("sizes", "Proteins in the cluster"),
        };
        Ok(Histogram { name, of: of.to_owned(), counted: "Proteins".to_owned(), columns, ..Histogram::default() })
    }
}
