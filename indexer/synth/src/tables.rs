//! The rows of a release in either layout.

use std::fmt::Write;
use std::path::Path;
use std::thread::Scope;

use indexer::{Progress, Result, Sorter, Unit};

use crate::assemblies::Assembly;
use crate::cluster::Cluster;
use crate::faults::FaultReason;
use crate::files::{Files, Table, sorter};
use crate::model::Model;
use crate::protein::{Hit, Locus, Protein};
use crate::{SynthLayout, SynthPlan, SynthReport};

/// Residues on a line of the FASTA file of representatives.
const FASTA_WIDTH: usize = 80;

/// The first contig of the second file. Contigs are spread evenly up to twice this number.
const CONTIGS_MIDDLE: u64 = 2_100_000_000;

pub(crate) struct Tables<'a, 'scope> {
    pub(crate) files: Files<'scope>,
    model: &'a Model,
    pub(crate) layout: SynthLayout,
    /// The first protein of the second file, if a flat release has two.
    second_half: u64,
    /// The number of pairs with each lineage so far.
    num_pairs: Vec<u64>,
    /// Names of contigs by number, for flat releases.
    contigs: Sorter,
    num_contigs: u64,
    /// The members of the next cluster, for flat releases.
    members: String,
}

impl<'a, 'scope> Tables<'a, 'scope> {
    pub(crate) fn create(
        scope: &'scope Scope<'scope, '_>,
        plan: &SynthPlan,
        model: &'a Model,
        folder: &Path,
        scratch: &Path,
    ) -> Result<Self> {
        Ok(Self {
            files: Files::create(scope, plan, folder, scratch)?,
            model,
            layout: plan.layout,
            second_half: model.ranks.id(plan.num_proteins / 2),
            num_pairs: vec![0; model.lineages.shares().len()],
            contigs: sorter(plan, scratch, "contigs")?,
            num_contigs: 0,
            members: String::new(),
        })
    }

    /// Writes everything about a protein except its cluster.
    pub(crate) fn protein(&mut self, protein: &Protein) -> Result<()> {
        let id = protein.id;
        self.sequence(id, protein.full_length, protein.is_representative(), &protein.sequence)?;
        for &(lineage, count) in &protein.biomes {
            self.biome(id, count.into(), self.model.lineages.name(lineage))?;
            self.num_pairs[usize::from(lineage)] += 1;
        }
        for hit in &protein.hits {
            self.hit(id, hit)?;
        }
        let accession = self.accession(id);
        self.files.write(Table::Counts, format_args!("{accession}\t{}", protein.loci.len()))?;
        self.loci(id, protein, &protein.loci)?;
        if self.layout == SynthLayout::Flat {
            self.contigs_and_assemblies(&accession, &protein.loci)?;
        }
        Ok(())
    }

    pub(crate) fn sequence(&mut self, id: u64, full_length: bool, is_first: bool, sequence: &str) -> Result<()> {
        if self.layout == SynthLayout::Parquet {
            return self.files.write(Table::Sequences, format_args!("{id}\t{full_length}\t{sequence}"));
        }
        let accession = self.accession(id);
        let full_length = format!("FL={}", u8::from(full_length));
        let representative = format!("CR={}", u8::from(is_first));
        let [first, second] =
            if id.is_multiple_of(3) { [&representative, &full_length] } else { [&full_length, &representative] };
        let table = self.half(id, [Table::Sequences, Table::Sequences2]);
        self.files.write(table, format_args!(">{accession} {first} {second}\n{sequence}"))?;
        if is_first {
            let mut record = format!(">{accession} {full_length}");
            for line in sequence.as_bytes().chunks(FASTA_WIDTH) {
                record.push('\n');
                record.extend(line.iter().copied().map(char::from));
            }
            self.files.write(Table::Representatives, format_args!("{record}"))?;
        }
        Ok(())
    }

    pub(crate) fn biome(&mut self, id: u64, count: i64, lineage: &str) -> Result<()> {
        let accession = self.accession(id);
        self.files.write(Table::Biomes, format_args!("{accession}\t{count}\t{lineage}"))
    }

    pub(crate) fn hit(&mut self, id: u64, hit: &Hit) -> Result<()> {
        let &Hit { family, evalue, score, hmm: (hmm_from, hmm_to), envelope: (from, to) } = hit;
        let accession = self.accession(id);
        let family = match (self.layout, family) {
            (SynthLayout::Parquet, _) => family.to_string(),
            (SynthLayout::Flat, 0) => "PF0".to_owned(),
            (SynthLayout::Flat, _) => format!("PF{family:05}"),
        };
        let row = format_args!("{accession}\t{family}\t{evalue:e}\t{score}\t{hmm_from}\t{hmm_to}\t{from}\t{to}");
        self.files.write(Table::Hits, row)
    }

