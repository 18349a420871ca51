//! The description of version 2, made from its table.

mod schemas;

use api_http::paths;
use serde_json::{Map, Value, json};
use store_catalogue::model::{EXPERIMENT_TYPE_WORDS, GENOMES, ResourceType, SAMPLES};

use super::asked::{ADDED, streams_of};
use super::filter::{Filter, FilterKind, PIPELINES};
use super::kinds::{Id, KINDS, Kind, PAGE_SIZE};
use super::parts::ANNOTATION_TYPES;
use super::routing::NOT_SERVED;
use super::values::{PAGE_SIZE_MAX, PAGING};
use crate::collections::lookup;
use crate::facets::{FACETS, METADATA_KEYS};
use crate::openapi::parameters::{self, WIDE_TEXT, selecting_parameters};
use crate::render::wide::METADATA;
use crate::request::negotiation::Format;
use crate::request::parameters::STRICT_VALUES;
use crate::request::query::WHERE;
use schemas::{page_of, reference};

const DESCRIPTION: &str = include_str!("openapi/description.md");

/// Path, kind, id of the operation, what it answers, its parameters, and the form of the answer.
type Other = (&'static str, &'static str, &'static str, &'static str, &'static [&'static str], Answer);

/// The answers that are no list or detail.
const OTHERS: [Other; 9] = [
    (
        "/studies/insdc/{accession}",
        "studies",
        "find_study",
        "The study that has an accession of the European Nucleotide Archive.",
        &[],
        One("Accession"),
    ),
    (
        "/analyses/{accession}/annotations",
        "analyses",
        "get_annotations",
        "An analysis with all its annotations.",
        &["fields"],
        One("AnalysisWithAnnotations"),
    ),
    (
        "/analyses/{accession}/annotations/{annotation_type}",
        "analyses",
        "list_annotations",
        "The annotations of one type that an analysis has.",
        &["page", "page_size"],
        Page("Annotation"),
    ),
    (
        "/genomes/{accession}/annotations",
        "genomes",
        "get_genome_annotations",
        "The annotations of a genome.",
        &["catalogue_id"],
        One("GenomeAnnotations"),
    ),
    (
        "/publications/{pubmed_id}/annotations",
        "publications",
        "get_publication_annotations",
        "What Europe PMC has annotated in a publication, as far as it was harvested.",
        &[],
        One("Object"),
    ),
    (
        "/assemblies/{accession}/genome-links",
        "assemblies",
        "list_genome_links",
        "The genomes that an assembly was linked to.",
        &["page", "page_size"],
        Page("GenomeLink"),
    ),
    (
        "/assemblies/{accession}/additional-contained-genomes",
        "assemblies",
        "list_contained_genomes",
        "The other genomes that an assembly contains.",
        &["page", "page_size"],
        Page("ContainedGenome"),
    ),
    (
        "/my-data/studies/",
        "studies",
        "list_own_studies",
        "The real service lists the studies of the caller; there are none here: 401.",
        &[],
        One("Object"),
    ),
    ("/rss/studies/", "studies", "get_news", "The 20 studies that were updated last, as RSS 2.0.", &[], Rss),
];

