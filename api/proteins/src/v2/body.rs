//! Requests with parameters or accessions in the body, since they are too long for a URI.

use api_http::posted::{BodyKind, Contents, FORM, JSON, Posted};
use axum::body::Body;
use futures_util::future::BoxFuture;
use store::QUERY_TERMS_MAX;

use super::batch::{ACCESSIONS_MAX, Batch, BatchParameters};
use super::parameters::{QueryParameters, accepted};
use super::search::Query;
use super::{budget, repeats};
use crate::ProteinService;
use crate::problem::ProteinProblem;
use crate::question::{Answer, Question};

/// The body of a search: several times the bytes of the longest query, and a list with the most
/// conditions.
const SEARCH: BodyKind =
    BodyKind { content_types: &[JSON], bytes_max: 512 << 10, values_max: (2 * QUERY_TERMS_MAX, "values"), copies: 9 };

/// The body of a search for similar proteins: the bytes of the longest profile, and a few values.
pub const SIMILAR: BodyKind =
    BodyKind { content_types: &[JSON, FORM], bytes_max: 9 << 20, values_max: (100, "values"), copies: 8 };

/// The most bytes of a batch: 40 for each accession.
pub const BATCH_BYTES_MAX: usize = 4 << 20;

const BATCH: BodyKind = BodyKind {
    content_types: &[JSON, "text/plain"],
    bytes_max: BATCH_BYTES_MAX,
    values_max: (ACCESSIONS_MAX, "accessions"),
    copies: 5,
};

/// Answers a search whose parameters are the members of a JSON object. Parameters of the URI are
/// added.
pub(crate) fn search<'a>(service: &'a ProteinService, question: Question<'a>, body: Body) -> BoxFuture<'a, Answer> {
    Box::pin(async move {
        let headers = &question.parts.headers;
        let posted =
            Posted::arrive(&service.front.limits, headers, body, SEARCH).await.map_err(ProteinProblem::of_body)?;
        let (url, accepted) = (question.url(), accepted(headers));
        let own = question.query().to_owned();
        let given = own.clone();
        let read = move |contents| {
            let mut text = form_urlencoded::Serializer::new(String::new());
            text.extend_pairs(pairs(contents)?).extend_pairs(form_urlencoded::parse(given.as_bytes()));
            Ok(text.finish())
        };
        let release = question.release;
        let answer = move |text: &String, turn| {
            let parameters = QueryParameters::parse_in(&release, text, accepted)?;
            Query { data: &release.data, parameters, url: &url, text: &own, conditions: text }.answer(budget(turn))
        };
        posted.in_turns(read, answer).await
    })
}

/// Answers a batch.
pub(crate) fn batch<'a>(service: &'a ProteinService, question: Question<'a>, body: Body) -> BoxFuture<'a, Answer> {
    Box::pin(async move {
        let headers = &question.parts.headers;
        let parameters = BatchParameters::parse(question.query(), accepted(headers))?;
        let posted =
            Posted::arrive(&service.front.limits, headers, body, BATCH).await.map_err(ProteinProblem::of_body)?;
        let (data, base) = (question.release.data, question.base);
        posted.in_turn(move |contents| Batch::of_body(&contents)?.answer(data, parameters, base)).await?
    })
}

/// Returns the members of an object or the fields of a form as parameters. Each item of a list is a
/// parameter of its own.
pub(crate) fn pairs(contents: Contents) -> Result<Vec<(String, String)>, ProteinProblem> {
    let mut pairs = Vec::new();
    for (name, given) in contents.members().map_err(ProteinProblem::of_body)? {
        let Some(texts) = given.into_texts() else {
            let problem = "Enter a text, a number, a boolean, or a list of them.";
            return Err(ProteinProblem::of_parameter(name, problem));
        };
        pairs.extend(texts.into_iter().map(|text| (name.clone(), text)));
    }
    repeats::check(pairs.iter().map(|(name, _)| &**name))?;
    Ok(pairs)
}
