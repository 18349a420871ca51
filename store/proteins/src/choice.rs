//! Choosing some of all matches of a query.

use store::Result;

use super::ProteinGeneration;
use super::found_protein::FoundProtein;
use super::query::ProteinQuery;
use super::ranking::ProteinOrder;

/// The most proteins that can be chosen.
pub const CHOSEN_MAX: usize = 10_000;

/// A choice of some of all matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProteinChoice {
    /// Random matches, all equally likely; see [`ProteinGeneration::sample`].
    Random {
        /// The number of matches.
        num_wanted: usize,
        /// The seed.
        seed: u64,
    },
    /// The first [`CHOSEN_MAX`] in an order; see [`ProteinGeneration::first_in_order`].
    First(ProteinOrder),
}

impl ProteinGeneration {
    /// Returns the chosen matches of a query, or `None` if the budget of work is spent first.
    ///
    /// # Errors
    ///
    /// * The index is damaged or cannot be read.
    pub fn choose(
        &self,
        query: &ProteinQuery,
        choice: ProteinChoice,
        budget: u64,
    ) -> Result<Option<Vec<FoundProtein>>> {
        match choice {
            ProteinChoice::Random { num_wanted, seed } => self.sample(query, num_wanted, seed, budget),
            ProteinChoice::First(order) => self.first_in_order(query, order, CHOSEN_MAX, budget),
        }
    }
}
