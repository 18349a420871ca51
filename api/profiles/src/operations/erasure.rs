//! Erasing profiles, for people who ask to be forgotten.

use std::sync::Arc;

use axum::extract::Extension;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use store_profiles::ProfileWrite;

use crate::audit::Action;
use crate::audit::entry::{AuditEntry, audited};
use crate::context::{Context, profile_not_found};
use crate::described::{ErasureResponses, IfMatch};
use crate::problem::{ProfileProblem, ProfileResult};
use crate::rules::precondition;

/// Erase a profile
///
/// The profile, and all by which its user is found, is gone at once; exports under way leave it out. A user who asks for their own profile afterwards
/// gets a new one. For administrators.
#[utoipa::path(
    delete, path = "/profiles/{profile_reference}", tag = "profiles", responses(ErasureResponses),
    params(("profile_reference" = String, Path, description = "The profile."), IfMatch),
)]
pub(crate) async fn erase_profile(Extension(context): Extension<Arc<Context>>) -> Response {
    audited(context, Action::Erase, |context, entry| erase(context, entry).boxed()).await
}

/// Erases a profile. Checks its existence first, then the permission and the precondition.
async fn erase(context: &Arc<Context>, entry: &mut AuditEntry) -> ProfileResult {
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
