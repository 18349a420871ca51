//! Bodies of requests.

use api_http::error::Problem;
use api_http::posted::{BodyFault, BodyKind, Contents, Given, JSON, Posted};
use axum::body::Body;
use axum::http::StatusCode;
use store_profiles::Attributes;

use super::attribute_rules;
use crate::audit::entry::AuditEntry;
use crate::context::Context;
use crate::problem::ProfileProblem;

/// The most values of a body in addition to attributes: clients may send all that they have of a
/// profile.
const OTHERS_MAX: usize = 1_000;

/// Reads the members of an object.
pub(crate) async fn members(context: &Context, body: Body) -> Result<Vec<(String, Given)>, ProfileProblem> {
    let config = context.config();
    let kind = BodyKind {
        content_types: &[JSON],
        bytes_max: config.body_bytes_max,
        values_max: (config.attributes_max.saturating_add(OTHERS_MAX), "values"),
        copies: 8,
    };
    let posted = Posted::arrive(&context.limits, &context.headers, body, kind).await?;
    match posted.read(Contents::members).await.map_err(Problem::from)? {
        Err(BodyFault::TooMany(_)) => Err(ProfileProblem::invalid(attribute_rules::too_many(config))),
        read => Ok(read?),
    }
}

/// Reads attributes, and notes their keys for the audit log.
pub(crate) async fn attributes(
    context: &Context,
    body: Body,
    entry: &mut AuditEntry,
) -> Result<Attributes, ProfileProblem> {
    let members = members(context, body).await?;
    checked(context, members, entry)
}

/// Checks attributes, and notes their keys for the audit log.
pub(crate) fn checked(
    context: &Context,
    members: Vec<(String, Given)>,
    entry: &mut AuditEntry,
) -> Result<Attributes, ProfileProblem> {
    attribute_rules::check_keys(&members, context.config()).map_err(ProfileProblem::invalid)?;
    entry.keys = members.iter().map(|(key, _)| key.clone()).collect();
    attribute_rules::read(members, context.config()).map_err(ProfileProblem::invalid)
}

impl From<BodyFault> for ProfileProblem {
    fn from(fault: BodyFault) -> Self {
        match fault.into_client_error() {
            Ok((StatusCode::BAD_REQUEST, detail)) => Self::invalid(detail),
            Ok((status, detail)) => Self::new(status, detail),
            Err(problem) => problem.into(),
        }
    }
}
