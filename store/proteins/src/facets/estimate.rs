//! Estimates from a systematic sample.

use store::Result;

use crate::ProteinGeneration;
use crate::evaluation::{Trial, Work};
use crate::query::ProteinQuery;
use crate::rows::{self, Rows};
use crate::sampling::random_number;

use super::count::{Counter, Counts, RECORDS_MAX};
use super::kind::FacetKind;

/// The most proteins of a sample.
pub(super) const SAMPLE_ROWS: u64 = 1 << 20;

/// The fewest proteins of a useful sample.
const SAMPLE_ROWS_MIN: u64 = 1 << 10;

/// The quantile of the normal distribution for an interval of 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// A systematic sample of the proteins of a generation: one random protein of each stretch of
/// neighbouring proteins. Neighbours are alike, so this sample is closer to the whole than proteins
/// from random places.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// All proteins of the generation.
    num_rows: u64,
    /// Ascending.
    rows: Vec<u64>,
}

impl Sample {
    pub(super) fn new(generation: &ProteinGeneration, num_wanted: u64, seed: u64) -> Self {
        let num_rows = Rows(&generation.segments).len();
        let num_wanted = num_wanted.min(num_rows);
        // Both factors are below 2^40.
        let start = |stretch: u64| {
            u64::try_from(u128::from(stretch) * u128::from(num_rows) / u128::from(num_wanted)).unwrap_or(num_rows)
        };
        let row = |stretch: u64| {
            let (start, end) = (start(stretch), start(stretch + 1));
            start + random_number(seed, stretch) % (end - start)
        };
        Self { num_rows, rows: (0..num_wanted).map(row).collect() }
    }

    /// Returns a sample of at most `num_max` proteins, for which the rest of the work suffices with
    /// some queries. Returns `None` if it would be too small. If records must be read, the
    /// sample has at most about [`RECORDS_MAX`] matches.
    pub(super) fn affordable(
        generation: &ProteinGeneration,
        queries: &[&ProteinQuery],
        by: FacetKind,
        num_max: u64,
        seed: u64,
        work: &mut Work,
    ) -> Result<Option<Self>> {
        let Some(segment) = generation.segments.first() else { return Ok(Some(Self::new(generation, 1, seed))) };
        let mut work_of_one = by.work();
        let num_trials = if by.needs_records() { 2 } else { 1 };
        for query in queries {
            // Terms are looked up in each segment.
            let left = work.left();
            work_of_one += num_trials * Trial::new(query, generation, segment, work)?.work_of_one();
            work.spend((left - work.left()).saturating_mul(generation.segments.len() as u64));
        }
        let num_wanted = (work.left() / work_of_one).min(num_max);
        let is_enough = num_wanted >= SAMPLE_ROWS_MIN.min(Rows(&generation.segments).len());
        if !is_enough {
            return Ok(None);
        }
        let sample = Self::new(generation, num_wanted, seed);
        if !by.needs_records() || sample.len() <= RECORDS_MAX {
            return Ok(Some(sample));
        }
        let mut num_matches = 0;
        for query in queries {
            num_matches += sample.count(generation, query, FacetKind::Length, work)?.num_proteins;
        }
        let num_wanted = sample.len() * RECORDS_MAX / num_matches.max(RECORDS_MAX);
        Ok(Some(Self::new(generation, num_wanted, seed)))
    }

    pub(super) fn len(&self) -> u64 {
        self.rows.len() as u64
    }

    /// Returns its length if there are other proteins.
    pub(super) fn len_if_partial(&self) -> Option<u64> {
        (self.len() < self.num_rows).then(|| self.len())
    }

    /// Counts the values of the matches in the sample.
    pub(super) fn count(
        &self,
        generation: &ProteinGeneration,
        query: &ProteinQuery,
        by: FacetKind,
        work: &mut Work,
    ) -> Result<Counts> {
        let mut counter = Counter::new(generation, by);
        for (segment, first_row, here) in Rows(&generation.segments).by_segment(&self.rows, |&row| row) {
            let mut trial = Trial::new(query, generation, segment, work)?;
            let mut docs = Vec::new();
            for doc in here.iter().map(|row| rows::doc(row - first_row)) {
                docs.extend(trial.matches(doc, work)?.then_some(doc));
            }
            work.spend(by.work() * docs.len() as u64);
            counter.add(segment, &docs)?;
        }
        Ok(counter.finish())
    }

    /// Estimates the number of proteins of the generation if `num_found` are in the sample, with an
    /// interval of 95 %. The interval is the score of Wilson with the correction for continuity
    /// (Newcombe, "Two-sided confidence intervals for the single proportion", 1998), which is too
    /// wide rather than too narrow.
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub(super) fn scale(&self, num_found: u64) -> (u64, [u64; 2]) {
        let (len, num_others) = (self.len(), self.len() - num_found);
        if len == self.num_rows {
            return (num_found, [num_found; 2]);
        }
        let (n, k, rows) = (len as f64, num_found as f64, self.num_rows as f64);
        let (p, z2) = (k / n, Z * Z);
        let end = |sign: f64| {
            let root = (z2 + sign * 2.0 - 1.0 / n + 4.0 * p * (n * (1.0 - p) - sign)).max(0.0).sqrt();
            (2.0 * n * p + z2 + sign * (1.0 + Z * root)) / (2.0 * (n + z2)) * rows
        };
        // The proteins of the sample exist for certain.
        let low = if num_found == 0 { 0 } else { (end(-1.0).max(0.0) as u64).max(num_found) };
        let high = (end(1.0).ceil() as u64).clamp(low, self.num_rows - num_others);
        (((p * rows).round() as u64).clamp(low, high), [low, high])
    }
}
