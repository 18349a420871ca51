//! The hits of a page, ready to show.

use std::sync::Arc;

use api_http::SourceError;
use api_http::error::Problem;
use api_http::limits::Permit;
use api_proteins::similar::Searches;
use similarity::{Domain, Hit, Job};
use store_proteins::{Protein, ProteinGeneration, RecordParts};

use super::alignment;
use crate::context::problem::PortalProblem;
use crate::parts::number::Number;
use crate::parts::own::Mark;

/// The number of hits per page.
pub(super) const PAGE_HITS: usize = 50;

/// The memory of a hit, as a multiple of its bytes.
const COPIES: usize = 6;

pub(super) struct HitRow {
    /// The rank of the hit, 1-based.
    pub(super) rank: Number,
    pub(super) accession: String,
    pub(super) mark: Option<Mark>,
    /// The accession and the name of the family with the best score.
    pub(super) family: Option<(String, String)>,
    /// The lineage of the biome with the most occurrences, or an empty text.
    pub(super) biome: String,
    pub(super) evalue: String,
    pub(super) score: String,
    /// The identity in the best domain, in percent.
    pub(super) identity: String,
    /// The share of query positions covered by domains, in percent.
    pub(super) coverage: String,
    pub(super) length: Number,
    pub(super) domains: Vec<DomainRow>,
}

pub(super) struct DomainRow {
    /// The first covered position of the query, 0-based, and the number of positions.
    pub(super) start: u64,
    pub(super) width: u64,
    pub(super) what: String,
    pub(super) alignment: String,
}

/// Returns a page of hits. Families, biomes and names of own data are those of the generation, if
/// it still exists.
pub(super) fn page_of(
    served: &Searches,
    job: &Job,
    after: u64,
    generation: Option<&Arc<ProteinGeneration>>,
) -> Result<Vec<HitRow>, PortalProblem> {
    let mut rows = Vec::new();
    let Some(hits) = served.jobs.hits(job, after).map_err(Problem::fault)? else { return Ok(rows) };
    let parts = RecordParts::NAME | RecordParts::PFAM_HITS | RecordParts::BIOMES;
    let mut records = generation.map(|data| data.reader(parts));
    for (hit, rank) in hits.zip(after.saturating_add(1)..).take(PAGE_HITS) {
        let (hit, num_bytes) = hit.map_err(Problem::fault)?;
        if !Permit::take_memory(num_bytes * COPIES) {
            return Err(SourceError::Overloaded.into());
        }
        let protein = records.as_mut().map(|records| records.fetch(hit.accession)).transpose()?.flatten();
        rows.push(HitRow::new(rank, &hit, job.query_length, protein));
    }
    Ok(rows)
}

impl HitRow {
    fn new(rank: u64, hit: &Hit, query_length: usize, protein: Option<Protein>) -> Self {
        let families = protein.iter().flat_map(|protein| &protein.pfam_annotations);
        let family = families.max_by(|one, other| one.hit.bit_score.total_cmp(&other.hit.bit_score));
        let best = hit.domains.iter().max_by(|one, other| one.score.total_cmp(&other.score));
        let accession = hit.accession.to_string();
        Self {
            rank: Number(rank),
            mark: protein.as_ref().and_then(Mark::of),
            family: family.map(|best| (best.hit.family.to_string(), best.name.to_string())),
            biome: protein.and_then(|protein| Some(protein.biomes.into_iter().next()?.lineage)).unwrap_or_default(),
            evalue: format!("{:e}", hit.evalue),
            score: format!("{:.1}", hit.score),
            identity: best.map(|best| format!("{:.0} %", best.identity() * 100.0)).unwrap_or_default(),
            coverage: format!("{} %", num_covered(&hit.domains) * 100 / (query_length as u64).max(1)),
            length: Number(hit.length),
            domains: hit.domains.iter().map(|domain| DomainRow::new(domain, &accession)).collect(),
            accession,
        }
    }
}

impl DomainRow {
    fn new(domain: &Domain, accession: &str) -> Self {
        let Domain { query_from, query_to, from, to, ievalue, score, .. } = domain;
        let identity = domain.identity() * 100.0;
        Self {
            start: query_from.saturating_sub(1),
            width: (query_to + 1).saturating_sub(*query_from),
            what: format!(
                "{query_from}–{query_to} of the query, {from}–{to} of the protein: {identity:.0} % identical, {score:.1} bits, E-value {ievalue:e}"
            ),
            alignment: alignment::text(domain, accession),
        }
    }
}

/// Returns the number of query positions covered by domains, which may overlap.
fn num_covered(domains: &[Domain]) -> u64 {
    let mut ranges: Vec<_> = domains.iter().map(|domain| (domain.query_from, domain.query_to)).collect();
    ranges.sort_unstable();
    let (mut num, mut end) = (0, 0);
    for (from, to) in ranges {
        num += (to + 1).saturating_sub(from.max(end + 1));
        end = end.max(to);
    }
    num
}
