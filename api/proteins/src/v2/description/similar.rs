//! The description of searches for similar proteins.

use api_http::error::ErrorDetail;
use utoipa::ToSchema;

use super::schemas::TableFile;
use crate::problem::UnprocessableDetail;
use crate::similar::SearchState;

/// A query, and the proteins to search. The query is one of `sequence`, `fasta`, `accession` and `hmm`.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is a description")]
pub(super) struct SearchOrder {
    /// A sequence of 1 to 10,000 residues.
    #[schema(required = false, nullable = false, example = "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDG")]
    sequence: Option<String>,
    /// The same in FASTA, with its header.
    #[schema(required = false, nullable = false)]
    fasta: Option<String>,
    /// The accession of a protein, or the name of one of own data.
    #[schema(required = false, nullable = false)]
    accession: Option<String>,
    /// A profile of 1 to 10,000 positions, in HMMER's format 3.
    #[schema(required = false, nullable = false)]
    hmm: Option<String>,
    /// The conditions that select the proteins; without, all are searched.
    #[schema(required = false, nullable = false, example = "full_length:true")]
    q: Option<String>,
    /// The highest E-value of a hit, above 0 and up to 10; without, 0.001.
    #[schema(required = false, nullable = false)]
    #[serde(rename = "E")]
    evalue: Option<f64>,
    /// As how many proteins E-values are computed: `selection`, `release` or a number.
    #[schema(required = false, nullable = false, example = "selection")]
    #[serde(rename = "Z")]
    space: Option<String>,
}

/// A page of hits.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is a description")]
pub(super) struct HitPage {
    /// The hits, best first: the fields of their records, `score`, `evalue`, `bias`, and `domains` with positions, scores and alignments.
    results: Vec<serde_json::Value>,
    /// How many hits there are.
    total: super::schemas::TotalNumber,
    /// The address of the next page; null if there are no further hits.
    #[schema(required)]
    next: Option<String>,
}

/// Begin a search for similar proteins
///
/// Searches the proteins of a query for those that are similar to a sequence, by `phmmer`, or that match a profile, by `hmmsearch`, and answers at once
/// with the state of the search, and with the secret that removes it. Equal searches run once, and each has an identifier of its own.
#[utoipa::path(
    post,
    path = "/searches",
    operation_id = "begin_search",
    tag = "similarity",
    request_body(content((SearchOrder = "application/json"), (SearchOrder = "application/x-www-form-urlencoded"))),
    responses(
        (
            status = 200, description = "The search has ended already.", body = SearchState,
            headers(("Location" = String, description = "The address of the search.")),
        ),
        (
            status = 202, description = "The search waits or runs.", body = SearchState,
            headers(("Location" = String, description = "The address of the search.")),
        ),
        (status = 400, description = "The body is not a JSON object.", body = ErrorDetail),
        (status = 408, description = "The body has not arrived in time.", body = ErrorDetail),
        (status = 409, description = "The search is just being removed.", body = ErrorDetail),
        (status = 413, description = "The body has more than 9 MiB.", body = ErrorDetail),
        (status = 415, description = "The body is sent as another type than JSON or a form.", body = ErrorDetail),
        (
            status = 422, description = "All parameters that cannot be used; or nothing is selected, or too much, which says how much.",
            body = UnprocessableDetail,
        ),
        (status = 429, description = "Too many searches wait, of all or of the client.", body = ErrorDetail),
        (status = 501, description = "There are digests of sequences in the query, and the index was made without them.", body = ErrorDetail),
    )
)]
#[expect(dead_code, reason = "it is a description")]
pub(super) fn begin_search() {}

/// Get the state of a search
#[utoipa::path(
    get,
    path = "/searches/{id}",
    operation_id = "get_search",
    tag = "similarity",
    params(
        ("id" = String, Path, description = "The identifier of the search."),
        ("wait" = Option<u64>, Query, minimum = 0, maximum = 20, description = "Answers when the search has ended, or after so many seconds."),
    ),
    responses(
        (status = 200, description = "The state.", body = SearchState),
        (status = 404, description = "There is no such search on this server.", body = ErrorDetail),
        (status = 422, description = "All parameters that cannot be used.", body = UnprocessableDetail),
    )
)]
#[expect(dead_code, reason = "it is a description")]
pub(super) fn get_search() {}

/// Remove a search
///
/// Ends it first if it runs, unless others have begun an equal one.
#[utoipa::path(
    delete,
    path = "/searches/{id}",
    operation_id = "remove_search",
    tag = "similarity",
    params(
        ("id" = String, Path, description = "The identifier of the search."),
        ("X-Search-Secret" = String, Header, description = "The secret that was in the answer when the search was begun."),
    ),
    responses(
        (status = 204, description = "It is removed."),
        (status = 403, description = "The secret is missing or another one.", body = ErrorDetail),
        (status = 404, description = "There is no such search on this server.", body = ErrorDetail),
    )
)]
#[expect(dead_code, reason = "it is a description")]
pub(super) fn remove_search() {}

/// Get the hits of a search
#[utoipa::path(
    get,
    path = "/searches/{id}/hits",
    operation_id = "get_hits",
    tag = "similarity",
    params(
        ("id" = String, Path, description = "The identifier of the search."),
        (
            "format" = Option<String>, Query, example = "json",
            description = "json, ndjson, tsv (the twelve columns of BLAST, and `fields`), fasta, a3m, parquet or arrow (the columns of the TSV); without \
                it, `Accept` decides.",
        ),
        ("fields" = Option<String>, Query, description = "The fields of the records of hits, separated by commas, as in a search by conditions."),
        ("safe" = Option<String>, Query, pattern = "^1$", description = "1 writes an apostrophe before each text of a TSV that a spreadsheet would take for a formula.", example = "1"),
        ("limit" = Option<u64>, Query, minimum = 1, description = "The most hits: of a page 50 unless it is given, and at most 1000; of a stream all."),
        ("after" = Option<u64>, Query, minimum = 0, description = "Hits begin behind so many."),
    ),
    responses(
        (
            status = 200, description = "The hits.",
            content(
                (HitPage = "application/json"), (String = "application/x-ndjson"), (String = "text/tab-separated-values"),
                (String = "text/x-fasta"), (String = "text/x-a3m"),
                (inline(TableFile) = "application/vnd.apache.parquet"), (inline(TableFile) = "application/vnd.apache.arrow.stream"),
            ),
            headers(("Link" = String, description = "The address of the next page, as `rel=\"next\"`.")),
        ),
        (status = 304, description = "The answer is still the one whose `ETag` the request shows."),
        (status = 404, description = "There is no such search on this server.", body = ErrorDetail),
        (status = 406, description = "The client accepts none of the formats.", body = ErrorDetail),
        (
            status = 409, body = ErrorDetail,
            description = "The search has not ended, or has failed; or the proteins were replaced since, and other fields than accession and length are asked for.",
        ),
        (status = 422, description = "All parameters that cannot be used.", body = UnprocessableDetail),
    )
)]
#[expect(dead_code, reason = "it is a description")]
pub(super) fn get_hits() {}
