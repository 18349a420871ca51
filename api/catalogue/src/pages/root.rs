//! The list of collections.

use axum::response::Response;
use serde_json::{Map, Value, json};

use crate::collections::lookup;
use crate::problem::CatalogueProblem;
use crate::relations::links::path;
use crate::render::document;
use crate::request::context::Context;

pub(crate) fn answer(context: &Context) -> Result<Response, CatalogueProblem> {
    context.only_json()?;
    let addresses: Map<String, Value> = lookup::all(context.snapshot.contents())
        .map(|collection| (collection.path.to_string(), Value::from(context.links.link(&path(&[&collection.path])))))
        .collect();
    let json = serde_json::to_vec(&json!({"data": addresses}))?;
    Ok(document::response(context.format, json))
}
