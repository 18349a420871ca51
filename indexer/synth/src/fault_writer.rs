//! Bad rows among the good ones. They are additional rows: the good ones stay the same.

use indexer::Result;

use crate::SynthLayout;
use crate::cluster::Cluster;
use crate::faults::{FaultKind, FaultSchedule};
use crate::files::Table;
use crate::model::Model;
use crate::protein::{Hit, Locus, Protein};
use crate::tables::Tables;

const NOT_AN_ACCESSION: &str = "MGYPx12";

/// Adds bad rows after good ones.
pub(crate) struct FaultWriter<'a> {
    pub(crate) schedule: FaultSchedule,
    pub(crate) model: &'a Model,
}

impl FaultWriter<'_> {
    pub(crate) fn after_protein(&mut self, rank: u64, protein: &Protein, tables: &mut Tables) -> Result<()> {
        // Indexers of representatives skip the rows of other members.
        if protein.is_representative() {
            self.copies(rank, protein, tables)?;
            self.bad_values(rank, protein, tables)?;
            if tables.layout == SynthLayout::Flat {
                self.bad_lines(rank, protein, tables)?;
            }
        }
        // Gaps after even ranks are for proteins and those after odd ranks for clusters, so that no
        // gap is used twice.
        match self.model.ranks.gap(rank) {
            Some(gap) if rank.is_multiple_of(2) => self.unknown_accession(rank, gap, protein, tables),
            _ => Ok(()),
        }
    }

    pub(crate) fn after_cluster(&mut self, rank: u64, cluster: &Cluster, tables: &mut Tables) -> Result<()> {
        let id = self.model.ranks.id(rank);
        self.add(FaultKind::DUPLICATE_CLUSTER, rank, id, tables, |tables| tables.cluster(id, cluster))?;
        if let Some(gap) = self.model.ranks.gap(rank)
            && !rank.is_multiple_of(2)
        {
            self.add(FaultKind::MISSING_SEQUENCE, rank, gap, tables, |tables| tables.cluster(gap, cluster))?;
        }
        Ok(())
    }

    fn copies(&mut self, rank: u64, protein: &Protein, tables: &mut Tables) -> Result<()> {
        let Protein { id, full_length, ref sequence, ref biomes, ref hits, ref loci, .. } = *protein;
        self.add(FaultKind::DUPLICATE_SEQUENCE, rank, id, tables, |tables| {
            tables.sequence(id, full_length, true, sequence)
        })?;
        if let Some(&(lineage, count)) = biomes.last() {
            let lineage = self.model.lineages.name(lineage);
            self.add(FaultKind::DUPLICATE_BIOME, rank, id, tables, |tables| tables.biome(id, count.into(), lineage))?;
        }
        if let Some(hit) = hits.last() {
            self.add(FaultKind::DUPLICATE_HIT, rank, id, tables, |tables| tables.hit(id, hit))?;
        }
        // A line of a flat file has all loci of a protein, so it repeats one locus only if there
        // are no others.
        if loci.len() == 1 {
            self.add(FaultKind::DUPLICATE_LOCUS, rank, id, tables, |tables| tables.loci(id, protein, loci))?;
        }
        Ok(())
    }

    /// Writes impossible values.
    fn bad_values(&mut self, rank: u64, protein: &Protein, tables: &mut Tables) -> Result<()> {
        let id = protein.id;
        let lineages = &self.model.lineages;
        self.add(FaultKind::NEGATIVE_COUNT, rank, id, tables, |tables| {
            // A lineage that the protein does not have, so that only the number is bad.
            let is_free = |lineage: &u16| protein.biomes.iter().all(|(present, _)| present != lineage);
            tables.biome(id, -1, lineages.name((0..u16::MAX).find(is_free).unwrap_or(0)))
        })?;
        self.add(FaultKind::EMPTY_LEVEL, rank, id, tables, |tables| tables.biome(id, 1, "root::Soil"))?;
        if let Some(hit) = protein.hits.last() {
            let hit = |tables: &mut Tables| tables.hit(id, &Hit { family: 0, ..hit.clone() });
            self.add(FaultKind::FAMILY_ZERO, rank, id, tables, hit)?;
        }
        let locus = |tables: &mut Tables| tables.loci(id, protein, &[Locus { strand: 0, ..other_locus(protein) }]);
        self.add(FaultKind::STRAND_ZERO, rank, id, tables, locus)?;
        Ok(())
    }

    /// Writes lines that are possible only in flat files.
    fn bad_lines(&mut self, rank: u64, protein: &Protein, tables: &mut Tables) -> Result<()> {
        let own = &*tables.accession(protein.id);
        let odd = NOT_AN_ACCESSION;
        let loci = tables.half(protein.id, [Table::Loci, Table::Loci2]);
        for (kind, table, accession, rest) in [
            (FaultKind::SHORT_BIOME, Table::Biomes, own, "\t1"),
            (FaultKind::SHORT_HIT, Table::Hits, own, "\tPF00005\t1e-9"),
            (FaultKind::SHORT_LOCUS, loci, own, ""),
            (FaultKind::ODD_BIOME, Table::Biomes, odd, "\t1\troot"),
            (FaultKind::ODD_HIT, Table::Hits, odd, "\tPF00005\t1e-9\t1\t1\t1\t1\t1"),
            (FaultKind::CLAN_HIT, Table::Hits, own, "\tCL0193\t1e-9\t1\t1\t1\t1\t1"),
        ] {
            if self.schedule.is_due(kind, rank) {
                let row = format_args!("{accession}{rest}");
                tables.faulty(kind.reason, accession, |tables| tables.files.write(table, row))?;
            }
        }
        Ok(())
    }

    /// Writes rows with an accession that no protein has. They are all of one kind: rows of an
    /// accession with a sequence would not be orphans.
    fn unknown_accession(&mut self, rank: u64, gap: u64, protein: &Protein, tables: &mut Tables) -> Result<()> {
        let lineage = self.model.lineages.name(protein.biomes[0].0);
        let locus = |tables: &mut Tables| tables.loci(gap, protein, &[other_locus(protein)]);
        let sequence = if gap.is_multiple_of(3) { "MSTNPKPQRKTk" } else { "MSTNPK7QRKTK" };
        let is_added = self.add(FaultKind::ORPHAN_BIOME, rank, gap, tables, |tables| tables.biome(gap, 1, lineage))?
            || self.add(FaultKind::ORPHAN_LOCUS, rank, gap, tables, locus)?
            || self.add(FaultKind::BAD_SEQUENCE, rank, gap, tables, |tables| {
                tables.sequence(gap, false, true, sequence)
            })?;
        if let Some(hit) = protein.hits.first()
            && !is_added
        {
            self.add(FaultKind::ORPHAN_HIT, rank, gap, tables, |tables| tables.hit(gap, hit))?;
        }
        Ok(())
    }

    /// Writes and lists bad rows of an accession if they are due at a rank, and returns whether
    /// they are.
    fn add(
        &mut self,
        kind: FaultKind,
        rank: u64,
        id: u64,
        tables: &mut Tables,
        write: impl FnOnce(&mut Tables) -> Result<()>,
    ) -> Result<bool> {
        let is_due = self.schedule.is_due(kind, rank);
        if is_due {
            tables.faulty(kind.reason, &format!("MGYP{id:012}"), write)?;
        }
        Ok(is_due)
    }
}

/// Returns a locus on a contig of a protein, with a free occurrence number.
fn other_locus(protein: &Protein) -> Locus {
    let locus = protein.loci.last().expect("each protein has a locus").clone();
    Locus { occurrence: locus.occurrence + 1, ..locus }
}
