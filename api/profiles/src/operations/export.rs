//! Exporting all profiles as a stream.

use std::sync::Arc;

use api_http::limits::Streamed;
use axum::body::Body;
use axum::extract::Extension;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::{FutureExt, TryStreamExt};

use crate::audit::Action;
use crate::audit::entry::audited;
use crate::context::Context;
use crate::described::ExportResponses;
use crate::problem::{ProfileProblem, ProfileResult};

/// Export all profiles
///
/// All profiles at one moment, one JSON object a line, as `mgdex profiles import` reads them: `{"reference","user" or "domain","version",
/// "schema"?,"attributes"}`. For administrators.
#[utoipa::path(get, path = "/profiles/export", tag = "profiles", responses(ExportResponses))]
pub(crate) async fn export_profiles(Extension(context): Extension<Arc<Context>>) -> Response {
    audited(context, Action::Export, |context, _| export(context).boxed()).await
}

/// Begins an export. If the store fails later, the connection is cut so that the client notices.
async fn export(context: &Context) -> ProfileResult {
    if !context.caller.is_admin {
        return Err(ProfileProblem::forbidden("Only administrators may export profiles."));
    }
    let pieces = context.profiles().export().await?;
    // The status has been sent by then.
    let pieces = pieces.inspect_err(|error| tracing::error!(%error, "an export was cut short"));
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"profiles.ndjson\""),
    ];
    Ok((headers, Extension(Streamed), Body::from_stream(pieces)).into_response())
}
