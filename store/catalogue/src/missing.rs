//! Dangling links: missing resources that others name.

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use store::{Error, Result};
use tantivy::termdict::TermMerger;

use super::index::key::TEXT_BYTES_MAX;
use super::index::reader::{CatalogueIndex, split_text};
use super::index::schema::KeyField;
use super::model::BIOMES;
use super::resources::{AscendingFinder, Resources};

/// Counts missing resources by type, each once: those that relationships name, and the biomes of
/// resources, without a resource that has such an identifier. All terms are read in their order,
/// together with the identifiers. Each missing one takes some 16 bytes.
pub(super) fn count_missing(index: &CatalogueIndex, resources: &Resources) -> Result<BTreeMap<String, u64>> {
    // Two missing resources with the same hash would count as one.
    let (hasher, mut seen) = (RandomState::new(), HashSet::new());
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for field in [KeyField::Named, KeyField::OwnLineage] {
        let terms = index.segments.iter().map(|segment| segment.reader.inverted_index(field.field()));
        let terms = terms.collect::<tantivy::Result<Vec<_>>>().map_err(Error::index(&index.path))?;
        let streams = terms.iter().map(|terms| terms.terms().stream()).collect::<std::io::Result<_>>();
        let mut merged = TermMerger::new(streams.map_err(Error::index(&index.path))?);
        // The identifiers of terms ascend while the texts before them are the same.
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

/// Returns whether an id may have been cut. The resource of a cut id is unknown.
fn is_cut(id: &[u8]) -> bool {
    const CHARACTER_BYTES_MAX: usize = 4;
    id.len() + CHARACTER_BYTES_MAX > TEXT_BYTES_MAX
}
