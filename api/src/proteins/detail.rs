//! The record of a protein.

use axum::Json;
use axum::extract::{Extension, RawPathParams};
use axum::http::{HeaderMap, Uri};
use store::ProteinAccession;

use super::Snapshot;
use super::problem::ProteinProblem;
use super::wire::ProteinDetail;
use crate::base_url::BaseUrl;
use crate::blocking::blocking;
use crate::error::ErrorDetail;
use crate::paths;

/// Get protein detail
///
/// Returns the full record of one protein. The accession may be in any letter case, unpadded, or a bare number; the answer has
/// the canonical form. An accession that a later release replaced is answered with the address of its replacement.
#[utoipa::path(
    get,
    path = "/protein/{mgyp}",
    operation_id = "get_protein_detail",
    tag = "proteins",
    params(("mgyp" = String, Path, description = "The accession.", example = "MGYP000261684433")),
    responses(
        (status = 200, description = "The record.", body = ProteinDetail),
        (
            status = 302, description = "The protein was replaced by another.", body = ErrorDetail,
            headers(("Location" = String, description = "The address of the protein that replaces this one.")),
        ),
        (status = 304, description = "The answer is still the one whose `ETag` the request shows."),
        (
            status = 404, body = ErrorDetail,
            description = "There is no such protein; if another one replaces it that is not here either, the text names that one.",
        ),
    )
)]
pub(super) async fn get_protein_detail(
    Extension(Snapshot(snapshot)): Extension<Snapshot>,
    Extension(base_url): Extension<BaseUrl>,
    uri: Uri,
    params: Result<RawPathParams, axum::extract::rejection::RawPathParamsRejection>,
    headers: HeaderMap,
) -> Result<Json<ProteinDetail>, ProteinProblem> {
    // A path that is no UTF-8 has no parameters: it is named as it stands in the URI.
    let asked = match &params {
        Ok(params) => params.iter().next().map_or("", |(_, value)| value),
        Err(_) => uri.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default(),
    };
    let not_found = |_| ProteinProblem::NotFound { asked: asked.to_owned() };
    let accession: ProteinAccession = asked.parse().map_err(not_found)?;
    let asked = asked.to_owned();
    blocking(move || {
        if let Some(protein) = snapshot.fetch(accession)? {
            return Ok(Json(protein.into()));
        }
        let Some(replacement) = snapshot.replacement(accession) else { return Err(ProteinProblem::NotFound { asked }) };
        let by = replacement.to_string();
        Err(match snapshot.fetch(replacement)? {
            Some(_) => {
                let location = base_url.link(&headers, &paths::protein_detail(replacement));
                ProteinProblem::Replaced { asked, by, location }
            }
            None => ProteinProblem::ReplacementMissing { asked, by },
        })
    })
    .await
}
