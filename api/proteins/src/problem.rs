//! The errors of the operations.

use std::borrow::Cow;
use std::collections::BTreeMap;

use api_http::error::{ErrorDetail, Problem};
use api_http::json::json_response;
use api_http::posted::BodyFault;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use store::UnknownLineage;
use store_proteins::Successor;
use utoipa::ToSchema;

/// The message of an index that cannot look up sequences.
pub const NO_CHECKSUMS: &str =
    "This index cannot look up sequences by digest: it was made without `mgdex index --checksums`.";

/// The number of seconds after which a client with too many waiting searches may try again.
const SEARCHES_RETRY_S: &str = "10";

/// The message of an index that has no members of clusters.
pub const NO_MEMBERS: &str = "This index has no members of clusters: it was made without `mgdex index --members`.";

/// The message of an index whose release has no contigs.
pub const NO_CONTIGS: &str = "This index has no contigs: it was made without `mgdex index --contigs`.";

/// An error of an operation, or another protein in place of the requested one.
#[derive(Debug)]
pub enum ProteinProblem {
    /// Parameters cannot be used.
    Parameters(Vec<ParameterProblem>),
    /// No biome has the lineage.
    UnknownLineage(UnknownLineage),
    /// The protein does not exist.
    Missing(Missing),
    /// Proteins of several sources have the requested name.
    SeveralSources {
        /// The requested text.
        requested: String,
        /// The sources, in words.
        sources: String,
    },
    /// The index has no digests of sequences.
    NoChecksums,
    /// The request cannot be used or answered.
    Refused {
        /// The status of the answer.
        status: StatusCode,
        /// The reason, as a sentence.
        detail: String,
    },
    /// The requested part is outside the sequence, whose number of residues this is.
    OutsideSequence(usize),
    /// Another protein answers for the requested one.
    Elsewhere {
        /// The requested text.
        requested: String,
        /// The other protein.
        successor: Successor,
        /// The address of the other protein.
        location: String,
    },
    /// A problem that any request may have.
    Common(Problem),
}

/// The reason why a protein was not found.
#[derive(Debug, thiserror::Error)]
pub enum Missing {
    #[error("No protein has the accession '{requested}'.")]
    Unknown { requested: String },
    #[error("No protein has the accession or the name '{requested}'.")]
    Unnamed { requested: String },
    #[error("No protein has the sequence '{requested}'.")]
    Sequence { requested: String },
    /// The protein that answers for this one is not in this index.
    #[error("Protein '{requested}' {successor}, which is not in this index.")]
    Successor { requested: String, successor: Successor },
    #[error("{NO_MEMBERS}")]
    Members,
    #[error("Protein '{requested}' is own data, which has no clusters.")]
    Cluster { requested: String },
    #[error("{NO_CONTIGS}")]
    Contigs,
    #[error("The source of this protein has no contigs: it was added by an earlier version. Add it again.")]
    OwnContigs,
    #[error("No contig with genes has the accession or the name '{requested}'.")]
    Contig { requested: String },
    #[error("No assembly '{requested}' has contigs with genes.")]
    Assembly { requested: String },
}

/// A parameter that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ParameterProblem {
    /// The kind of the problem.
    #[serde(rename = "type")]
    #[schema(example = "less_than_equal")]
    pub(crate) kind: &'static str,
    /// The place: `query`, and the name of the parameter if a single one is wrong.
    #[schema(example = json!(["query", "limit"]))]
    pub loc: Vec<Cow<'static, str>>,
    /// The problem, for people.
    #[schema(example = "Input should be less than or equal to 1000")]
    pub msg: Cow<'static, str>,
    /// The limit that was passed, or the offsets in bytes at which a faulty part of a text starts
    /// and ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = json!({"le": 1000}))]
    pub(crate) ctx: Option<BTreeMap<&'static str, i64>>,
}

impl ParameterProblem {
    /// Returns the problem of one parameter.
    pub(super) fn new(
        kind: &'static str,
        name: impl Into<Cow<'static, str>>,
        msg: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { kind, loc: vec!["query".into(), name.into()], msg: msg.into(), ctx: None }
    }
}

/// The problems of parameters that have been read.
#[derive(Default)]
pub(super) struct Problems(pub(super) Vec<ParameterProblem>);

