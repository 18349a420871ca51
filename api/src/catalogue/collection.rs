//! The collections: one table that the routes, the answers and the description of the service are made from.

use std::borrow::Cow;

use super::filters::{Filter, FilterKind, OfWhat};
use store::Coordinate::{Latitude, Longitude};

/// The type of biomes.
pub(super) const BIOMES: &str = "biomes";

/// The type of studies.
pub(super) const STUDIES: &str = "studies";

/// The type of samples.
pub(super) const SAMPLES: &str = "samples";

/// The type of assemblies.
pub(super) const ASSEMBLIES: &str = "assemblies";

/// The type of tools of the analysis pipelines.
pub(super) const PIPELINE_TOOLS: &str = "pipeline-tools";

/// The type of functional categories.
pub(super) const COG_CATS: &str = "cog-cats";

/// The type of runs.
pub(super) const RUNS: &str = "runs";

/// A collection of resources of one type.
#[derive(Clone, Debug)]
pub(super) struct Collection {
    /// The path below the prefix, without a slash.
    pub(super) path: Cow<'static, str>,
    /// The type of its resources.
    pub(super) resource_type: Cow<'static, str>,
    /// What one of them is called, in `OPTIONS` (`Study List`, `Study Instance`) and, without spaces, in the name of a CSV file.
    pub(super) name: Cow<'static, str>,
    /// What the documentation says of it.
    pub(super) description: &'static str,
    /// The names that `ordering` takes.
    pub(super) orders: &'static [&'static str],
    /// The filters.
    pub(super) filters: &'static [Filter],
    /// What the list can include.
    pub(super) list_includes: &'static [&'static str],
    /// What a single resource can include.
    pub(super) single_includes: &'static [&'static str],
    /// The related collections.
    pub(super) relations: &'static [Relation],
}

/// A collection that hangs on a resource.
#[derive(Clone, Copy, Debug)]
pub(super) struct Relation {
    /// The name, which ends the path and is the name in `relationships`.
    pub(super) name: &'static str,
    /// The types of its members; several where the real service gives them several names.
    pub(super) member_types: &'static [&'static str],
    /// What its members are.
    pub(super) members: Members,
}

/// How the members of a related collection are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Members {
    /// The resource or the members name each other in their relationships, or the members were found in that related collection.
    Linked,
    /// Resources in the biome or below it.
    InLineage,
    /// The biome and all biomes below it.
    Descendants,
    /// Places, computed from the samples of the study.
    Places,
    /// The metadata entries of the sample.
    MetadataEntries,
}

