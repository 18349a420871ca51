//! Requests whose parameters or accessions come in the body, since they are too long for a URI.

use std::sync::Arc;

use api_http::limits::Limits;
use api_http::posted::{BodyKind, Contents, FORM, JSON, Posted};
use axum::body::Body;
use axum::http::request::Parts;
use axum::response::Response;
use store::{ProteinGeneration, QUERY_TERMS_MAX};

use super::batch::{ACCESSIONS_MAX, Batch, BatchParameters};
use super::parameters::{QueryParameters, accepted, none_allowed};
use super::search::Query;
use super::{budget, once};
use crate::Release;
use crate::problem::{ParameterProblem, ProteinProblem};
use crate::similar::{self, Similarity};

/// The parameters of a search: several times the bytes of the longest query, and a list with as many conditions as there may be.
const SEARCH: BodyKind =
    BodyKind { content_types: &[JSON], bytes_max: 512 << 10, values_max: (2 * QUERY_TERMS_MAX, "values"), copies: 9 };

/// The parameters of a search for similar proteins: the bytes of the longest profile, and a few values.
pub const SIMILAR: BodyKind =
    BodyKind { content_types: &[JSON, FORM], bytes_max: 9 << 20, values_max: (100, "values"), copies: 8 };

/// The most bytes of the accessions of a batch: 40 for each.
pub const BATCH_BYTES_MAX: usize = 4 << 20;

const BATCH: BodyKind = BodyKind {
    content_types: &[JSON, "text/plain"],
    bytes_max: BATCH_BYTES_MAX,
    values_max: (ACCESSIONS_MAX, "accessions"),
    copies: 5,
};

/// Answers a search whose parameters come as the members of a JSON object. Those of the URI count, too.
pub(crate) async fn search(
    release: Release,
    (limits, parts, body): (&Limits, &Parts, Body),
    base: String,
) -> Result<Response, ProteinProblem> {
    let posted = Posted::arrive(limits, &parts.headers, body, SEARCH).await?;
    let (url, accepted) = (base + parts.uri.path(), accepted(&parts.headers));
    let own = parts.uri.query().unwrap_or_default().to_owned();
    let given = own.clone();
    let read = move |contents| {
        let mut text = form_urlencoded::Serializer::new(String::new());
        text.extend_pairs(pairs(contents)?).extend_pairs(form_urlencoded::parse(given.as_bytes()));
        Ok(text.finish())
    };
    let answer = move |text: &String, turn| {
        let parameters = QueryParameters::parse_in(&release, text, accepted)?;
        Query { data: &release.data, parameters, url: &url, text: &own, conditions: text }.answer(budget(turn))
    };
    posted.in_turns(read, answer).await
}

/// Begins a search for similar proteins, whose parameters come as the members of a JSON object, or as a form.
pub(crate) async fn similar(
    similarity: Arc<Similarity>,
    release: Release,
    (limits, parts, body): (&Limits, &Parts, Body),
    base: String,
) -> Result<Response, ProteinProblem> {
    similarity.served()?;
    none_allowed(parts.uri.query().unwrap_or_default(), " The parameters of a search are in the body.")?;
    let posted = Posted::arrive(limits, &parts.headers, body, SIMILAR).await?;
    let client = limits.client_name(parts);
    let begin =
        move |pairs: &Vec<_>, turn| similar::begin(similarity.served()?, &release, pairs, &client, budget(turn));
    Ok(similar::submitted(posted.in_turns(pairs, begin).await?, &base))
}

/// Answers a batch.
pub(crate) async fn batch(
    data: Arc<ProteinGeneration>,
    (limits, parts, body): (&Limits, &Parts, Body),
    base: String,
) -> Result<Response, ProteinProblem> {
    let parameters = BatchParameters::parse(parts.uri.query().unwrap_or_default(), accepted(&parts.headers))?;
    let posted = Posted::arrive(limits, &parts.headers, body, BATCH).await?;
    posted.in_turn(move |contents| Batch::of_body(&contents)?.answer(data, parameters, base)).await?
}

/// Returns the members of an object or the fields of a form as parameters. A list is as many of them.
pub(crate) fn pairs(contents: Contents) -> Result<Vec<(String, String)>, ProteinProblem> {
    let mut pairs = Vec::new();
    for (name, given) in contents.members()? {
        let Some(texts) = given.into_texts() else {
            let problem = "Enter a text, a number, a boolean, or a list of them.";
            return Err(ProteinProblem::Parameters(vec![ParameterProblem::new("value_error", name, problem)]));
        };
        pairs.extend(texts.into_iter().map(|text| (name.clone(), text)));
    }
    once::check(pairs.iter().map(|(name, _)| &**name))?;
    Ok(pairs)
}
