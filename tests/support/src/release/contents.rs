//! Everything that a generation says, to compare two of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use store::{Generations, ProteinAccession};
use store_proteins::{Around, Gene, Protein, ProteinGeneration, ProteinHit, ProteinQuery};

/// The number of hits that an answer has at most.
const LIMIT: usize = 1000;

/// Records, replacements, and answers of searches.
#[derive(Debug, PartialEq)]
pub struct Contents {
    proteins: Vec<Protein>,
    replacements: Vec<(ProteinAccession, ProteinAccession)>,
    found: BTreeMap<String, Vec<ProteinHit>>,
    has_digests: bool,
    /// The members of each cluster, if there are any.
    members: Option<Vec<Vec<ProteinAccession>>>,
    /// The genes around each place of each protein, if there are contigs.
    neighbours: Vec<Vec<Gene>>,
}

impl Contents {
    /// Reads the current generation of a folder of generations, and every byte of it.
    pub fn of(generations: &Path) -> Self {
        let generations = Generations::new(generations);
        let generation = ProteinGeneration::open_current(&generations).expect("whole").expect("published");
        generation.verify().expect("as it was written");
        let mut proteins = Vec::new();
        let taken = generation.for_each_accession(|accession| {
            proteins.push(generation.fetch(accession)?.expect("listed"));
            Ok::<_, store::Error>(())
        });
        taken.expect("readable");
        let mut replacements = Vec::new();
        let taken = generation.for_each_replacement(|old, new| {
            replacements.push((old, new));
            Ok::<_, store::Error>(())
        });
        taken.expect("readable");
        let families: BTreeSet<_> =
            proteins.iter().flat_map(|protein| &protein.pfam_annotations).map(|entry| entry.hit.family).collect();
        let families = families.into_iter().map(|family| (family.to_string(), ProteinQuery::Family(family)));
        // The ordinals of biomes may differ.
        let biomes = (0..).zip(generation.biomes().iter()).flat_map(|(ordinal, biome)| {
            [
                (format!("{:?} {}", biome.id, biome.lineage), ProteinQuery::BiomeExact(ordinal)),
                (biome.lineage.clone(), ProteinQuery::Biome(ordinal)),
            ]
        });
        let search = |(name, query)| (name, generation.search(&query, LIMIT).expect("readable"));
        let found = families.chain(biomes).map(search).collect();
        let members = generation.members().map(|members| {
            let of = |protein: &Protein| members.find(protein.accession, None, usize::MAX).expect("readable");
            proteins.iter().map(of).collect()
        });
        let around = |protein: &Protein| {
            let contigs = generation.contigs_of(protein.accession)?;
            let mut places = contigs.places();
            let found = places.find(protein.accession, true, None, LIMIT).expect("readable");
            let wanted = Around { genes: Some(1), ..Around::default() };
            Some(found.iter().flat_map(|place| places.around(place, wanted).expect("readable")).collect())
        };
        let neighbours = proteins.iter().filter_map(around).collect();
        Self { proteins, replacements, found, has_digests: generation.checksums().is_some(), members, neighbours }
    }

    /// Returns the number of records.
    pub fn num_proteins(&self) -> usize {
        self.proteins.len()
    }

    /// Returns whether sequences are found by their digests.
    pub fn has_digests(&self) -> bool {
        self.has_digests
    }

    /// Returns the number of members of clusters that are known.
    pub fn num_members(&self) -> usize {
        self.members.iter().flatten().map(Vec::len).sum()
    }

    /// Returns the number of genes that are at a place of a protein or next to it.
    pub fn num_neighbours(&self) -> usize {
        self.neighbours.iter().map(Vec::len).sum()
    }

    /// Returns the number of replaced accessions.
    pub fn num_replacements(&self) -> usize {
        self.replacements.len()
    }

    /// Fails at the first difference, and names it.
    pub fn assert_same(&self, other: &Self, context: &str) {
        assert_eq!(self.proteins.len(), other.proteins.len(), "{context}");
        for (mine, theirs) in self.proteins.iter().zip(&other.proteins) {
            assert_eq!(mine, theirs, "{context}");
        }
        assert_eq!(self.replacements, other.replacements, "{context}");
        for (query, hits) in &self.found {
            assert_eq!(Some(hits), other.found.get(query), "{context}: {query}");
        }
        assert!(self == other, "{context}");
    }
}