/// The collections that are always there.
pub(super) static COLLECTIONS: [Collection; 6] = [
    Collection {
        path: Cow::Borrowed("biomes"),
        resource_type: Cow::Borrowed(BIOMES),
        name: Cow::Borrowed("Biome"),
        description: "Biomes, in the order of their tree. The root is not listed.",
        orders: &[],
        filters: &[
            Filter::new("filter[depth]", FilterKind::Attribute("depth"), "The number of levels of the lineage."),
            SEARCH,
        ],
        list_includes: &[],
        single_includes: &[],
        relations: &[
            Relation { name: "children", member_types: &[BIOMES], members: Members::Descendants },
            Relation { name: "studies", member_types: &[STUDIES], members: Members::InLineage },
            Relation { name: "samples", member_types: &[SAMPLES], members: Members::InLineage },
            linked("genomes", &["genomes"]),
        ],
    },
    Collection {
        path: Cow::Borrowed("studies"),
        resource_type: Cow::Borrowed(STUDIES),
        name: Cow::Borrowed("Study"),
        description: "Studies, the last updated first.",
        orders: &["study_id", "study_name", "last_update", "samples_count", "accession"],
        filters: &[
            Filter::new(
                "accession",
                FilterKind::AnyIdentifier,
                "Accessions (`MGYS…`, number, secondary or BioProject), separated by commas.",
            ),
            BIOME_NAME,
            Filter::new(
                "centre_name",
                FilterKind::Pattern("centre_name", OfWhat::Itself),
                "Regular expression on the centre's name.",
            ),
            Filter::new(
                "lineage",
                FilterKind::Lineage(OfWhat::Itself),
                "Lineage of a biome: studies with samples in it or below it.",
            ),
            SEARCH,
        ],
        list_includes: &["biomes", "downloads", "samples"],
        single_includes: &["biomes", "downloads", "samples", "publications", "analyses", "studies"],
        relations: &[
            linked("biomes", &[BIOMES]),
            linked("samples", &[SAMPLES]),
            linked("analyses", &["analysis-jobs", "analyses"]),
            linked("publications", &["publications"]),
            Relation { name: "geocoordinates", member_types: &["sample-geo-coordinates"], members: Members::Places },
            linked("downloads", &["study-downloads", "downloads"]),
            linked("studies", &[STUDIES]),
        ],
    },
    Collection {
        path: Cow::Borrowed("samples"),
        resource_type: Cow::Borrowed(SAMPLES),
        name: Cow::Borrowed("Sample"),
        description: "Samples, the last updated first.",
        orders: &["accession", "sample_name", "last_update"],
        filters: &[
            Filter::new(
                "accession",
                FilterKind::MainIdentifier,
                "Accessions, separated by commas. An unknown one is refused.",
            ),
            Filter::new(
                "experiment_type",
                FilterKind::OfRuns("experiment_type"),
                "Experiment types of the sample's runs, separated by commas.",
            ),
            BIOME_NAME,
            Filter::new(
                "lineage",
                FilterKind::Lineage(OfWhat::Itself),
                "Lineage of a biome: samples in it or below it.",
            ),
            Filter::new(
                "geo_loc_name",
                FilterKind::Pattern("geo_loc_name", OfWhat::Itself),
                "Regular expression on the name of the place.",
            ),
            Filter::new(
                "species",
                FilterKind::Pattern("species", OfWhat::Itself),
                "Regular expression on the host species.",
            ),
            Filter::new(
                "instrument_model",
                FilterKind::OfRunsPattern("instrument_model"),
                "Regular expression on the instrument model of the sample's runs.",
            ),
            Filter::new(
                "instrument_platform",
                FilterKind::OfRunsPattern("instrument_platform"),
                "Regular expression on the instrument platform of the sample's runs.",
            ),
            Filter::new("latitude_gte", FilterKind::CoordinateMin(Latitude), "Least latitude, degrees north."),
            Filter::new("latitude_lte", FilterKind::CoordinateMax(Latitude), "Greatest latitude, degrees north."),
            Filter::new("longitude_gte", FilterKind::CoordinateMin(Longitude), "Least longitude, degrees east."),
            Filter::new("longitude_lte", FilterKind::CoordinateMax(Longitude), "Greatest longitude, degrees east."),
            Filter::new("metadata_key", FilterKind::MetadataKey(OfWhat::Itself), METADATA_KEY),
            Filter::new("metadata_value", FilterKind::MetadataValue(OfWhat::Itself), METADATA_VALUE),
            Filter::new("metadata_value_gte", FilterKind::MetadataMin(OfWhat::Itself), METADATA_MIN),
            Filter::new("metadata_value_lte", FilterKind::MetadataMax(OfWhat::Itself), METADATA_MAX),
            Filter::new(
                "environment_material",
                FilterKind::Attribute("environment_material"),
                "The environment material, in full.",
            ),
            Filter::new(
                "environment_feature",
                FilterKind::Attribute("environment_feature"),
                "The environment feature, in full.",
            ),
            Filter::new(
                "study_accession",
                FilterKind::Linked(STUDIES),
                "Accession of a study, of any kind: samples of that study.",
            ),
            SEARCH,
        ],
        list_includes: &["runs", "biome"],
        single_includes: &["runs", "biome"],
        relations: &[
            linked("studies", &[STUDIES]),
            linked("runs", &[RUNS]),
            Relation { name: "metadata", member_types: &["sample-anns"], members: Members::MetadataEntries },
        ],
    },
    Collection {
        path: Cow::Borrowed("assemblies"),
        resource_type: Cow::Borrowed(ASSEMBLIES),
        name: Cow::Borrowed("Assembly"),
        description: "Assemblies, by falling accession.",
        orders: &["accession"],
        filters: &[
            Filter::new(
                "accession",
                FilterKind::MainIdentifier,
                "Accessions (`ERZ…`), separated by commas. An unknown one is refused.",
            ),
            Filter::new(
                "lineage",
                FilterKind::Lineage(OfWhat::Samples),
                "Lineage of a biome: assemblies of samples in it or below it.",
            ),
            Filter::new(
                "species",
                FilterKind::Pattern("species", OfWhat::Samples),
                "Regular expression on the host species of the samples.",
            ),
            Filter::new("metadata_key", FilterKind::MetadataKey(OfWhat::Samples), METADATA_KEY),
            Filter::new("metadata_value", FilterKind::MetadataValue(OfWhat::Samples), METADATA_VALUE),
            Filter::new("metadata_value_gte", FilterKind::MetadataMin(OfWhat::Samples), METADATA_MIN),
            Filter::new("metadata_value_lte", FilterKind::MetadataMax(OfWhat::Samples), METADATA_MAX),
            Filter::new("sample_accession", FilterKind::Linked(SAMPLES), "Accession of a sample, `ERS…` or BioSample."),
            Filter::new("run_accession", FilterKind::Linked(RUNS), "Accession of a run."),
            SEARCH,
        ],
        list_includes: &["runs"],
        single_includes: &["runs"],
        relations: &[
            linked("runs", &[RUNS]),
            linked("analyses", &["analysis-jobs", "analyses"]),
            linked("extra-annotations", &["extra-annotations", "assembly-extra-annotations"]),
        ],
    },
    Collection {
        path: Cow::Borrowed("pipeline-tools"),
        resource_type: Cow::Borrowed(PIPELINE_TOOLS),
        name: Cow::Borrowed("Pipeline Tool"),
        description: "Tools of the analysis pipelines, one for each version.",
        orders: &[],
        filters: &[],
        list_includes: &[],
        single_includes: &[],
        relations: &[],
    },
    Collection {
        path: Cow::Borrowed("cogs"),
        resource_type: Cow::Borrowed(COG_CATS),
        name: Cow::Borrowed("Cog Cat"),
        description: "Functional categories (COG), by falling name.",
        orders: &["name"],
        filters: &[],
        list_includes: &[],
        single_includes: &[],
        relations: &[],
    },
];

/// Full-text search.
const SEARCH: Filter = Filter::new(
    "search",
    FilterKind::Text,
    "Words, separated by spaces or commas, all of which stand in names, abstracts, descriptions, metadata values or accessions.",
);

/// The biome by name.
const BIOME_NAME: Filter = Filter::new(
    "biome_name",
    FilterKind::LineagePattern,
    "Regular expression on the full lineage, without regard to case.",
);

/// What `metadata_key` is.
const METADATA_KEY: &str =
    "Key of a metadata entry; with `metadata_value…` it is one and the same entry that has both.";

/// What `metadata_value` is.
const METADATA_VALUE: &str = "Value of a metadata entry, in full.";

/// What `metadata_value_gte` is.
const METADATA_MIN: &str = "Least value of a metadata entry that is a number.";

/// What `metadata_value_lte` is.
const METADATA_MAX: &str = "Greatest value of a metadata entry that is a number.";

/// A related collection whose members and parent name each other.
const fn linked(name: &'static str, member_types: &'static [&'static str]) -> Relation {
    Relation { name, member_types, members: Members::Linked }
}
