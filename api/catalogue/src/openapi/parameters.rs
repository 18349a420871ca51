//! The parameters in the description.

use serde_json::Value;
use store_catalogue::model::PUBLICATIONS;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Type};
use utoipa::openapi::{Required, Schema};

use super::super::collections::collection::Collection;
use super::super::collections::filter::FilterKind;
use super::super::facets::{BY_MAX, KEYS_DEFAULT, KEYS_MAX, LIMIT_DEFAULT, LIMIT_MAX, RANGES_DEFAULT, RANGES_MAX};
use super::super::render::wide::METADATA;
use super::super::request::negotiation::Format;
use super::super::request::paging::{PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX};
use super::super::request::parameters::STRICT_VALUES;
use super::super::request::query::WHERE;

/// What can be said of the parameter of conditions in a few lines.
const CONDITIONS: &str = "Conditions in the language of queries, such as `temperature:>30[°C] AND pH:<5 AND biome:\"root:Environmental\"`: \
    attributes, filters and keys of metadata (in quotes if they have blanks), with values, `*` or ranges (`[1 TO 9]`, `>=2016-03`), put together by \
    `AND`, `OR`, `NOT` and parentheses. A unit stands in brackets; without one, only numbers of the one unit that a key has are compared. \
    `study:(…)`, `sample:(…)` and the like are conditions on what a resource is linked with, `has:(proteins: pfam:PF00005)` on the proteins \
    in it. Of several, all must be satisfied.";

/// What `metadata=wide` is.
pub(crate) const WIDE_TEXT: &str = "`wide` gives samples as a table (`format=csv`, `tsv`, `parquet` or `arrow`) with a column for each key and \
    unit of their metadata, named `key (unit)`: those that the filtered samples have, 1000 at most. Values of repeated entries stand in one cell, \
    with `; ` between them. The biome is its lineage. A key with the name of an attribute has ` (metadata)` behind it. Latitude, longitude and the like \
    are numbers in Parquet and Arrow, metadata texts. CSV keeps line breaks of texts, in quotes; TSV has no quotes, and spaces for line breaks and tabs.";

pub(super) fn path_parameter(name: &str, description: &str, example: &str) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .description(Some(description))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
        .example(Some(Value::from(example)))
        .build()
}

/// Returns the parameters that choose a page, or where a stream begins.
pub(super) fn page_parameters(streams: &[Format]) -> Vec<Parameter> {
    let number = || ObjectBuilder::new().schema_type(Type::Integer);
    let last = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(["last"]));
    let page = OneOfBuilder::new().item(number().minimum(Some(1))).item(last);
    let size = number().default(Some(PAGE_SIZE_DEFAULT.into()));
    let size_text = format!(
        "How many resources a page has; more than {PAGE_SIZE_MAX} are cut to that, and none at all are the default."
    );
    let mut parameters =
        vec![query("page", "The number of the page, 1-based, or `last`.", page), query("page_size", &size_text, size)];
    if !streams.is_empty() {
        let description = "A stream begins behind the resource of the list that has this id: so one that was broken off goes on, with the same \
            filters and order. It is a file of its own, with a header where the format has one. Pages ignore it.";
        parameters.push(query("after", description, ObjectBuilder::new().schema_type(Type::String)));
    }
    parameters
}

/// Returns the parameters of reading: format, sparse fields and what can be included.
pub(super) fn reading_parameters(streams: &[Format], includes: &[&str]) -> Vec<Parameter> {
    let mut parameters = vec![formats(streams)];
    let text = || ObjectBuilder::new().schema_type(Type::String);
    if !includes.is_empty() {
        let description = format!("Relationships whose members come along, separated by commas: {}.", code(includes));
        parameters.push(query("include", &description, text()));
    }
    let description = "Attributes and relationships that are wanted, with underscores, separated by commas. `fields[studies]=…` is for \
        one type and keeps links.";
    parameters.push(query("fields", description, text()));
    let description = "`1`, `true`, `yes` or `on` refuses parameters, fields and orders that are unknown here, which are ignored and named in `meta.ignored` otherwise.";
    parameters.push(query("strict", description, text().enum_values(Some(STRICT_VALUES))));
    if streams.contains(&Format::Csv) {
        let description = "`1` puts an apostrophe before each text of a CSV that begins with `=`, `+`, `-` or `@`, so that no spreadsheet \
            takes it for a formula. Without it, and in all other formats, texts are as the data have them.";
        parameters.push(query("safe", description, text().enum_values(Some(["1"]))));
    }
    if streams.contains(&Format::Parquet) {
        parameters.push(query(METADATA, WIDE_TEXT, text().enum_values(Some(["wide"]))));
    }
    parameters
}

