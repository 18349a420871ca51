//! The description of version 2, made from its table.

mod schemas;

use api_http::{docs, paths};
use serde_json::{Value, json};
use store_catalogue::model::{EXPERIMENT_TYPE_WORDS, GENOMES, ResourceType, SAMPLES};

use super::filter::{Filter, FilterKind, PIPELINES};
use super::kinds::{Id, KINDS, Kind, PAGE_SIZE};
use super::list_request::{ADDED, streams_of};
use super::parts::ANNOTATION_TYPES;
use super::routing::NOT_SERVED;
use super::values::{PAGE_SIZE_MAX, PAGING};
use crate::collections::lookup;
use crate::facets::FACETS;
use crate::openapi::parameters::{self, WIDE, WIDE_TEXT, one_of, query, selecting_parameters};
use crate::openapi::{in_snake_case, media_types};
use crate::render::wide::METADATA;
use crate::request::query::WHERE;
use schemas::page_of;

const DESCRIPTION: &str = include_str!("openapi/description.md");

/// The operations that are neither lists nor details, and the common parts of all. Paths include
/// their parameters, and `ThingPage` is the schema of a page of things.
const OPERATIONS: &str = include_str!("openapi/operations.md");

const _: () = assert!(PAGE_SIZE == 100 && PAGE_SIZE_MAX == 100, "the operations say so");

const FORMAT: &str = "All items as lines of JSON, as a table that replaces line breaks in texts with spaces, or for samples as points with \
    their items (`geojson`, which leaves out samples without coordinates). `parquet` and `arrow` need `metadata=wide`. An addition of mgdex.";

pub(crate) fn description() -> Value {
    let mut text = OPERATIONS.to_owned();
    for kind in &KINDS {
        let path = format!("/{}/", kind.path);
        let part = if kind.is_listed_whole { Part::Whole } else { Part::Listed };
        let id = format!("list_{}", in_snake_case(kind.plural));
        let about = format!("{}, a page or all of them.", kind.plural);
        text += &operation(&path, &id, kind, &about, &list_items(kind, true, schema_of(kind, part)));
        if kind.id != Id::None {
            add_resources(kind, &path, &mut text);
        }
    }
    for path in NOT_SERVED {
        let (id, about) = (in_snake_case(&format!("post{path}")), "This server does not support this operation.");
        text.extend(["\n# post ", path, " ", &id, " Not here\n\n", about, "\n\n- 501 Error: ", about, "\n- @errors\n"]);
    }
    let description = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "MGnify catalogue, version 2, served by mgdex",
            "version": "2.0.0",
            "description": DESCRIPTION,
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "tags": KINDS.iter().map(|kind| json!({"name": kind.plural})).collect::<Vec<_>>(),
        "components": {"schemas": schemas::schemas()},
    });
    let mut description = docs::described(&description, paths::CATALOGUE_V2, &text);
    for (path, item) in description["paths"].as_object_mut().into_iter().flatten() {
        for operation in item.as_object_mut().into_iter().flat_map(|item| item.values_mut()) {
            complete(path, operation);
        }
    }
    description
}

/// Adds the operations on single resources of a kind, and on the lists below them.
fn add_resources(kind: &Kind, path: &str, text: &mut String) {
    let (singular, plural) = (in_snake_case(kind.singular), kind.plural.to_lowercase());
    let detail = format!("{path}{{{}}}", ResourceType::rules_of(kind.resource_type).document_key);
    let mut items = vec!["@fields".to_owned()];
    items.extend((kind.resource_type == GENOMES).then(|| "@catalogue".to_owned()));
    items.push(format!("200 {}: The answer.", schema_of(kind, Part::Detail)));
    *text += &operation(&detail, &format!("get_{singular}"), kind, &format!("One of the {plural}."), &items);
    let about = format!("The {plural} that the filters select, counted by their values. An addition of mgdex.");
    let id = format!("count_{}", in_snake_case(kind.plural));
    *text += &operation(&format!("{path}{FACETS}"), &id, kind, &about, &counting_items(kind));
    for sublist in kind.sublists {
        let members = Kind::of(sublist.resource_type);
        let schema = schema_of(members, if sublist.is_whole { Part::Whole } else { Part::Listed });
        let (below, id) = (format!("{detail}/{}/", sublist.name), format!("list_{}_of_{singular}", sublist.name));
        let about = format!("The {} of one of the {plural}.", sublist.name);
        *text += &operation(&below, &id, kind, &about, &list_items(members, sublist.is_selected, schema));
    }
}

/// The part of a resource in an answer.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Listed,
    Whole,
    Detail,
}

/// Returns the name of the schema of a part of the resources of a kind.
fn schema_of(kind: &Kind, part: Part) -> &'static str {
    let detail = format!("{}Detail", kind.singular);
    match part {
        Part::Whole if kind.resource_type == SAMPLES => "SampleWithMetadata",
        Part::Listed => kind.singular,
        Part::Whole | Part::Detail => schemas::name(&detail).unwrap_or(kind.singular),
    }
}

/// Returns the text of an operation, given its path, its id and its kind.
fn operation(path: &str, id: &str, kind: &Kind, about: &str, items: &[String]) -> String {
    let items = items.join("\n- ");
    format!("\n# get {path} {id} {}\n\n{about}\n\n- {items}\n- @unchanged\n- @errors\n", kind.plural)
}

