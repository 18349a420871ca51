//! The proteins of a release according to its files, in the form that the store returns.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use store::{FamilyTable, PfamAccession};
use store_proteins::{Occurrence, PfamAnnotation, PfamHit, Protein, ProteinBiome, Strand};

use crate::loading::release::rows::{Hit, Place, Rows};
use crate::loading::release::truth::{BIOME_IDS, FAMILIES};

/// The bundled tables.
pub(crate) struct Tables {
    ids: HashMap<String, i64>,
    families: FamilyTable,
}

impl Tables {
    /// Returns the tables of an index that was started with own data.
    pub(crate) fn empty() -> Self {
        Self { ids: HashMap::new(), families: FamilyTable::default() }
    }

    pub(crate) fn read() -> Self {
        let mut table = FamilyTable::default();
        for (family, (name, clan)) in &*FAMILIES {
            table.insert(PfamAccession(*family), name, clan.as_deref());
        }
        Self { ids: BIOME_IDS.clone(), families: table }
    }

    /// Returns the tables with other ids, which are higher by a number.
    pub(crate) fn with_ids_above(self, number: i64) -> Self {
        Self { ids: self.ids.into_iter().map(|(lineage, id)| (lineage, id + number)).collect(), ..self }
    }

    pub(crate) fn has_ids(&self) -> bool {
        !self.ids.is_empty()
    }

    pub(crate) fn biome(&self, lineage: &str, count: u64) -> ProteinBiome {
        ProteinBiome { count, id: self.ids.get(lineage).copied(), lineage: lineage.to_owned() }
    }

    pub(crate) fn annotation(&self, hit: PfamHit) -> PfamAnnotation {
        match self.families.get(hit.family) {
            Some(family) => PfamAnnotation { hit, name: Arc::clone(&family.name), clan: family.clan.clone() },
            None => PfamAnnotation { hit, name: hit.family.to_string().into(), clan: None },
        }
    }

    /// Returns the proteins of a release of which representatives are indexed, ascending.
    pub(crate) fn release(&self, path: &Path) -> Vec<Protein> {
        let rows = Rows::read(path);
        rows.sizes.keys().map(|&number| self.representative(&rows, number)).collect()
    }

    fn representative(&self, rows: &Rows, number: u64) -> Protein {
        let (full_length, sequence) = rows.sequences[&number].clone();
        let mut biomes = rows.biomes.get(&number).cloned().unwrap_or_default();
        biomes.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
        let mut hits = rows.hits.get(&number).cloned().unwrap_or_default();
        hits.sort_by_key(|hit| (hit.envelope.0, hit.family, hit.hmm.0, hit.envelope.1, hit.hmm.1));
        let mut places = rows.places.get(&number).cloned().unwrap_or_default();
        places.sort();
        Protein {
            accession: format!("MGYP{number:012}").parse().expect("an accession"),
            name: String::new(),
            description: String::new(),
            source: None,
            sequence,
            full_length,
            cluster_size: rows.sizes[&number],
            biomes: biomes.iter().map(|(lineage, count)| self.biome(lineage, *count)).collect(),
            pfam_annotations: hits.iter().map(|hit| self.annotation(stored_hit(hit))).collect(),
            occurrences: places.into_iter().map(occurrence).collect(),
        }
    }
}

fn stored_hit(hit: &Hit) -> PfamHit {
    let position = |number| u32::try_from(number).expect("small");
    PfamHit {
        family: PfamAccession(hit.family),
        evalue: hit.evalue,
        bit_score: hit.score,
        hmm_start: position(hit.hmm.0),
        hmm_end: position(hit.hmm.1),
        env_start: position(hit.envelope.0),
        env_end: position(hit.envelope.1),
    }
}

fn occurrence(place: Place) -> Occurrence {
    let position = |number| u32::try_from(number).expect("small");
    Occurrence {
        study: place.study,
        assembly: place.assembly,
        contig: format!("MGYC{:012}", place.contig),
        start: position(place.start),
        end: position(place.end),
        strand: if place.is_reverse { Strand::Reverse } else { Strand::Forward },
        contig_name: place.contig_name,
    }
}
