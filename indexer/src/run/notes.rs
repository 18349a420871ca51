//! Notes on accepted rows.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use store::FamilyTable;
use store_proteins::Record;

/// The highest percentage of hits, and of biomes of proteins, that may be unknown to the tables.
/// Tables of another version lack few; truncated ones lack many.
const UNKNOWN_PERCENT_MAX: u64 = 1;

/// The most families missing from the clans table that are counted individually.
const UNKNOWN_FAMILIES_MAX: usize = 10_000;

/// The most models outside of Pfam that are counted individually.
const OTHER_MODELS_MAX: usize = 10;

/// The name under which all others are counted.
const OTHERS: &str = "others";

/// The numbers of accepted rows with properties that are worth knowing, but are not errors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notes {
    /// All Pfam hits.
    #[serde(default)]
    pub pfam_hits: u64,
    /// All biomes of all proteins.
    #[serde(default)]
    pub protein_biomes: u64,
    /// Hits without HMM positions, which are stored as 0: those of older rows, and of ProtENN.
    pub pfam_hits_without_hmm_positions: u64,
    /// Hits with neither e-value nor score, which are stored as 0: those of ProtENN.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub pfam_hits_without_scores: u64,
    /// Hits of MGnifams, which the service does not show.
    pub mgnifam_hits_left_out: u64,
    /// Hits of models outside of Pfam, which are left out, by model.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub other_model_hits: BTreeMap<String, u64>,
    /// Unknown keys of the metadata, which are left out.
    pub unknown_metadata_keys: u64,
    /// Hits of families that the clans table lacks, by family: they are named by their accession.
    pub unknown_family_hits: BTreeMap<String, u64>,
    /// Proteins in lineages that the biome table lacks, by lineage: they are found by lineage, and
    /// have no biome id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unknown_lineage_proteins: BTreeMap<String, u64>,
    /// Occurrences on contigs without a name, which are named by their accession.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub occurrences_without_contig_name: u64,
}

/// Returns whether a number is zero: reports without a release leave out numbers that only releases
/// have.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde wants")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Notes {
    /// Counts the annotations of a record, and those of families that a table lacks.
    pub fn add_record(&mut self, record: &Record, families: &FamilyTable) {
        self.pfam_hits += record.pfam_hits.len() as u64;
        self.protein_biomes += record.biomes.len() as u64;
        for hit in record.pfam_hits.iter().filter(|hit| families.get(hit.family).is_none()) {
            self.add_unknown_family(&hit.family.to_string(), 1);
        }
    }

    /// Counts hits of a family that the clans table lacks. If there are very many such families, as
    /// in a wrong column, the last ones are counted together.
    fn add_unknown_family(&mut self, family: &str, num_hits: u64) {
        add_named(&mut self.unknown_family_hits, UNKNOWN_FAMILIES_MAX, family, num_hits);
    }

    /// Counts hits of a model outside of Pfam. Only the first such models are counted individually.
    pub fn add_other_model(&mut self, model: &str, num_hits: u64) {
        add_named(&mut self.other_model_hits, OTHER_MODELS_MAX, model, num_hits);
    }

    /// Adds the notes of another part of the run.
    pub fn add(&mut self, other: Self) {
        self.pfam_hits += other.pfam_hits;
        self.protein_biomes += other.protein_biomes;
        self.pfam_hits_without_hmm_positions += other.pfam_hits_without_hmm_positions;
        self.pfam_hits_without_scores += other.pfam_hits_without_scores;
        self.mgnifam_hits_left_out += other.mgnifam_hits_left_out;
        self.unknown_metadata_keys += other.unknown_metadata_keys;
        self.occurrences_without_contig_name += other.occurrences_without_contig_name;
        for (family, num_hits) in other.unknown_family_hits {
            self.add_unknown_family(&family, num_hits);
        }
        for (model, num_hits) in other.other_model_hits {
            self.add_other_model(&model, num_hits);
        }
        for (lineage, num_proteins) in other.unknown_lineage_proteins {
            *self.unknown_lineage_proteins.entry(lineage).or_default() += num_proteins;
        }
    }

    /// Returns a sentence about each table that lacks so much that it may be truncated.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        let hits = ("Pfam hits are of families that are not in the clans table", "--pfam");
        let biomes = ("biomes of proteins are not in the biome table", "--biomes");
        let tables = [
            (hits, self.pfam_hits, &self.unknown_family_hits),
            (biomes, self.protein_biomes, &self.unknown_lineage_proteins),
        ];
        tables.into_iter().filter_map(|((what, option), num, unknown)| {
            let num_unknown: u64 = unknown.values().sum();
            let (example, _) = unknown.iter().max_by_key(|&(_, num)| num)?;
            (u128::from(num_unknown) * 100 > u128::from(num) * u128::from(UNKNOWN_PERCENT_MAX)).then(|| {
                format!(
                    "{num_unknown} of {num} {what}, such as {example}: is {option} complete, and of the right version?"
                )
            })
        })
    }
}

/// Adds to the sum of a name, or to that of all others if there are too many names already.
fn add_named(sums: &mut BTreeMap<String, u64>, num_names_max: usize, name: &str, number: u64) {
    if let Some(sum) = sums.get_mut(name) {
        *sum += number;
    } else {
        let name = if sums.len() < num_names_max { name } else { OTHERS };
        *sums.entry(name.to_owned()).or_default() += number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_that_lack_more_than_one_in_a_hundred_are_suspicious() {
        let mut notes = Notes { pfam_hits: 200, protein_biomes: 99, ..Notes::default() };
        notes.add_unknown_family("PF00007", 1);
        notes.add_unknown_family("PF00009", 1);
        assert_eq!(notes.warnings().count(), 0);
        notes.add_unknown_family("PF00009", 1);
        notes.unknown_lineage_proteins.insert("root:Moon".to_owned(), 1);
        let sentences: Vec<String> = notes.warnings().collect();
        assert_eq!(
            sentences,
            [
                "3 of 200 Pfam hits are of families that are not in the clans table, such as PF00009: is --pfam complete, and of the right version?",
                "1 of 99 biomes of proteins are not in the biome table, such as root:Moon: is --biomes complete, and of the right version?",
            ]
        );
    }
}
