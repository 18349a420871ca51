//! The rows of a release in either layout.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::thread::Scope;

use crate::run::{Progress, Unit};
use crate::sort::Sorter;
use crate::synth::assemblies::Assemblies;
use crate::synth::cell::Cell;
use crate::synth::columns::Table;
use crate::synth::files::{Files, sorter_memory_bytes};
use crate::synth::lineages::Lineages;
use crate::synth::protein::{Hit, Place};
use crate::synth::sum::Cluster;
use crate::synth::{SynthLayout, SynthPlan};
use crate::{Error, Result};

/// How many residues a line has where sequences are broken.
const LINE_RESIDUES: usize = 80;

/// The first contig of the second half.
const CONTIGS_MIDDLE: u64 = 2_100_000_000;

/// Writes the rows.
pub(crate) struct Tables<'scope> {
    /// The files.
    pub(crate) files: Files<'scope>,
    /// How the rows look.
    pub(crate) layout: SynthLayout,
    /// The first protein of the second half, where files are halved.
    second_half: u64,
    /// Names by contig: of the flat layout.
    contigs: Sorter,
    /// The number of contigs.
    num_contigs: u64,
    /// The text of a value that is made of several.
    text: String,
    /// The members of the next cluster: of the flat layout.
    members: String,
}

impl<'scope> Tables<'scope> {
    /// Starts a release in a folder. Another folder is for sorting.
    ///
    /// # Errors
    ///
    /// * A file cannot be made.
    pub(crate) fn create(
        scope: &'scope Scope<'scope, '_>,
        plan: &SynthPlan,
        second_half: u64,
        folder: &Path,
        scratch: &Path,
    ) -> Result<Self> {
        let runs = scratch.join("contigs");
        fs::create_dir(&runs).map_err(Error::io("cannot create", &runs))?;
        Ok(Self {
            files: Files::create(scope, plan, folder, scratch)?,
            layout: plan.layout,
            second_half,
            contigs: Sorter::new(&runs, sorter_memory_bytes(plan)),
            num_contigs: 0,
            text: String::new(),
            members: String::new(),
        })
    }

    /// Writes a sequence.
    pub(crate) fn sequence(&mut self, id: u64, is_full_length: bool, is_first: bool, sequence: &str) -> Result<()> {
        self.files.begin();
        if self.layout == SynthLayout::Parquet {
            let cells = [Cell::Protein(id), Cell::Flag(is_full_length), Cell::Text(sequence)];
            return self.files.write(Table::Sequences, &cells);
        }
        let (full_length, representative) = (u8::from(is_full_length), u8::from(is_first));
        let table = self.half(id, Table::Sequences, Table::Sequences2);
        self.text.clear();
        if id.is_multiple_of(3) {
            write!(self.text, ">MGYP{id:012} CR={representative} FL={full_length}\n{sequence}")
        } else {
            write!(self.text, ">MGYP{id:012} FL={full_length} CR={representative}\n{sequence}")
        }
        .expect("memory");
        self.files.write(table, &[Cell::Text(&self.text)])?;
        if is_first {
            self.text.clear();
            write!(self.text, ">MGYP{id:012} FL={full_length}").expect("memory");
            let mut rest = sequence;
            while !rest.is_empty() {
                let (line, behind) = rest.split_at(rest.len().min(LINE_RESIDUES));
                self.text.push('\n');
                self.text.push_str(line);
                rest = behind;
            }
            self.files.write(Table::Representatives, &[Cell::Text(&self.text)])?;
        }
        Ok(())
    }

    /// Writes a biome of a protein.
    pub(crate) fn biome(&mut self, id: u64, count: i64, lineage: &str) -> Result<()> {
        self.files.begin();
        self.files.write(Table::Biomes, &[Cell::Protein(id), Cell::Whole(count), Cell::Text(lineage)])
    }

    /// Writes a Pfam hit of a protein.
    pub(crate) fn hit(&mut self, id: u64, hit: &Hit) -> Result<()> {
        let number = |position: u32| Cell::Whole(i64::from(position));
        let [hmm_from, hmm_to, env_from, env_to] = [hit.hmm.0, hit.hmm.1, hit.env.0, hit.env.1].map(number);
        let (evalue, score) = (Cell::Real(hit.evalue), Cell::Real(hit.score));
        let cells = [Cell::Protein(id), Cell::Family(hit.family), evalue, score, hmm_from, hmm_to, env_from, env_to];
        self.files.begin();
        self.files.write(Table::Hits, &cells)
    }

    /// Writes how often a protein occurs.
    pub(crate) fn count(&mut self, id: u64, count: usize) -> Result<()> {
        self.files.begin();
        self.files.write(Table::Counts, &[Cell::Protein(id), whole(count as u64)])
    }

