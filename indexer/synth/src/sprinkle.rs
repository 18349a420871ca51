//! Sprinkling bad rows. They are extra rows: what the good ones say stays as it is.

use crate::SynthLayout;
use crate::assemblies::Assemblies;
use crate::cell::Cell;
use crate::clusters::Ranks;
use crate::columns::Table;
use crate::faults::{FaultClock, FaultKind, FaultReason};
use crate::lineages::Lineages;
use crate::protein::{Hit, Place, Protein};
use crate::sum::Cluster;
use crate::tables::Tables;
use indexer::Result;

/// Something that is no accession.
const NO_ACCESSION: &str = "MGYPx12";

/// A clan.
const CLAN: &str = "CL0193";

/// Writes bad rows behind good ones.
pub(crate) struct Sprinkler<'a> {
    /// Tells when one is due.
    pub(crate) clock: FaultClock,
    /// Which accessions are free.
    pub(crate) ranks: &'a Ranks,
    /// The assemblies of occurrences.
    pub(crate) assemblies: &'a Assemblies,
}

impl Sprinkler<'_> {
    /// Writes what is due behind the rows of a protein.
    pub(crate) fn after_protein(
        &mut self,
        rank: u64,
        protein: &Protein,
        tables: &mut Tables,
        lineages: &Lineages,
    ) -> Result<()> {
        // Whoever indexes representatives only never sees rows of others.
        if protein.is_representative() {
            self.copies(rank, protein, tables, lineages)?;
            self.bad_values(rank, protein, tables, lineages)?;
            if tables.layout == SynthLayout::Flat {
                self.bad_lines(rank, protein, tables)?;
            }
        }
        // Gaps behind even ranks are for proteins and those behind odd ones for clusters, so that none is used twice.
        match self.ranks.gap(rank) {
            Some(gap) if rank.is_multiple_of(2) => self.strangers(rank, gap, protein, tables, lineages),
            _ => Ok(()),
        }
    }

    /// Writes what is due behind a cluster.
    pub(crate) fn after_cluster(&mut self, rank: u64, cluster: &Cluster, tables: &mut Tables) -> Result<()> {
        if self.clock.strikes(FaultKind::DuplicateCluster, rank) {
            tables.cluster(cluster)?;
            tables.files.mark(FaultReason::DuplicateAccession, &accession(cluster.representative));
        }
        if let Some(gap) = self.ranks.gap(rank)
            && !rank.is_multiple_of(2)
            && self.clock.strikes(FaultKind::MissingSequence, rank)
        {
            let (own_biomes, all_biomes) = (cluster.own_biomes.clone(), cluster.all_biomes.clone());
            tables.cluster(&Cluster { representative: gap, own_biomes, all_biomes, ..*cluster })?;
            tables.files.mark(FaultReason::MissingSequence, &accession(gap));
        }
        Ok(())
    }

    /// Repeats rows of a protein.
    fn copies(&mut self, rank: u64, protein: &Protein, tables: &mut Tables, lineages: &Lineages) -> Result<()> {
        let id = protein.id;
        if self.clock.strikes(FaultKind::DuplicateSequence, rank) {
            tables.sequence(id, protein.full_length, true, &protein.sequence)?;
            tables.files.mark(FaultReason::DuplicateAccession, &accession(id));
        }
        if let Some(&(lineage, count)) = protein.biomes.last()
            && self.clock.strikes(FaultKind::DuplicateBiome, rank)
        {
            tables.biome(id, count.into(), lineages.name(lineage))?;
            tables.files.mark(FaultReason::DuplicateAnnotation, &accession(id));
        }
        if let Some(hit) = protein.hits.last()
            && self.clock.strikes(FaultKind::DuplicateHit, rank)
        {
            tables.hit(id, hit)?;
            tables.files.mark(FaultReason::DuplicateAnnotation, &accession(id));
        }
        // Of a protein with one place, the line of a flat file is that place.
        if protein.places.len() == 1 && self.clock.strikes(FaultKind::DuplicatePlace, rank) {
            let place = [protein.places[0].clone()];
            self.place(id, protein, &place, FaultReason::DuplicateAnnotation, tables, lineages)?;
        }
        Ok(())
    }

    /// Writes values of a protein that cannot be.
    fn bad_values(&mut self, rank: u64, protein: &Protein, tables: &mut Tables, lineages: &Lineages) -> Result<()> {
        let id = protein.id;
        if self.clock.strikes(FaultKind::NegativeCount, rank) {
            // In a lineage of its own, so that only the number is bad.
            let is_free = |lineage: &u16| protein.biomes.iter().all(|(known, _)| known != lineage);
            tables.biome(id, -1, lineages.name((0..u16::MAX).find(is_free).unwrap_or(0)))?;
            tables.files.mark(FaultReason::BadNumber, &accession(id));
        }
        if self.clock.strikes(FaultKind::EmptyLevel, rank) {
            tables.biome(id, 1, "root::Soil")?;
            tables.files.mark(FaultReason::BadLineage, &accession(id));
        }
        if let Some(hit) = protein.hits.last()
            && self.clock.strikes(FaultKind::FamilyZero, rank)
        {
            tables.hit(id, &Hit { family: 0, ..hit.clone() })?;
            tables.files.mark(FaultReason::BadFamily, &accession(id));
        }
        if self.clock.strikes(FaultKind::StrandZero, rank) {
            let place = [Place { strand: 0, ..stray(protein) }];
            self.place(id, protein, &place, FaultReason::BadPlace, tables, lineages)?;
        }
        Ok(())
    }

    /// Writes lines that only a flat file can have.
    fn bad_lines(&mut self, rank: u64, protein: &Protein, tables: &mut Tables) -> Result<()> {
        let own = Cell::Protein(protein.id);
        let none = Cell::Text(NO_ACCESSION);
        let number = Cell::Whole(1);
        let value = Cell::Real(1e-9);
        let [family, clan] = [Cell::Family(5), Cell::Text(CLAN)];
        let places = tables.half(protein.id, Table::Places, Table::Places2);
        let lines: [(_, _, _, &[Cell]); 6] = [
            (FaultKind::ShortBiome, FaultReason::BadRow, Table::Biomes, &[own, number]),
            (FaultKind::ShortHit, FaultReason::BadRow, Table::Hits, &[own, family, value]),
            (FaultKind::ShortPlace, FaultReason::BadRow, places, &[own]),
            (FaultKind::OddBiome, FaultReason::BadAccession, Table::Biomes, &[none, number, Cell::Text("root")]),
            (
                FaultKind::OddHit,
                FaultReason::BadAccession,
                Table::Hits,
                &[none, family, value, number, number, number, number, number],
            ),
            (
                FaultKind::ClanHit,
                FaultReason::Clan,
                Table::Hits,
                &[own, clan, value, number, number, number, number, number],
            ),
        ];
        for (kind, reason, table, cells) in lines {
            if self.clock.strikes(kind, rank) {
                tables.files.begin();
                tables.files.write(table, cells)?;
                let accession = if cells[0] == none { NO_ACCESSION.to_owned() } else { accession(protein.id) };
                tables.files.mark(reason, &accession);
            }
        }
        Ok(())
    }

    /// Writes rows of an accession that no protein has: of one kind at most, since another would make it less of a stranger.
    fn strangers(
        &mut self,
        rank: u64,
        gap: u64,
        protein: &Protein,
        tables: &mut Tables,
        lineages: &Lineages,
    ) -> Result<()> {
        if self.clock.strikes(FaultKind::OrphanBiome, rank) {
            tables.biome(gap, 1, lineages.name(protein.biomes[0].0))?;
            tables.files.mark(FaultReason::Orphan, &accession(gap));
        } else if self.clock.strikes(FaultKind::OrphanPlace, rank) {
            self.place(gap, protein, &[stray(protein)], FaultReason::Orphan, tables, lineages)?;
        } else if self.clock.strikes(FaultKind::BadSequence, rank) {
            let sequence = if gap.is_multiple_of(3) { "MSTNPKPQRKTk" } else { "MSTNPK7QRKTK" };
            tables.sequence(gap, false, true, sequence)?;
            tables.files.mark(FaultReason::BadSequence, &accession(gap));
        } else if let Some(hit) = protein.hits.first()
            && self.clock.strikes(FaultKind::OrphanHit, rank)
        {
            tables.hit(gap, hit)?;
            tables.files.mark(FaultReason::Orphan, &accession(gap));
        }
        Ok(())
    }

    /// Writes a bad place.
    fn place(
        &self,
        id: u64,
        protein: &Protein,
        place: &[Place],
        reason: FaultReason,
        tables: &mut Tables,
        lineages: &Lineages,
    ) -> Result<()> {
        let of = (id, protein.representative, protein.full_length);
        tables.places(of, place, self.assemblies, lineages)?;
        tables.files.mark(reason, &accession(id));
        Ok(())
    }
}

/// Returns a place on a contig that a protein is on, with a number that no other place has.
fn stray(protein: &Protein) -> Place {
    let place = protein.places.last().expect("each protein has a place").clone();
    Place { occurrence: place.occurrence + 1, ..place }
}

/// Returns an accession as text.
fn accession(id: u64) -> String {
    format!("MGYP{id:012}")
}
