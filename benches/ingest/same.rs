//! Compares two indexes whole.

use std::collections::BTreeSet;

use store::{Filter, ProteinAccession, ProteinGeneration};

/// Checks that every record and every search of two indexes are the same.
pub(crate) fn assert_same(left: &ProteinGeneration, right: &ProteinGeneration) {
    let accessions = accessions(left);
    assert_eq!(accessions.len(), self::accessions(right).len());
    let mut families = BTreeSet::new();
    for &accession in &accessions {
        let [left, right] = [left, right].map(|index| index.fetch(accession).expect("readable").expect("indexed"));
        assert_eq!(left, right, "{accession}");
        families.extend(left.pfam_annotations.iter().map(|annotation| annotation.hit.family));
    }
    let of_biomes = left.biomes().iter().flat_map(|biome| {
        let by_id = biome.id.map(Filter::BiomeId);
        by_id.into_iter().chain([Filter::BiomeLineage(biome.lineage.clone())])
    });
    let of_families = families.into_iter().map(Filter::Family);
    let mut num_searches = 0;
    for filter in of_biomes.chain(of_families) {
        let [left, right] = [left, right].map(|index| index.search(&filter, usize::MAX).expect("readable"));
        assert!(left == right, "{filter:?}");
        num_searches += 1;
    }
    println!("in order and in no order: {} records and {num_searches} searches are the same", accessions.len());
}

/// Returns all accessions of an index.
fn accessions(index: &ProteinGeneration) -> Vec<ProteinAccession> {
    let mut accessions = Vec::new();
    let visit = |accession| -> Result<(), store::Error> {
        accessions.push(accession);
        Ok(())
    };
    index.for_each_accession(visit).expect("readable");
    accessions
}
