//! The description of the service, made from the table of collections.

pub(super) mod parameters;
mod schemas;

use api_http::paths;
use serde_json::{Map, Value, json};
use store_catalogue::model::{BIOMES, Members, Relation, SAMPLES, STUDIES};
use utoipa::OpenApi;
use utoipa::openapi::path::{OperationBuilder, Parameter};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::{
    Content, ContentBuilder, HttpMethod, ObjectBuilder, PathItem, Ref, Required, Response, ResponseBuilder,
    ResponsesBuilder, Tag,
};

use super::collections::collection::{Collection, Id, IdForm};
use super::collections::lookup::{self, COLLECTIONS};
use super::facets::{FACETS, METADATA_KEYS};
use super::pages::search::SEARCH;
use super::request::negotiation::Format;
use parameters::{
    counting_parameters, formats, keys_limit, page_parameters, path_parameter, reading_parameters, selecting_parameters,
};

/// The description without its paths.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "MGnify catalogue, served by mgdex",
        version = "1.0",
        license(name = "MIT OR Apache-2.0"),
        description = "Paged lists of metagenomic studies, samples, runs, assemblies, analyses, genomes and all that belongs to them, \
            in the style of JSON:API.\n\n\
            `format=csv` and `format=ndjson` (or the endings `.csv` and `.ndjson` of any path) stream the whole filtered result and not \
            one page of it, and so does `format=geojson` of samples, as points with their attributes; samples without coordinates on earth are left \
            out of it. CSV has line breaks in texts as spaces, so that a row is a line; `metadata=wide` of samples is a table with a column for each key and unit of their metadata; a line of NDJSON tells in `@origin` what the resource was loaded with beside what it shows, such as members of \
            relationships that it gives as links alone. Links copy the request's parameters. Answers carry an `ETag` and honour `If-None-Match`; `HEAD` works \
            wherever `GET` does. Unknown parameters are ignored and named in `meta.ignored`; with `strict=1` they are refused, as `/biomes` \
            always does. Of a repeated parameter the last value counts, and the others are named in `meta.ignored`; of `accession` and `where` all do. What JSON:API \
            recommends is understood, too: `filter[lineage]`, `page[number]`, `page[size]`, `sort`; where both are given, the older \
            name counts. The same service answers below `/metagenomics/api/latest`. Resources of other \
            types that were loaded have collections too, by the name of their type."
    ),
    components(schemas(
        schemas::List,
        schemas::Single,
        schemas::Choice,
        schemas::Root,
        schemas::Facets,
        schemas::MetadataKeys,
        super::problem::ErrorDocument
    ))
)]
struct Description;

/// Real resources by the path of their collection, as examples.
const EXAMPLES: &str = include_str!("openapi/examples.json");

pub(super) fn description() -> utoipa::openapi::OpenApi {
    let examples = examples();
    let mut description = Description::openapi();
    let mut add_method = |method, path: &str, operation: OperationBuilder| {
        let item = PathItem::new(method, operation.build());
        description.paths.paths.insert(format!("{}{path}", paths::CATALOGUE), item);
    };
    for collection in COLLECTIONS.iter() {
        add_method(HttpMethod::Post, &format!("/{}/{SEARCH}", collection.path), search(collection));
    }
    let mut add = |path: &str, operation| add_method(HttpMethod::Get, path, operation);
    add("/", root());
    for collection in COLLECTIONS.iter() {
        let example = examples.get(collection.path.as_ref());
        add(&format!("/{}", collection.path), list(collection, example));
        add(&single_path(collection), single(collection, example));
        add(&format!("/{}/{FACETS}", collection.path), counted(collection));
        for relation in collection.relations {
            add(&format!("{}/{}", single_path(collection), relation.name), related(collection, relation, &examples));
        }
    }
    add("/studies/recent", recent(examples.get("studies")));
    add(&format!("/samples/{METADATA_KEYS}"), metadata_keys());
    add("/biomes/top10", top_biomes(examples.get("biomes")));
    description.tags = Some(COLLECTIONS.iter().map(|collection| Tag::new(collection.path.as_ref())).collect());
    description
}

fn examples() -> Map<String, Value> {
    serde_json::from_str(EXAMPLES).expect("the examples are JSON: every test of the description reads them")
}

