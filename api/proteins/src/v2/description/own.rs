//! Own data.

use store_proteins::SOURCES_MAX;

use super::super::sources::Sources;
use crate::problem::UnprocessableDetail;

const _: () = assert!(SOURCES_MAX == 256, "the description below says so");

/// List the sources of own data
///
/// Returns the sources of proteins that were added beside the release: at most 256, ascending by accession. `source:` and the name of one finds
/// its proteins, `source:release` those of the release.
#[utoipa::path(
    get,
    path = "/sources",
    operation_id = "get_sources",
    tag = "proteins",
    responses(
        (status = 200, description = "The sources.", body = Sources),
        (status = 304, description = "The answer is still the one whose `ETag` the request shows."),
        (status = 422, description = "There are parameters; the list has none.", body = UnprocessableDetail),
    )
)]
#[expect(dead_code, reason = "it is a description")]
pub(super) fn get_sources() {}
