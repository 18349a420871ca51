//! The collections: one table that the routes, the answers and the description of the service are made from.

use std::borrow::Cow;
use std::sync::LazyLock;

use store::Coordinate::{Latitude, Longitude};
use store::model::{
    ASSEMBLIES, BIOMES, COG_CATS, PIPELINE_TOOLS, RUNS, Relation, ResourceType, SAMPLES, STUDIES, SortKey,
};

use super::filter::{Filter, FilterKind, OfWhat};

#[derive(Clone, Debug)]
pub(super) struct Collection {
    /// The path below the prefix, without a slash.
    pub(super) path: Cow<'static, str>,
    pub(super) resource_type: Cow<'static, str>,
    /// What one of them is called, in `OPTIONS` (`Study List`, `Study Instance`) and, without spaces, in the name of a CSV file.
    pub(super) name: Cow<'static, str>,
    pub(super) description: &'static str,
    pub(super) orders: &'static [(&'static str, SortKey)],
    pub(super) filters: &'static [Filter],
    pub(super) list_includes: &'static [&'static str],
    pub(super) single_includes: &'static [&'static str],
    pub(super) relations: &'static [Relation],
}

impl Collection {
    /// Returns what is known of the collection of a type, without filters and includes.
    pub(super) fn of(resource_type: &str) -> Self {
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
            relations,
        }
    }
}

/// The collections that are always there, in the order in which the root lists them.
pub(super) static COLLECTIONS: LazyLock<[Collection; 6]> = LazyLock::new(|| {
    [
        Collection {
            description: "Biomes, in the order of their tree. The root is not listed.",
            filters: BIOME_FILTERS,
            ..Collection::of(BIOMES)
        },
        Collection {
            description: "Studies, the last updated first.",
            filters: STUDY_FILTERS,
            list_includes: &["biomes", "downloads", "samples"],
            single_includes: &["biomes", "downloads", "samples", "publications", "analyses", "studies"],
            ..Collection::of(STUDIES)
        },
        Collection {
            description: "Samples, the last updated first.",
            filters: SAMPLE_FILTERS,
            list_includes: &["runs", "biome"],
            single_includes: &["runs", "biome"],
            ..Collection::of(SAMPLES)
        },
        Collection {
            description: "Assemblies, by falling accession.",
            filters: ASSEMBLY_FILTERS,
            list_includes: &["runs"],
            single_includes: &["runs"],
            ..Collection::of(ASSEMBLIES)
        },
        Collection {
            description: "Tools of the analysis pipelines, one for each version.",
            ..Collection::of(PIPELINE_TOOLS)
        },
        Collection { description: "Functional categories (COG), by falling name.", ..Collection::of(COG_CATS) },
    ]
});

const BIOME_FILTERS: &[Filter] =
    &[Filter::new("filter[depth]", FilterKind::Attribute("depth"), "The number of levels of the lineage."), SEARCH];

const STUDY_FILTERS: &[Filter] = &[
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
];

const SAMPLE_FILTERS: &[Filter] = &[
    Filter::new("accession", FilterKind::MainIdentifier, "Accessions, separated by commas. An unknown one is refused."),
    Filter::new(
        "experiment_type",
        FilterKind::OfRuns("experiment_type"),
        "Experiment types of the sample's runs, separated by commas.",
    ),
    BIOME_NAME,
    Filter::new("lineage", FilterKind::Lineage(OfWhat::Itself), "Lineage of a biome: samples in it or below it."),
    Filter::new(
        "geo_loc_name",
        FilterKind::Pattern("geo_loc_name", OfWhat::Itself),
        "Regular expression on the name of the place.",
    ),
    Filter::new("species", FilterKind::Pattern("species", OfWhat::Itself), "Regular expression on the host species."),
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
];

const ASSEMBLY_FILTERS: &[Filter] = &[
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
];

const SEARCH: Filter = Filter::new(
    "search",
    FilterKind::Text,
    "Words, separated by spaces or commas, all of which stand in names, abstracts, descriptions, metadata values or accessions.",
);

const BIOME_NAME: Filter = Filter::new(
    "biome_name",
    FilterKind::LineagePattern,
    "Regular expression on the full lineage, without regard to case.",
);

const METADATA_KEY: &str =
    "Key of a metadata entry; with `metadata_value…` it is one and the same entry that has both.";

const METADATA_VALUE: &str = "Value of a metadata entry, in full.";

const METADATA_MIN: &str = "Least value of a metadata entry that is a number.";

const METADATA_MAX: &str = "Greatest value of a metadata entry that is a number.";
