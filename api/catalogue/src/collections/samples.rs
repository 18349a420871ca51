//! Biomes, studies and samples.

use store_catalogue::Coordinate::{Latitude, Longitude};
use store_catalogue::model::{BIOMES, SAMPLES, STUDIES};

use super::collection::{Collection, Id};
use super::common_filters::{
    BIOME_NAME, DATE_MAX, DATE_MIN, EXPERIMENT_TYPE, METADATA_KEY, METADATA_MAX, METADATA_MIN, METADATA_VALUE, SEARCH,
    STUDY_ACCESSION, UPDATED_FIRST, UPDATED_LAST,
};
use super::filter::FilterKind::{
    AnyIdentifier, Attribute, Box, Choice, CoordinateMax, CoordinateMin, DateMax, DateMin, Lineage, MainIdentifier,
    MetadataKey, MetadataMax, MetadataMin, MetadataValue, Near, Number, Pattern,
};
use super::filter::FilterScope::{Own, Runs};
use super::filter::{Choices, Filter, filter};

const STUDY_FILTERS: &[Filter] = &[
    filter("accession", AnyIdentifier, "Accessions (`MGYS…`, number, secondary or BioProject), separated by commas."),
    BIOME_NAME,
    filter("centre_name", Pattern("centre_name", Own), "Regular expression on the centre's name."),
    filter("lineage", Lineage(Own), "Lineage of a biome. Selects studies with samples in this biome or below it."),
    UPDATED_FIRST,
    UPDATED_LAST,
    SEARCH,
];

const SAMPLE_FILTERS: &[Filter] = &[
    filter("accession", MainIdentifier, "Accessions, separated by commas. Unknown ones are rejected."),
    filter(
        "experiment_type",
        Choice(Choices { scope: Runs, ..EXPERIMENT_TYPE }),
        "Experiment types of the sample's runs, separated by commas.",
    ),
    BIOME_NAME,
    filter("lineage", Lineage(Own), "Lineage of a biome. Selects samples in this biome or below it."),
    filter("geo_loc_name", Pattern("geo_loc_name", Own), "Regular expression on the name of the place."),
    filter("species", Pattern("species", Own), "Regular expression on the host species."),
    filter(
        "instrument_model",
        Pattern("instrument_model", Runs),
        "Regular expression on the instrument model of the sample's runs.",
    ),
    filter(
        "instrument_platform",
        Pattern("instrument_platform", Runs),
        "Regular expression on the instrument platform of the sample's runs.",
    ),
    filter("latitude_gte", CoordinateMin(Latitude), "Minimum latitude, in degrees north."),
    filter("latitude_lte", CoordinateMax(Latitude), "Maximum latitude, in degrees north."),
    filter("longitude_gte", CoordinateMin(Longitude), "Minimum longitude, in degrees east."),
    filter("longitude_lte", CoordinateMax(Longitude), "Maximum longitude, in degrees east."),
    filter(
        "bbox",
        Box,
        "West, south, east and north of a box in degrees, separated by commas: `-10,35,30,70`. The box includes its edges. \
        If west is greater than east, the box crosses the date line.",
    ),
    filter(
        "near",
        Near,
        "Latitude and longitude of a point in degrees, and the maximum distance from it in kilometres, separated by \
        commas: `52.5,13.4,100`. Distances are measured on a sphere.",
    ),
    filter("collection_date_gte", DateMin("collection_date"), DATE_MIN),
    filter("collection_date_lte", DateMax("collection_date"), DATE_MAX),
    UPDATED_FIRST,
    UPDATED_LAST,
    filter("metadata_key", MetadataKey(Own), METADATA_KEY),
    filter("metadata_value", MetadataValue(Own), METADATA_VALUE),
    filter("metadata_value_gte", MetadataMin(Own), METADATA_MIN),
    filter("metadata_value_lte", MetadataMax(Own), METADATA_MAX),
    filter("environment_material", Attribute("environment_material"), "The full environment material."),
    filter("environment_feature", Attribute("environment_feature"), "The full environment feature."),
    STUDY_ACCESSION,
    SEARCH,
];

pub(super) fn collections() -> [Collection; 3] {
    [
        Collection {
            description: "Biomes in tree order, without the root.",
            id: Id::new("The full lineage.", "root:Environmental:Aquatic:Marine"),
            filters: const { &[&[filter("depth", Number("depth"), "The number of levels of the lineage."), SEARCH]] },
            refuses_unknown: true,
            links_alone: &["studies", "samples", "children", "genomes"],
            ..Collection::of(BIOMES)
        },
        Collection {
            description: "Studies, the most recently updated first.",
            id: Id::new(
                "The accession (`MGYS…`), its number, the secondary accession or the BioProject accession.",
                "MGYS00001962",
            ),
            filters: &[STUDY_FILTERS],
            includes: &["biomes", "downloads", "samples"],
            single_includes: &["publications", "analyses", "studies"],
            links_alone: &["geocoordinates"],
            columns: &["study-name", "centre-name", "samples-count", "last-update"],
            ..Collection::of(STUDIES)
        },
        Collection {
            description: "Samples, the most recently updated first.",
            id: Id::new(
                "The accession (`ERS…`) or the BioSample accession. Related collections accept only the former.",
                "ERS738040",
            ),
            is_related_by_id_only: true,
            filters: &[SAMPLE_FILTERS],
            includes: &["runs", "biome"],
            columns: &["sample-name", "sample-desc", "geo-loc-name", "latitude", "longitude", "last-update"],
            ..Collection::of(SAMPLES)
        },
    ]
}
