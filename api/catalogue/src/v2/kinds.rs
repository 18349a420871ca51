//! The table of version 2: the types of its lists, their filters and orders, and the lists below
//! their resources.

use store_catalogue::model::{
    ANALYSIS_JOBS, ASSEMBLIES, BIOMES, GENOME_CATALOGUES, GENOMES, PUBLICATIONS, RUNS, SAMPLES, STUDIES, SUPER_STUDIES,
};

use super::filter::{Filter, FilterKind};

/// A type of version 2.
#[derive(Debug)]
pub(super) struct Kind {
    /// The path below the prefix, without a slash.
    pub(super) path: &'static str,
    pub(super) resource_type: &'static str,
    /// The names of one resource and of several, in words.
    pub(super) singular: &'static str,
    pub(super) plural: &'static str,
    /// The identifier in the path of a detail.
    pub(super) id: Id,
    /// The text of the 404 for an unknown resource; `{}` is replaced by the requested identifier.
    pub(super) unknown: &'static str,
    /// Set if items of its own list have all members of details.
    pub(super) is_listed_whole: bool,
    /// The order of lists, with its name in the store, and whether it is descending.
    pub(super) default_order: (&'static str, bool),
    /// The orders by name, each with its name in the store.
    pub(super) orders: &'static [(&'static str, &'static str)],
    pub(super) filters: &'static [Filter],
    pub(super) page_size: usize,
    pub(super) sublists: &'static [Sublist],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Id {
    /// The type has no details.
    None,
    /// Only the key of its document, such as `MGYS00002072`.
    Key(&'static str),
    /// Any of its accessions.
    Accession,
    /// A number, in any form that Python accepts.
    Number,
}

/// A list below a resource.
#[derive(Debug)]
pub(super) struct Sublist {
    /// The end of the path, which is also the name of the relation of version 1 that finds the
    /// members.
    pub(super) name: &'static str,
    pub(super) resource_type: &'static str,
    /// Set if items have all members of details.
    pub(super) is_whole: bool,
    /// Set if it has the filters and orders of the list of its type.
    pub(super) is_selected: bool,
}

const fn sublist(name: &'static str, resource_type: &'static str, is_whole: bool) -> Sublist {
    Sublist { name, resource_type, is_whole, is_selected: false }
}

pub(super) const PAGE_SIZE: usize = 100;

const BIOME_LINEAGE: Filter = Filter::new(
    "biome_lineage",
    FilterKind::BiomeLineage,
    "A lineage from the root on, such as `root:Environmental:Aquatic`. Selects items in this biome or below it. Letter case is ignored, and \
     spaces, dashes and brackets are the same as underscores.",
);

const UPDATED_AT: (&str, &str) = ("updated_at", "@updated_at");

pub(super) static KINDS: [Kind; 10] = [
    Kind {
        path: "studies",
        resource_type: STUDIES,
        singular: "Study",
        plural: "Studies",
        id: Id::Key("MGYS00002072"),
        unknown: "Study with accession = {}  was not found",
        orders: &[("accession", "accession"), UPDATED_AT],
        filters: &[
            BIOME_LINEAGE,
            Filter::new(
                "has_analyses_from_pipeline",
                FilterKind::Pipeline,
                "`V6` and `V6.1`: studies with analyses of version 6 of the pipeline; `V5`: with analyses of an earlier one. Other versions \
                 change nothing.",
            ),
            Filter::new(
                "search",
                FilterKind::Search { is: Some("accession"), has: &["study_name", "@ena"] },
                "The accession, or a part of the title or of an accession of the European Nucleotide Archive, in any letter case.",
            ),
        ],
        sublists: &[
            sublist("samples", SAMPLES, true),
            sublist("analyses", ANALYSIS_JOBS, false),
            sublist("publications", PUBLICATIONS, false),
        ],
        ..OTHER
    },
    Kind {
        path: "samples",
        resource_type: SAMPLES,
        singular: "Sample",
        plural: "Samples",
        id: Id::Accession,
        unknown: "No sample available for accession {}",
        default_order: ("@accession", false),
        orders: &[("sample_title", "@sample_title"), UPDATED_AT],
        filters: &[
            BIOME_LINEAGE,
            Filter::new(
                "search",
                FilterKind::Search { is: None, has: &["sample_name", "@ena"] },
                "A part of the title or of an accession of the European Nucleotide Archive, in any letter case.",
            ),
        ],
        sublists: &[sublist("runs", RUNS, false), sublist("assemblies", ASSEMBLIES, true)],
        ..OTHER
    },
    Kind {
        path: "runs",
        resource_type: RUNS,
        singular: "Run",
        plural: "Runs",
        id: Id::Accession,
        unknown: "Analysed run with accession {} not found.",
        filters: &[Filter::new("has_experiment_type", FilterKind::ExperimentType, "The experiment type of the run.")],
        sublists: &[sublist("analyses", ANALYSIS_JOBS, false), sublist("assemblies", ASSEMBLIES, true)],
        ..OTHER
    },
    Kind {
        path: "assemblies",
        resource_type: ASSEMBLIES,
        singular: "Assembly",
        plural: "Assemblies",
        id: Id::Accession,
        sublists: &[sublist("analyses", ANALYSIS_JOBS, false)],
        ..OTHER
    },
    Kind {
        path: "analyses",
        resource_type: ANALYSIS_JOBS,
        singular: "Analysis",
        plural: "Analyses",
        id: Id::Key("MGYA09000001"),
        unknown: "Analysis with accession = {}  was not found",
        is_listed_whole: true,
        ..OTHER
    },
    Kind {
        path: "publications",
        resource_type: PUBLICATIONS,
        singular: "Publication",
        plural: "Publications",
        id: Id::Number,
        unknown: "Publication with pubmed_id = {}  was not found",
        default_order: ("pubmed_id", false),
        orders: &[("published_year", "@published_year")],
        filters: &[
            Filter::new("published_after", FilterKind::YearMin, "The first year."),
            Filter::new("published_before", FilterKind::YearMax, "The last year."),
            Filter::new(
                "title",
                FilterKind::Search { is: None, has: &["pub_title"] },
                "A part of the title, in any letter case.",
            ),
        ],
        ..OTHER
    },
    Kind {
        path: "super-studies",
        resource_type: SUPER_STUDIES,
        singular: "SuperStudy",
        plural: "Super-studies",
        id: Id::Key("tara-oceans"),
        unknown: "SuperStudy with slug = {}  was not found",
        default_order: ("@place", false),
        page_size: 50,
        ..OTHER
    },
    Kind {
        path: "genomes",
        resource_type: GENOMES,
        singular: "Genome",
        plural: "Genomes",
        id: Id::Key("MGYG000000001"),
        orders: &[
            ("accession", "accession"),
            ("length", "length"),
            ("completeness", "completeness"),
            ("contamination", "contamination"),
            ("num_genomes_total", "@num_genomes_total"),
        ],
        filters: &[
            BIOME_LINEAGE,
            Filter::new(
                "search",
                FilterKind::Search { is: Some("accession"), has: &["taxon_lineage", "@catalogue_id"] },
                "The accession, or a part of the taxonomic lineage or of the id of the catalogue, in any letter case.",
            ),
        ],
        ..OTHER
    },
    Kind {
        path: "genomes/catalogues",
        resource_type: GENOME_CATALOGUES,
        singular: "Catalogue",
        plural: "Genome catalogues",
        id: Id::Key("human-gut-v2-0-2"),
        default_order: ("catalogue_id", false),
        sublists: &[Sublist { is_selected: true, ..sublist("genomes", GENOMES, false) }],
        ..OTHER
    },
    Kind {
        path: "biomes",
        resource_type: BIOMES,
        singular: "Biome",
        plural: "Biomes",
        default_order: ("@path", false),
        filters: &[
            BIOME_LINEAGE,
            Filter::new("max_depth", FilterKind::DepthMax, "The maximum number of levels. The root has one level."),
        ],
        ..OTHER
    },
];

/// The values that most types share.
const OTHER: Kind = Kind {
    path: "",
    resource_type: "",
    singular: "",
    plural: "",
    id: Id::None,
    unknown: super::refusal::NOT_FOUND,
    is_listed_whole: false,
    default_order: ("accession", false),
    orders: &[],
    filters: &[],
    page_size: PAGE_SIZE,
    sublists: &[],
};

impl Kind {
    pub(super) fn at(path: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.path == path)
    }

    pub(super) fn of(resource_type: &str) -> &'static Self {
        let found = KINDS.iter().find(|kind| kind.resource_type == resource_type);
        found.expect("sublists have types of the table")
    }

    /// Returns the values of `order`.
    pub(super) fn order_names(&self) -> Vec<String> {
        let both = self.orders.iter().flat_map(|(name, _)| [(*name).to_owned(), format!("-{name}")]);
        both.chain([String::new()]).collect()
    }
}

#[cfg(test)]
mod tests {
    use store_catalogue::model::ResourceType;

    use super::*;

    #[test]
    fn every_order_exists_in_the_store() {
        for kind in &KINDS {
            let ResourceType { orders, document_orders, .. } = ResourceType::rules_of(kind.resource_type);
            let named = kind.orders.iter().map(|(_, field)| *field).chain([kind.default_order.0]);
            for field in named {
                assert!(
                    orders.iter().chain(*document_orders).any(|(name, _)| *name == field),
                    "{field} of {}",
                    kind.path
                );
            }
            for sublist in kind.sublists {
                assert_eq!(Kind::of(sublist.resource_type).resource_type, sublist.resource_type);
            }
        }
    }

    #[test]
    fn both_directions_of_an_order_have_names() {
        let publications = Kind::at("publications").expect("in the table");
        assert_eq!(publications.order_names(), ["published_year", "-published_year", ""]);
    }
}
