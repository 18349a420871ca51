//! Protein counts by biome or family, and comparisons with other proteins.

use axum::http::StatusCode;
use store_proteins::{EnrichedValue, Enrichment, FacetKind, Facets, PAGE_BUDGET, ProteinGeneration, ProteinQuery};

use crate::context::problem::PortalProblem;
use crate::parts::number::Number;

/// The seed of samples for estimates: the default of the API.
pub(crate) const SEED: u64 = 0;

/// Smaller false discovery rates are shown as smaller than this one.
const RATE_SHOWN_MIN: f64 = 0.001;

/// Counts the matches of a query by their most frequent values, within the work budget of a page.
pub(crate) fn count(
    data: &ProteinGeneration,
    query: &ProteinQuery,
    by: FacetKind,
    top: usize,
) -> Result<Facets, PortalProblem> {
    data.facets(query, by, top, SEED, PAGE_BUDGET)?.ok_or_else(not_counted)
}

pub(crate) fn not_counted() -> PortalProblem {
    let detail = "These proteins take too long to count.".to_owned();
    PortalProblem::Refused(StatusCode::SERVICE_UNAVAILABLE, detail)
}

/// A comparison with other proteins. Both sides omit proteins without a recorded biome.
pub(crate) struct Comparison(pub(crate) Enrichment);

/// The texts of one compared value.
pub(crate) struct Compared {
    pub(crate) expected: String,
    pub(crate) log2_ratio: String,
    /// The ends of the 95 % interval, unless Fisher's exact test was used.
    pub(crate) interval: Option<[String; 2]>,
    pub(crate) false_discovery_rate: String,
    /// Over-represented (`true`), under-represented (`false`) or neither.
    pub(crate) is_over: Option<bool>,
    /// `true` if it would be either if more proteins were found or expected.
    pub(crate) is_too_rare: bool,
}

impl Comparison {
    /// Compares the matches of a query with the other matches of `against`, or with all other
    /// proteins, within the work budget of a page.
    pub(crate) fn new(
        data: &ProteinGeneration,
        query: &ProteinQuery,
        against: Option<&ProteinQuery>,
        by: FacetKind,
    ) -> Result<Self, PortalProblem> {
        let found = data.enrichment(query, against, by, usize::MAX, SEED, PAGE_BUDGET)?;
        // On pages with other counts, those of a sample would differ.
        found.filter(|found| against.is_some() || found.num_sampled.is_none()).ok_or_else(not_counted).map(Self)
    }

    /// Returns whether both sides have proteins.
    pub(crate) fn is_possible(&self) -> bool {
        self.0.num_selected > 0 && self.0.num_background > 0
    }

    /// Returns whether a value can differ. One of all proteins, such as the root biome, cannot.
    pub(crate) fn can_differ(&self, value: &EnrichedValue) -> bool {
        let is_of_all = value.count >= self.0.num_selected && value.background_count >= self.0.num_background;
        !is_of_all && self.is_possible()
    }

    /// Returns the texts of a compared value that can differ.
    pub(crate) fn texts(&self, value: &EnrichedValue) -> Option<Compared> {
        self.can_differ(value).then(|| Compared {
            is_too_rare: value.is_too_rare(),
            expected: expected(value.expected),
            log2_ratio: value.log2_ratio.map_or_else(|| "–".to_owned(), signed),
            interval: value.log2_interval().map(|[low, high]| {
                [low.map_or_else(|| "−∞".to_owned(), signed), high.map_or_else(|| "+∞".to_owned(), signed)]
            }),
            false_discovery_rate: match value.false_discovery_rate {
                rate if rate < RATE_SHOWN_MIN => format!("< {RATE_SHOWN_MIN}"),
                rate => format!("{rate:.3}"),
            },
            is_over: value.is_enriched,
        })
    }
}

/// Formats an expected number with one decimal.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of proteins and a tenth")]
fn expected(number: f64) -> String {
    let tenths = (number * 10.0).round() as u64;
    format!("{}.{}", Number(tenths / 10), tenths % 10)
}

/// Formats a number with its sign and two decimals.
fn signed(number: f64) -> String {
    match format!("{number:+.2}") {
        _ if number.abs() < 0.005 => "0.00".to_owned(),
        text => text.replace('-', "−"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_signs_and_decimals() {
        let numbers = [0.0, -0.004, 0.004, -1.0, 12.346, -0.005_1, 10.0];
        assert_eq!(numbers.map(signed), ["0.00", "0.00", "0.00", "−1.00", "+12.35", "−0.01", "+10.00"]);
        assert_eq!([0.0, 0.04, 9.96, 12_345.67].map(expected), ["0.0", "0.0", "10.0", "12,345.7"]);
    }
}