impl Problems {
    pub(super) fn push(&mut self, problem: ParameterProblem) {
        self.0.push(problem);
    }

    /// Returns the value of a parameter, or collects its problem.
    pub(super) fn value<T>(&mut self, name: impl Into<Cow<'static, str>>, read: Result<T, String>) -> Option<T> {
        self.collect(read.map_err(|problem| ParameterProblem::new("value_error", name, problem)))
    }

    /// Returns a value, or collects the problem.
    pub(super) fn collect<T>(&mut self, read: Result<T, ParameterProblem>) -> Option<T> {
        read.map_err(|problem| self.push(problem)).ok()
    }

    /// Refuses a parameter if `is_refused`.
    pub(super) fn refuse(&mut self, name: &'static str, problem: &'static str, is_refused: bool) {
        self.0.extend(is_refused.then(|| ParameterProblem::new("value_error", name, problem)));
    }

    /// Returns all problems, if there are any.
    pub(super) fn check(self) -> Result<(), ProteinProblem> {
        if self.0.is_empty() { Ok(()) } else { Err(ProteinProblem::Parameters(self.0)) }
    }
}

/// The body of a 422: a text for an unknown lineage, otherwise a list of the problems of the
/// parameters.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct UnprocessableDetail {
    /// The problem.
    pub(super) detail: Unprocessable,
}

/// The problem of a search.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum Unprocessable {
    /// The lineage resolves to no biome.
    Lineage(String),
    /// All parameters that cannot be used.
    Parameters(Vec<ParameterProblem>),
}

impl ProteinProblem {
    /// Returns the problem of a body that cannot be used.
    pub(crate) fn of_body(fault: BodyFault) -> Self {
        fault.into_client_error().map_or_else(Self::Common, |(status, detail)| Self::Refused { status, detail })
    }

    /// Returns the problem of a value of one parameter.
    pub fn of_parameter(name: impl Into<Cow<'static, str>>, problem: impl Into<Cow<'static, str>>) -> Self {
        Self::Parameters(vec![ParameterProblem::new("value_error", name, problem)])
    }
}

impl<E: Into<Problem>> From<E> for ProteinProblem {
    fn from(error: E) -> Self {
        Self::Common(error.into())
    }
}

impl IntoResponse for ProteinProblem {
    fn into_response(self) -> Response {
        let unprocessable = |detail| json_response(StatusCode::UNPROCESSABLE_ENTITY, &UnprocessableDetail { detail });
        let (status, detail, header) = match self {
            Self::Common(problem) => return problem.into_response(),
            Self::Parameters(problems) => return unprocessable(Unprocessable::Parameters(problems)),
            Self::UnknownLineage(unknown) => return unprocessable(Unprocessable::Lineage(unknown.to_string())),
            Self::NoChecksums => (StatusCode::NOT_IMPLEMENTED, NO_CHECKSUMS.to_owned(), None),
            Self::Refused { status, detail } => {
                let retry = (header::RETRY_AFTER, HeaderValue::from_static(SEARCHES_RETRY_S));
                (status, detail, (status == StatusCode::TOO_MANY_REQUESTS).then_some(retry))
            }
            Self::OutsideSequence(length) => {
                let detail = format!("The range is not within the sequence, which has {length} residues.");
                let range = HeaderValue::try_from(format!("bytes */{length}")).ok();
                (StatusCode::RANGE_NOT_SATISFIABLE, detail, range.map(|range| (header::CONTENT_RANGE, range)))
            }
            Self::Missing(missing) => (StatusCode::NOT_FOUND, missing.to_string(), None),
            Self::SeveralSources { requested, sources } => {
                (StatusCode::CONFLICT, format!("'{requested}' does not identify a single protein: {sources}."), None)
            }
            Self::Elsewhere { requested, successor, location } => {
                let Ok(location) = HeaderValue::try_from(location) else { return Problem::Internal.into_response() };
                let detail = format!("Protein '{requested}' {successor}.");
                (StatusCode::FOUND, detail, Some((header::LOCATION, location)))
            }
        };
        let mut response = json_response(status, &ErrorDetail { detail });
        response.headers_mut().extend(header);
        response
    }
}
