//! Exporting all profiles as a stream.

use api_http::limits::Streamed;
use axum::body::Body;
use axum::extract::Extension;
use axum::http::header;
use axum::response::IntoResponse;
use futures_util::TryStreamExt;

use crate::context::Context;
use crate::problem::{ProfileProblem, ProfileResult};

/// Begins an export. If the store fails later, the connection is cut so that the client notices.
pub(super) async fn export(context: &Context) -> ProfileResult {
    if !context.caller.is_admin {
        return Err(ProfileProblem::forbidden("Only administrators may export profiles."));
    }
    let pieces = context.profiles().export().await?;
    // The status has already been sent.
    let pieces = pieces.inspect_err(|error| tracing::error!(%error, "an export was cut short"));
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"profiles.ndjson\""),
    ];
    Ok((headers, Extension(Streamed), Body::from_stream(pieces)).into_response())
}