/// Adds the parameters of a path, which are in braces, and the schemas of pages.
fn complete(path: &str, operation: &mut Value) {
    let of_path = path.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| {
        let schema = match name {
            "annotation_type" => json!({"type": "string", "enum": ANNOTATION_TYPES}),
            "pubmed_id" => json!({"type": "integer"}),
            _ => json!({"type": "string"}),
        };
        let mut parameter = json!({"name": name, "in": "path", "required": true, "schema": schema});
        let kind = KINDS.iter().find(|kind| path.contains(&format!("/{}/{{{name}}}", kind.path)));
        let example = kind.map(|kind| lookup::of_type(kind.resource_type).id.example);
        if let Some(example) = example.or(path.contains("/insdc/").then_some("ERP103942")) {
            parameter["example"] = serde_json::from_str::<u64>(example).map_or_else(|_| example.into(), Into::into);
        }
        parameter
    });
    let others = operation["parameters"].as_array().into_iter().flatten().cloned();
    operation["parameters"] = of_path.chain(others).collect();
    if let Some(schema) = operation.pointer_mut("/responses/200/content/application~1json/schema") {
        let page = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next()?.strip_suffix("Page")).map(page_of);
        *schema = page.unwrap_or_else(|| schema.take());
    }
}

/// Returns the parameters of a list, including its filters and orders if `is_selected`, and its
/// answer.
fn list_items(kind: &Kind, is_selected: bool, schema: &str) -> Vec<String> {
    let streams = media_types(streams_of(kind.resource_type));
    let mut items = list_parameters(kind, is_selected);
    items.push(format!("200 {schema}Page{streams}: The answer."));
    items
}

/// Returns the parameters of a request that counts the items of a list, and its answer.
fn counting_items(kind: &Kind) -> Vec<String> {
    let of_list = [&PAGING[..], &ADDED, &["order"]].concat();
    let by = parameters::counting_parameters(kind.resource_type)
        .map(|parameter| format!("{parameter} An addition of mgdex."));
    let mut selecting = list_parameters(kind, true);
    selecting.retain(|parameter| name_of(parameter) == WHERE || !of_list.contains(&name_of(parameter)));
    by.into_iter().chain(selecting).chain(["200 FacetPage: The answer.".to_owned()]).collect()
}

fn name_of(parameter: &str) -> &str {
    parameter.split(' ').nth(1).unwrap_or(parameter.trim_start_matches('@'))
}

/// Returns the parameters of a list: its own, the additional ones, and those of version 1.
fn list_parameters(kind: &Kind, is_selected: bool) -> Vec<String> {
    let size = json!({"type": "integer", "minimum": 1, "default": kind.page_size}).to_string();
    let text = format!("The number of items per page. A number above {PAGE_SIZE_MAX} counts as {PAGE_SIZE_MAX}.");
    let mut parameters = vec!["@page".to_owned(), query("page_size", &size, &text)];
    if is_selected {
        if !kind.orders.is_empty() {
            let text = "The order, with a dash before it if it is descending. Null is the greatest value, and ties ascend by accession.";
            parameters.push(query("order", &one_of(kind.order_names()), text));
        }
        let own = |filter: &Filter| query(filter.name, &filter_schema(filter), filter.description);
        parameters.extend(kind.filters.iter().map(own));
    }
    let names = streams_of(kind.resource_type).iter().map(|format| format.name());
    parameters.extend(["@after", "@fields"].map(str::to_owned));
    parameters.push(query("format", &one_of(names), FORMAT));
    parameters.extend(["@safe", "@strict"].map(str::to_owned));
    if kind.resource_type == SAMPLES {
        let text = format!(
            "{WIDE_TEXT} Here the metadata are those of the documents, which have no units. An addition of mgdex."
        );
        parameters.push(query(METADATA, WIDE, &text));
    }
    for parameter in selecting_parameters(&lookup::of_type(kind.resource_type)) {
        if !parameters.iter().any(|known| name_of(known) == name_of(&parameter)) {
            parameters.push(format!("{parameter} As in version 1: an addition of mgdex."));
        }
    }
    parameters
}

fn filter_schema(filter: &Filter) -> String {
    match filter.kind {
        FilterKind::BiomeLineage | FilterKind::Search { .. } => "text".to_owned(),
        FilterKind::Pipeline => one_of(PIPELINES),
        FilterKind::ExperimentType => one_of(EXPERIMENT_TYPE_WORDS.map(|(.., name)| name)),
        FilterKind::YearMin | FilterKind::YearMax => json!({"type": "integer"}).to_string(),
        FilterKind::DepthMax => json!({"type": "integer", "minimum": 1}).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_described_path_is_unique_and_has_a_route() {
        let document = description();
        let mut ids = BTreeSet::new();
        let all = document["paths"].as_object().expect("an object");
        for (path, item) in all {
            let below = path.strip_prefix(paths::CATALOGUE_V2).expect("below the prefix");
            let route = super::super::routing::Route::to(&below.replace(['{', '}'], "")).expect(path);
            let method = if matches!(route, super::super::routing::Route::NotServed) { "post" } else { "get" };
            assert!(ids.insert(item[method]["operationId"].to_string()), "{path}");
        }
        assert_eq!(
            all.values().filter(|item| item.get("get").is_some()).count(),
            47,
            "36 of the real service, news, facets of 9 types, and keys of metadata"
        );
    }

    #[test]
    fn parameters_have_one_name_each() {
        let document = description();
        for (path, item) in document["paths"].as_object().expect("an object") {
            let Some(parameters) = item["get"]["parameters"].as_array() else { continue };
            let names: BTreeSet<_> =
                parameters.iter().map(|parameter| format!("{}{}", parameter["in"], parameter["name"])).collect();
            assert_eq!(names.len(), parameters.len(), "{path}");
        }
    }
}
