//! Sequences of proteins by their digests, as specified by GA4GH refget 2.0.0.

pub(super) mod description;
mod range;

use api_http::accept::{self, Offer};
use api_http::paths;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use store_proteins::{DigestAlgorithm, Protein, SequenceDigest};
use utoipa::ToSchema;

use super::ProteinProblem;
use super::problem::Missing;
use super::question::{Answer, Question};
use super::shared::detail;
use range::RequestedRange;

/// The version of the interface.
const VERSION: &str = "2.0.0";

const TEXT: &str = "text/vnd.ga4gh.refget.v2.0.0+plain; charset=us-ascii";
const JSON: &str = "application/vnd.ga4gh.refget.v2.0.0+json; charset=us-ascii";

/// The media types that stand for a sequence.
const TEXT_OFFERS: [Offer<()>; 2] = [("text", "vnd.ga4gh.refget.v2.0.0+plain", ()), ("text", "plain", ())];

/// The media types that stand for JSON.
const JSON_OFFERS: [Offer<()>; 2] = [("application", "vnd.ga4gh.refget.v2.0.0+json", ()), ("application", "json", ())];

/// The most proteins of a sequence that its metadata list.
const ALIASES_MAX: usize = 100;

/// The authority that assigns accessions.
const AUTHORITY: &str = "MGnify";

/// The authority of own proteins, whose accessions are unknown to other indexes.
const AUTHORITY_OF_OWN: &str = "mgdex";

/// The namespace of accessions.
const NAMESPACE: &str = "mgnify";

/// The metadata of a sequence.
#[derive(Debug, Serialize, ToSchema)]
struct SequenceMetadata {
    /// The same.
    metadata: Metadata,
}

/// The names of a sequence.
#[derive(Debug, Serialize, ToSchema)]
struct Metadata {
    /// The MD5 digest.
    #[schema(example = "f1f8f4bf413b16ad135722aa4591043e")]
    id: String,
    /// The MD5 digest.
    #[schema(example = "f1f8f4bf413b16ad135722aa4591043e")]
    md5: String,
    /// The GA4GH identifier.
    #[schema(example = "ga4gh:SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2")]
    ga4gh: String,
    /// Always null: this older digest is not supported.
    #[schema(required)]
    trunc512: Option<String>,
    /// The number of residues.
    length: usize,
    /// The accessions of the proteins that have the sequence, 100 at most.
    aliases: Vec<Alias>,
}

/// Another name of a sequence.
#[derive(Debug, Serialize, ToSchema)]
struct Alias {
    /// The accession of a protein.
    #[schema(example = "MGYP000261684433")]
    alias: String,
    /// The authority that gave it.
    #[schema(example = "MGnify")]
    naming_authority: &'static str,
}

/// The description of the service for programs.
#[derive(Debug, Serialize, ToSchema)]
struct ServiceInfo {
    id: &'static str,
    name: &'static str,
    #[serde(rename = "type")]
    kind: ServiceType,
    description: &'static str,
    organization: Organization,
    /// The address of the documentation.
    #[serde(rename = "documentationUrl")]
    documentation_url: String,
    /// The version of the program.
    version: &'static str,
    refget: RefgetDetails,
}

/// The interface of the service.
#[derive(Debug, Serialize, ToSchema)]
struct ServiceType {
    group: &'static str,
    artifact: &'static str,
    version: &'static str,
}

/// The provider of the service.
#[derive(Debug, Serialize, ToSchema)]
struct Organization {
    name: &'static str,
    url: String,
}

