//! The description of the second version.

mod numbers;
mod own;
mod schemas;
mod similar;

use api_http::error::ErrorDetail;
use api_http::paths;
use store_proteins::CHOSEN_MAX;
use utoipa::OpenApi;

use self::schemas::{BatchResults, ResultPage, SequenceFound, TableFile};
use super::parameters::{LIMIT_DEFAULT, LIMIT_MAX};
use super::record::ProteinRecord;
use super::sequences::{SEQUENCES_BYTES_MAX, SEQUENCES_MAX};
use crate::problem::UnprocessableDetail;
use crate::v1::description::{COMMON_ERRORS, ERRORS};

#[derive(OpenApi)]
#[openapi(
    paths(
        find_proteins, find_proteins_posted, get_batch, find_sequences, numbers::get_facets, numbers::get_enrichment, get_protein,
        get_protein_fasta, numbers::suggest, own::get_sources, similar::begin_search, similar::get_search, similar::remove_search,
        similar::get_hits
    ),
    info(
        title = "MGnify proteins, served by mgdex",
        version = "2.0",
        license(name = "MIT OR Apache-2.0"),
        description = include_str!("description.md")
    )
)]
struct Description;

pub(crate) fn description() -> utoipa::openapi::OpenApi {
    let mut description = utoipa::openapi::OpenApi::default().nest(paths::PROTEINS_V2, Description::openapi());
    description.info = Description::openapi().info;
    ERRORS.add_to_all(&mut description, &COMMON_ERRORS);
    description
}

const _: () = assert!(
    SEQUENCES_MAX == 10_000
        && SEQUENCES_BYTES_MAX == 8 << 20
        && LIMIT_MAX == 1000
        && LIMIT_DEFAULT == 50
        && CHOSEN_MAX == 10_000,
    "the description below says so"
);