/// Returns the parameters that choose the resources of a collection and order them.
pub(crate) fn selecting_parameters(collection: &Collection) -> Vec<Parameter> {
    let text = || ObjectBuilder::new().schema_type(Type::String);
    let mut parameters = vec![query(WHERE, CONDITIONS, text())];
    if !collection.orders.is_empty() {
        let description = format!(
            "Names to order by, separated by commas, a dash before one that falls: {}.",
            code(&collection.orders.iter().map(|(name, _)| *name).collect::<Vec<_>>())
        );
        parameters.push(query("ordering", &description, ObjectBuilder::new().schema_type(Type::String)));
    }
    parameters.extend(
        collection.filters().map(|filter| {
            query(filter.name, filter.description, ObjectBuilder::new().schema_type(type_of(filter.kind)))
        }),
    );
    parameters
}

/// Returns the parameters that say what is counted and how.
pub(crate) fn counting_parameters(resource_type: &str) -> Vec<Parameter> {
    let number = |most: usize, default: usize| {
        let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1));
        number.maximum(Some(most)).default(Some(default.into()))
    };
    let by = format!(
        "What to count by; repeated for several facets, at most {BY_MAX}: `biome`, or `biome:2` for the first two levels of lineages; `country`, \
         the part of `geo_loc_name` before a colon; `year` of `collection_date`, or `year:last_update`; `metadata:KEY`, such as \
         `metadata:depth`; `latitude`, `longitude`; or an attribute, such as `species` or `experiment_type`. Not all types have all of them: a \
         refusal names those that there are."
    );
    let text = ObjectBuilder::new().schema_type(Type::String);
    // Publications have no biomes.
    let example = if resource_type == PUBLICATIONS { "published_year" } else { "biome" };
    let by =
        ParameterBuilder::from(query("by", &by, text)).required(Required::True).example(Some(Value::from(example)));
    vec![
        by.build(),
        query("limit", "How many values a facet has.", number(LIMIT_MAX, LIMIT_DEFAULT)),
        query("ranges", "How many ranges numbers of one unit have at most.", number(RANGES_MAX, RANGES_DEFAULT)),
    ]
}

/// Returns the parameter for the number of keys of metadata.
pub(crate) fn keys_limit() -> Parameter {
    let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1));
    query(
        "limit",
        "How many keys there are at most.",
        number.maximum(Some(KEYS_MAX)).default(Some(KEYS_DEFAULT.into())),
    )
}

fn type_of(kind: FilterKind) -> Type {
    match kind {
        FilterKind::CoordinateMin(_)
        | FilterKind::CoordinateMax(_)
        | FilterKind::MetadataMin(_)
        | FilterKind::MetadataMax(_)
        | FilterKind::Number(_)
        | FilterKind::NumberMin(_)
        | FilterKind::NumberMax(_) => Type::Number,
        _ => Type::String,
    }
}

pub(super) fn formats(streams: &[Format]) -> Parameter {
    let mut description = if streams.is_empty() {
        "The format; all are JSON. Links keep it.".to_owned()
    } else {
        "The format; it wins over `Accept`, unless it is empty. `api` is JSON too. Links keep it.".to_owned()
    };
    if streams.contains(&Format::Csv) {
        description += " Texts of `csv` have spaces for line breaks.";
    }
    if streams.contains(&Format::GeoJson) {
        description += " `geojson` leaves out samples without coordinates.";
    }
    if streams.contains(&Format::Parquet) {
        description += " `tsv`, `parquet` and `arrow` need `metadata=wide`.";
    }
    let names = [Format::Json, Format::JsonApi].iter().chain(streams).map(|format| format.name()).chain([""]);
    query("format", &description, ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)))
}

fn query(name: &str, description: &str, schema: impl Into<Schema>) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(description))
        .schema(Some(schema.into()))
        .build()
}

fn code(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
