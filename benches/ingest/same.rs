//! Compares two indexes whole.

use std::collections::BTreeSet;

use store::ProteinAccession;
use store_proteins::{ProteinGeneration, ProteinQuery};

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
    assert!(left.biomes().iter().eq(right.biomes().iter()), "biomes");
    let of_biomes = (0..).zip(left.biomes().iter());
    let of_biomes = of_biomes.flat_map(|(biome, _)| [ProteinQuery::BiomeExact(biome), ProteinQuery::Biome(biome)]);
    let of_families = families.into_iter().map(ProteinQuery::Family);
    let mut num_searches = 0;
    for query in of_biomes.chain(of_families) {
        let [left, right] = [left, right].map(|index| index.search(&query, usize::MAX).expect("readable"));
        assert!(left == right, "{query:?}");
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
