//! Random samples of the matches of a query.
//!
//! A seed puts all proteins of a generation into a random order, and the first matches in that
//! order are the sample. There are two ways to find them: trying proteins in that order, if many
//! match, and visiting all matches, if few do. Both find the same ones.

mod shuffle;

use std::ops::ControlFlow;

use store::Result;
use store::engine::catch_panics;

use super::ProteinGeneration;
use super::evaluation::{Trial, Work, walk};
use super::found_protein::FoundProtein;
use super::lowest::Lowest;
use super::query::ProteinQuery;
use super::rows::{self, Rows};

use shuffle::Shuffle;
pub(super) use shuffle::random_number;

/// The work of computing the place of a protein in a random order, or the protein at a place.
const PLACE_WORK: u64 = 32;

/// The least and the most proteins that are tried at a time.
const TRIES_MIN: u64 = 1 << 10;
const TRIES_MAX: u64 = 1 << 20;

impl ProteinGeneration {
    /// Returns `num_wanted` matches, or all if there are fewer, in ascending order of accession.
    /// All sets of this size are equally likely, and a seed gives the same sample of a generation
    /// each time. Returns `None` if a budget of work is spent first; its unit is that of
    /// [`super::PAGE_BUDGET`].
    ///
    /// The cost is that of finding the proteins in random order until enough match, or that of
    /// visiting all matches, whichever is less.
    ///
    /// # Errors
    ///
    /// * The index is damaged or cannot be read.
    pub fn sample(
        &self,
        query: &ProteinQuery,
        num_wanted: usize,
        seed: u64,
        budget: u64,
    ) -> Result<Option<Vec<FoundProtein>>> {
        catch_panics(&self.path, || {
            let found = self.in_random_order(query, num_wanted, seed, &mut Work::new(budget))?;
            Ok(found.map(|mut found| {
                found.sort_unstable_by_key(|protein| protein.accession);
                found
            }))
        })
    }

    /// Returns the sample in its random order.
    pub(super) fn in_random_order(
        &self,
        query: &ProteinQuery,
        num_wanted: usize,
        seed: u64,
        work: &mut Work,
    ) -> Result<Option<Vec<FoundProtein>>> {
        let rows = Rows(&self.segments);
        let num_wanted = usize::try_from(rows.len()).map_or(num_wanted, |len| num_wanted.min(len));
        let sample = Sample { generation: self, rows, shuffle: Shuffle::new(rows.len(), seed), query, num_wanted };
        let mut found = sample.by_trying(work)?;
        if found.is_none() {
            found = sample.visit_all(work)?;
        }
        found.map(|found| rows.found(&found.into_rows())).transpose()
    }
}

struct Sample<'a> {
    generation: &'a ProteinGeneration,
    rows: Rows<'a>,
    shuffle: Shuffle,
    query: &'a ProteinQuery,
    num_wanted: usize,
}

impl Sample<'_> {
    /// Tries proteins in the random order, until enough match. Returns `None` as soon as visiting
    /// all matches is likely to take less work.
    fn by_trying(&self, work: &mut Work) -> Result<Option<Lowest>> {
        let num_rows = self.rows.len();
        let mut found = Lowest::new(self.num_wanted);
        let (mut num_found, mut num_tried, mut work_of_all) = (0, 0, u64::MAX);
        let left_at_first = work.left();
        while num_tried < num_rows && !found.is_full() {
            // As many proteins as should be enough, judging by the matches so far.
            let num_missing = self.num_wanted as u64 - num_found;
            let num_expected = num_missing.saturating_mul(num_tried + 1) / (num_found + 1);
            let work_of_one = (left_at_first - work.left()) / num_tried.max(1) + PLACE_WORK;
            if num_expected.saturating_mul(work_of_one) > work_of_all.min(work.left()) {
                return Ok(None);
            }
            let end =
                num_rows.min(num_tried + num_expected.saturating_add(num_expected / 8).clamp(TRIES_MIN, TRIES_MAX));
            let mut tried: Vec<(u64, u64)> = (num_tried..end).map(|place| (self.shuffle.row(place), place)).collect();
            tried.sort_unstable();
            work.spend(PLACE_WORK * (end - num_tried));
            work_of_all = 0;
            for (segment, first_row, here) in self.rows.by_segment(&tried, |&(row, _)| row) {
                let mut trial = Trial::new(self.query, self.generation, segment, work)?;
                work_of_all += trial.work_of_all();
                for &(row, place) in here {
                    if work.is_spent() {
                        return Ok(None);
                    }
                    if trial.matches(rows::doc(row - first_row), work)? {
                        found.insert(place, row);
                        num_found += 1;
                    }
                }
            }
            num_tried = end;
            work_of_all += num_found * num_rows / num_tried * PLACE_WORK;
        }
        Ok(Some(found))
    }

    /// Visits all matches. Returns `None` if the work is spent first.
    fn visit_all(&self, work: &mut Work) -> Result<Option<Lowest>> {
        let mut found = Lowest::new(self.num_wanted);
        let end = walk(self.generation, self.rows.0, self.query, None, work, |matches, work| {
            for doc in matches.docs() {
                let row = matches.row(doc);
                found.insert(self.shuffle.place(row), row);
                work.spend(PLACE_WORK);
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(end.is_none().then_some(found))
    }
}
