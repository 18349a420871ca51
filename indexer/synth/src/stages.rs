//! The stages of a run: cluster members are placed among the proteins, then proteins are written,
//! then clusters.

use std::path::Path;
use std::thread;

use indexer::{Error, Progress, Result, SortedEntries, Unit};

use crate::cluster::Cluster;
use crate::fault_writer::FaultWriter;
use crate::faults::FaultSchedule;
use crate::files::sorter;
use crate::model::Model;
use crate::protein::Protein;
use crate::proteins::Proteins;
use crate::random::{Permutation, Purpose, Random};
use crate::tables::Tables;
use crate::{SynthPlan, SynthReport};

/// Writes a release into `folder`, with temporary files in `scratch`.
pub(crate) fn write(plan: &SynthPlan, folder: &Path, scratch: &Path) -> Result<SynthReport> {
    let model = Model::new(plan);
    thread::scope(|scope| {
        let tables = Tables::create(scope, plan, &model, folder, scratch)?;
        let fault_writer = FaultWriter { schedule: FaultSchedule::new(plan), model: &model };
        let mut stages = Stages { plan, model: &model, tables, fault_writer };
        if plan.only_representatives {
            stages.write_representatives()?;
        } else {
            let members = stages.place_members(scratch)?;
            let proteins = stages.write_proteins(members, scratch)?;
            stages.write_clusters(proteins)?;
        }
        stages.tables.finish(folder, plan.faults)
    })
}

struct Stages<'a, 'scope> {
    plan: &'a SynthPlan,
    model: &'a Model,
    tables: Tables<'a, 'scope>,
    fault_writer: FaultWriter<'a>,
}

impl Stages<'_, '_> {
    /// Returns the clusters of all members that are not representatives, in the order of the
    /// proteins.
    fn place_members(&self, scratch: &Path) -> Result<SortedEntries> {
        let num_members = self.model.ranks.num_proteins - self.model.ranks.num_clusters;
        let slots = Permutation::new(Purpose::Members.stream(self.plan.seed), num_members);
        let mut sorter = sorter(self.plan, scratch, "members")?;
        let progress = Progress::start("members", Unit::Proteins, num_members);
        let mut num_placed = 0;
        for cluster in 0..self.model.ranks.num_clusters {
            for _ in 1..self.model.sizes.at(cluster) {
                sorter.push_value(slots.at(num_placed), &cluster)?;
                num_placed += 1;
                progress.set(num_placed);
            }
        }
        progress.finish();
        sorter.finish()
    }

    /// Writes all proteins, and returns their ranks in the order of the clusters.
    fn write_proteins(&mut self, mut members: SortedEntries, scratch: &Path) -> Result<SortedEntries> {
        let ranks = &self.model.ranks;
        let mut sorter = sorter(self.plan, scratch, "clusters")?;
        let mut proteins = Proteins::new(self.plan, self.model);
        let mut protein = Protein::default();
        let mut payload = Vec::new();
        let progress = Progress::start("proteins", Unit::Proteins, ranks.num_proteins);
        for rank in 0..ranks.num_proteins {
            let cluster = match ranks.represented(rank) {
                Some(cluster) => cluster,
                None => members.next_value(&mut payload)?.ok_or(Error::CorruptSpill)?.1,
            };
            proteins.make(rank, cluster, &mut protein);
            self.write_protein(rank, &protein)?;
            sorter.push_value(cluster, &rank)?;
            progress.add(1);
        }
        progress.finish();
        sorter.finish()
    }

    /// Writes all clusters with their members, whose ranks are given. Proteins are made again,
    /// which takes no longer than sorting them.
    fn write_clusters(&mut self, mut members: SortedEntries) -> Result<()> {
        let mut proteins = Proteins::new(self.plan, self.model);
        let mut protein = Protein::default();
        let mut payload = Vec::new();
        let progress = Progress::start("clusters", Unit::Proteins, self.model.ranks.num_proteins);
        for cluster in 0..self.model.ranks.num_clusters {
            let mut sum = Cluster::default();
            for _ in 0..self.model.sizes.at(cluster) {
                let (_, rank) = members.next_value(&mut payload)?.ok_or(Error::CorruptSpill)?;
                proteins.make(rank, cluster, &mut protein);
                sum.add(&protein);
                self.tables.member(&protein)?;
            }
            progress.add(sum.size);
            self.write_cluster(cluster, &sum)?;
        }
        progress.finish();
        Ok(())
    }

    /// Writes proteins that are all representatives, together with their clusters.
    fn write_representatives(&mut self) -> Result<()> {
        let mut proteins = Proteins::new(self.plan, self.model);
        let mut protein = Protein::default();
        let stream = Purpose::Clusters.stream(self.plan.seed);
        let progress = Progress::start("proteins", Unit::Proteins, self.model.ranks.num_proteins);
        for rank in 0..self.model.ranks.num_proteins {
            proteins.make(rank, rank, &mut protein);
            self.write_protein(rank, &protein)?;
            let mut sum = Cluster::default();
            sum.add(&protein);
            self.tables.member(&protein)?;
            let num_absent = self.model.sizes.at(rank) - 1;
            sum.add_absent(num_absent, &mut Random::new(stream, rank), &self.model.assemblies);
            self.write_cluster(rank, &sum)?;
            progress.add(1);
        }
        progress.finish();
        Ok(())
    }

    fn write_protein(&mut self, rank: u64, protein: &Protein) -> Result<()> {
        self.tables.protein(protein)?;
        self.fault_writer.after_protein(rank, protein, &mut self.tables)
    }

    fn write_cluster(&mut self, cluster: u64, sum: &Cluster) -> Result<()> {
        let rank = self.model.ranks.representative_rank(cluster);
        self.tables.cluster(self.model.ranks.id(rank), sum)?;
        self.fault_writer.after_cluster(rank, sum, &mut self.tables)
    }
}
