//! The stages of a run: clusters are laid out, proteins written by accession, clusters by representative.

use std::fs;
use std::path::Path;
use std::thread;

use crate::run::{Progress, Unit};
use crate::sort::{SortedEntries, Sorter};
use crate::synth::assemblies::Assemblies;
use crate::synth::chance::{Chance, Permutation, Purpose};
use crate::synth::clusters::{ClusterSizes, Ranks};
use crate::synth::faults::{Fault, FaultClock};
use crate::synth::files::sorter_memory_bytes;
use crate::synth::inputs;
use crate::synth::lineages::Lineages;
use crate::synth::protein::Protein;
use crate::synth::proteins::Proteins;
use crate::synth::sprinkle::Sprinkler;
use crate::synth::sum::{ClusterSum, encode_member};
use crate::synth::tables::Tables;
use crate::synth::{SynthFile, SynthPlan};
use crate::{Error, Result};

/// How many proteins there are between two steps of the progress.
const PROGRESS_STEP: u64 = 1024;

/// Writes a release into a folder. Another folder is for sorting.
///
/// # Errors
///
/// * A file cannot be written.
pub(crate) fn write(plan: &SynthPlan, folder: &Path, scratch: &Path) -> Result<(Vec<SynthFile>, Vec<Fault>)> {
    let families = inputs::families(&plan.pfam)?;
    let sizes = ClusterSizes::new(plan.seed, plan.num_proteins);
    let (num_clusters, last_size) = count_clusters(plan, &sizes);
    let ranks = Ranks::new(plan.seed, plan.num_proteins, num_clusters);
    let size_of = |cluster| if cluster + 1 == num_clusters { last_size } else { sizes.at(cluster) };
    let lineages = Lineages::new(inputs::lineages(&plan.biome_counts)?);
    let assemblies = Assemblies::new(plan.seed, lineages.shares());
    thread::scope(|scope| {
        let tables = Tables::create(scope, plan, ranks.id(plan.num_proteins / 2), folder, scratch)?;
        let sprinkler = plan.faults.then(|| Sprinkler {
            clock: FaultClock::new(plan.num_proteins),
            ranks: &ranks,
            assemblies: &assemblies,
        });
        let mut stages = Stages {
            plan,
            families: &families,
            ranks: &ranks,
            assemblies: &assemblies,
            lineages,
            tables,
            sprinkler,
            sum: ClusterSum::default(),
        };
        if plan.only_representatives {
            stages.write_representatives(size_of)?;
        } else {
            let members = stages.lay_out(size_of, scratch)?;
            let clusters = stages.write_proteins(members, scratch)?;
            stages.write_clusters(clusters)?;
        }
        stages.tables.finish(&stages.lineages)?.finish(folder, plan.faults)
    })
}

/// Returns the number of clusters and the size of the last one.
fn count_clusters(plan: &SynthPlan, sizes: &ClusterSizes) -> (u64, u64) {
    if plan.only_representatives {
        return (plan.num_proteins, sizes.at(plan.num_proteins.saturating_sub(1)));
    }
    let mut progress = Progress::start("counting", Unit::Proteins, plan.num_proteins);
    let counted = sizes.count(plan.num_proteins, |position| progress.set(position));
    progress.set(plan.num_proteins);
    progress.finish();
    counted
}

/// A run.
struct Stages<'a, 'scope> {
    /// What is written.
    plan: &'a SynthPlan,
    /// The families of Pfam hits.
    families: &'a [u64],
    /// Which proteins there are.
    ranks: &'a Ranks,
    /// Where they come from.
    assemblies: &'a Assemblies,
    /// How many were found in each lineage so far.
    lineages: Lineages,
    /// Where the rows go.
    tables: Tables<'scope>,
    /// What adds bad rows.
    sprinkler: Option<Sprinkler<'a>>,
    /// The cluster that is being summed up.
    sum: ClusterSum,
}

impl Stages<'_, '_> {
    /// Gives each member of a cluster that is not its representative a place among the proteins; returns the clusters of
    /// these places.
    fn lay_out(&self, size_of: impl Fn(u64) -> u64, scratch: &Path) -> Result<SortedEntries> {
        let num_members = self.ranks.num_proteins - self.ranks.num_clusters;
        let slots = Permutation::new(Purpose::Members.stream(self.plan.seed), num_members);
        let mut sorter = self.sorter(scratch, "members")?;
        let mut progress = Progress::start("members", Unit::Proteins, num_members);
        let mut num_done = 0;
        for cluster in 0..self.ranks.num_clusters {
            for _ in 1..size_of(cluster) {
                sorter.push(slots.at(num_done), &cluster.to_le_bytes())?;
                num_done += 1;
                step(&mut progress, num_done);
            }
        }
        progress.set(num_done);
        progress.finish();
        sorter.finish()
    }

