//! Frequencies of families in a biome, compared with the whole release.

use store::{BiomeOrdinal, PAGE_BUDGET, PfamAccession, ProteinGeneration, ProteinQuery, Relation};

use super::number::Number;

/// The number of families that are compared: those with the most proteins in the release.
const COMPARED: usize = 30;

pub(super) struct FamilyShare {
    pub(super) accession: String,
    pub(super) name: String,
    pub(super) count: Number,
    pub(super) is_at_least: bool,
    /// Its proteins among a thousand of the biome, and of the whole release; `None` if not all of the biome's could be counted.
    pub(super) per_thousand: Option<(String, String)>,
    /// The ratio of the share in the biome to that in the whole release.
    pub(super) times: Option<f64>,
}

/// Counts the proteins of the most common families in a biome, and compares them with the whole release. All counts together have the budget of
/// work of one page.
pub(super) fn count(
    data: &ProteinGeneration,
    biome: BiomeOrdinal,
    num_in_biome: u64,
    common: &[(PfamAccession, u64)],
) -> store::Result<Vec<FamilyShare>> {
    let num_proteins = data.statistics().num_proteins;
    let mut found = Vec::new();
    for &(family, num_of_family) in common.iter().take(COMPARED) {
        let query = ProteinQuery::And(vec![ProteinQuery::Biome(biome), ProteinQuery::Family(family)]);
        let total = data.total(&query, PAGE_BUDGET / COMPARED as u64)?;
        let is_at_least = total.relation == Relation::Gte;
        let shares = (per_thousand(total.value, num_in_biome), per_thousand(num_of_family, num_proteins));
        let is_known = !is_at_least && num_in_biome > 0;
        found.push(FamilyShare {
            accession: family.to_string(),
            name: data.families().get(family).map(|family| family.name.to_string()).unwrap_or_default(),
            count: Number(total.value),
            is_at_least,
            per_thousand: is_known.then(|| (format!("{:.2}", shares.0), format!("{:.2}", shares.1))),
            times: is_known.then(|| shares.0 / shares.1),
        });
    }
    found.sort_by_key(|family| std::cmp::Reverse(family.count));
    Ok(found)
}

#[expect(clippy::cast_precision_loss, reason = "a few digits are shown")]
fn per_thousand(number: u64, all: u64) -> f64 {
    number as f64 * 1000.0 / all as f64
}
