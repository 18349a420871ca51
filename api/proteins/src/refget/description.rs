//! The description of refget.

use api_http::error::ErrorDetail;
use api_http::{docs, paths};
use serde_json::Value;
use utoipa::OpenApi;

use super::{SequenceMetadata, ServiceInfo};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Metagenomic proteins by GA4GH refget, served by mgdex",
        version = "2.0.0",
        license(name = "MIT OR Apache-2.0"),
        description = "Sequences by their MD5 digests, GA4GH identifiers (`SQ.…`) and MGnify accessions, as \
            [refget 2.0.0](https://samtools.github.io/hts-specs/refget.html) says. Digests need an index that was made with \
            `mgdex index --checksums`; without one they are 501. `X-Release` names the \
            release and its generation. The records of proteins are in [version 2](../../api/v2/docs/)."
    ),
    components(schemas(ErrorDetail, SequenceMetadata, ServiceInfo))
)]
struct Description;

pub(crate) fn description() -> Value {
    let operations = concat!(include_str!("../shared/answers.md"), include_str!("operations.md"));
    docs::described(&Description::openapi(), paths::REFGET, operations)
}
