//! The number of remaining requests.

use super::{ASSEMBLIES_STAGE, BIOMES_STAGE, GENOMES_STAGE, RUNS_STAGE, SAMPLES_STAGE, STUDIES_STAGE};
use crate::Analyses;
use crate::walk::Walk;

/// Estimates the number of requests from a stage on, of which `num_changed` of `num_studies`
/// studies must be requested.
pub(super) fn left(walk: &Walk, stage: u8, num_changed: u64, num_studies: u64) -> u64 {
    let number = |name: &str| walk.report.listed.get(name).copied().unwrap_or_default();
    let pages = |name: &str| number(name) / 100 + 1;
    let if_from = |analyses: Analyses, requests: u64| if walk.analyses >= analyses { requests } else { 0 };
    // Other objects rarely change between harvests.
    let if_first = |requests: u64| if walk.since.is_none() { requests } else { 0 };
    let of_studies = 3 * number("studies")
        + number("samples") / 100
        + if_from(Analyses::Lists, number("studies") + number("analyses") / 100)
        + if_from(Analyses::Details, number("analyses"));
    let before = 3 + pages("publications") + 3 * pages("studies");
    let annotations = if_from(Analyses::Annotations, if_first(number("publications")));
    let genomes = pages("genomes") + if_first(number("genomes") * (1 + if_from(Analyses::Annotations, 1)));
    let stages = [
        (BIOMES_STAGE, before + annotations),
        (STUDIES_STAGE, of_studies * num_changed / num_studies.max(1)),
        (GENOMES_STAGE, genomes),
        (SAMPLES_STAGE, if_from(Analyses::Details, pages("samples"))),
        (RUNS_STAGE, if_from(Analyses::Details, pages("runs"))),
        (ASSEMBLIES_STAGE, if_from(Analyses::Details, pages("assemblies") + if_first(3 * number("assemblies")))),
    ];
    stages.iter().filter(|(number, _)| *number >= stage).map(|(_, requests)| requests).sum()
}