/// The form of an answer, by the schema of what is in it.
#[derive(Clone, Copy)]
enum Answer {
    One(&'static str),
    Page(&'static str),
    /// A page, or all items as a stream.
    List(&'static str, &'static [Format]),
    Rss,
    /// 501.
    None,
}

use Answer::{List, One, Page, Rss};

pub(crate) fn description() -> Value {
    let mut all = Map::new();
    let mut add = |path: &str, method: &str, operation: Value| {
        all.insert(format!("{}{path}", paths::CATALOGUE_V2), json!({ method: operation }));
    };
    for kind in &KINDS {
        let (name, path) = (in_snake_case(kind.plural), format!("/{}/", kind.path));
        let text = format!("{}, a page or all of them.", kind.plural);
        let items = schema_of(kind, if kind.is_listed_whole { Part::Whole } else { Part::Listed });
        let list = List(items, streams_of(kind.resource_type));
        add(
            &path,
            "get",
            operation(&path, kind.plural, &format!("list_{name}"), &text, list_parameters(kind, true), list),
        );
        if kind.id == Id::None {
            continue;
        }
        let (singular, plural) = (in_snake_case(kind.singular), kind.plural.to_lowercase());
        let detail = format!("{path}{{{}}}", ResourceType::rules_of(kind.resource_type).document_key);
        let names: &[&str] = if kind.resource_type == GENOMES { &["fields", "catalogue_id"] } else { &["fields"] };
        let parameters = names.iter().map(|name| parameter(name)).collect();
        let answer = One(schema_of(kind, Part::Detail));
        let text = format!("One of the {plural}.");
        add(&detail, "get", operation(&detail, kind.plural, &format!("get_{singular}"), &text, parameters, answer));
        let counted = format!("{path}{FACETS}");
        let parameters = counting_parameters(kind);
        let text = format!("The {plural} that the filters select, counted by what they have. An addition of mgdex.");
        let id = format!("count_{name}");
        add(&counted, "get", operation(&counted, kind.plural, &id, &text, parameters, Page("Facet")));
        for sublist in kind.sublists {
            let (members, below) = (Kind::of(sublist.resource_type), format!("{detail}/{}/", sublist.name));
            let text = format!("The {} of one of the {plural}.", sublist.name);
            let id = format!("list_{}_of_{singular}", sublist.name);
            let items = schema_of(members, if sublist.is_whole { Part::Whole } else { Part::Listed });
            let list = List(items, streams_of(sublist.resource_type));
            let parameters = list_parameters(members, sublist.is_selected);
            add(&below, "get", operation(&below, kind.plural, &id, &text, parameters, list));
        }
    }
    for (path, kind, id, text, names, answer) in OTHERS {
        let tag = Kind::at(kind).map_or(kind, |kind| kind.plural);
        add(path, "get", operation(path, tag, id, text, names.iter().map(|name| parameter(name)).collect(), answer));
    }
    let (path, text) =
        (format!("/samples/{METADATA_KEYS}"), "The keys of the metadata of samples, those of most samples first.");
    let (text, limit) = (format!("{text} An addition of mgdex."), parameters::keys_limit());
    let limit = serde_json::to_value(limit).expect("JSON");
    let keys = operation(&path, "Samples", "list_metadata_keys", &text, vec![limit], Page("MetadataKey"));
    add(&path, "get", keys);
    for path in NOT_SERVED {
        let id = in_snake_case(&format!("post{path}"));
        add(
            path,
            "post",
            operation(path, "Not here", &id, "This server does not have this operation.", Vec::new(), Answer::None),
        );
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "MGnify catalogue, version 2, served by mgdex",
            "version": "2.0.0",
            "description": DESCRIPTION,
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "tags": KINDS.iter().map(|kind| json!({"name": kind.plural})).collect::<Vec<_>>(),
        "paths": all,
        "components": {"schemas": schemas::schemas()},
    })
}

/// As much as an answer has of a resource.
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

/// Returns an operation. The parameters of its path are those in braces.
fn operation(path: &str, tag: &str, id: &str, text: &str, parameters: Vec<Value>, answer: Answer) -> Value {
    let of_path = path.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| {
        let schema = match name {
            "annotation_type" => json!({"type": "string", "enum": ANNOTATION_TYPES}),
            "pubmed_id" => json!({"type": "integer"}),
            _ => json!({"type": "string"}),
        };
        json!({"name": name, "in": "path", "required": true, "schema": schema})
    });
    let parameters: Vec<Value> = of_path.chain(parameters).collect();
    json!({"operationId": id, "tags": [tag], "summary": text, "parameters": parameters, "responses": responses(answer)})
}

fn responses(answer: Answer) -> Value {
    let content = match answer {
        Answer::None => Value::Null,
        Rss => json!({"application/rss+xml": {"schema": {"type": "string"}}}),
        One(name) => json!({"application/json": {"schema": reference(name)}}),
        Page(name) => json!({"application/json": {"schema": page_of(name)}}),
        List(name, streams) => {
            let mut content = json!({"application/json": {"schema": page_of(name)}});
            for format in streams {
                content[format.content_type()] = json!({});
            }
            content
        }
    };
    let mut responses = json!({});
    if content.is_null() {
        responses["501"] = error("This server does not have this operation.");
    } else {
        responses["200"] = json!({"description": "The answer.", "content": content});
        responses["304"] = json!({"description": "The answer is still the one whose `ETag` the request shows."});
    }
    for (status, text) in [
        ("401", "The real service answers this only to some users."),
        ("404", "There is no such resource or path."),
        ("405", "The path does not have this method; `Allow` names those that it has."),
        ("406", "The client accepts no encoding that there is."),
        ("414", "The URI is too long."),
        ("422", "Parameters cannot be used."),
        ("500", "A fault of the server; its log says more under the `x-request-id` of the answer."),
        ("503", "No catalogue is loaded, the server is overloaded, or the request took too long."),
    ] {
        responses[status] = error(text);
    }
    responses
}

fn error(text: &str) -> Value {
    json!({"description": text, "content": {"application/json": {"schema": reference("Error")}}})
}

/// Returns the parameters of a request that counts the items of a list.
fn counting_parameters(kind: &Kind) -> Vec<Value> {
    let of_list = [&PAGING[..], &ADDED, &["order"]].concat();
    let mut parameters = list_parameters(kind, true);
    parameters
        .retain(|parameter| parameter["name"].as_str().is_none_or(|name| name == WHERE || !of_list.contains(&name)));
    let by = counting_parameter_values(kind);
    by.into_iter().chain(parameters).collect()
}