    /// Writes where a protein occurs.
    pub(crate) fn places(
        &mut self,
        (id, representative, is_full_length): (u64, u64, bool),
        places: &[Place],
        assemblies: &Assemblies,
        lineages: &Lineages,
    ) -> Result<()> {
        self.files.begin();
        if self.layout == SynthLayout::Parquet {
            for place in places {
                let assembly = assemblies.get(place.assembly);
                let cells = [
                    whole(place.occurrence),
                    whole(assembly.study_id.into()),
                    whole(assembly.id.into()),
                    Cell::Contig(place.contig),
                    Cell::Protein(id),
                    Cell::Text(&assembly.study),
                    Cell::Text(&assembly.accession),
                    Cell::Text(&place.contig_name),
                    whole(place.contig_length.into()),
                    place.coverage.map_or(Cell::Null, Cell::Real),
                    whole(place.start.into()),
                    whole(place.end.into()),
                    Cell::Whole(place.strand.into()),
                    Cell::Text(lineages.name(assembly.lineage)),
                    Cell::Text(assembly.pipeline),
                    place.truncation.map_or(Cell::Null, Cell::Text),
                    whole(place.caller.into()),
                    Cell::Protein(representative),
                    Cell::Flag(id == representative),
                ];
                self.files.write(Table::Places, &cells)?;
            }
            return Ok(());
        }
        let completeness = if is_full_length { "full" } else { "partial" };
        self.text.clear();
        for Place { assembly, contig, start, end, strand, .. } in places {
            let separator = if self.text.is_empty() { "" } else { ";" };
            let accession = &assemblies.get(*assembly).accession;
            write!(self.text, "{separator}{accession}.MGYC{contig:012}:{start}-{end}:{strand}:{completeness}")
                .expect("memory");
        }
        let table = self.half(id, Table::Places, Table::Places2);
        self.files.write(table, &[Cell::Protein(id), Cell::Text(&self.text)])
    }

    /// Takes the contigs and the assemblies that a protein occurs in, which only the flat layout has in files of their own.
    pub(crate) fn contigs(&mut self, id: u64, places: &[Place], assemblies: &Assemblies) -> Result<()> {
        if self.layout == SynthLayout::Parquet {
            return Ok(());
        }
        for (index, place) in places.iter().enumerate() {
            self.contigs.push(place.contig, place.contig_name.as_bytes())?;
            self.num_contigs += 1;
            if places[..index].iter().all(|earlier| earlier.assembly != place.assembly) {
                let accession = &assemblies.get(place.assembly).accession;
                self.files.write(Table::Assemblies, &[Cell::Protein(id), Cell::Text(accession)])?;
            }
        }
        Ok(())
    }

    /// Writes a member of the next cluster, the representative included.
    pub(crate) fn member(&mut self, representative: u64, id: u64) -> Result<()> {
        if self.layout == SynthLayout::Parquet {
            return self.files.write(Table::Members, &[Cell::Protein(representative), Cell::Protein(id)]);
        }
        let separator = if self.members.is_empty() { "" } else { ";" };
        write!(self.members, "{separator}MGYP{id:012}").expect("memory");
        Ok(())
    }

    /// Writes a cluster.
    pub(crate) fn cluster(&mut self, cluster: &Cluster) -> Result<()> {
        let representative = Cell::Protein(cluster.representative);
        let biomes = [Cell::Text(&cluster.own_biomes), Cell::Text(&cluster.all_biomes)];
        if !self.members.is_empty() {
            self.files.write(Table::Members, &[representative, Cell::Text(&self.members)])?;
            self.members.clear();
        }
        self.files.begin();
        if self.layout == SynthLayout::Parquet {
            let cells = [representative, whole(cluster.size), whole(cluster.num_assemblies), biomes[0], biomes[1]];
            return self.files.write(Table::Clusters, &cells);
        }
        let numbers = [cluster.size, cluster.num_identical, cluster.num_redundant].map(whole);
        self.files.write(Table::Clusters, &[representative, numbers[0], numbers[1], numbers[2], biomes[0], biomes[1]])
    }

    /// Writes the tables that are complete only in the end, and returns the files.
    pub(crate) fn finish(mut self, lineages: &Lineages) -> Result<Files<'scope>> {
        for (prefix, count) in lineages.prefix_counts() {
            self.files.write(Table::BiomeCounts, &[whole(count), Cell::Text(prefix)])?;
        }
        if self.layout == SynthLayout::Flat {
            let mut contigs = self.contigs.finish()?;
            let mut progress = Progress::start("contigs", Unit::Rows, self.num_contigs);
            let mut name = Vec::new();
            let mut num_done = 0;
            while let Some(contig) = contigs.next(&mut name)? {
                self.files.begin();
                // Numbers of contigs are spread evenly up to the largest.
                let table = if contig < CONTIGS_MIDDLE { Table::Contigs } else { Table::Contigs2 };
                let name = String::from_utf8_lossy(&name);
                self.files.write(table, &[Cell::Contig(contig), Cell::Text(&name)])?;
                num_done += 1;
                progress.set(num_done);
            }
            progress.finish();
        }
        Ok(self.files)
    }

    /// Returns the file for a protein.
    pub(crate) fn half(&self, id: u64, first: Table, second: Table) -> Table {
        if id < self.second_half { first } else { second }
    }
}

/// Returns a number as a value.
fn whole(number: u64) -> Cell<'static> {
    Cell::Whole(i64::try_from(number).expect("small numbers"))
}
