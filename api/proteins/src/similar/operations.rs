//! The operations on searches for similar proteins.

use std::sync::Arc;

use api_http::blocking::{ANSWER_PATIENCE, blocking, in_turn};
use api_http::cross_site::{REFUSED, is_cross_site};
use api_http::posted::{JSON, Posted};
use axum::body::Body;
use axum::http::{Method, StatusCode, header};
use futures_util::future::BoxFuture;

use super::state::{SECRET, submitted};
use super::{begin, hits, remove, state};
use crate::question::{Answer, Question};
use crate::{ProteinProblem, ProteinService, SIMILAR_BODY, Version, budget, v2};

/// Begins a search. Its parameters are the members of a JSON object, or a form.
pub(crate) fn submit<'a>(service: &'a ProteinService, question: Question<'a>, body: Body) -> BoxFuture<'a, Answer> {
    Box::pin(async move {
        let (headers, limits) = (&question.parts.headers, &service.front.limits);
        let content_type = headers.get(header::CONTENT_TYPE);
        // Browsers send JSON to another site only if it permits this.
        if !content_type.is_some_and(|value| value.as_bytes().starts_with(JSON.as_bytes())) {
            refuse_cross_site(&question)?;
        }
        let similarity = Arc::clone(&service.similarity);
        similarity.searches()?;
        v2::refuse_parameters(question.query(), " Send the parameters of a search in the body.")?;
        let posted = Posted::arrive(limits, headers, body, SIMILAR_BODY).await.map_err(ProteinProblem::of_body)?;
        let (client, release) = (limits.client_name(&question.parts), question.release);
        let begin = move |pairs: &Vec<_>, turn| begin(similarity.searches()?, &release, pairs, &client, budget(turn));
        Ok(submitted(posted.in_turns(v2::pairs_of_body, begin).await?, &question.base))
    })
}

/// Answers with the state of a search, or removes it.
pub(crate) fn one<'a>(service: &'a ProteinService, question: Question<'a>, _: Body) -> BoxFuture<'a, Answer> {
    Box::pin(async move {
        let similarity = Arc::clone(&service.similarity);
        if question.parts.method == Method::DELETE {
            refuse_cross_site(&question)?;
            let secret = question.parts.headers.get(SECRET).map_or_else(Vec::new, |secret| secret.as_bytes().to_vec());
            let id = question.segment.into_owned();
            return blocking(move || remove(&similarity, &id, &secret)).await;
        }
        let query = question.parts.uri.query().unwrap_or_default();
        state(similarity, &service.front.limits, question.segment.into_owned(), query, question.base).await
    })
}

/// Answers with the hits of a search.
pub(crate) fn hits_of_one<'a>(service: &'a ProteinService, question: Question<'a>, _: Body) -> BoxFuture<'a, Answer> {
    Box::pin(async move {
        let (similarity, access) = (Arc::clone(&service.similarity), question.access);
        let variant = Version::V2.variant(&question);
        match service.front.tag(question.release.data.name(), &question.parts, &variant) {
            Ok(tag) => {
                let question = question.into_owned();
                let answered = in_turn(ANSWER_PATIENCE, move || hits(&similarity, &question)).await;
                Ok(tag.tag(access.respond(answered.map_err(ProteinProblem::from).flatten())))
            }
            // A client that already has the hits gets an error if the search does not exist any
            // more.
            Err(not_modified) => {
                let id = question.segment.into_owned();
                blocking(move || similarity.searches()?.find(&id).map(|_| not_modified)).await
            }
        }
    })
}

/// Refuses requests from pages of other sites.
fn refuse_cross_site(question: &Question) -> Result<(), ProteinProblem> {
    if !is_cross_site(&question.parts.headers) {
        return Ok(());
    }
    Err(ProteinProblem::Refused { status: StatusCode::FORBIDDEN, detail: REFUSED.to_owned() })
}