fn single_path(collection: &Collection) -> String {
    let id = if collection.id.form == IdForm::WithVersion { "{name}/{version}" } else { "{id}" };
    format!("/{}/{id}", collection.path)
}

fn root() -> OperationBuilder {
    let text = "The addresses of all collections. In JSON only.";
    operation("root", "collections", text, vec![formats(&[])], refusing(responses(success("Root", None, &[]))))
}

fn list(collection: &Collection, example: Option<&Value>) -> OperationBuilder {
    let streams = Format::streams_of(&collection.resource_type);
    let mut parameters = page_parameters(streams);
    parameters.extend(reading_parameters(streams, collection.includes));
    parameters.extend(selecting_parameters(collection));
    let id = format!("list_{}", in_snake_case(&collection.path));
    let responses = refusing(responses(success("List", example.map(page_of), streams)));
    operation(&id, &collection.path, collection.description, parameters, responses)
}

fn search(collection: &Collection) -> OperationBuilder {
    let id = format!("search_{}", in_snake_case(&collection.path));
    let text = format!(
        "The list of {}, for parameters that do not fit into a URI: all of the list's, as texts, numbers, or lists of them. Each item of a list is \
        one value, commas and all; an empty list matches nothing. An unknown parameter is refused, and a filter that is null. Links to other pages take \
        the same body again.",
        collection.path
    );
    let mut body = json!({"page_size": 25});
    if collection.is_searched() {
        body["search"] = "marine".into();
    }
    let content = ContentBuilder::new().schema(Some(ObjectBuilder::new())).example(Some(body)).build();
    let body = RequestBodyBuilder::new().content(Format::Json.content_type(), content).required(Some(Required::True));
    let streams = Format::streams_of(&collection.resource_type);
    let responses = refusing(responses(success("List", None, streams)))
        .response("408", error("The body took too long."))
        .response("413", error("The body is too long."))
        .response("415", error("The body is not JSON."));
    operation(&id, &collection.path, &text, page_parameters(streams), responses).request_body(Some(body.build()))
}

fn counted(collection: &Collection) -> OperationBuilder {
    let mut parameters = counting_parameters(&collection.resource_type);
    parameters.push(formats(&[]));
    let selects = |parameter: &Parameter| parameter.name != "ordering";
    parameters.extend(selecting_parameters(collection).into_iter().filter(selects));
    let text = format!(
        "The {} that the filters select, counted by what they have. In JSON only. An unknown parameter is refused.",
        collection.path
    );
    let responses = refusing(responses(success("Facets", None, &[])));
    operation(&format!("count_{}", in_snake_case(&collection.path)), &collection.path, &text, parameters, responses)
}

fn metadata_keys() -> OperationBuilder {
    let text = "The keys of the metadata of samples, with units, least and greatest numbers, those of most samples first. In JSON only.";
    let responses = refusing(responses(success("MetadataKeys", None, &[])));
    operation("list_metadata_keys", SAMPLES, text, vec![keys_limit(), formats(&[])], responses)
}

fn single(collection: &Collection, example: Option<&Value>) -> OperationBuilder {
    let streams = Format::streams_of(&collection.resource_type);
    let mut parameters = identifying(collection);
    parameters.extend(reading_parameters(streams, &[collection.includes, collection.single_includes].concat()));
    let id = format!("get_{}", in_snake_case(&collection.name));
    let text = format!("One of the {}.", collection.path);
    let document = example.map(|resource| json!({"data": resource}));
    operation(&id, &collection.path, &text, parameters, refusing(responses(success("Single", document, streams))))
}