    /// Writes all proteins, and returns them by cluster.
    fn write_proteins(&mut self, mut members: SortedEntries, scratch: &Path) -> Result<SortedEntries> {
        let mut sorter = self.sorter(scratch, "clusters")?;
        let mut proteins = Proteins::new(self.plan, self.families, self.assemblies);
        let mut protein = Protein::default();
        let mut payload = Vec::new();
        let mut progress = Progress::start("proteins", Unit::Proteins, self.ranks.num_proteins);
        for rank in 0..self.ranks.num_proteins {
            let cluster = if let Some(cluster) = self.ranks.represented(rank) {
                cluster
            } else {
                let slot = members.next(&mut payload)?;
                debug_assert_eq!(slot, Some(self.ranks.slot(rank)), "each slot has a member");
                u64::from_le_bytes(*payload.first_chunk().expect("a cluster"))
            };
            self.write_protein(rank, cluster, &mut proteins, &mut protein)?;
            encode_member(&protein, &mut payload);
            sorter.push(cluster, &payload)?;
            step(&mut progress, rank);
        }
        progress.set(self.ranks.num_proteins);
        progress.finish();
        sorter.finish()
    }

    /// Writes all clusters with their members.
    fn write_clusters(&mut self, mut members: SortedEntries) -> Result<()> {
        let mut progress = Progress::start("clusters", Unit::Proteins, self.ranks.num_proteins);
        let mut payload = Vec::new();
        let mut num_done = 0;
        let mut current = 0;
        while let Some(cluster) = members.next(&mut payload)? {
            if cluster != current {
                self.write_cluster(current)?;
                current = cluster;
            }
            self.add_member(cluster, &payload)?;
            num_done += 1;
            step(&mut progress, num_done);
        }
        if num_done > 0 {
            self.write_cluster(current)?;
        }
        progress.set(num_done);
        progress.finish();
        Ok(())
    }

    /// Writes proteins that are all representatives, together with their clusters.
    fn write_representatives(&mut self, size_of: impl Fn(u64) -> u64) -> Result<()> {
        let mut proteins = Proteins::new(self.plan, self.families, self.assemblies);
        let mut protein = Protein::default();
        let mut payload = Vec::new();
        let stream = Purpose::Clusters.stream(self.plan.seed);
        let mut progress = Progress::start("proteins", Unit::Proteins, self.ranks.num_proteins);
        for rank in 0..self.ranks.num_proteins {
            self.write_protein(rank, rank, &mut proteins, &mut protein)?;
            encode_member(&protein, &mut payload);
            self.add_member(rank, &payload)?;
            self.sum.add_absent(size_of(rank) - 1, &mut Chance::new(stream, rank), self.assemblies);
            self.write_cluster(rank)?;
            step(&mut progress, rank);
        }
        progress.set(self.ranks.num_proteins);
        progress.finish();
        Ok(())
    }

    /// Makes a protein and writes all that is said of it alone.
    fn write_protein(&mut self, rank: u64, cluster: u64, proteins: &mut Proteins, protein: &mut Protein) -> Result<()> {
        let representative = self.representative(cluster);
        proteins.make(rank, self.ranks.id(rank), representative, protein);
        let (id, tables) = (protein.id, &mut self.tables);
        tables.sequence(id, protein.full_length, protein.is_representative(), &protein.sequence)?;
        for &(lineage, count) in &protein.biomes {
            tables.biome(id, count.into(), self.lineages.name(lineage))?;
            self.lineages.count(lineage);
        }
        for hit in &protein.hits {
            tables.hit(id, hit)?;
        }
        tables.count(id, protein.places.len())?;
        let of = (id, representative, protein.full_length);
        tables.places(of, &protein.places, self.assemblies, &self.lineages)?;
        tables.contigs(id, &protein.places, self.assemblies)?;
        match &mut self.sprinkler {
            Some(sprinkler) => sprinkler.after_protein(rank, protein, tables, &self.lineages),
            None => Ok(()),
        }
    }

    /// Adds a member to the cluster that is being summed up.
    fn add_member(&mut self, cluster: u64, payload: &[u8]) -> Result<()> {
        let representative = self.representative(cluster);
        let id = self.sum.add(representative, payload);
        self.tables.member(representative, id)
    }

    /// Writes the cluster that was summed up.
    fn write_cluster(&mut self, cluster: u64) -> Result<()> {
        let row = self.sum.take(self.representative(cluster), &self.lineages);
        self.tables.cluster(&row)?;
        match &mut self.sprinkler {
            Some(sprinkler) => sprinkler.after_cluster(self.ranks.of_representative(cluster), &row, &mut self.tables),
            None => Ok(()),
        }
    }

    /// Returns the number of the representative of a cluster.
    fn representative(&self, cluster: u64) -> u64 {
        self.ranks.id(self.ranks.of_representative(cluster))
    }

    /// Makes a sorter with a folder of its own.
    fn sorter(&self, scratch: &Path, name: &str) -> Result<Sorter> {
        let runs = scratch.join(name);
        fs::create_dir(&runs).map_err(Error::io("cannot create", &runs))?;
        Ok(Sorter::new(&runs, sorter_memory_bytes(self.plan)))
    }
}

/// Tells the progress now and then.
fn step(progress: &mut Progress, position: u64) {
    if position.is_multiple_of(PROGRESS_STEP) {
        progress.set(position);
    }
}
