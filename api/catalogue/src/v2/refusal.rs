//! Errors in the shape of version 2: `{"detail": …}`, with a text or, for parameters, a list with
//! an entry for each.

use api_http::error::Problem;
use api_http::json::json_response;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use store::QueryFault;

use crate::problem::CatalogueProblem;
use crate::request::query::WHERE;

/// The text of the 404 for unknown paths, and for types that have no other text.
pub(super) const NOT_FOUND: &str = "Not Found";

#[derive(Debug)]
pub(super) enum Refusal {
    /// The resource or path does not exist: 404 with this text. Private resources have the same
    /// answer.
    NotFound(String),
    /// Parameters cannot be used: 422 with an entry for each.
    Invalid(Vec<Value>),
    /// Data of users are not served here: 401.
    Unauthorized,
    /// This service lacks an operation of the real service: 501.
    NotServed,
    Common(Problem),
}

impl<E: Into<Problem>> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::Common(error.into())
    }
}

impl From<CatalogueProblem> for Refusal {
    /// Problems of version 1 keep their texts.
    fn from(problem: CatalogueProblem) -> Self {
        match problem {
            CatalogueProblem::Parameter { name, detail, .. } => Self::Invalid(vec![invalid("query", &name, &detail)]),
            CatalogueProblem::Conditions(faults) => Self::Invalid(faults.iter().map(fault_entry).collect()),
            CatalogueProblem::Request { detail, .. } | CatalogueProblem::Body { detail, .. } => {
                Self::Invalid(vec![json!({"type": "value_error", "loc": ["query"], "msg": detail})])
            }
            CatalogueProblem::NotFound | CatalogueProblem::InvalidPage | CatalogueProblem::NotAcceptable => {
                Self::NotFound(NOT_FOUND.to_owned())
            }
            CatalogueProblem::Common(problem) => Self::Common(problem),
        }
    }
}

/// Returns the entry for a fault in conditions.
fn fault_entry(fault: &QueryFault) -> Value {
    let context = json!({"start": fault.place.start, "end": fault.place.end});
    json!({"type": "query_parsing", "loc": ["query", WHERE], "msg": fault.to_string(), "ctx": context})
}

/// Returns the entry for a parameter that cannot be used, with our own text.
pub(super) fn invalid(part: &str, name: &str, text: &str) -> Value {
    json!({"type": "value_error", "loc": [part, name], "msg": text})
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, detail) = match self {
            Self::NotFound(text) => (StatusCode::NOT_FOUND, text.into()),
            Self::Invalid(entries) => (StatusCode::UNPROCESSABLE_ENTITY, entries.into()),
            Self::Unauthorized => (StatusCode::UNAUTHORIZED, "Unauthorized".into()),
            Self::NotServed => (StatusCode::NOT_IMPLEMENTED, "This server does not support this operation.".into()),
            Self::Common(Problem::MethodNotAllowed(_)) => {
                (StatusCode::METHOD_NOT_ALLOWED, Value::from("Method not allowed"))
            }
            Self::Common(Problem::NoSuchPath(_)) => (StatusCode::NOT_FOUND, NOT_FOUND.into()),
            Self::Common(problem @ Problem::TooMuchWork) => {
                return Self::Invalid(vec![invalid("query", WHERE, &problem.detail())]).into_response();
            }
            Self::Common(problem) => return problem.into_response(),
        };
        json_response(status, &json!({ "detail": detail }))
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;

    #[tokio::test]
    async fn too_much_work_is_a_fault_of_the_conditions() {
        let refused = Refusal::from(CatalogueProblem::from(Problem::TooMuchWork)).into_response();
        assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
        let body = to_bytes(refused.into_body(), 1 << 10).await.expect("a body");
        let body: Value = serde_json::from_slice(&body).expect("JSON");
        assert_eq!(body.pointer("/detail/0/loc"), Some(&json!(["query", "where"])));
    }
}