/// Find proteins
///
/// Returns a page of the proteins that meet all conditions, or a stream of all of them. Without conditions, these are all proteins.
#[utoipa::path(
    get,
    path = "/proteins",
    operation_id = "find_proteins",
    tag = "proteins",
    params(
        (
            "q" = Option<String>, Query, description = "A query that combines conditions.",
            example = "biome:\"root:Environmental\" AND has:pfam AND length:[50 TO 300]",
        ),
        (
            "biome" = Option<String>, Query, min_length = 1,
            description = "The biome with this lineage or id, and all biomes below it; one that there is not is refused.",
        ),
        (
            "biome_exact" = Option<String>, Query, min_length = 1,
            description = "The biome with this lineage or id alone; one that there is not is refused.",
        ),
        (
            "pfam" = Option<String>, Query, pattern = r"^([Pp][Ff])?0*[1-9][0-9]{0,8}$|^\*$",
            description = "The Pfam family, such as `PF00005` or `5`; `*` for any.",
        ),
        ("clan" = Option<String>, Query, pattern = "^[Cc][Ll][0-9]+$", description = "The clan of a Pfam family, such as `CL0023`."),
        ("study" = Option<String>, Query, description = "The accession of a study; in own data any text."),
        ("assembly" = Option<String>, Query, description = "The accession of an assembly; in own data any text."),
        ("full_length" = Option<bool>, Query, description = "Whether the gene is known to be complete, or known not to be."),
        ("min_length" = Option<u64>, Query, format = "uint64", description = "The lowest number of residues.", example = 50),
        ("max_length" = Option<u64>, Query, format = "uint64", description = "The highest number of residues, not below `min_length`."),
        ("min_cluster_size" = Option<u64>, Query, format = "uint64", description = "The lowest size of the cluster."),
        ("max_cluster_size" = Option<u64>, Query, format = "uint64", description = "The highest size of the cluster, not below the lowest."),
        ("accession" = Option<String>, Query, description = "An accession, or a range such as `[MGYP000000000001 TO *]`."),
        ("md5" = Option<String>, Query, description = "The MD5 digest of the sequence. Digests need an index of them."),
        ("sha512t24u" = Option<String>, Query, description = "The GA4GH identifier of the sequence, without or with `SQ.`."),
        ("name" = Option<String>, Query, description = "The name of a protein of own data, in the letter case that it has."),
        ("source" = Option<String>, Query, description = "A source of own data, or `release`.", example = "release"),
        ("has" = Option<String>, Query, pattern = "^[Pp][Ff][Aa][Mm]$", description = "`pfam`: proteins with any family."),
        ("after" = Option<String>, Query, description = "The cursor: results begin behind this accession."),
        (
            "limit" = Option<u64>, Query, format = "uint64", minimum = 1, example = 5,
            description = "The most results: of a page 50 unless it is given, and at most 1000; of a stream all.",
        ),
        (
            "fields" = Option<String>, Query, example = "accession,length,biomes,pfam",
            description = "The fields of results, separated by commas: accession, length, full_length, cluster_size (these four unless they are \
                given), sequence, md5, ga4gh, biomes, pfam, clans, studies, assemblies; and name, source, description, which are null but in own data.",
        ),
        (
            "order" = Option<String>, Query, pattern = "^-?(length|cluster_size)$", example = "-length",
            description = "`length`, `-length`, `cluster_size` or `-cluster_size`: the first 10,000 of all matches in this order (with a hyphen the \
                highest first), ties by accession. `after` is then the last accession of a page, and must be among these 10,000.",
        ),
        (
            "random" = Option<u64>, Query, minimum = 1, maximum = 10_000,
            description = "A random sample of so many matches, all of them equally likely, ascending by accession; without `order`, `after`, `limit`.",
        ),
        ("seed" = Option<u64>, Query, format = "uint64", description = "Another seed gives another sample, the same seed the same one of a release. Without it, 0."),
        ("format" = Option<String>, Query, pattern = "^(json|ndjson|tsv|fasta|parquet|arrow)$", description = "json, ndjson, tsv, fasta, parquet or arrow; without it, `Accept` decides.", example = "json"),
        ("safe" = Option<String>, Query, pattern = "^1$", description = "1 writes an apostrophe before each text of a TSV that a spreadsheet would take for a formula.", example = "1"),
        (
            "count" = Option<String>, Query, pattern = "^exact$",
            description = "`exact` counts all matches, with up to a hundred times the work of a page. Without it, a number that is not known at once \
                is a lower bound. Streams are not counted.",
        ),
    ),
    responses(
        (
            status = 200, description = "The results.",
            content(
                (ResultPage = "application/json"), (String = "application/x-ndjson"),
                (String = "text/tab-separated-values"), (String = "text/x-fasta"),
                (inline(TableFile) = "application/vnd.apache.parquet"), (inline(TableFile) = "application/vnd.apache.arrow.stream"),
            ),
            headers(("Link" = String, description = "The address of the next page, as `rel=\"next\"`.")),
        ),
        (status = 304, description = "The answer is still the one whose `ETag` the request shows."),
        (status = 406, description = "The client accepts none of the formats.", body = ErrorDetail),
        (
            status = 422, body = UnprocessableDetail,
            description = "All parameters that cannot be used. Faults of a query name their offsets in bytes, and what is understood there.",
        ),
        (status = 501, description = "There are digests of sequences, and the index was made without them.", body = ErrorDetail),
    )
)]
#[expect(dead_code, reason = "it is a description")]
fn find_proteins() {}

