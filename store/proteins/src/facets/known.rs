//! Numbers that are known without reading the proteins.

use store::{PfamAccession, Result};

use crate::ProteinGeneration;
use crate::evaluation::Work;
use crate::query::ProteinQuery;

use super::count::Counts;
use super::kind::{FacetKind, Value};
use super::table::{ALL, ColumnNumber, FIRST_BIOME, NO_BIOME, RowKind, biome_key, clan_key, family_key, key};
use super::terms::FacetTerms;

/// Returns the numbers if the query is everything or a single term, if the table or the
/// dictionaries have them, and if the work suffices to add them up.
pub(super) fn known_counts(
    generation: &ProteinGeneration,
    query: &ProteinQuery,
    by: FacetKind,
    work: &mut Work,
) -> Result<Option<Counts>> {
    let row = |key: &[u8]| Ok(Some(Counts::by_biome(generation.facet_tables.row(key)?)));
    match (single(query), by) {
        (ProteinQuery::Everything, FacetKind::Biome) => row(&key(RowKind::All, b"")),
        (ProteinQuery::Biome(biome), FacetKind::Biome) => row(&biome_key(*biome)),
        (ProteinQuery::Family(family), FacetKind::Biome) => row(&family_key(*family)),
        (ProteinQuery::Clan(clan), FacetKind::Biome) => row(&clan_key(clan)),
        (ProteinQuery::Everything, FacetKind::Pfam | FacetKind::Clan) => column(generation, ALL, by).map(Some),
        (ProteinQuery::Biome(biome), FacetKind::Pfam | FacetKind::Clan) => {
            column(generation, FIRST_BIOME + u64::from(*biome), by).map(Some)
        }
        (ProteinQuery::Everything, FacetKind::FullLength | FacetKind::ClusterSize | FacetKind::Length) => {
            conditions(generation, by).map(Some)
        }
        (ProteinQuery::Everything, _) => {
            FacetTerms::of(by).map_or(Ok(None), |terms| terms.count_everything(generation, work))
        }
        _ => Ok(None),
    }
}

/// Returns the numbers of the proteins without a recorded biome by family or clan.
pub(super) fn counts_without_biome(generation: &ProteinGeneration, by: FacetKind) -> Result<Counts> {
    column(generation, NO_BIOME, by)
}

/// Unwraps conjunctions and unions of one part.
pub(super) fn single(query: &ProteinQuery) -> &ProteinQuery {
    match query {
        ProteinQuery::And(parts) | ProteinQuery::Or(parts) if parts.len() == 1 => single(&parts[0]),
        ProteinQuery::And(parts) if parts.is_empty() => &ProteinQuery::Everything,
        query => query,
    }
}

fn column(generation: &ProteinGeneration, column: ColumnNumber, by: FacetKind) -> Result<Counts> {
    let table = &generation.facet_tables;
    let all = table.row(&key(RowKind::All, b""))?;
    let num_proteins = all.iter().find(|(other, _)| *other == column).map_or(0, |&(_, count)| count);
    let mut counts = Counts { num_proteins, ..Counts::default() };
    let (none, end) = match by {
        FacetKind::Pfam => (RowKind::NoFamily, RowKind::NoClan),
        _ => (RowKind::NoClan, RowKind::Biome),
    };
    for (key, count) in table.column(column, none..end)? {
        match key {
            [kind] if *kind == none as u8 => counts.num_without = count,
            [_, term @ ..] => counts.by_value.push((value(term, by), count)),
            [] => {}
        }
    }
    Ok(counts)
}

fn value(term: &[u8], by: FacetKind) -> Value {
    match (by, term.try_into()) {
        (FacetKind::Pfam, Ok(number)) => Value::Family(PfamAccession(u64::from_be_bytes(number))),
        _ => Value::Text(String::from_utf8_lossy(term).into()),
    }
}

/// Counts the proteins of each value, which are the matches of single terms.
fn conditions(generation: &ProteinGeneration, by: FacetKind) -> Result<Counts> {
    let conditions: Vec<(Value, ProteinQuery)> = match by {
        FacetKind::FullLength => {
            [true, false].map(|fact| (Value::FullLength(fact), ProteinQuery::FullLength(fact))).into()
        }
        _ => (0..)
            .zip(by.buckets().ranges())
            .filter(|(_, numbers)| by.is_known(*numbers.start()))
            .map(|(bucket, numbers)| {
                let is_length = by == FacetKind::Length;
                let condition =
                    if is_length { ProteinQuery::Length(numbers) } else { ProteinQuery::ClusterSize(numbers) };
                (Value::Bucket(bucket), condition)
            })
            .collect(),
    };
    let mut counts = Counts { num_proteins: generation.statistics().num_proteins, ..Counts::default() };
    counts.num_without = counts.num_proteins;
    for (value, condition) in conditions {
        let count = generation.total(&condition, 1)?.value;
        if count > 0 {
            counts.num_without -= count;
            counts.by_value.push((value, count));
        }
    }
    Ok(counts)
}