/// The abilities of the service.
#[derive(Debug, Serialize, ToSchema)]
struct RefgetDetails {
    /// Always false: proteins are not circular.
    circular_supported: bool,
    /// The digests by which sequences are found: none if the index was made without them.
    algorithms: Vec<&'static str>,
    /// The other names by which they are found.
    identifier_types: [&'static str; 1],
    /// Always null: a part may have any length.
    #[schema(required)]
    subsequence_limit: Option<u64>,
    supported_api_versions: [&'static str; 1],
}

/// Returns the format and the base URL of links, by which answers to one address differ.
pub(super) fn variant(headers: &HeaderMap, base: &str) -> String {
    format!(
        "{:?} {:?} {:?} {base}",
        accepts(headers, &TEXT_OFFERS),
        accepts(headers, &JSON_OFFERS),
        headers.get(header::RANGE)
    )
}

/// Answers with a sequence, or with a part of it. If the sequence is unknown, other problems of the
/// request are not reported.
pub(super) fn sequence(question: &Question) -> Answer {
    let sequence = find(question, "")?.sequence;
    accepted(&question.parts.headers, &TEXT_OFFERS)?;
    let wanted = RequestedRange::read(&question.parts)?;
    let length = sequence.len();
    let Some(range) = wanted.within(length)? else {
        return Ok(text(sequence, StatusCode::OK, "bytes"));
    };
    let part = sequence.get(range.clone()).unwrap_or_default().to_owned();
    if !wanted.is_byte_range() {
        return Ok(text(part, StatusCode::OK, "none"));
    }
    let mut response = text(part, StatusCode::PARTIAL_CONTENT, "bytes");
    let content_range = format!("bytes {}-{}/{length}", range.start, range.end - 1);
    response.headers_mut().extend(HeaderValue::try_from(content_range).map(|value| (header::CONTENT_RANGE, value)));
    Ok(response)
}

/// Answers with the names of a sequence, which are the accessions of all proteins that have it.
pub(super) fn metadata(question: &Question) -> Answer {
    let (data, protein) = (&question.release.data, find(question, "/metadata")?);
    accepted(&question.parts.headers, &JSON_OFFERS)?;
    let proteins = match data.checksums() {
        Some(checksums) => checksums.find(&DigestAlgorithm::Md5.digest(&protein.sequence), None, ALIASES_MAX)?,
        None => vec![protein.accession],
    };
    let [md5, ga4gh] = DigestAlgorithm::ALL.map(|algorithm| algorithm.digest(&protein.sequence).to_string());
    let alias = |accession: store::ProteinAccession| Alias {
        alias: accession.to_string(),
        naming_authority: if accession.is_own() { AUTHORITY_OF_OWN } else { AUTHORITY },
    };
    json(&SequenceMetadata {
        metadata: Metadata {
            id: md5.clone(),
            md5,
            ga4gh: format!("ga4gh:{ga4gh}"),
            trunc512: None,
            length: protein.sequence.len(),
            aliases: proteins.into_iter().map(alias).collect(),
        },
    })
}

/// Answers with the description of the service.
pub(super) fn service_info(question: &Question) -> Answer {
    accepted(&question.parts.headers, &JSON_OFFERS)?;
    let (data, base) = (&question.release.data, &question.base);
    json(&ServiceInfo {
        id: "mgdex.refget",
        name: "Metagenomic proteins, served by mgdex",
        kind: ServiceType { group: "org.ga4gh", artifact: "refget", version: VERSION },
        description: "Sequences of metagenomic proteins by their digests and MGnify accessions",
        organization: Organization { name: "mgdex", url: base.clone() },
        documentation_url: format!("{base}{}{}/", paths::REFGET, paths::DOCS),
        version: env!("CARGO_PKG_VERSION"),
        refget: RefgetDetails {
            circular_supported: false,
            algorithms: if data.checksums().is_some() { vec!["md5", "ga4gh"] } else { Vec::new() },
            identifier_types: [NAMESPACE],
            subsequence_limit: None,
            supported_api_versions: [VERSION],
        },
    })
}

/// Finds a protein by a digest of its sequence or by its accession, with or without its namespace.
/// If it was replaced, the problem has the path of its replacement, with the suffix.
fn find(question: &Question, suffix: &str) -> Result<Protein, ProteinProblem> {
    let (data, base) = (&question.release.data, &question.base);
    let requested = detail::decoded(&question.segment);
    let address = |path: &str| format!("{base}{path}{suffix}");
    let accession = requested.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case(NAMESPACE));
    if let Some((_, accession)) = accession {
        return detail::find_accession(data, accession, |replacement| address(&paths::refget_sequence(replacement)));
    }
    let Ok(digest) = requested.parse::<SequenceDigest>() else {
        return detail::find_accession(data, &requested, |replacement| address(&paths::refget_sequence(replacement)));
    };
    let checksums = data.checksums().ok_or(ProteinProblem::NoChecksums)?;
    let mut found = match checksums.find(&digest, None, 1)?.first() {
        Some(accession) => data.fetch(*accession)?,
        None => None,
    };
    // A digest is that of the sequence without the stop at the end of a stored sequence.
    if let Some(protein) = found.as_mut().filter(|protein| digest.algorithm().digest(&protein.sequence) != digest) {
        protein.sequence.pop();
    }
    found.ok_or_else(|| ProteinProblem::Missing(Missing::Sequence { requested: requested.into_owned() }))
}

fn text(text: String, status: StatusCode, ranges: &'static str) -> Response {
    let headers = [(header::CONTENT_TYPE, TEXT), (header::ACCEPT_RANGES, ranges)];
    (status, headers, Body::from(text)).into_response()
}

fn json(body: &impl Serialize) -> Result<Response, ProteinProblem> {
    Ok(([(header::CONTENT_TYPE, JSON)], serde_json::to_vec(body)?).into_response())
}

fn accepts(headers: &HeaderMap, offers: &[Offer<()>]) -> bool {
    accept::preferred(headers, offers).is_some()
}

fn accepted(headers: &HeaderMap, offers: &[Offer<()>]) -> Result<(), ProteinProblem> {
    if accepts(headers, offers) {
        return Ok(());
    }
    let [kind, name] = offers.first().map_or(["", ""], |(kind, name, ())| [*kind, *name]);
    let detail = format!("This is only available as {kind}/{name}.");
    Err(ProteinProblem::Refused { status: StatusCode::NOT_ACCEPTABLE, detail })
}