/// Find proteins by a query of any length
///
/// Answers like `GET /proteins` with parameters that are the members of a JSON object: texts, numbers, booleans, or lists of them. The
/// parameters of the address count, too. `next` is the address to which the same body is sent for the next page.
#[utoipa::path(
    post,
    path = "/proteins/search",
    operation_id = "find_proteins_posted",
    tag = "proteins",
    params(("after" = Option<String>, Query, description = "The cursor: results begin behind this accession.")),
    request_body(
        content = Object, content_type = "application/json",
        example = json!({"q": "pfam:(PF00005 OR PF00664) AND NOT length:[1 TO 50]", "fields": ["accession", "biomes"], "limit": 5}),
    ),
    responses(
        (
            status = 200, description = "The results.",
            content(
                (ResultPage = "application/json"), (String = "application/x-ndjson"),
                (String = "text/tab-separated-values"), (String = "text/x-fasta"),
                (inline(TableFile) = "application/vnd.apache.parquet"), (inline(TableFile) = "application/vnd.apache.arrow.stream"),
            ),
            headers(("Link" = String, description = "The address of the next page, as `rel=\"next\"`.")),
        ),
        (status = 400, description = "The body is not a JSON object.", body = ErrorDetail),
        (status = 406, description = "The client accepts none of the formats.", body = ErrorDetail),
        (status = 408, description = "The body has not arrived in time.", body = ErrorDetail),
        (status = 413, description = "The body has more than 512 KiB.", body = ErrorDetail),
        (status = 415, description = "The body is not sent as `application/json`.", body = ErrorDetail),
        (status = 422, description = "All parameters that cannot be used.", body = UnprocessableDetail),
        (status = 501, description = "There are digests of sequences, and the index was made without them.", body = ErrorDetail),
    )
)]
#[expect(dead_code, reason = "it is a description")]
fn find_proteins_posted() {}

/// Get many proteins
///
/// Returns the records of up to 100,000 accessions in the order in which they are asked for, or some of their fields. Proteins of own data may
/// be asked for by name or `{source}:{name}` instead, with up to a million look-ups: each source is asked for each name. In JSON, each of them
/// has a result: `{"accession": …, "found": false}` if it is unknown, with `replaced_by` if a later release replaced it, and with `error` if
/// it is neither an accession nor the name of a single protein. All other formats leave these out; the header `X-Missing` counts them.
#[utoipa::path(
    post,
    path = "/proteins/batch",
    operation_id = "get_batch",
    tag = "proteins",
    params(
        (
            "fields" = Option<String>, Query, example = "length,pfam",
            description = "The fields of results, separated by commas, as in a search. Without it, JSON has whole records, and a table all fields.",
        ),
        ("format" = Option<String>, Query, pattern = "^(json|ndjson|tsv|fasta|parquet|arrow)$", description = "json, ndjson, tsv, fasta, parquet or arrow; without it, `Accept` decides.", example = "ndjson"),
        ("safe" = Option<String>, Query, pattern = "^1$", description = "1 writes an apostrophe before each text of a TSV that a spreadsheet would take for a formula.", example = "1"),
    ),
    request_body(
        description = "A JSON array of accessions and names, or text with one a line.",
        content((Vec<String> = "application/json", example = json!(["MGYP000261684433", "MGYP000000000012"])), (String = "text/plain")),
    ),
    responses(
        (
            status = 200, description = "The results.",
            content(
                (BatchResults = "application/json"), (String = "application/x-ndjson"),
                (String = "text/tab-separated-values"), (String = "text/x-fasta"),
                (inline(TableFile) = "application/vnd.apache.parquet"), (inline(TableFile) = "application/vnd.apache.arrow.stream"),
            ),
            headers(("X-Missing" = u64, description = "How many of the accessions have no record.")),
        ),
        (status = 400, description = "The body is neither JSON nor text.", body = ErrorDetail),
        (status = 406, description = "The client accepts none of the formats.", body = ErrorDetail),
        (status = 408, description = "The body has not arrived in time.", body = ErrorDetail),
        (status = 413, description = "The body has more than 100,000 accessions, names for more than a million look-ups, or 4 MiB.", body = ErrorDetail),
        (status = 415, description = "The body is sent as another type than `application/json` and `text/plain`.", body = ErrorDetail),
        (status = 422, description = "All parameters that cannot be used.", body = UnprocessableDetail),
    )
)]
#[expect(dead_code, reason = "it is a description")]
fn get_batch() {}