fn related(collection: &Collection, relation: &Relation, examples: &Map<String, Value>) -> OperationBuilder {
    let mut parameters = identifying(collection);
    let member_type = relation.member_types.first().copied().unwrap_or_default();
    let members = lookup::of_type(member_type);
    let streams = Format::streams_of_relation(relation);
    parameters.extend(page_parameters(streams));
    parameters.extend(reading_parameters(streams, members.includes));
    parameters.extend(selecting_parameters(&members));
    let name = in_snake_case(relation.name).replace('/', "_");
    let id = format!("list_{name}_of_{}", in_snake_case(&collection.name));
    let text = match relation.members {
        Members::Linked | Members::Naming | Members::OfStudies => {
            "The members of a relationship, as far as they were loaded."
        }
        Members::LinkedOrAll => {
            "The members of a relationship, as far as they were loaded; of `all`, every one that was loaded."
        }
        Members::InBiome => "What is in the biome itself.",
        Members::Having(_) => "What names it in an attribute.",
        Members::SamplesHaving(..) => "The samples of what names it in an attribute, each once.",
        Members::InLineage => "What is in the biome or in one below it.",
        Members::Descendants => "The biome and all biomes below it.",
        Members::Places => "The places where the samples of the study were taken. In JSON and CSV.",
        Members::MetadataEntries => "The metadata entries of the sample. In JSON and CSV.",
    };
    let example = examples.get(members.path.as_ref()).map(page_of);
    let responses = refusing(responses(success("List", example, streams)));
    operation(&id, &collection.path, text, parameters, responses)
}

fn recent(example: Option<&Value>) -> OperationBuilder {
    let streams = Format::streams_of(STUDIES);
    let mut parameters = page_parameters(streams);
    parameters.extend(reading_parameters(streams, lookup::of_type(STUDIES).includes));
    let text = "The 25 studies that were updated last.";
    let responses = refusing(responses(success("List", example.map(page_of), streams)));
    operation("list_recent_studies", STUDIES, text, parameters, responses)
}

fn top_biomes(example: Option<&Value>) -> OperationBuilder {
    let text = "A fixed choice of biomes, those with the most samples in them or below them first. In JSON only.";
    let document = example.map(|resource| json!({"data": [resource]}));
    let parameters = reading_parameters(&[], &[]);
    operation("list_top_biomes", BIOMES, text, parameters, refusing(responses(success("Choice", document, &[]))))
}

fn identifying(collection: &Collection) -> Vec<Parameter> {
    let Id { form, description, example } = collection.id;
    match form {
        IdForm::WithVersion => vec![
            path_parameter("name", description, example),
            path_parameter("version", "The version of the tool.", "1.54"),
        ],
        IdForm::Text | IdForm::Number => vec![path_parameter("id", description, example)],
    }
}

fn operation(
    id: &str,
    tag: &str,
    text: &str,
    parameters: Vec<Parameter>,
    responses: ResponsesBuilder,
) -> OperationBuilder {
    let operation = OperationBuilder::new().operation_id(Some(id)).tag(tag).summary(Some(text));
    operation.parameters(Some(parameters)).responses(responses.build())
}

fn responses(success: Response) -> ResponsesBuilder {
    let unchanged = ResponseBuilder::new().description("The answer is still the one whose `ETag` the request shows.");
    ResponsesBuilder::new()
        .response("200", success)
        .response("304", unchanged)
        .response("404", error("There is no such collection, resource, page or format."))
        .response("405", error("The path does not have this method; `Allow` names those that it has."))
        .response("406", error("The client accepts nothing of what there is."))
        .response("414", error("The URI is too long."))
        .response("500", error("A fault of the server; its log says more under the `x-request-id` of the answer."))
        .response("503", error("No catalogue is loaded, the server is overloaded, or the request took too long."))
}

fn refusing(responses: ResponsesBuilder) -> ResponsesBuilder {
    responses.response("400", error("A parameter cannot be used."))
}

fn error(text: &str) -> Response {
    let content = Content::new(Some(Ref::from_schema_name("Errors")));
    let types = [Format::Json, Format::JsonApi].map(Format::content_type);
    let response = ResponseBuilder::new().description(text);
    types.into_iter().fold(response, |response, name| response.content(name, content.clone())).build()
}

fn success(schema: &str, example: Option<Value>, streams: &[Format]) -> Response {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(schema))).example(example).build();
    let mut response = ResponseBuilder::new()
        .description(if streams.is_empty() { "A document." } else { "A document, or the whole result as a stream." })
        .content(Format::Json.content_type(), content.clone())
        .content(Format::JsonApi.content_type(), content);
    for format in streams {
        response = response.content(format.content_type(), Content::default());
    }
    response.build()
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

fn in_snake_case(name: &str) -> String {
    name.to_lowercase().replace([' ', '-'], "_")
}

#[cfg(test)]
mod tests;
