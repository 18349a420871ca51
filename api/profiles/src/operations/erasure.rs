//! Erasing profiles of people who ask for it.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::IntoResponse;
use store_profiles::ProfileWrite;

use crate::audit::Action;
use crate::audit::entry::AuditEntry;
use crate::context::{Context, profile_not_found};
use crate::problem::{ProfileProblem, ProfileResult};
use crate::rules::precondition;

/// Erases a profile. Checks its existence first, then the permission and the precondition.
pub(super) async fn erase(context: &Arc<Context>, entry: &mut AuditEntry) -> ProfileResult {
    let reference = context.reference(profile_not_found)?;
    entry.profile = Some(reference);
    let profile = context.profile(reference).await?;
    entry.set_subject(&profile);
    context.authorise(Action::Erase, &profile.owner)?;
    let precondition = precondition::parse(&context.headers).map_err(ProfileProblem::invalid)?;
    let write = ProfileWrite::Erase(profile.reference, precondition);
    let erased = entry.write(write, Some(profile)).await;
    erased.map_err(|fault| entry.write_failed(fault))?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
