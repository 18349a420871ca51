//! Rows become parts of a record.

use std::collections::HashSet;
use std::fmt::Write;

use indexer::{Error, Result};
use store::PfamAccession;
use store_proteins::{BiomeCount, Occurrence, PfamHit, Record, Strand};

use crate::read::rows::{BiomeRow, ClusterRow, OccurrenceRow, PfamRow, SequenceRow};

#[derive(Default)]
pub(super) struct RecordBuilder {
    pub(super) record: Record,
    /// Occurrences of earlier proteins, whose texts are reused.
    spare: Vec<Occurrence>,
}

impl RecordBuilder {
    pub(super) fn clear(&mut self) {
        self.record.sequence.clear();
        self.record.full_length = None;
        self.record.biomes.clear();
        self.record.pfam_hits.clear();
        self.spare.append(&mut self.record.occurrences);
    }

    pub(super) fn set_cluster(&mut self, row: ClusterRow) {
        self.record.cluster_size = row.size;
    }

    pub(super) fn set_sequence(&mut self, row: SequenceRow<'_>) -> Result<bool> {
        if !self.record.sequence.is_empty() {
            return Ok(false);
        }
        self.record.full_length = row.full_length;
        self.record.sequence.push_str(std::str::from_utf8(row.residues).map_err(|_| Error::CorruptSpill)?);
        Ok(true)
    }

    pub(super) fn add_biome(&mut self, row: BiomeRow) -> bool {
        let is_new = !self.record.biomes.iter().any(|known| known.biome == row.biome);
        if is_new {
            self.record.biomes.push(BiomeCount { biome: row.biome, count: row.count });
        }
        is_new
    }

    /// Adds a hit. Numbers that the source lacks are stored as 0.
    pub(super) fn add_hit(&mut self, row: PfamRow) {
        let (evalue, bit_score) = row.scores.unwrap_or_default();
        let (hmm_start, hmm_end) = row.hmm.unwrap_or_default();
        let (env_start, env_end) = row.envelope;
        let hit =
            PfamHit { family: PfamAccession(row.family), evalue, bit_score, hmm_start, hmm_end, env_start, env_end };
        self.record.pfam_hits.push(hit);
    }

    /// Adds an occurrence. A contig without a name is named by its accession.
    pub(super) fn add_occurrence(&mut self, row: OccurrenceRow<'_>) {
        let mut texts = match self.spare.pop() {
            Some(spare) => [spare.study, spare.assembly, spare.contig, spare.contig_name],
            None => Default::default(),
        };
        for text in &mut texts {
            text.clear();
        }
        let [mut study, mut assembly, mut contig, mut contig_name] = texts;
        study.push_str(row.study);
        assembly.push_str(row.assembly);
        // Writing into memory does not fail.
        let _ = write!(contig, "MGYC{:012}", row.contig);
        contig_name.push_str(if row.contig_name.is_empty() { &contig } else { row.contig_name });
        let OccurrenceRow { start, end, is_reverse, .. } = row;
        let strand = if is_reverse { Strand::Reverse } else { Strand::Forward };
        self.record.occurrences.push(Occurrence { study, assembly, contig, contig_name, start, end, strand });
    }
}

/// The payloads of the rows of one protein in one table, to find duplicates.
#[derive(Debug, Default)]
pub(super) struct SeenRows {
    /// The first row. Most proteins have no other.
    first: Option<Vec<u8>>,
    others: HashSet<Vec<u8>>,
    spare: Vec<u8>,
}

impl SeenRows {
    pub(super) fn clear(&mut self) {
        if let Some(first) = self.first.take() {
            self.spare = first;
        }
        if !self.others.is_empty() {
            self.others.clear();
        }
    }

    pub(super) fn insert(&mut self, payload: &[u8]) -> bool {
        match &self.first {
            None => {
                let mut first = std::mem::take(&mut self.spare);
                first.clear();
                first.extend(payload);
                self.first = Some(first);
                true
            }
            Some(first) => first != payload && self.others.insert(payload.to_vec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_are_found_until_the_next_protein() {
        let mut seen = SeenRows::default();
        for _ in 0..2 {
            let are_new: Vec<bool> = [b"a", b"b", b"a", b"c", b"b"].map(|row| seen.insert(row)).into();
            assert_eq!(are_new, [true, true, false, true, false]);
            seen.clear();
        }
    }
}
