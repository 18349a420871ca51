//! Numbers that are known without reading the proteins.

use std::sync::Arc;

use store::{Error, PfamAccession, Result};
use tantivy::termdict::TermMerger;

use crate::ProteinGeneration;
use crate::evaluation::Work;
use crate::query::ProteinQuery;
use crate::segments::schema::{SCHEMA, SearchTerm};

use super::count::Counts;
use super::kind::{FacetKind, Value};
use super::table::{ALL, ColumnNumber, FIRST_BIOME, NO_BIOME, RowKind, biome_key, clan_key, family_key, key};

/// The work of adding up the numbers of a term.
const SUM_WORK: u64 = 64;

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
        (ProteinQuery::Everything, FacetKind::Study | FacetKind::Assembly) => terms(generation, by, work),
        (ProteinQuery::Everything, FacetKind::FullLength | FacetKind::ClusterSize | FacetKind::Length) => {
            conditions(generation, by).map(Some)
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

/// Adds up the terms of all dictionaries.
fn terms(generation: &ProteinGeneration, by: FacetKind, work: &mut Work) -> Result<Option<Counts>> {
    let (field, without) = match by {
        FacetKind::Study => (SCHEMA.study, SearchTerm::without_study()),
        _ => (SCHEMA.assembly, SearchTerm::without_assembly()),
    };
    let num_terms: usize = generation.segments.iter().map(|segment| segment.terms(field).terms().num_terms()).sum();
    work.spend(SUM_WORK * num_terms as u64);
    if work.is_spent() {
        return Ok(None);
    }
    let mut counts = Counts { num_proteins: generation.statistics().num_proteins, ..Counts::default() };
    let mut streams = Vec::with_capacity(generation.segments.len());
    for segment in &generation.segments {
        streams.push(segment.terms(field).terms().stream().map_err(Error::index(&segment.path))?);
        counts.num_without += segment.postings(without)?.map_or(0, |postings| u64::from(postings.doc_freq()));
    }
    let mut merger = TermMerger::new(streams);
    while merger.advance() {
        let count = merger.current_segment_ords_and_term_infos().map(|(_, info)| u64::from(info.doc_freq)).sum();
        let text: Arc<str> = String::from_utf8_lossy(merger.key()).into();
        counts.by_value.push((Value::Text(text), count));
    }
    Ok(Some(counts))
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
