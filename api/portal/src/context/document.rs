//! Documents of the catalogue in the format of JSON:API.

use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::context::problem::PortalProblem;

/// An answer of the catalogue: a page of a list, or one resource.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Document {
    data: Data,
    #[serde(default)]
    meta: Meta,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Data {
    Many(Vec<Resource>),
    One(Box<Resource>),
}

impl Default for Data {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

#[derive(Debug, Default, Deserialize)]
struct Meta {
    #[serde(default)]
    pagination: Pagination,
}

/// The position of a page in its list.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(crate) struct Pagination {
    /// The number of the page, 1-based.
    pub(crate) page: u64,
    pub(crate) pages: u64,
    /// The number of resources in the whole list.
    pub(crate) count: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Resource {
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) attributes: Map<String, Value>,
    #[serde(default)]
    relationships: Map<String, Value>,
}

impl Document {
    /// Reads an answer.
    ///
    /// # Errors
    ///
    /// * The catalogue rejected the request.
    pub(crate) fn read(status: StatusCode, json: &[u8]) -> Result<Self, PortalProblem> {
        if status == StatusCode::OK {
            return Ok(serde_json::from_slice(json)?);
        }
        Err(refusal(status, json))
    }

    pub(crate) fn pagination(&self) -> Pagination {
        self.meta.pagination
    }

    pub(crate) fn resources(self) -> Vec<Resource> {
        match self.data {
            Data::Many(resources) => resources,
            Data::One(resource) => vec![*resource],
        }
    }
}

impl Resource {
    /// Returns the type and id of each relationship with exactly one resource.
    pub(crate) fn named(&self) -> impl Iterator<Item = (&str, &str)> {
        self.relationships.values().filter_map(|linked| {
            let named = match linked["data"].as_array().map(Vec::as_slice) {
                Some([one]) => one,
                _ => &linked["data"],
            };
            Some((named["type"].as_str()?, named["id"].as_str()?))
        })
    }

    /// Returns an attribute as text: empty if it is missing, JSON if it is neither text nor number.
    pub(crate) fn text(&self, attribute: &str) -> String {
        self.attributes.get(attribute).map(as_text).unwrap_or_default()
    }
}

/// Reads an error of either version: one text or a list.
pub(crate) fn refusal(status: StatusCode, json: &[u8]) -> PortalProblem {
    let refusal: Value = match serde_json::from_slice(json) {
        Ok(refusal) => refusal,
        Err(error) => return error.into(),
    };
    let of_parameters = refusal["errors"].as_array().into_iter().flatten().filter_map(of_parameter);
    let of_parameters: Vec<_> = of_parameters.collect();
    if !of_parameters.is_empty() {
        return PortalProblem::Parameters(status, of_parameters);
    }
    let faults = ["errors", "detail"].into_iter().filter_map(|name| refusal[name].as_array()).flatten();
    let texts = faults.filter_map(|fault| fault["detail"].as_str().or(fault["msg"].as_str()));
    let texts: Vec<_> = texts.chain(refusal["detail"].as_str()).collect();
    PortalProblem::Refused(status, texts.join(" "))
}

/// Returns the parameter of an error of version 1, and the problem.
fn of_parameter(error: &Value) -> Option<(String, String)> {
    let name = error["source"]["pointer"].as_str()?.strip_prefix("/data/attributes/")?;
    Some((name.replace('-', "_"), error["detail"].as_str()?.to_owned()))
}

/// Returns a value as text for a table. Decodes HTML entities such as `&deg;`.
pub(crate) fn as_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => html_escape::decode_html_entities(text).into_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Array(values) if values.iter().all(|value| !value.is_object()) => {
            values.iter().map(as_text).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}
