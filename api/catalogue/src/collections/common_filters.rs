//! The filters that several collections share.

use store_catalogue::model::{EXPERIMENT_TYPES, SAMPLES, STUDIES};

use super::filter::FilterKind::{
    AnyIdentifier, Choice, DateMax, DateMin, Lineage, LineagePattern, Linked, MetadataKey, MetadataMax, MetadataMin,
    MetadataValue, Pattern, Text,
};
use super::filter::FilterScope::{Own, Samples};
use super::filter::{Choices, Filter, filter};

/// The filters of types without a record.
pub(super) const OF_OTHER_TYPES: &[Filter] =
    &[filter("accession", AnyIdentifier, "Ids or accessions, separated by commas."), SEARCH];

/// The filters of types whose resources are made of runs.
pub(super) const OF_RUNS: &[Filter] = &[
    filter("experiment_type", Choice(EXPERIMENT_TYPE), "Experiment types, separated by commas."),
    filter(
        "instrument_platform",
        Pattern("instrument_platform", Own),
        "Regular expression on the instrument platform.",
    ),
    filter("instrument_model", Pattern("instrument_model", Own), "Regular expression on the instrument model."),
    STUDY_ACCESSION,
];

/// The filters of types whose resources name samples.
pub(super) const OF_SAMPLES: &[Filter] = &[
    filter(
        "biome_name",
        LineagePattern(Samples),
        "Regular expression on the full lineage of the sample, ignoring case.",
    ),
    filter("lineage", Lineage(Samples), "Lineage of a biome. Selects resources of samples in this biome or below it."),
    filter("species", Pattern("species", Samples), "Regular expression on the host species of the samples."),
    filter("metadata_key", MetadataKey(Samples), METADATA_KEY),
    filter("metadata_value", MetadataValue(Samples), METADATA_VALUE),
    filter("metadata_value_gte", MetadataMin(Samples), METADATA_MIN),
    filter("metadata_value_lte", MetadataMax(Samples), METADATA_MAX),
    filter("sample_accession", Linked(SAMPLES), "Accessions of samples, `ERS…` or BioSample, separated by commas."),
];

/// The experiment types of the real service. They are accepted even if no run has them.
pub(super) const EXPERIMENT_TYPE: Choices = Choices {
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
    ..Choices::of("experiment_type")
};

pub(super) const STUDY_ACCESSION: Filter =
    filter("study_accession", Linked(STUDIES), "Accessions of studies, of any kind, separated by commas.");

pub(super) const UPDATED_FIRST: Filter = filter("last_update_gte", DateMin("last_update"), DATE_MIN);
pub(super) const UPDATED_LAST: Filter = filter("last_update_lte", DateMax("last_update"), DATE_MAX);

pub(super) const DATE_MIN: &str = "Earliest date: a year, month, day or time, such as `2016`, `2016-03`, `2016-03-05` or `2016-03-05T12:30:00`. An \
    incomplete date is before all dates within it: `2016-03` is before `2016-03-01`.";
pub(super) const DATE_MAX: &str =
    "Latest date, in the same form, including everything within it: `2016` includes all of 2016.";

pub(super) const SEARCH: Filter = filter(
    "search",
    Text(Own),
    "Words, separated by spaces or commas, that must all occur in names, abstracts, descriptions, metadata values or accessions. \"Phrases \
    in quotes\" must occur exactly, and a word or phrase after a dash must not occur.",
);

pub(super) const BIOME_NAME: Filter =
    filter("biome_name", LineagePattern(Own), "Regular expression on the full lineage, ignoring case.");

pub(super) const METADATA_KEY: &str = "Key of a metadata entry. The `metadata_value…` filters apply to the same entry.";
pub(super) const METADATA_VALUE: &str = "Full value of a metadata entry.";
pub(super) const METADATA_MIN: &str = "Minimum value of a metadata entry that is a number.";
pub(super) const METADATA_MAX: &str = "Maximum value of a metadata entry that is a number.";
