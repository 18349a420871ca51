//! The description of the service, made from the table of collections.

pub(super) mod parameters;

use api_http::{docs, paths};
use serde_json::{Map, Value, json};
use store_catalogue::model::{Members, Relation, STUDIES};
use utoipa::OpenApi;

use super::collections::collection::{Collection, Id, IdForm};
use super::collections::lookup::{self, COLLECTIONS};
use super::facets::FACETS;
use super::facets::answer::{FacetAnswer, KeyAnswer};
use super::pages::search::SEARCH;
use super::problem::ErrorDocument;
use super::request::negotiation::Format;
use parameters::{counting_parameters, page_parameters, reading_parameters, selecting_parameters};

/// The description without its paths.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "MGnify catalogue, served by mgdex",
        version = "1.0",
        license(name = "MIT OR Apache-2.0"),
        description = include_str!("openapi/description.md")
    ),
    components(schemas(FacetAnswer, KeyAnswer, ErrorDocument))
)]
struct Description;

/// Real resources by the path of their collection, as examples.
const EXAMPLES: &str = include_str!("openapi/examples.json");

/// The operations that do not belong to a single collection, and the common parts of all.
const OPERATIONS: &str = include_str!("openapi/operations.md");

pub(super) fn description() -> Value {
    let examples = examples();
    let (mut text, mut shown) = (OPERATIONS.to_owned(), Vec::new());
    let mut add = |path: String, operation: String, example: Option<Value>| {
        text.extend(["\n# get ", &path, " ", &operation]);
        shown.extend(example.map(|example| (path, example)));
    };
    for collection in COLLECTIONS.iter() {
        let (path, single_path) = (format!("/{}", collection.path), single_path(collection));
        let example = examples.get(collection.path.as_ref());
        add(path.clone(), list(collection), example.map(page_of));
        add(single_path.clone(), single(collection), example.map(|resource| json!({"data": resource})));
        add(format!("{path}/{FACETS}"), counted(collection), None);
        for relation in collection.relations {
            let members = lookup::of_type(relation.member_types[0]);
            let example = examples.get(members.path.as_ref()).map(page_of);
            add(format!("{single_path}/{}", relation.name), related(collection, relation, &members), example);
        }
    }
    add("/studies/recent".to_owned(), recent(), examples.get("studies").map(page_of));
    shown.extend(examples.get("biomes").map(|biome| ("/biomes/top10".to_owned(), json!({"data": [biome]}))));
    for collection in COLLECTIONS.iter() {
        text.extend(["\n# post /", &collection.path, "/", SEARCH, " ", &search(collection)]);
    }
    let mut description = docs::described(&Description::openapi(), paths::CATALOGUE, &text);
    for (path, example) in shown {
        let contents =
            &mut description["paths"][format!("{}{path}", paths::CATALOGUE)]["get"]["responses"]["200"]["content"];
        for format in [Format::Json, Format::JsonApi] {
            contents[format.content_type()]["example"] = example.clone();
        }
    }
    description["tags"] = COLLECTIONS.iter().map(|collection| json!({"name": collection.path})).collect();
    description
}

fn examples() -> Map<String, Value> {
    serde_json::from_str(EXAMPLES).expect("the examples are JSON: every test of the description reads them")
}

fn single_path(collection: &Collection) -> String {
    let id = if collection.id.form == IdForm::WithVersion { "{name}/{version}" } else { "{id}" };
    format!("/{}/{id}", collection.path)
}

fn list(collection: &Collection) -> String {
    let streams = Format::streams_of(&collection.resource_type);
    let mut items = page_parameters(streams);
    items.extend(reading_parameters(streams, collection.includes));
    items.extend(selecting_parameters(collection));
    items.push(success("List", streams));
    operation(&format!("list_{}", in_snake_case(&collection.path)), &collection.path, collection.description, &items)
}

