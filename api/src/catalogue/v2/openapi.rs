//! The description of version 2, made from its table.

mod schemas;

use serde_json::{Map, Value, json};
use store::model::{GENOMES, ResourceType, SAMPLES};

use super::asked::{Format, PAGE_SIZE_MAX};
use super::filter::{EXPERIMENT_TYPES, Filter, FilterKind, PIPELINES};
use super::kinds::{Id, KINDS, Kind};
use super::parts::ANNOTATION_TYPES;
use super::routing::NOT_SERVED;
use crate::catalogue::collections::lookup;
use crate::catalogue::openapi::parameters::selecting_parameters;
use crate::paths;
use schemas::{page_of, reference};

const DESCRIPTION: &str = include_str!("openapi/description.md");

pub(in crate::catalogue) fn description() -> Value {
    let mut operations = Vec::new();
    for kind in &KINDS {
        of_kind(kind, &mut operations);
    }
    operations.extend(others());
    let mut all: Map<String, Value> = Map::new();
    for Operation { path, method, tag, id, text, parameters, responses } in operations {
        let operation = json!({
            "operationId": id,
            "tags": [tag],
            "summary": text,
            "parameters": parameters,
            "responses": responses,
        });
        all.insert(format!("{}{path}", paths::CATALOGUE_V2), json!({ method: operation }));
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

struct Operation {
    path: String,
    method: &'static str,
    tag: &'static str,
    id: String,
    text: String,
    parameters: Vec<Value>,
    responses: Value,
}

impl Operation {
    fn get(
        path: impl Into<String>,
        kind: &Kind,
        (id, text): (&str, &str),
        parameters: Vec<Value>,
        good: Value,
    ) -> Self {
        let (path, id, text) = (path.into(), id.to_owned(), text.to_owned());
        Self { path, method: "get", tag: kind.plural, id, text, parameters, responses: responses(good) }
    }
}

/// Adds the list, the detail and what is below it.
fn of_kind(kind: &'static Kind, operations: &mut Vec<Operation>) {
    let (path, name) = (format!("/{}/", kind.path), in_snake_case(kind.plural));
    let detail = format!("{}Detail", kind.singular);
    let item = |kind: &Kind, is_whole: bool| match (kind.resource_type, is_whole) {
        (SAMPLES, true) => "SampleWithMetadata".to_owned(),
        (_, true) => format!("{}Detail", kind.singular),
        (_, false) => kind.singular.to_owned(),
    };
    let text = format!("{}, a page or all of them.", kind.plural);
    let parameters = list_parameters(kind, true);
    let good = streamed(&item(kind, kind.is_listed_whole));
    operations.push(Operation::get(path.clone(), kind, (&format!("list_{name}"), &text), parameters, good));
    let Some(id) = id_parameter(kind) else { return };
    let key = ResourceType::rules_of(kind.resource_type).document_key;
    let singular = in_snake_case(kind.singular);
    let has_detail = schemas::schemas().contains_key(&detail);
    let mut parameters = vec![id.clone(), fields()];
    parameters.extend((kind.resource_type == GENOMES).then(catalogue));
    let good = json!({"schema": reference(if has_detail { &detail } else { kind.singular })});
    let text = format!("One of the {}.", kind.plural.to_lowercase());
    operations.push(Operation::get(
        format!("{path}{{{key}}}"),
        kind,
        (&format!("get_{singular}"), &text),
        parameters,
        good,
    ));
    for sublist in kind.sublists {
        let members = Kind::of(sublist.resource_type);
        let mut parameters = list_parameters(members, sublist.is_selected);
        parameters.insert(0, id.clone());
        let text = format!("The {} of one of the {}.", sublist.name, kind.plural.to_lowercase());
        let id = format!("list_{}_of_{singular}", sublist.name);
        let good = streamed(&item(members, sublist.is_whole));
        operations.push(Operation::get(
            format!("{path}{{{key}}}/{}/", sublist.name),
            kind,
            (&id, &text),
            parameters,
            good,
        ));
    }
}

/// Returns the operations that only some types have.
fn others() -> Vec<Operation> {
    let of = |path: &str| Kind::at(path).expect("in the table");
    let (studies, analyses, assemblies, genomes) = (of("studies"), of("analyses"), of("assemblies"), of("genomes"));
    let id = |kind| id_parameter(kind).expect("it has details");
    let mut operations = vec![
        Operation::get(
            "/studies/insdc/{accession}",
            studies,
            ("find_study", "The study that has an accession of the European Nucleotide Archive."),
            vec![path_parameter("accession", json!({"type": "string"}), "Such as `ERP019566` or `PRJEB17696`.")],
            json!({"schema": reference("Accession")}),
        ),
        Operation::get(
            "/analyses/{accession}/annotations",
            analyses,
            ("get_annotations", "An analysis with all its annotations."),
            vec![id(analyses), fields()],
            json!({"schema": reference("AnalysisWithAnnotations")}),
        ),
        Operation::get(
            "/analyses/{accession}/annotations/{annotation_type}",
            analyses,
            ("list_annotations", "The annotations of one type that an analysis has."),
            [
                vec![
                    id(analyses),
                    path_parameter("annotation_type", json!({"type": "string", "enum": ANNOTATION_TYPES}), "The type."),
                ],
                page_parameters(analyses.page_size),
            ]
            .concat(),
            json!({"schema": page_of("Annotation")}),
        ),
        Operation::get(
            "/genomes/{accession}/annotations",
            genomes,
            ("get_genome_annotations", "The annotations of a genome."),
            vec![id(genomes), catalogue()],
            json!({"schema": reference("GenomeAnnotations")}),
        ),
        Operation::get(
            "/publications/{pubmed_id}/annotations",
            of("publications"),
            (
                "get_publication_annotations",
                "What Europe PMC has annotated in a publication, as far as it was harvested.",
            ),
            vec![id(of("publications"))],
            json!({"schema": {"type": "object"}}),
        ),
        Operation::get(
            "/my-data/studies/",
            studies,
            ("list_own_studies", "The real service lists the studies of the caller; there are none here: 401."),
            Vec::new(),
            json!({"schema": {"type": "object"}}),
        ),
    ];
    for (name, text, schema) in [
        ("genome-links", "The genomes that an assembly was linked to.", "GenomeLink"),
        ("additional-contained-genomes", "The other genomes that an assembly contains.", "ContainedGenome"),
    ] {
        let parameters = [vec![id(assemblies)], page_parameters(assemblies.page_size)].concat();
        let path = format!("/assemblies/{{accession}}/{name}");
        let good = json!({"schema": page_of(schema)});
        operations.push(Operation::get(
            path,
            assemblies,
            (&format!("list_{}", in_snake_case(name)), text),
            parameters,
            good,
        ));
    }
    let mut news = Operation::get(
        "/rss/studies/",
        studies,
        ("get_news", "The 20 studies that were updated last, as RSS 2.0."),
        Vec::new(),
        json!({}),
    );
    news.responses["200"]["content"] = json!({"application/rss+xml": {"schema": {"type": "string"}}});
    operations.push(news);
    for path in NOT_SERVED {
        let mut responses = responses(json!({}));
        responses["200"].take();
        responses.as_object_mut().expect("an object").retain(|_, response| !response.is_null());
        responses["501"] = error("This server does not have this operation.");
        let (id, text) = (in_snake_case(&format!("post{}", path.replace('/', "_"))), "Not here.".to_owned());
        let (path, parameters) = (path.to_owned(), Vec::new());
        operations.push(Operation { path, method: "post", tag: "Not here", id, text, parameters, responses });
    }
    operations
}

fn list_parameters(kind: &Kind, is_selected: bool) -> Vec<Value> {
    let mut parameters = page_parameters(kind.page_size);
    let mut names = Vec::new();
    if is_selected {
        if !kind.orders.is_empty() {
            let text =
                "The order; a dash stands before one that falls. Null is the greatest, and ties ascend by accession.";
            parameters.push(query("order", json!({"type": "string", "enum": kind.order_names()}), text));
        }
        for filter in kind.filters {
            names.push(filter.name);
            parameters.push(query(filter.name, filter_schema(filter), filter.description));
        }
    }
    let formats: Vec<_> = Format::STREAMS.iter().map(|(name, _)| *name).collect();
    let text = |text: &str| format!("{text} An addition of mgdex.");
    parameters.extend([
        query(
            "after",
            json!({"type": "string"}),
            &text("In place of `page`: the page begins behind this item, or at the first if it is empty; the answer has `next` then."),
        ),
        fields(),
        query("format", json!({"type": "string", "enum": formats}), &text("All items as lines of JSON or as a table.")),
        query(
            "safe",
            json!({"type": "string", "enum": ["1"]}),
            &text("`1` puts an apostrophe before texts of tables that a spreadsheet would take for formulas."),
        ),
        query(
            "strict",
            json!({"type": "string", "enum": ["1"]}),
            &text("`1` refuses parameters, formats and fields that are unknown here."),
        ),
    ]);
    for parameter in selecting_parameters(&lookup::of_type(kind.resource_type)) {
        let mut parameter = serde_json::to_value(parameter).expect("JSON");
        if !names.iter().any(|name| parameter["name"] == *name) {
            let own = parameter["description"].as_str().unwrap_or_default();
            parameter["description"] = format!("{own} As in version 1: an addition of mgdex.").into();
            parameters.push(parameter);
        }
    }
    parameters
}

fn filter_schema(filter: &Filter) -> Value {
    match filter.kind {
        FilterKind::BiomeLineage | FilterKind::Search { .. } => json!({"type": "string"}),
        FilterKind::Pipeline => json!({"type": "string", "enum": PIPELINES}),
        FilterKind::ExperimentType => json!({"type": "string", "enum": EXPERIMENT_TYPES.map(|(name, _)| name)}),
        FilterKind::YearMin | FilterKind::YearMax => json!({"type": "integer"}),
        FilterKind::DepthMax => json!({"type": "integer", "minimum": 1}),
    }
}

fn page_parameters(page_size: usize) -> Vec<Value> {
    let number = json!({"type": "integer", "minimum": 1});
    let size = json!({"type": "integer", "minimum": 1, "default": page_size});
    let text = format!("How many items a page has; more than {PAGE_SIZE_MAX} are cut to that.");
    vec![
        query("page", number, "The number of the page, 1-based. Pages behind the last are empty."),
        query("page_size", size, &text),
    ]
}

fn id_parameter(kind: &Kind) -> Option<Value> {
    let (schema, text) = match kind.id {
        Id::None => return None,
        Id::Key(example) => (json!({"type": "string"}), format!("Such as `{example}`.")),
        Id::Accession => (json!({"type": "string"}), "Any of its accessions.".to_owned()),
        Id::Number => (json!({"type": "integer"}), "The PubMed id.".to_owned()),
    };
    Some(path_parameter(ResourceType::rules_of(kind.resource_type).document_key, schema, &text))
}

fn catalogue() -> Value {
    query("catalogue_id", json!({"type": "string"}), "The catalogue that the genome must be of.")
}

fn fields() -> Value {
    let text = "The members that are wanted, separated by commas. An addition of mgdex.";
    query("fields", json!({"type": "string"}), text)
}

fn query(name: &str, schema: Value, text: &str) -> Value {
    let mut parameter = json!({"name": name, "in": "query", "required": false, "description": text});
    parameter["schema"] = schema;
    parameter
}

fn path_parameter(name: &str, schema: Value, text: &str) -> Value {
    let mut parameter = json!({"name": name, "in": "path", "required": true, "description": text});
    parameter["schema"] = schema;
    parameter
}

/// Returns the media types of a list.
fn streamed(item: &str) -> Value {
    json!({"schema": page_of(item), "is_list": true})
}

/// Returns the answers of an operation, given the good one.
fn responses(mut good: Value) -> Value {
    let is_list = good.as_object_mut().and_then(|good| good.remove("is_list")).is_some();
    let mut content = json!({"application/json": good});
    if is_list {
        for media_type in ["application/x-ndjson", "text/csv", "text/tab-separated-values"] {
            content[media_type] = json!({});
        }
    }
    let mut responses = json!({
        "200": {"description": "The answer.", "content": content},
        "304": {"description": "The answer is still the one whose `ETag` the request shows."},
    });
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
            37,
            "36 of the real service, and news"
        );
    }

    #[test]
    fn parameters_have_one_name_each() {
        let document = description();
        for (path, item) in document["paths"].as_object().expect("an object") {
            let Some(parameters) = item["get"]["parameters"].as_array() else { continue };
            let names: BTreeSet<_> = parameters.iter().map(|parameter| parameter["name"].to_string()).collect();
            assert_eq!(names.len(), parameters.len(), "{path}");
        }
    }
}
