//! Answers to `OPTIONS`: the formats and methods of a resource or collection.

use axum::http::{Method, StatusCode};
use axum::response::Response;
use serde_json::json;
use store::CatalogueContents;

use crate::catalogue::collections::collection::Collection;
use crate::catalogue::collections::lookup;
use crate::catalogue::problem::CatalogueProblem;
use crate::catalogue::request::negotiation::Format;
use crate::catalogue::routing::Route;
use crate::http::front::Methods;
use crate::json_response;

pub(crate) fn answer(
    route: &Route,
    methods: Methods,
    contents: &CatalogueContents,
) -> Result<Response, CatalogueProblem> {
    let (name, is_streamed) = match route {
        Route::Root => ("Api Root".to_owned(), false),
        Route::List(collection) | Route::Recent(collection) => (format!("{} List", collection.name), true),
        Route::Search(collection) => (format!("{} Search", collection.name), true),
        Route::Facets(collection) => (format!("{} Facets", collection.name), false),
        Route::MetadataKeys(collection) => (format!("{} Metadata Keys", collection.name), false),
        Route::TopBiomes(collection) => (format!("{} List", collection.name), false),
        Route::Single(collection, _) => (format!("{} Instance", collection.name), true),
        Route::Related(collection, _, relation) => of_relation(collection, relation, contents)?,
    };
    let mut renders = vec![Format::Json, Format::JsonApi];
    if is_streamed {
        renders.extend([Format::Csv, Format::Ndjson]);
    }
    let renders: Vec<&str> = renders.into_iter().map(Format::content_type).collect();
    let data = json!({
        "name": name,
        "description": "",
        "renders": renders,
        "parses": [Format::JsonApi.content_type(), Format::Json.content_type()],
        "allowed_methods": methods.allowed.iter().map(Method::as_str).collect::<Vec<_>>(),
    });
    Ok(json_response(StatusCode::OK, &json!({"data": data})))
}

/// Returns the name of a related collection, and whether it can be streamed.
fn of_relation(
    collection: &Collection,
    relation: &str,
    contents: &CatalogueContents,
) -> Result<(String, bool), CatalogueProblem> {
    let tabled = collection.relation(relation);
    if tabled.is_none() && lookup::is_modelled(collection) {
        return Err(CatalogueProblem::NotFound);
    }
    let name = match lookup::at_path(relation, contents) {
        Some(members) => members.name.to_string(),
        None => lookup::in_words(relation),
    };
    let is_streamed = tabled.is_none_or(|tabled| tabled.members.are_resources());
    Ok((format!("{} {name} List", collection.name), is_streamed))
}