/// Find the proteins of sequences
///
/// Takes up to 10,000 sequences in FASTA, and answers with a line for each, in their order: `{"query": …, "accession": …}` with the first
/// word of its header and the lowest accession of the proteins that have exactly this sequence, or null; `error` in place of the accession if
/// it has other characters than letters, `*` and `-`. A protein of own data comes with its `name` and `source`. Letter case does not matter, nor
/// a `*` at the end. The index needs the digests of sequences.
#[utoipa::path(
    post,
    path = "/sequences/search",
    operation_id = "find_sequences",
    tag = "sequences",
    params((
        "all" = Option<u8>, Query, minimum = 0, maximum = 1, example = 1,
        description = "`1` adds `accessions`, with all proteins that have the sequence.",
    )),
    request_body(
        description = "Sequences in FASTA; the first may have no header. The body may come without a content type.",
        content((String = "text/x-fasta", example = json!(">known\nMKVLAA\n>unknown\nmkvl*\n")), (String = "text/plain")),
    ),
    responses(
        (status = 200, description = "A line for each sequence.", body = SequenceFound, content_type = "application/x-ndjson"),
        (status = 408, description = "The body has not arrived in time.", body = ErrorDetail),
        (status = 413, description = "The body has more than 10,000 sequences, or 8 MiB.", body = ErrorDetail),
        (status = 415, description = "The body is sent as another type than `text/x-fasta` and `text/plain`.", body = ErrorDetail),
        (status = 422, description = "All parameters that cannot be used.", body = UnprocessableDetail),
        (status = 501, description = "The index was made without digests of sequences.", body = ErrorDetail),
    )
)]
#[expect(dead_code, reason = "it is a description")]
fn find_sequences() {}

/// Get a protein
///
/// Returns the full record of a protein. The accession may be in any letter case, unpadded, or a bare number. An accession that a later
/// release replaced is answered with the address of its replacement.
///
/// A protein of own data is also found by its name, unless that has the form of an accession, or by `{source}:{name}`, with the source in any
/// letter case. Its record has `name`, `source` and `description`; records of a release have none of the three.
#[utoipa::path(
    get,
    path = "/proteins/{accession}",
    operation_id = "get_protein",
    tag = "proteins",
    params(("accession" = String, Path, description = "The accession, or the name of a protein of own data.", example = "MGYP000261684433")),
    responses(
        (status = 200, description = "The record.", body = ProteinRecord),
        (
            status = 302, description = "The protein was replaced by another.", body = ErrorDetail,
            headers(("Location" = String, description = "The address of the protein that replaces this one.")),
        ),
        (status = 304, description = "The answer is still the one whose `ETag` the request shows."),
        (status = 404, description = "There is no such protein.", body = ErrorDetail),
        (status = 409, description = "Several sources have a protein of this name; the answer names them.", body = ErrorDetail),
        (status = 422, description = "There are parameters; a protein has none.", body = UnprocessableDetail),
    )
)]
#[expect(dead_code, reason = "it is a description")]
fn get_protein() {}

/// Get the sequence of a protein
///
/// Returns the sequence in FASTA, with 60 residues a line. The header has the accession, whether the gene is complete if that is known, the size of
/// the cluster, and of own data the source and the name: `>MGYP900000000000 FL=1 CLUSTER=1 source=soil name=k141_1_2`.
#[utoipa::path(
    get,
    path = "/proteins/{accession}.fasta",
    operation_id = "get_protein_fasta",
    tag = "proteins",
    params(("accession" = String, Path, description = "The accession, or the name of a protein of own data.", example = "MGYP000261684433")),
    responses(
        (status = 200, description = "The sequence.", body = String, content_type = "text/x-fasta"),
        (
            status = 302, description = "The protein was replaced by another.", body = ErrorDetail,
            headers(("Location" = String, description = "The address of the protein that replaces this one.")),
        ),
        (status = 304, description = "The answer is still the one whose `ETag` the request shows."),
        (status = 404, description = "There is no such protein.", body = ErrorDetail),
        (status = 409, description = "Several sources have a protein of this name; the answer names them.", body = ErrorDetail),
        (status = 422, description = "There are parameters; a protein has none.", body = UnprocessableDetail),
    )
)]
#[expect(dead_code, reason = "it is a description")]
fn get_protein_fasta() {}