/// Returns the parameters that say what is counted and how, in the form of this description.
fn counting_parameter_values(kind: &Kind) -> Vec<Value> {
    parameters::counting_parameters(kind.resource_type)
        .into_iter()
        .map(|parameter| {
            let mut parameter = serde_json::to_value(parameter).expect("JSON");
            parameter["description"] =
                format!("{} An addition of mgdex.", parameter["description"].as_str().unwrap_or_default()).into();
            parameter
        })
        .collect()
}

/// Returns the parameters of a list: its own, those that are added, and those of version 1.
fn list_parameters(kind: &Kind, is_selected: bool) -> Vec<Value> {
    let mut parameters = vec![parameter("page"), parameter("page_size")];
    parameters[1]["schema"]["default"] = kind.page_size.into();
    if is_selected {
        if !kind.orders.is_empty() {
            let text =
                "The order; a dash stands before one that falls. Null is the greatest, and ties ascend by accession.";
            parameters.push(query("order", json!({"type": "string", "enum": kind.order_names()}), text));
        }
        let own = |filter: &Filter| query(filter.name, filter_schema(filter), filter.description);
        parameters.extend(kind.filters.iter().map(own));
    }
    let mut added = ["after", "fields", "format", "safe", "strict"].map(parameter);
    let names: Vec<&str> = streams_of(kind.resource_type).iter().map(|format| format.name()).collect();
    added[2]["schema"]["enum"] = json!(names);
    parameters.extend(added);
    if kind.resource_type == SAMPLES {
        let text = format!(
            "{WIDE_TEXT} Here the metadata are those of the documents, which have no units. An addition of mgdex."
        );
        parameters.push(query(METADATA, json!({"type": "string", "enum": ["wide"]}), &text));
    }
    for parameter in selecting_parameters(&lookup::of_type(kind.resource_type)) {
        let mut parameter = serde_json::to_value(parameter).expect("JSON");
        if !parameters.iter().any(|known| known["name"] == parameter["name"]) {
            let text = parameter["description"].as_str().unwrap_or_default();
            parameter["description"] = format!("{text} As in version 1: an addition of mgdex.").into();
            parameters.push(parameter);
        }
    }
    parameters
}

fn filter_schema(filter: &Filter) -> Value {
    match filter.kind {
        FilterKind::BiomeLineage | FilterKind::Search { .. } => json!({"type": "string"}),
        FilterKind::Pipeline => json!({"type": "string", "enum": PIPELINES}),
        FilterKind::ExperimentType => json!({"type": "string", "enum": EXPERIMENT_TYPE_WORDS.map(|(.., name)| name)}),
        FilterKind::YearMin | FilterKind::YearMax => json!({"type": "integer"}),
        FilterKind::DepthMax => json!({"type": "integer", "minimum": 1}),
    }
}

/// Returns a parameter that several operations have.
fn parameter(name: &str) -> Value {
    let text = || json!({"type": "string"});
    let flag = || json!({"type": "string", "enum": ["1"]});
    let (schema, description) = match name {
        "page" => (
            json!({"type": "integer", "minimum": 1}),
            "The number of the page, 1-based. Pages behind the last are empty.".to_owned(),
        ),
        "page_size" => (
            json!({"type": "integer", "minimum": 1, "default": PAGE_SIZE}),
            format!("How many items a page has; more than {PAGE_SIZE_MAX} are cut to that."),
        ),
        "catalogue_id" => (text(), "The catalogue that the genome must be of.".to_owned()),
        _ => {
            let (schema, description) = match name {
                "after" => (
                    text(),
                    "In place of `page`: the page begins behind this item, or at the first if it is empty; the answer has `next` then. A stream begins there, \
                     too: it is a file of its own, with a header where the format has one.",
                ),
                "fields" => (text(), "The members that are wanted, separated by commas."),
                "format" => (
                    text(),
                    "All items as lines of JSON, as a table whose texts have spaces for line breaks, or, of samples, as points with their \
                        items (`geojson`, which leaves out samples without coordinates). `parquet` and `arrow` need `metadata=wide`.",
                ),
                "safe" => (
                    flag(),
                    "`1` puts an apostrophe before texts of tables that a spreadsheet would take for formulas.",
                ),
                _ => (
                    json!({"type": "string", "enum": STRICT_VALUES}),
                    "`1`, `true`, `yes` or `on` refuses parameters, formats, fields and orders that are unknown here.",
                ),
            };
            (schema, format!("{description} An addition of mgdex."))
        }
    };
    query(name, schema, &description)
}

fn query(name: &str, schema: Value, text: &str) -> Value {
    let mut parameter = json!({"name": name, "in": "query", "required": false, "description": text});
    parameter["schema"] = schema;
    parameter
}

fn in_snake_case(name: &str) -> String {
    name.to_lowercase().replace([' ', '-', '/'], "_")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_path_is_described_once_and_leads_somewhere() {
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
