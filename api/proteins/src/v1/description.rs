//! The description of the service.

use api_http::error::ErrorDetail;
use api_http::{docs, paths};
use serde_json::Value;
use utoipa::OpenApi;

use super::parameters::{LIMIT_DEFAULT, LIMIT_MAX, LIMIT_MIN};
use crate::problem::UnprocessableDetail;
use crate::shared::wire::{ProteinDetail, ProteinSearchResult};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "MGnify proteins, served by mgdex",
        version = "1.0",
        license(name = "MIT OR Apache-2.0"),
        description = "Search of metagenomic protein records by biome or Pfam family, and the full record of one protein.\n\n\
        Hits ascend by accession, and the same request to the same release gives the same answer. `X-Release` names the \
        release and its generation. Answers carry an `ETag` and honour `If-None-Match`; `HEAD` works wherever `GET` does. \
        Unknown query parameters are ignored; of a repeated \
        parameter the last value counts. All positions are 1-based and inclusive. [The second version](../../v2/docs/) combines \
        conditions, counts, and streams all hits."
    ),
    components(schemas(ErrorDetail, ProteinDetail, ProteinSearchResult, UnprocessableDetail))
)]
struct Description;

const _: () = assert!(LIMIT_MIN == 1 && LIMIT_MAX == 1000 && LIMIT_DEFAULT == 50, "the operations say so");

/// Describes the operations. Only one filter has an example: the documentation fills its form with
/// the examples, and a request with several filters is refused.
pub(crate) fn description() -> Value {
    let operations = concat!(include_str!("../shared/answers.md"), include_str!("operations.md"));
    docs::described(&Description::openapi(), paths::PROTEINS, operations)
}
