//! Bodies of requests.

use axum::body::Body;
use axum::http::StatusCode;
use serde_json::{Map, Value};
use store::Attributes;

use super::attribute_rules;
use crate::http::json_body;
use crate::profiles::audit::entry::AuditEntry;
use crate::profiles::context::Context;
use crate::profiles::problem::ProfileProblem;

pub(crate) async fn object(context: &Context, body: Body) -> Result<Map<String, Value>, ProfileProblem> {
    let wanted = (&["application/json"][..], context.config().body_bytes_max);
    let object = json_body::object(&context.limits, &context.headers, body, wanted).await;
    object.map_err(|fault| match fault.into_client_error() {
        Ok((StatusCode::BAD_REQUEST, detail)) => ProfileProblem::invalid(detail),
        Ok((status, detail)) => ProfileProblem::new(status, detail),
        Err(problem) => problem.into(),
    })
}

/// Reads attributes, and notes their keys for the audit log.
pub(crate) async fn attributes(
    context: &Context,
    body: Body,
    entry: &mut AuditEntry,
) -> Result<Attributes, ProfileProblem> {
    let object = object(context, body).await?;
    checked(context, object, entry)
}

/// Checks attributes, and notes their keys for the audit log.
pub(crate) fn checked(
    context: &Context,
    object: Map<String, Value>,
    entry: &mut AuditEntry,
) -> Result<Attributes, ProfileProblem> {
    attribute_rules::check_keys(&object, context.config()).map_err(ProfileProblem::invalid)?;
    entry.keys = object.keys().cloned().collect();
    attribute_rules::read(object, context.config()).map_err(ProfileProblem::invalid)
}
