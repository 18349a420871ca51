//! The parameters in the description, as text.

use serde_json::{Value, json};
use store_catalogue::model::{BIOMES, COG_CATS, EXPERIMENT_TYPES, PIPELINE_TOOLS, PIPELINES, PUBLICATIONS};

use super::super::collections::collection::Collection;
use super::super::collections::filter::FilterKind;
use super::super::facets::{BY_MAX, KEYS_DEFAULT, KEYS_MAX, LIMIT_DEFAULT, LIMIT_MAX, RANGES_DEFAULT, RANGES_MAX};
use super::super::render::wide::METADATA;
use super::super::request::negotiation::Format;
use super::super::request::paging::{PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX};
use super::super::request::query::WHERE;

const _: () = assert!(PAGE_SIZE_DEFAULT == 25 && PAGE_SIZE_MAX == 250, "the operations say so");
const _: () = assert!(KEYS_DEFAULT == 1_000 && KEYS_MAX == 10_000, "the operations say so");
const _: () = assert!(LIMIT_DEFAULT == 25 && LIMIT_MAX == 1_000, "the parameters below say so");
const _: () = assert!(RANGES_DEFAULT == 10 && RANGES_MAX == 100, "the parameters below say so");

/// The description of the parameter for conditions.
const CONDITIONS: &str = "Conditions in the query language, such as `temperature:>30[°C] AND pH:<5 AND biome:\"root:Environmental\"`: \
    attributes, filters and metadata keys (in quotes if they contain spaces), with values, `*` or ranges (`[1 TO 9]`, `>=2016-03`), combined with \
    `AND`, `OR`, `NOT` and parentheses. Numbers of metadata are compared in the unit in brackets, or without one in the only unit that the key has. \
    `study:(…)`, `sample:(…)` and so on are conditions on linked resources, and `has:(proteins: pfam:PF00005)` is a condition on the \
    proteins in a resource. If the parameter is repeated, all conditions must match.";

/// The description of `metadata=wide`.
pub(crate) const WIDE_TEXT: &str = "`wide` returns samples as a table (`format=csv`, `tsv`, `parquet` or `arrow`) with a column, named `key (unit)`, for \
    each metadata key and unit of the filtered samples, at most 1000. Values of repeated entries are in one cell, separated by `; `. The biome is \
    given by its lineage. A key with the name of an attribute is followed by ` (metadata)`. In Parquet and Arrow, latitude, longitude and similar \
    attributes are numbers, and metadata are texts. CSV keeps line breaks in texts, in quotes. TSV has no quotes, and replaces line breaks and tabs with \
    spaces.";

/// The schema of the parameter for wide tables.
pub(crate) const WIDE: &str = r#"{"type":"string","enum":["wide"]}"#;

/// Returns a parameter of the query.
pub(crate) fn query(name: &str, schema: &str, text: &str) -> String {
    format!("query? {name} {schema}: {text}")
}

/// Returns the schema that accepts some texts.
pub(crate) fn one_of(texts: impl IntoIterator<Item: Into<Value>>) -> String {
    let texts: Vec<Value> = texts.into_iter().map(Into::into).collect();
    json!({"type": "string", "enum": texts}).to_string()
}

/// Returns the parameters that choose a page, or the beginning of a stream.
pub(super) fn page_parameters(streams: &[Format]) -> Vec<String> {
    let after = (!streams.is_empty()).then_some("@after");
    ["@page"].into_iter().chain(after).map(str::to_owned).collect()
}

/// Returns the parameters for the representation: format, sparse fields and includes.
pub(super) fn reading_parameters(streams: &[Format], includes: &[&str]) -> Vec<String> {
    let mut parameters = vec![formats(streams)];
    if !includes.is_empty() {
        let text = format!("The relationships whose members are included, separated by commas: {}.", code(includes));
        parameters.push(query("include", "text", &text));
    }
    parameters.extend(["@fields", "@strict"].map(str::to_owned));
    parameters.extend(streams.contains(&Format::Csv).then(|| "@safe".to_owned()));
    parameters.extend(streams.contains(&Format::Parquet).then(|| query(METADATA, WIDE, WIDE_TEXT)));
    parameters
}

/// Returns the parameters that select and order the resources of a collection.
pub(crate) fn selecting_parameters(collection: &Collection) -> Vec<String> {
    let mut parameters = vec![query(WHERE, "text", CONDITIONS)];
    if !collection.orders.is_empty() {
        let orders: Vec<&str> = collection.orders.iter().map(|(name, _)| *name).collect();
        let text = format!(
            "The sort keys, separated by commas, with a dash before a key for descending order: {}.",
            code(&orders)
        );
        parameters.push(query("ordering", "text", &text));
    }
    let filters = collection.filters().map(|filter| query(filter.name, schema_of(filter.kind), filter.description));
    parameters.extend(filters);
    parameters
}

/// Returns the parameters for counting.
pub(crate) fn counting_parameters(resource_type: &str) -> [String; 3] {
    // These have no biomes.
    let example = match resource_type {
        PUBLICATIONS => "published_year",
        BIOMES => "depth",
        PIPELINES => "release_date",
        PIPELINE_TOOLS => "tool_name",
        EXPERIMENT_TYPES => "experiment_type",
        COG_CATS => "name",
        _ => "biome",
    };
    let by = format!(
        "query by text = {example}: The field to count by. Repeat it for several facets, at most {BY_MAX}. Fields are `biome`, or `biome:2` for the first two \
         levels of lineages; `country`, the part of `geo_loc_name` before a colon; `year` of `collection_date`, or `year:last_update`; `metadata:KEY`, \
         such as `metadata:depth`; `latitude`, `longitude`; and attributes, such as `species` or `experiment_type`. Some types do not have all of \
         these fields; the error message lists those that exist."
    );
    let limit = r#"{"type":"integer","default":25,"maximum":1000,"minimum":1}"#;
    let ranges = r#"{"type":"integer","default":10,"maximum":100,"minimum":1}"#;
    [
        by,
        query("limit", limit, "The maximum number of values per facet."),
        query("ranges", ranges, "The maximum number of ranges for the numbers of a unit."),
    ]
}

const fn schema_of(kind: FilterKind) -> &'static str {
    match kind {
        FilterKind::CoordinateMin(_)
        | FilterKind::CoordinateMax(_)
        | FilterKind::MetadataMin(_)
        | FilterKind::MetadataMax(_)
        | FilterKind::Number(_)
        | FilterKind::NumberMin(_)
        | FilterKind::NumberMax(_) => r#"{"type":"number"}"#,
        _ => "text",
    }
}

fn formats(streams: &[Format]) -> String {
    if streams.is_empty() {
        return "@json".to_owned();
    }
    let mut text =
        "The format, which overrides `Accept` unless it is empty. `api` is also JSON. Links keep it.".to_owned();
    if streams.contains(&Format::Csv) {
        text += " `csv` replaces line breaks in texts with spaces.";
    }
    if streams.contains(&Format::GeoJson) {
        text += " `geojson` leaves out samples without coordinates.";
    }
    if streams.contains(&Format::Parquet) {
        text += " `tsv`, `parquet` and `arrow` need `metadata=wide`.";
    }
    let names = [Format::Json, Format::JsonApi].iter().chain(streams).map(|format| format.name()).chain([""]);
    query("format", &one_of(names), &text)
}

fn code(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
