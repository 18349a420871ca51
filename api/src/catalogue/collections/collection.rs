//! The collections: one table that the routes, the answers and the description of the service are made from.

mod filter_tables;

use std::borrow::Cow;
use std::sync::LazyLock;

use store::model::{
    ANALYSIS_JOBS, ASSEMBLIES, BIOMES, COG_CATS, EXPERIMENT_TYPES, GENOME_CATALOGUES, GENOME_SETS, GENOMES,
    PIPELINE_TOOLS, PIPELINES, PUBLICATIONS, RUNS, Relation, ResourceType, SAMPLES, STUDIES, SUPER_STUDIES, SortKey,
};

pub(super) use filter_tables::OTHER_FILTERS;

use super::filter::{Filter, FilterKind};
use filter_tables::{
    ANALYSIS_FILTERS, ASSEMBLY_FILTERS, BIOME_FILTERS, GENOME_CATALOGUE_FILTERS, GENOME_FILTERS, OF_RUNS, OF_SAMPLES,
    PUBLICATION_FILTERS, RUN_FILTERS, SAMPLE_FILTERS, STUDY_FILTERS, SUPER_STUDY_FILTERS,
};

#[derive(Clone, Debug)]
pub(crate) struct Collection {
    /// The path below the prefix, without a slash.
    pub(crate) path: Cow<'static, str>,
    pub(crate) resource_type: Cow<'static, str>,
    /// What one of them is called, in `OPTIONS` (`Study List`, `Study Instance`) and, without spaces, in the name of a CSV file.
    pub(crate) name: Cow<'static, str>,
    pub(crate) description: &'static str,
    pub(crate) orders: &'static [(&'static str, SortKey)],
    /// In groups, some of which several collections have.
    pub(crate) filters: &'static [&'static [Filter]],
    pub(crate) list_includes: &'static [&'static str],
    pub(crate) single_includes: &'static [&'static str],
    /// What comes along unasked, unless sparse fields leave it out.
    pub(crate) always_included: &'static [&'static str],
    pub(crate) relations: &'static [Relation],
}

impl Collection {
    /// Returns what is known of the collection of a type, without filters and includes.
    pub(crate) fn of(resource_type: &str) -> Self {
        let &ResourceType { path, singular, orders, relations, .. } = ResourceType::rules_of(resource_type);
        Self {
            path: Cow::Borrowed(path),
            resource_type: Cow::Owned(resource_type.to_owned()),
            name: Cow::Borrowed(singular),
            description: "Resources as they were loaded.",
            orders,
            filters: &[],
            list_includes: &[],
            single_includes: &[],
            always_included: &[],
            relations,
        }
    }

    pub(crate) fn filters(&self) -> impl Iterator<Item = &'static Filter> + use<> {
        self.filters.iter().copied().flatten()
    }

    /// Tells whether the texts of its resources can be searched.
    pub(crate) fn is_searched(&self) -> bool {
        self.filters().any(|filter| matches!(filter.kind, FilterKind::Text(_)))
    }
}

/// The collections that are always there, in the order in which the root lists them.
pub(crate) static COLLECTIONS: LazyLock<[Collection; 15]> = LazyLock::new(|| {
    [
        Collection {
            description: "Biomes, in the order of their tree. The root is not listed.",
            filters: &[BIOME_FILTERS],
            ..Collection::of(BIOMES)
        },
        Collection {
            description: "Studies, the last updated first.",
            filters: &[STUDY_FILTERS],
            list_includes: &["biomes", "downloads", "samples"],
            single_includes: &["biomes", "downloads", "samples", "publications", "analyses", "studies"],
            ..Collection::of(STUDIES)
        },
        Collection {
            description: "Samples, the last updated first.",
            filters: &[SAMPLE_FILTERS],
            list_includes: &["runs", "biome"],
            single_includes: &["runs", "biome"],
            ..Collection::of(SAMPLES)
        },
        Collection {
            description: "Assemblies, by falling accession.",
            filters: &[ASSEMBLY_FILTERS, OF_SAMPLES],
            list_includes: &["runs"],
            single_includes: &["runs"],
            ..Collection::of(ASSEMBLIES)
        },
        Collection {
            description: "Tools of the analysis pipelines, one for each version.",
            ..Collection::of(PIPELINE_TOOLS)
        },
        Collection { description: "Functional categories (COG), by falling name.", ..Collection::of(COG_CATS) },
        Collection {
            description: "Runs, by falling accession.",
            filters: &[RUN_FILTERS, OF_RUNS, OF_SAMPLES],
            list_includes: &["sample", "assemblies"],
            single_includes: &["sample", "assemblies"],
            ..Collection::of(RUNS)
        },
        Collection {
            description: "Analyses of runs and assemblies, those of the newest pipeline first, then by number.",
            filters: &[ANALYSIS_FILTERS, OF_RUNS, OF_SAMPLES],
            list_includes: &["sample", "downloads", "assembly"],
            single_includes: &["sample", "downloads", "assembly"],
            ..Collection::of(ANALYSIS_JOBS)
        },
        Collection {
            description: "Publications about studies, by falling PubMed id.",
            filters: &[PUBLICATION_FILTERS],
            ..Collection::of(PUBLICATIONS)
        },
        Collection {
            description: "Versions of the analysis pipeline, with their tools.",
            list_includes: &["tools"],
            single_includes: &["tools"],
            always_included: &["tools"],
            ..Collection::of(PIPELINES)
        },
        Collection { description: "Kinds of experiments, by name.", ..Collection::of(EXPERIMENT_TYPES) },
        Collection {
            description: "Collections of studies under one name, by number.",
            filters: &[SUPER_STUDY_FILTERS],
            list_includes: &["biomes"],
            single_includes: &["biomes", "flagship-studies", "related-studies", "related-genome-catalogues"],
            ..Collection::of(SUPER_STUDIES)
        },
        Collection {
            description: "Genomes from metagenomes and isolates, by falling accession.",
            filters: &[GENOME_FILTERS],
            list_includes: &["catalogue"],
            single_includes: &["catalogue", "downloads"],
            ..Collection::of(GENOMES)
        },
        Collection {
            description: "Catalogues of genomes, by id.",
            filters: &[GENOME_CATALOGUE_FILTERS],
            single_includes: &["genomes", "downloads"],
            ..Collection::of(GENOME_CATALOGUES)
        },
        Collection { description: "Sets that genomes came from, by falling name.", ..Collection::of(GENOME_SETS) },
    ]
});
