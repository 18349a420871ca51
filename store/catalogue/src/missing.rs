//! Links that lead nowhere: resources that others name, but that are not there.

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use store::{Error, Result};
use tantivy::termdict::TermMerger;

use super::index::key::TEXT_BYTES_MAX;
use super::index::reader::CatalogueIndex;
use super::index::schema::KeyField;
use super::model::BIOMES;
use super::resources::{AscendingFinder, Resources};

/// Counts the resources that relationships name, and the biomes of resources, that have none of the identifiers of a resource: each once,
/// by type. All terms are read in their order, side by side with the identifiers. What is missing takes some 16 bytes each.
pub(super) fn count_missing(index: &CatalogueIndex, resources: &Resources) -> Result<BTreeMap<String, u64>> {
    // Two missing resources with the same hash would count as one.
    let (hasher, mut seen) = (RandomState::new(), HashSet::new());
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for field in [KeyField::Named, KeyField::OwnLineage] {
        let terms = index.segments.iter().map(|segment| segment.reader.inverted_index(field.field()));
        let terms = terms.collect::<tantivy::Result<Vec<_>>>().map_err(Error::index(&index.path))?;
        let streams = terms.iter().map(|terms| terms.terms().stream()).collect::<std::io::Result<_>>();
        let mut merged = TermMerger::new(streams.map_err(Error::index(&index.path))?);
        // The identifiers of a term ascend as long as what comes before is the same.
        let mut current: Option<(Vec<u8>, AscendingFinder<'_>)> = None;
        while merged.advance() {
            let term = merged.key();
            let (resource_type, id) =
                named(field, term).ok_or_else(|| Error::altered(&index.path, "a term is damaged"))?;
            if is_cut(id) {
                continue;
            }
            let before = &term[..term.len() - id.len()];
            if current.as_ref().is_none_or(|(known, _)| known != before) {
                current = Some((before.to_vec(), resources.ascending_finder(resource_type.to_owned())));
            }
            let Some((_, finder)) = &mut current else { continue };
            if !finder.has(id)? && seen.insert(hasher.hash_one((resource_type, id))) {
                *counts.entry(resource_type.to_owned()).or_default() += 1;
            }
        }
    }
    Ok(counts)
}

fn named(field: KeyField, term: &[u8]) -> Option<(&str, &[u8])> {
    let (_, rest) = split_text(term)?;
    if field == KeyField::OwnLineage { Some((BIOMES, rest)) } else { split_text(rest) }
}

/// Splits a text with its length in front off a term.
fn split_text(term: &[u8]) -> Option<(&str, &[u8])> {
    let (length, rest) = term.split_first_chunk()?;
    let (text, rest) = rest.split_at_checked(u16::from_be_bytes(*length).into())?;
    Some((str::from_utf8(text).ok()?, rest))
}

/// Tells whether an id may have been longer. Whose it was cannot be told.
fn is_cut(id: &[u8]) -> bool {
    const CHARACTER_BYTES_MAX: usize = 4;
    id.len() + CHARACTER_BYTES_MAX > TEXT_BYTES_MAX
}
