//! Answers to `OPTIONS`: the formats and methods of a resource or collection.

use api_http::front::Methods;
use api_http::json::json_response;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use serde_json::json;
use store_catalogue::CatalogueContents;

use crate::collections::collection::Collection;
use crate::collections::lookup;
use crate::problem::CatalogueProblem;
use crate::request::negotiation::Format;
use crate::routing::Route;

pub(crate) fn answer(
    route: &Route,
    methods: Methods,
    contents: &CatalogueContents,
) -> Result<Response, CatalogueProblem> {
    let streams_of = |collection: &Collection| Format::streams_of(&collection.resource_type);
    let (name, streams): (String, &[Format]) = match route {
        Route::Root => ("Api Root".to_owned(), &[]),
        Route::List(collection) | Route::Recent(collection) => {
            (format!("{} List", collection.name), streams_of(collection))
        }
        Route::Search(collection) => (format!("{} Search", collection.name), streams_of(collection)),
        Route::Facets(collection) => (format!("{} Facets", collection.name), &[]),
        Route::MetadataKeys(collection) => (format!("{} Metadata Keys", collection.name), &[]),
        Route::TopBiomes(collection) => (format!("{} List", collection.name), &[]),
        Route::Single(collection, _) => (format!("{} Instance", collection.name), streams_of(collection)),
        Route::Related(collection, _, relation) => relation_options(collection, relation, contents)?,
    };
    let renders = [Format::Json, Format::JsonApi].iter().chain(streams);
    let renders: Vec<&str> = renders.map(|format| format.content_type()).collect();
    let data = json!({
        "name": name,
        "description": "",
        "renders": renders,
        "parses": [Format::JsonApi.content_type(), Format::Json.content_type()],
        "allowed_methods": methods.allowed.iter().map(Method::as_str).collect::<Vec<_>>(),
    });
    Ok(json_response(StatusCode::OK, &json!({"data": data})))
}

/// Returns the name of a related collection, and the formats of its streams.
fn relation_options(
    collection: &Collection,
    relation: &str,
    contents: &CatalogueContents,
) -> Result<(String, &'static [Format]), CatalogueProblem> {
    let tabled = collection.relation(relation);
    if tabled.is_none() && lookup::is_modelled(collection) {
        return Err(CatalogueProblem::NotFound);
    }
    let name = match lookup::at_path(relation, contents) {
        Some(members) => members.name.to_string(),
        None => lookup::title_case(relation),
    };
    let streams = match tabled {
        Some(tabled) => Format::streams_of_relation(tabled),
        None => Format::streams_of(relation),
    };
    Ok((format!("{} {name} List", collection.name), streams))
}