fn search(collection: &Collection) -> String {
    let text = format!(
        "The list of {}, for parameters that do not fit into a URI. The body has parameters of the list, as texts, numbers, or lists of these. \
        Each item of a list is one value, even with commas; an empty list matches nothing. Unknown parameters and filters that are null are rejected. \
        Links to other pages need the same body again.",
        collection.path
    );
    let mut body = json!({"page_size": 25});
    if collection.is_searched() {
        body["search"] = "marine".into();
    }
    let streams = Format::streams_of(&collection.resource_type);
    let mut items = page_parameters(streams);
    items.extend([
        format!(r#"body {{"type":"object"}} = {body}"#),
        success("List", streams),
        "@body_errors".to_owned(),
    ]);
    operation(&format!("search_{}", in_snake_case(&collection.path)), &collection.path, &text, &items)
}

fn counted(collection: &Collection) -> String {
    let mut items = Vec::from(counting_parameters(&collection.resource_type));
    items.push("@json".to_owned());
    let selecting = selecting_parameters(collection).into_iter();
    items.extend(selecting.filter(|parameter| !parameter.starts_with("query? ordering ")));
    items.push(success("Facets", &[]));
    let text = format!(
        "The {} that the filters select, counted by their values. Only in JSON. Unknown parameters are rejected.",
        collection.path
    );
    operation(&format!("count_{}", in_snake_case(&collection.path)), &collection.path, &text, &items)
}

fn single(collection: &Collection) -> String {
    let streams = Format::streams_of(&collection.resource_type);
    let mut items = identifying(collection);
    items.extend(reading_parameters(streams, &[collection.includes, collection.single_includes].concat()));
    items.push(success("Single", streams));
    let text = format!("One of the {}.", collection.path);
    operation(&format!("get_{}", in_snake_case(&collection.name)), &collection.path, &text, &items)
}

fn related(collection: &Collection, relation: &Relation, members: &Collection) -> String {
    let streams = Format::streams_of_relation(relation);
    let mut items = identifying(collection);
    items.extend(page_parameters(streams));
    items.extend(reading_parameters(streams, members.includes));
    items.extend(selecting_parameters(members));
    items.push(success("List", streams));
    let name = in_snake_case(relation.name);
    let text = match relation.members {
        Members::Linked | Members::Naming | Members::OfStudies => "The members of a relationship that were loaded.",
        Members::LinkedOrAll => {
            "The members of a relationship that were loaded; for `all`, every resource that was loaded."
        }
        Members::InBiome => "The resources directly in the biome.",
        Members::Having(_) => "The resources that name it in an attribute.",
        Members::SamplesHaving(..) => "The samples of the resources that name it in an attribute, each once.",
        Members::InLineage => "The resources in the biome or in one below it.",
        Members::Descendants => "The biome and all biomes below it.",
        Members::Places => "The places where the samples of the study were taken. Only in JSON and CSV.",
        Members::MetadataEntries => "The metadata entries of the sample. Only in JSON and CSV.",
    };
    let id = format!("list_{name}_of_{}", in_snake_case(&collection.name));
    operation(&id, &collection.path, text, &items)
}

fn recent() -> String {
    let streams = Format::streams_of(STUDIES);
    let mut items = page_parameters(streams);
    items.extend(reading_parameters(streams, lookup::of_type(STUDIES).includes));
    items.push(success("List", streams));
    operation("list_recent_studies", STUDIES, "The 25 most recently updated studies.", &items)
}

fn identifying(collection: &Collection) -> Vec<String> {
    let Id { form, description, example } = collection.id;
    let id = |name: &str| format!("path {name} text = {example:?}: {description}");
    match form {
        IdForm::WithVersion => {
            vec![id("name"), r#"path version text = "1.54": The version of the tool."#.to_owned()]
        }
        IdForm::Text | IdForm::Number => vec![id("id")],
    }
}

/// Returns the text of an operation, without its path.
fn operation(id: &str, tag: &str, text: &str, items: &[String]) -> String {
    format!("{id} {tag}\n\n{text}\n\n- {}\n- @unchanged\n- @errors\n", items.join("\n- "))
}

fn success(schema: &str, streams: &[Format]) -> String {
    let text = if streams.is_empty() { "A document." } else { "A document, or the whole result as a stream." };
    format!("200 {schema} | {} {schema}{}: {text}", Format::JsonApi.content_type(), media_types(streams))
}

fn page_of(resource: &Value) -> Value {
    let link = resource["links"]["self"].as_str().and_then(|link| link.rsplit_once('/')).map_or("", |(path, _)| path);
    let page = format!("{link}?page=1");
    json!({
        "links": {"first": page, "last": page, "next": null, "prev": null},
        "data": [resource],
        "meta": {"pagination": {"page": 1, "pages": 1, "count": 1}},
    })
}

/// Returns the alternatives to JSON in the text of an answer.
pub(crate) fn media_types(streams: &[Format]) -> String {
    streams.iter().map(|format| [" | ", format.content_type()].concat()).collect()
}

pub(crate) fn in_snake_case(name: &str) -> String {
    name.to_lowercase().replace([' ', '-', '/'], "_")
}

#[cfg(test)]
mod tests;
