//! Requests whose parameters or accessions come in the body, since they are too long for a URI.

use std::sync::Arc;

use axum::body::{Body, HttpBody};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::Response;
use serde_json::{Map, Value};
use store::ProteinGeneration;

use super::batch::{Batch, BatchParameters};
use super::in_turns;
use super::parameters::{QueryParameters, accepted, none_allowed};
use super::search::Query;
use crate::SourceError;
use crate::http::blocking::{ANSWER_PATIENCE, in_turn};
use crate::http::json_body;
use crate::http::limits::{Limits, Permit};
use crate::proteins::Release;
use crate::proteins::problem::{ParameterProblem, ProteinProblem};
use crate::proteins::similar::{self, Similarity};

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";

/// The most bytes of the parameters of a search: several times those of the longest query.
const SEARCH_BYTES_MAX: usize = 512 << 10;

/// The most bytes of the parameters of a search for similar proteins: those of the longest profile.
const SIMILAR_BYTES_MAX: usize = 9 << 20;

/// The most bytes of the accessions of a batch: 40 for each.
pub(crate) const BATCH_BYTES_MAX: usize = 4 << 20;

/// The memory of a request, as a multiple of its body: as bytes, as values, and as a query.
const COPIES: usize = 4;

/// Answers a search whose parameters come as the members of a JSON object. Those of the URI count, too.
pub(in crate::proteins) async fn search(
    release: Release,
    (limits, parts, body): (&Limits, &Parts, Body),
    base: String,
) -> Result<Response, ProteinProblem> {
    let text = members(limits, parts, body, SEARCH_BYTES_MAX).await?;
    let (url, accepted) = (base + parts.uri.path(), accepted(&parts.headers));
    let own = parts.uri.query().unwrap_or_default().to_owned();
    let text = format!("{text}&{own}");
    let answer = move |budget| {
        let parameters = QueryParameters::parse_in(&release, &text, accepted)?;
        Query { data: &release.data, parameters, url: &url, text: &own, conditions: &text }.answer(budget)
    };
    in_turns(answer).await
}

/// Begins a search for similar proteins, whose parameters come as the members of a JSON object, or as a form.
pub(in crate::proteins) async fn similar(
    similarity: Arc<Similarity>,
    release: Release,
    (limits, parts, body): (&Limits, &Parts, Body),
    base: String,
) -> Result<Response, ProteinProblem> {
    similarity.served()?;
    none_allowed(parts.uri.query().unwrap_or_default(), " The parameters of a search are in the body.")?;
    let (text, client) = (parameters(limits, parts, body).await?, limits.client_name(parts));
    let begin = move |budget| similar::begin(similarity.served()?, &release, &text, &client, budget);
    Ok(similar::submitted(in_turns(begin).await?, &base))
}

/// Reads the parameters of a search for similar proteins.
pub(crate) async fn parameters(limits: &Limits, parts: &Parts, body: Body) -> Result<String, ProteinProblem> {
    let content_type = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if content_type.is_none_or(|value| !value.trim_start().to_ascii_lowercase().starts_with(FORM)) {
        return members(limits, parts, body, SIMILAR_BYTES_MAX).await;
    }
    take_memory(&body, SIMILAR_BYTES_MAX)?;
    let bytes = json_body::bytes(limits, &parts.headers, body, (&[FORM], SIMILAR_BYTES_MAX)).await;
    Ok(String::from_utf8_lossy(&bytes.map_err(ProteinProblem::of_body)?).into_owned())
}

/// Reads the members of a JSON object as parameters.
async fn members(limits: &Limits, parts: &Parts, body: Body, max: usize) -> Result<String, ProteinProblem> {
    take_memory(&body, max)?;
    let members = json_body::object(limits, &parts.headers, body, (&[JSON], max)).await;
    let members = members.map_err(ProteinProblem::of_body)?;
    in_turn(ANSWER_PATIENCE, move || encoded(members)).await?
}

/// Answers a batch.
pub(in crate::proteins) async fn batch(
    data: Arc<ProteinGeneration>,
    (limits, parts, body): (&Limits, &Parts, Body),
    base: String,
) -> Result<Response, ProteinProblem> {
    let parameters = BatchParameters::parse(parts.uri.query().unwrap_or_default(), accepted(&parts.headers))?;
    take_memory(&body, BATCH_BYTES_MAX)?;
    let bytes = json_body::bytes(limits, &parts.headers, body, (&[JSON, "text/plain"], BATCH_BYTES_MAX)).await;
    let bytes = bytes.map_err(ProteinProblem::of_body)?;
    let content_type = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let is_json = content_type.is_none_or(|value| value.trim_start().to_ascii_lowercase().starts_with(JSON));
    let answer = move || Batch::parse(&bytes, is_json)?.answer(data, parameters, base);
    in_turn(ANSWER_PATIENCE, answer).await?
}

/// Takes memory for a body and all that becomes of it.
pub(crate) fn take_memory(body: &Body, max: usize) -> Result<(), SourceError> {
    let most = body.size_hint().upper().and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(max);
    if Permit::take_memory(most.min(max) * COPIES) { Ok(()) } else { Err(SourceError::Overloaded) }
}

/// Returns the parameters as a URI would have them. A list of fields is one parameter, any other list as many conditions.
fn encoded(members: Map<String, Value>) -> Result<String, ProteinProblem> {
    let mut text = form_urlencoded::Serializer::new(String::new());
    for (name, value) in members {
        let values = match value {
            Value::Array(values) => values,
            value => vec![value],
        };
        let values = values.into_iter().map(|value| match value {
            Value::String(text) => Some(text),
            Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        });
        let Some(values) = values.collect::<Option<Vec<String>>>() else {
            let problem = "Enter a text, a number, a boolean, or a list of them.";
            return Err(ProteinProblem::Parameters(vec![ParameterProblem::new("value_error", name, problem)]));
        };
        if name == "fields" {
            text.append_pair(&name, &values.join(","));
        } else {
            text.extend_pairs(values.iter().map(|value| (&name, value)));
        }
    }
    Ok(text.finish())
}
