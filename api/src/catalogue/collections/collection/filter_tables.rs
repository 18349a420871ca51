//! The filters of each collection.

use store::Coordinate::{Latitude, Longitude};
use store::model::{EXPERIMENT_TYPES, PIPELINES, RUNS, SAMPLES, STUDIES};

use super::super::filter::{Choice, Filter, FilterKind, OfWhat, Part};

/// Of types that the table does not have.
pub(crate) const OTHER_FILTERS: &[Filter] =
    &[Filter::new("accession", FilterKind::AnyIdentifier, "Ids or accessions, separated by commas."), SEARCH];

pub(super) const BIOME_FILTERS: &[Filter] =
    &[Filter::new("depth", FilterKind::Attribute("depth"), "The number of levels of the lineage."), SEARCH];

pub(super) const STUDY_FILTERS: &[Filter] = &[
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

pub(super) const SAMPLE_FILTERS: &[Filter] = &[
    Filter::new("accession", FilterKind::MainIdentifier, "Accessions, separated by commas. An unknown one is refused."),
    Filter::new(
        "experiment_type",
        FilterKind::Choice(Choice { of: OfWhat::Runs, ..EXPERIMENT_TYPE }),
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
        FilterKind::Pattern("instrument_model", OfWhat::Runs),
        "Regular expression on the instrument model of the sample's runs.",
    ),
    Filter::new(
        "instrument_platform",
        FilterKind::Pattern("instrument_platform", OfWhat::Runs),
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
    STUDY_ACCESSION,
    SEARCH,
];

pub(super) const ASSEMBLY_FILTERS: &[Filter] = &[
    Filter::new(
        "accession",
        FilterKind::MainIdentifier,
        "Accessions (`ERZ…`), separated by commas. An unknown one is refused.",
    ),
    Filter::new("run_accession", FilterKind::Linked(RUNS), "Accessions of runs, separated by commas."),
    SEARCH,
];

pub(super) const RUN_FILTERS: &[Filter] = &[
    Filter::new("accession", FilterKind::MainIdentifier, "Accessions, separated by commas. An unknown one is refused."),
    Filter { kind: FilterKind::Text(OfWhat::Samples), ..SEARCH },
];

pub(super) const ANALYSIS_FILTERS: &[Filter] = &[
    Filter::new("accession", FilterKind::AnyIdentifier, "Accessions (`MGYA…` or the number), separated by commas."),
    Filter::new(
        "pipeline_version",
        FilterKind::Choice(Choice { listed_in: Some(PIPELINES), ..Choice::of("pipeline_version") }),
        "Versions of the pipeline, separated by commas. An unknown one is refused.",
    ),
    SEARCH,
];

pub(super) const PUBLICATION_FILTERS: &[Filter] = &[
    Filter::new("doi", FilterKind::Attribute("doi"), "The DOI, in full."),
    Filter::new("isbn", FilterKind::Attribute("isbn"), "The ISBN, in full."),
    Filter::new(
        "published_year",
        FilterKind::Choice(Choice::of("published_year")),
        "Years, separated by commas. One in which nothing was published is refused.",
    ),
    SEARCH,
];

pub(super) const SUPER_STUDY_FILTERS: &[Filter] = &[
    Filter::new("super_study_id", FilterKind::Number("super_study_id"), "The number."),
    Filter::new("title", FilterKind::Attribute("title"), "The title, in full."),
    Filter::new("url_slug", FilterKind::Attribute("url_slug"), "The name in addresses, in full."),
    Filter::new("description", FilterKind::Attribute("description"), "The description, in full."),
    BIOME_NAME,
    SEARCH,
];

pub(super) const GENOME_FILTERS: &[Filter] = &[
    Filter::new("accession", FilterKind::AnyIdentifier, "Accessions (`MGYG…`), separated by commas."),
    Filter::new("taxon_lineage", FilterKind::Contains("taxon_lineage"), "A part of the lineage of the taxon."),
    Filter::new(
        "mag_type",
        FilterKind::Choice(Choice { known: &["mag", "isolate", "MAG", "Isolate"], ..Choice::of("type") }),
        "`mag` or `isolate`.",
    ),
    Filter::new(
        "geo_origin",
        FilterKind::Choice(Choice { is_comma_list: false, ..Choice::of("geographic_origin") }),
        "Where the genome is from; repeat it for several places.",
    ),
    Filter::new(
        "pangenome_geographic_range",
        FilterKind::Choice(Choice { is_comma_list: false, ..Choice::of("geographic_range") }),
        "Where genomes of the pangenome are from; repeat it for several places.",
    ),
    Filter::new("length__gte", FilterKind::NumberMin("length"), "Least length, in bases."),
    Filter::new("length__lte", FilterKind::NumberMax("length"), "Greatest length, in bases."),
    Filter::new("num_contigs__gte", FilterKind::NumberMin("num_contigs"), "Least number of contigs."),
    Filter::new("num_contigs__lte", FilterKind::NumberMax("num_contigs"), "Greatest number of contigs."),
    Filter::new("n_50__gte", FilterKind::NumberMin("n_50"), "Least N50, in bases."),
    Filter::new("n_50__lte", FilterKind::NumberMax("n_50"), "Greatest N50, in bases."),
    Filter::new("gc_content__gte", FilterKind::NumberMin("gc_content"), "Least GC content, in percent."),
    Filter::new("gc_content__lte", FilterKind::NumberMax("gc_content"), "Greatest GC content, in percent."),
    Filter::new("completeness__gte", FilterKind::NumberMin("completeness"), "Least completeness, in percent."),
    Filter::new("completeness__lte", FilterKind::NumberMax("completeness"), "Greatest completeness, in percent."),
    Filter::new("contamination__gte", FilterKind::NumberMin("contamination"), "Least contamination, in percent."),
    Filter::new("contamination__lte", FilterKind::NumberMax("contamination"), "Greatest contamination, in percent."),
    Filter::new("num_proteins__gte", FilterKind::NumberMin("num_proteins"), "Least number of proteins."),
    Filter::new("num_proteins__lte", FilterKind::NumberMax("num_proteins"), "Greatest number of proteins."),
    Filter::new("num_genomes_total__gte", FilterKind::NumberMin("num_genomes_total"), "Least number of genomes."),
    Filter::new("num_genomes_total__lte", FilterKind::NumberMax("num_genomes_total"), "Greatest number of genomes."),
    Filter::new("pangenome_size__gte", FilterKind::NumberMin("pangenome_size"), "Least size of the pangenome."),
    Filter::new("pangenome_size__lte", FilterKind::NumberMax("pangenome_size"), "Greatest size of the pangenome."),
    Filter::new(
        "pangenome_core_size__gte",
        FilterKind::NumberMin("pangenome_core_size"),
        "Least number of core genes.",
    ),
    Filter::new(
        "pangenome_accessory_size__gte",
        FilterKind::NumberMin("pangenome_accessory_size"),
        "Least number of accessory genes.",
    ),
    Filter::new(
        "pangenome_accessory_size__lte",
        FilterKind::NumberMax("pangenome_accessory_size"),
        "Greatest number of accessory genes.",
    ),
    SEARCH,
];

pub(super) const GENOME_CATALOGUE_FILTERS: &[Filter] = &[
    Filter::new(
        "lineage",
        FilterKind::Lineage(OfWhat::Itself),
        "Lineage of a biome: catalogues of it or of a biome below it.",
    ),
    Filter::new("catalogue_id", FilterKind::AnyIdentifier, "Ids, separated by commas."),
    Filter::new("name", FilterKind::Attribute("name"), "The name, in full."),
    Filter::new("name__icontains", FilterKind::Contains("name"), "A part of the name."),
    Filter::new("description", FilterKind::Attribute("description"), "The description, in full."),
    Filter::new("description__icontains", FilterKind::Contains("description"), "A part of the description."),
    Filter::new("biome__biome_name", FilterKind::BiomeName(Part::Whole), "The name of the biome, in full."),
    Filter::new("biome__biome_name__icontains", FilterKind::BiomeName(Part::Any), "A part of the name of the biome."),
    Filter::new("last_update", FilterKind::Attribute("last_update"), "When it was updated, in full."),
    Filter::new("last_update__gt", FilterKind::After("last_update"), "It was updated after this date."),
    Filter::new("last_update__lt", FilterKind::Before("last_update"), "It was updated before this date."),
    SEARCH,
];

/// The experiment types of the real service: it knows them whether it has such runs or not.
const EXPERIMENT_TYPE: Choice = Choice {
    listed_in: Some(EXPERIMENT_TYPES),
    known: &[
        "metatranscriptomic",
        "metagenomic",
        "amplicon",
        "assembly",
        "metabarcoding",
        "unknown",
        "hybrid_assembly",
        "long_reads_assembly",
    ],
    ..Choice::of("experiment_type")
};

/// Of what is made of runs.
pub(super) const OF_RUNS: &[Filter] = &[
    Filter::new("experiment_type", FilterKind::Choice(EXPERIMENT_TYPE), "Experiment types, separated by commas."),
    Filter::new(
        "instrument_platform",
        FilterKind::Pattern("instrument_platform", OfWhat::Itself),
        "Regular expression on the instrument platform.",
    ),
    Filter::new(
        "instrument_model",
        FilterKind::Pattern("instrument_model", OfWhat::Itself),
        "Regular expression on the instrument model.",
    ),
    STUDY_ACCESSION,
];

/// Of what names samples.
pub(super) const OF_SAMPLES: &[Filter] = &[
    Filter::new(
        "biome_name",
        FilterKind::LineagePattern(OfWhat::Samples),
        "Regular expression on the full lineage of the sample, without regard to case.",
    ),
    Filter::new(
        "lineage",
        FilterKind::Lineage(OfWhat::Samples),
        "Lineage of a biome: what is of samples in it or below it.",
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
    Filter::new(
        "sample_accession",
        FilterKind::Linked(SAMPLES),
        "Accessions of samples, `ERS…` or BioSample, separated by commas.",
    ),
];

const STUDY_ACCESSION: Filter = Filter::new(
    "study_accession",
    FilterKind::Linked(STUDIES),
    "Accessions of studies, of any kind, separated by commas.",
);

const SEARCH: Filter = Filter::new(
    "search",
    FilterKind::Text(OfWhat::Itself),
    "Words, separated by spaces or commas, all of which stand in names, abstracts, descriptions, metadata values or accessions; \"phrases \
    in quotes\" stand there as they are, and a word or phrase with a dash before it does not.",
);

const BIOME_NAME: Filter = Filter::new(
    "biome_name",
    FilterKind::LineagePattern(OfWhat::Itself),
    "Regular expression on the full lineage, without regard to case.",
);

const METADATA_KEY: &str =
    "Key of a metadata entry; with `metadata_value…` it is one and the same entry that has both.";

const METADATA_VALUE: &str = "Value of a metadata entry, in full.";

const METADATA_MIN: &str = "Least value of a metadata entry that is a number.";

const METADATA_MAX: &str = "Greatest value of a metadata entry that is a number.";
