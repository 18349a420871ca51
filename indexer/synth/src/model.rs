//! What a release is drawn from, as its plan determines it.

use indexer::Unit;

use crate::assemblies::Assemblies;
use crate::clusters::{ClusterSizes, Ranks};
use crate::lineages::Lineages;
use crate::progress::Steps;
use crate::{SynthPlan, inputs};

pub(crate) struct Model {
    pub(crate) sizes: ClusterSizes,
    pub(crate) ranks: Ranks,
    /// Pfam families, the most frequent first.
    pub(crate) families: Vec<u64>,
    pub(crate) lineages: Lineages,
    pub(crate) assemblies: Assemblies,
}

impl Model {
    pub(crate) fn new(plan: &SynthPlan) -> Self {
        let mut sizes = ClusterSizes::new(plan.seed, plan.num_proteins);
        let num_clusters = if plan.only_representatives {
            plan.num_proteins
        } else {
            let mut progress = Steps::start("counting", Unit::Proteins, plan.num_proteins);
            let num_clusters = sizes.fit(plan.num_proteins, |size| progress.add(size));
            progress.finish();
            num_clusters
        };
        let lineages = Lineages::new(inputs::lineages());
        let assemblies = Assemblies::new(plan.seed, lineages.shares());
        let ranks = Ranks::new(plan.seed, plan.num_proteins, num_clusters);
        Self { sizes, ranks, families: inputs::families(), lineages, assemblies }
    }
}
