//! Bad rows among the good ones. They are extra rows: what the good ones say stays the same.

use indexer::Result;

use crate::SynthLayout;
use crate::cluster::Cluster;
use crate::faults::{FaultKind, FaultReason, FaultSchedule};
use crate::files::Table;
use crate::model::Model;
use crate::protein::{Hit, Locus, Protein};
use crate::tables::Tables;

const NOT_AN_ACCESSION: &str = "MGYPx12";

/// Adds bad rows after good ones.
pub(crate) struct Sprinkler<'a> {
    pub(crate) schedule: FaultSchedule,
    pub(crate) model: &'a Model,
}

impl Sprinkler<'_> {
    pub(crate) fn after_protein(&mut self, rank: u64, protein: &Protein, tables: &mut Tables) -> Result<()> {
        // Indexers of representatives pass over the rows of other members.
        if protein.is_representative() {
            self.copies(rank, protein, tables)?;
            self.bad_values(rank, protein, tables)?;
            if tables.layout == SynthLayout::Flat {
                self.bad_lines(rank, protein, tables)?;
            }
        }
        // Gaps after even ranks are for proteins and those after odd ranks for clusters, so that no gap is used twice.
        match self.model.ranks.gap(rank) {
            Some(gap) if rank.is_multiple_of(2) => self.unknown_accession(rank, gap, protein, tables),
            _ => Ok(()),
        }
    }

    pub(crate) fn after_cluster(&mut self, rank: u64, cluster: &Cluster, tables: &mut Tables) -> Result<()> {
        let representative = self.model.ranks.id(rank);
        if self.schedule.is_due(FaultKind::DuplicateCluster, rank) {
            let accession = mgyp(representative);
            tables
                .faulty(FaultReason::DuplicateAccession, accession, |tables| tables.cluster(representative, cluster))?;
        }
        if let Some(gap) = self.model.ranks.gap(rank)
            && !rank.is_multiple_of(2)
            && self.schedule.is_due(FaultKind::MissingSequence, rank)
        {
            tables.faulty(FaultReason::MissingSequence, mgyp(gap), |tables| tables.cluster(gap, cluster))?;
        }
        Ok(())
    }

    /// Repeats rows of a protein.
    fn copies(&mut self, rank: u64, protein: &Protein, tables: &mut Tables) -> Result<()> {
        let id = protein.id;
        if self.schedule.is_due(FaultKind::DuplicateSequence, rank) {
            tables.faulty(FaultReason::DuplicateAccession, mgyp(id), |tables| {
                tables.sequence(id, protein.full_length, true, &protein.sequence)
            })?;
        }
        if let Some(&(lineage, count)) = protein.biomes.last()
            && self.schedule.is_due(FaultKind::DuplicateBiome, rank)
        {
            let lineage = self.model.lineages.name(lineage);
            tables
                .faulty(FaultReason::DuplicateAnnotation, mgyp(id), |tables| tables.biome(id, count.into(), lineage))?;
        }
        if let Some(hit) = protein.hits.last()
            && self.schedule.is_due(FaultKind::DuplicateHit, rank)
        {
            tables.faulty(FaultReason::DuplicateAnnotation, mgyp(id), |tables| tables.hit(id, hit))?;
        }
        // A line of a flat file has all loci of a protein, and so repeats one locus only if there are no others.
        if protein.loci.len() == 1 && self.schedule.is_due(FaultKind::DuplicateLocus, rank) {
            tables
                .faulty(FaultReason::DuplicateAnnotation, mgyp(id), |tables| tables.loci(id, protein, &protein.loci))?;
        }
        Ok(())
    }

    /// Writes impossible values.
    fn bad_values(&mut self, rank: u64, protein: &Protein, tables: &mut Tables) -> Result<()> {
        let id = protein.id;
        if self.schedule.is_due(FaultKind::NegativeCount, rank) {
            // In a lineage that the protein does not have, so that nothing but the number is bad.
            let is_free = |lineage: &u16| protein.biomes.iter().all(|(present, _)| present != lineage);
            let lineage = self.model.lineages.name((0..u16::MAX).find(is_free).unwrap_or(0));
            tables.faulty(FaultReason::BadNumber, mgyp(id), |tables| tables.biome(id, -1, lineage))?;
        }
        if self.schedule.is_due(FaultKind::EmptyLevel, rank) {
            tables.faulty(FaultReason::BadLineage, mgyp(id), |tables| tables.biome(id, 1, "root::Soil"))?;
        }
        if let Some(hit) = protein.hits.last()
            && self.schedule.is_due(FaultKind::FamilyZero, rank)
        {
            let hit = Hit { family: 0, ..hit.clone() };
            tables.faulty(FaultReason::BadFamily, mgyp(id), |tables| tables.hit(id, &hit))?;
        }
        if self.schedule.is_due(FaultKind::StrandZero, rank) {
            let locus = Locus { strand: 0, ..other_locus(protein) };
            tables.faulty(FaultReason::BadPlace, mgyp(id), |tables| tables.loci(id, protein, &[locus]))?;
        }
        Ok(())
    }

    /// Writes lines that are possible only in flat files.
    fn bad_lines(&mut self, rank: u64, protein: &Protein, tables: &mut Tables) -> Result<()> {
        let own = &*tables.accession(protein.id);
        let odd = NOT_AN_ACCESSION;
        let loci = tables.half(protein.id, [Table::Loci, Table::Loci2]);
        let lines = [
            (FaultKind::ShortBiome, FaultReason::BadRow, Table::Biomes, own, "\t1"),
            (FaultKind::ShortHit, FaultReason::BadRow, Table::Hits, own, "\tPF00005\t1e-9"),
            (FaultKind::ShortLocus, FaultReason::BadRow, loci, own, ""),
            (FaultKind::OddBiome, FaultReason::BadAccession, Table::Biomes, odd, "\t1\troot"),
            (FaultKind::OddHit, FaultReason::BadAccession, Table::Hits, odd, "\tPF00005\t1e-9\t1\t1\t1\t1\t1"),
            (FaultKind::ClanHit, FaultReason::Clan, Table::Hits, own, "\tCL0193\t1e-9\t1\t1\t1\t1\t1"),
        ];
        for (kind, reason, table, accession, rest) in lines {
            if self.schedule.is_due(kind, rank) {
                tables
                    .faulty(reason, accession, |tables| tables.files.write(table, format_args!("{accession}{rest}")))?;
            }
        }
        Ok(())
    }

    /// Writes rows with an accession that no protein has. They are of one kind: a sequence would make other rows those of a known accession.
    fn unknown_accession(&mut self, rank: u64, gap: u64, protein: &Protein, tables: &mut Tables) -> Result<()> {
        if self.schedule.is_due(FaultKind::OrphanBiome, rank) {
            let lineage = self.model.lineages.name(protein.biomes[0].0);
            tables.faulty(FaultReason::Orphan, mgyp(gap), |tables| tables.biome(gap, 1, lineage))
        } else if self.schedule.is_due(FaultKind::OrphanLocus, rank) {
            tables.faulty(FaultReason::Orphan, mgyp(gap), |tables| tables.loci(gap, protein, &[other_locus(protein)]))
        } else if self.schedule.is_due(FaultKind::BadSequence, rank) {
            let sequence = if gap.is_multiple_of(3) { "MSTNPKPQRKTk" } else { "MSTNPK7QRKTK" };
            tables.faulty(FaultReason::BadSequence, mgyp(gap), |tables| tables.sequence(gap, false, true, sequence))
        } else if let Some(hit) = protein.hits.first()
            && self.schedule.is_due(FaultKind::OrphanHit, rank)
        {
            tables.faulty(FaultReason::Orphan, mgyp(gap), |tables| tables.hit(gap, hit))
        } else {
            Ok(())
        }
    }
}

/// Returns a locus on a contig that a protein lies on, with an occurrence number that is free.
fn other_locus(protein: &Protein) -> Locus {
    let locus = protein.loci.last().expect("each protein has a locus").clone();
    Locus { occurrence: locus.occurrence + 1, ..locus }
}

fn mgyp(id: u64) -> String {
    format!("MGYP{id:012}")
}