    /// Writes loci of a protein under an accession, which differs from the protein's in bad rows.
    pub(crate) fn loci(&mut self, id: u64, protein: &Protein, loci: &[Locus]) -> Result<()> {
        let Model { assemblies, lineages, .. } = self.model;
        if self.layout == SynthLayout::Parquet {
            for locus in loci {
                let Locus { occurrence, contig, contig_name, contig_length, start, end, strand, caller, .. } = locus;
                let Assembly { accession, study, id: assembly_id, study_id, pipeline, lineage, .. } =
                    assemblies.get(locus.assembly);
                let coverage = locus.coverage.map(|coverage| coverage.to_string()).unwrap_or_default();
                let truncation = locus.truncation.unwrap_or_default();
                let (biome, representative) = (lineages.name(*lineage), protein.representative);
                let is_representative = id == representative;
                let row = format_args!(
                    "{occurrence}\t{study_id}\t{assembly_id}\t{contig}\t{id}\t{study}\t{accession}\t{contig_name}\t\
                     {contig_length}\t{coverage}\t{start}\t{end}\t{strand}\t{biome}\t{pipeline}\t{truncation}\t\
                     {caller}\t{representative}\t{is_representative}"
                );
                self.files.write(Table::Loci, row)?;
            }
            return Ok(());
        }
        let completeness = if protein.full_length { "full" } else { "partial" };
        let locus = |locus: &Locus| {
            let Locus { assembly, contig, start, end, strand, .. } = locus;
            let assembly = &assemblies.get(*assembly).accession;
            format!("{assembly}.MGYC{contig:012}:{start}-{end}:{strand}:{completeness}")
        };
        let (accession, loci) = (self.accession(id), loci.iter().map(locus).collect::<Vec<_>>().join(";"));
        self.files.write(self.half(id, [Table::Loci, Table::Loci2]), format_args!("{accession}\t{loci}"))
    }

    /// Collects the contigs and assemblies of a protein, which only flat releases have in separate
    /// tables.
    fn contigs_and_assemblies(&mut self, accession: &str, loci: &[Locus]) -> Result<()> {
        for (index, locus) in loci.iter().enumerate() {
            self.contigs.push(locus.contig, locus.contig_name.as_bytes())?;
            self.num_contigs += 1;
            if loci[..index].iter().all(|earlier| earlier.assembly != locus.assembly) {
                let assembly = &self.model.assemblies.get(locus.assembly).accession;
                self.files.write(Table::Assemblies, format_args!("{accession}\t{assembly}"))?;
            }
        }
        Ok(())
    }

    /// Collects a member of the next cluster. The representative is one of them.
    pub(crate) fn member(&mut self, member: &Protein) -> Result<()> {
        let Protein { id, representative, .. } = member;
        if self.layout == SynthLayout::Parquet {
            return self.files.write(Table::Members, format_args!("{representative}\t{id}"));
        }
        let separator = if self.members.is_empty() { "" } else { ";" };
        write!(self.members, "{separator}{}", self.accession(*id)).expect("memory");
        Ok(())
    }

    /// Writes a cluster and the collected members.
    pub(crate) fn cluster(&mut self, representative: u64, cluster: &Cluster) -> Result<()> {
        let accession = self.accession(representative);
        let members = std::mem::take(&mut self.members);
        if !members.is_empty() {
            self.files.write(Table::Members, format_args!("{accession}\t{members}"))?;
        }
        let Cluster { size, num_identical, num_redundant, .. } = cluster;
        let counts = match self.layout {
            SynthLayout::Parquet => format!("{size}\t{}", cluster.num_assemblies()),
            SynthLayout::Flat => format!("{size}\t{num_identical}\t{num_redundant}"),
        };
        let [own_biomes, biomes] =
            [&cluster.own_biomes, &cluster.biomes].map(|biomes| self.model.lineages.join(biomes));
        self.files.write(Table::Clusters, format_args!("{accession}\t{counts}\t{own_biomes}\t{biomes}"))
    }

    /// Writes rows that are bad for a reason, and lists them with the accession in them.
    pub(crate) fn faulty(
        &mut self,
        reason: FaultReason,
        accession: &str,
        write: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.files.fault = Some((reason, accession.to_owned()));
        write(self)?;
        self.files.fault = None;
        Ok(())
    }

    /// Writes the tables that depend on all others.
    pub(crate) fn finish(mut self, folder: &Path, with_faults: bool) -> Result<SynthReport> {
        for (prefix, count) in self.model.lineages.prefix_counts(&self.num_pairs) {
            self.files.write(Table::BiomeCounts, format_args!("{count}\t{prefix}"))?;
        }
        if self.layout == SynthLayout::Flat {
            let mut contigs = self.contigs.finish()?;
            let progress = Progress::start("contigs", Unit::Rows, self.num_contigs);
            let (mut name, mut last) = (Vec::new(), None);
            while let Some(contig) = contigs.next(&mut name)? {
                progress.add(1);
                if last.replace(contig) == Some(contig) {
                    continue;
                }
                let table = if contig < CONTIGS_MIDDLE { Table::Contigs } else { Table::Contigs2 };
                let name = String::from_utf8_lossy(&name);
                self.files.write(table, format_args!("MGYC{contig:012}\t{name}"))?;
            }
            progress.finish();
        }
        self.files.finish(folder, with_faults)
    }

    /// Returns an accession as it is written in tables of the layout.
    pub(crate) fn accession(&self, id: u64) -> String {
        match self.layout {
            SynthLayout::Parquet => id.to_string(),
            SynthLayout::Flat => format!("MGYP{id:012}"),
        }
    }

    /// Returns the table of a protein: one of two halves in a flat release.
    pub(crate) fn half(&self, id: u64, [first, second]: [Table; 2]) -> Table {
        if id < self.second_half { first } else { second }
    }
}
