//! A protein with the names of its biomes and families.

use std::sync::Arc;

use store::{BiomeTable, FamilyTable, ProteinAccession};

use crate::{Occurrence, PfamHit, Record};

/// The full record of a protein.
#[derive(Clone, Debug, PartialEq)]
pub struct Protein {
    /// The accession.
    pub accession: ProteinAccession,
    /// See [`Record::name`].
    pub name: String,
    /// See [`Record::description`].
    pub description: String,
    /// The source of own data, or `None` for a protein of the release.
    pub source: Option<String>,
    /// See [`Record::sequence`].
    pub sequence: String,
    /// See [`Record::full_length`].
    pub full_length: Option<bool>,
    /// See [`Record::cluster_size`].
    pub cluster_size: u64,
    /// The biomes by descending count, then lineage.
    pub biomes: Vec<ProteinBiome>,
    /// The matches of families by `env_start`, then accession, then `hmm_start`.
    pub pfam_annotations: Vec<PfamAnnotation>,
    /// The occurrences by study, assembly, contig and start.
    pub occurrences: Vec<Occurrence>,
}

/// A biome in which a protein was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProteinBiome {
    /// The number of occurrences of the protein in the biome.
    pub count: u64,
    /// The numeric id, or `None` if the lineage is not in the biome table.
    pub id: Option<i64>,
    /// The full lineage.
    pub lineage: String,
}

/// A match of a family, with the name of the family.
#[derive(Clone, Debug, PartialEq)]
pub struct PfamAnnotation {
    /// The match.
    pub hit: PfamHit,
    /// The description of the family, or its accession if the family is not in the clans table.
    pub name: Arc<str>,
    /// The accession of the family's clan.
    pub clan: Option<Arc<str>>,
}

impl Protein {
    /// Looks up the names of the biomes and families of a record.
    pub(super) fn resolve(
        accession: ProteinAccession,
        record: Record,
        biomes: &BiomeTable,
        families: &FamilyTable,
    ) -> Result<Self, String> {
        let resolve_biome = |entry: crate::BiomeCount| match biomes.get(entry.biome) {
            Some(biome) => Ok(ProteinBiome { count: entry.count, id: biome.id, lineage: biome.lineage.clone() }),
            None => Err(format!("{accession} refers to biome {} of {}", entry.biome, biomes.iter().len())),
        };
        let resolve_family = |hit: PfamHit| match families.get(hit.family) {
            Some(family) => PfamAnnotation { hit, name: Arc::clone(&family.name), clan: family.clan.clone() },
            None => PfamAnnotation { hit, name: hit.family.to_string().into(), clan: None },
        };
        Ok(Self {
            accession,
            name: record.name,
            description: record.description,
            source: None,
            sequence: record.sequence,
            full_length: record.full_length,
            cluster_size: record.cluster_size,
            biomes: record.biomes.into_iter().map(resolve_biome).collect::<Result<_, _>>()?,
            pfam_annotations: record.pfam_hits.into_iter().map(resolve_family).collect(),
            occurrences: record.occurrences,
        })
    }
}
