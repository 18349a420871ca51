//! The description of refget.

use api_http::error::ErrorDetail;
use api_http::paths;
use utoipa::OpenApi;

use super::{SequenceMetadata, ServiceInfo};
use crate::v1::description::{COMMON_ERRORS, ERRORS};

#[derive(OpenApi)]
#[openapi(
    paths(get_service_info, get_sequence, get_metadata),
    info(
        title = "Metagenomic proteins by GA4GH refget, served by mgdex",
        version = "2.0.0",
        license(name = "MIT OR Apache-2.0"),
        description = "Sequences by their MD5 digests, GA4GH identifiers (`SQ.…`) and MGnify accessions, as \
            [refget 2.0.0](https://samtools.github.io/hts-specs/refget.html) says. Digests need an index that was made with \
            `mgdex index --checksums`; without one they are 501. The records of proteins are in [version 2](../../api/v2/docs/)."
    )
)]
struct Description;

pub(crate) fn description() -> utoipa::openapi::OpenApi {
    let mut description = utoipa::openapi::OpenApi::default().nest(paths::REFGET, Description::openapi());
    description.info = Description::openapi().info;
    ERRORS.add_to_all(&mut description, &COMMON_ERRORS);
    description
}

/// Get a sequence
///
/// Returns a sequence, or a part of it, in one line. It has at least one protein; a protein that a later release replaced is answered with
/// the address of its replacement.
#[utoipa::path(
    get,
    path = "/sequence/{id}",
    operation_id = "get_sequence",
    tag = "sequences",
    params(
        (
            "id" = String, Path, example = "MGYP000261684433",
            description = "An MD5 digest, a GA4GH identifier with `ga4gh:` or without, or the accession of a protein.",
        ),
        ("start" = Option<u32>, Query, description = "The first residue, 0-based.", example = 5),
        ("end" = Option<u32>, Query, description = "The residue behind the last one, 0-based.", example = 15),
        ("Range" = Option<String>, Header, description = "One range of bytes, in place of `start` and `end`.", example = "bytes=5-14"),
    ),
    responses(
        (
            status = 200, description = "The sequence, or the part between `start` and `end`.",
            body = String, content_type = "text/vnd.ga4gh.refget.v2.0.0+plain",
        ),
        (
            status = 206, description = "The part in the `Range`.",
            body = String, content_type = "text/vnd.ga4gh.refget.v2.0.0+plain",
        ),
        (
            status = 302, description = "The protein was replaced by another.", body = ErrorDetail,
            headers(("Location" = String, description = "The address of the sequence that replaces this one.")),
        ),
        (status = 304, description = "The answer is still the one whose `ETag` the request shows."),
        (status = 400, description = "The range cannot be read, or there are both `start` or `end` and a `Range`.", body = ErrorDetail),
        (status = 404, description = "No protein has this sequence.", body = ErrorDetail),
        (status = 406, description = "The client accepts no media type of sequences.", body = ErrorDetail),
        (status = 416, description = "The range is not within the sequence.", body = ErrorDetail),
        (status = 501, description = "The index has no digests, or `start` is above `end`.", body = ErrorDetail),
    )
)]
#[expect(dead_code, reason = "it is a description")]
fn get_sequence() {}

/// Get the metadata of a sequence
///
/// Returns the length of a sequence, its digests, and the accessions of the proteins that have it.
#[utoipa::path(
    get,
    path = "/sequence/{id}/metadata",
    operation_id = "get_metadata",
    tag = "sequences",
    params((
        "id" = String, Path, example = "MGYP000261684433",
        description = "An MD5 digest, a GA4GH identifier with `ga4gh:` or without, or the accession of a protein.",
    )),
    responses(
        (
            status = 200, description = "The metadata.",
            body = SequenceMetadata, content_type = "application/vnd.ga4gh.refget.v2.0.0+json",
        ),
        (
            status = 302, description = "The protein was replaced by another.", body = ErrorDetail,
            headers(("Location" = String, description = "The address of the metadata that replace these.")),
        ),
        (status = 304, description = "The answer is still the one whose `ETag` the request shows."),
        (status = 404, description = "No protein has this sequence.", body = ErrorDetail),
        (status = 406, description = "The client does not accept JSON.", body = ErrorDetail),
        (status = 501, description = "The index has no digests.", body = ErrorDetail),
    )
)]
#[expect(dead_code, reason = "it is a description")]
fn get_metadata() {}

/// Get what the service can do
///
/// Returns the digests and names by which sequences are found, and the versions of refget.
#[utoipa::path(
    get,
    path = "/sequence/service-info",
    operation_id = "get_service_info",
    tag = "service",
    responses(
        (
            status = 200, description = "The abilities of the service.",
            body = ServiceInfo, content_type = "application/vnd.ga4gh.refget.v2.0.0+json",
        ),
        (status = 304, description = "The answer is still the one whose `ETag` the request shows."),
        (status = 406, description = "The client does not accept JSON.", body = ErrorDetail),
    )
)]
#[expect(dead_code, reason = "it is a description")]
fn get_service_info() {}
