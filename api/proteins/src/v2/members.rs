//! The members of a cluster: a page in JSON, or a stream of all of them.

use std::sync::Arc;

use api_http::json::json_answer;
use api_http::paths;
use axum::response::Response;
use serde::Serialize;
use store::{AccessionError, ProteinAccession};
use store_proteins::{Members, ProteinGeneration};
use utoipa::ToSchema;

use super::parameters::{LIMIT_DEFAULT, LIMIT_MAX, accepted, positive};
use super::reader::unknown;
use super::repeats::pairs;
use super::search::{link_next, next_url};
use crate::problem::{Missing, ParameterProblem, Problems, ProteinProblem};
use crate::question::{Answer, Question};
use crate::shared::detail;
use crate::shared::result_format::ResultFormat;
use crate::shared::results::push_tsv_head;

/// The members that a stream reads at a time.
pub const MEMBERS_PART: usize = 4096;

const PARAMETERS: [&str; 3] = ["after", "format", "limit"];

/// A page of the members of a cluster.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct MemberPage {
    /// The number of members, which include the representative.
    count: u64,
    /// The members, ascending by accession.
    results: Vec<Member>,
    /// The address of the next page; null after the last one.
    #[schema(required)]
    next: Option<String>,
}

/// A member of a cluster.
#[derive(Debug, Serialize, ToSchema)]
struct Member {
    /// The accession. Only representatives have records, unless the index has all proteins.
    #[schema(example = "MGYP000261684433")]
    accession: String,
    /// The representative of the cluster.
    #[schema(example = "MGYP000261684433")]
    representative: String,
}

struct Parameters {
    after: Option<ProteinAccession>,
    limit: Option<u64>,
    format: ResultFormat,
}

impl Parameters {
    fn parse(text: &str, accepted: Option<ResultFormat>) -> Result<Self, ProteinProblem> {
        let mut problems = Problems::default();
        let (mut after, mut limit, mut format) = (None, None, None);
        for (name, value) in pairs(text)? {
            match &*name {
                "after" => {
                    let read = value.parse::<ProteinAccession>();
                    after = problems.value("after", read.map_err(|error: AccessionError| error.to_string()));
                }
                "limit" => limit = problems.value("limit", positive(&value)),
                "format" => format = problems.value("format", ResultFormat::parse(&value, is_available)),
                name => problems.push(unknown(name, PARAMETERS.into_iter())),
            }
        }
        let format = ResultFormat::choose(format, accepted, is_available)?;
        if format == ResultFormat::Json && limit.is_some_and(|limit| limit > LIMIT_MAX) {
            let problem = format!("A page has at most {LIMIT_MAX} members; other formats than json have no limit.");
            problems.push(ParameterProblem::new("less_than_equal", "limit", problem));
        }
        problems.check()?;
        Ok(Self { after, limit, format })
    }
}

fn is_available(format: ResultFormat) -> bool {
    matches!(format, ResultFormat::Json | ResultFormat::Ndjson | ResultFormat::Tsv)
}

/// Answers with the members of the cluster of a protein.
pub(crate) fn answer(question: &Question) -> Answer {
    let Parameters { after, limit, format } = Parameters::parse(question.query(), accepted(&question.parts.headers))?;
    let data = &question.release.data;
    let members = data.members().ok_or(ProteinProblem::Missing(Missing::Members))?;
    let representative = representative(data, members, question)?;
    if format != ResultFormat::Json {
        return Ok(stream(Arc::clone(data), representative, after, limit.unwrap_or(u64::MAX), format));
    }
    let limit = usize::try_from(limit.unwrap_or(LIMIT_DEFAULT)).unwrap_or(usize::MAX);
    let mut found = members.find(representative, after, limit + 1)?;
    let has_more = found.len() > limit;
    found.truncate(limit);
    let last = found.last().filter(|_| has_more);
    let page = MemberPage {
        count: members.count(representative)?,
        next: last.map(|last| next_url(&question.url(), question.query(), &last.to_string())),
        results: found.into_iter().map(|member| Member::new(member, representative)).collect(),
    };
    let mut response = json_answer(serde_json::to_vec(&page)?);
    link_next(&mut response, page.next.as_deref());
    Ok(response)
}

impl Member {
    fn new(member: ProteinAccession, representative: ProteinAccession) -> Self {
        Self { accession: member.to_string(), representative: representative.to_string() }
    }
}

/// Returns the representative of the cluster of the requested protein, which may be a member.
fn representative(
    data: &ProteinGeneration,
    members: &Members,
    question: &Question,
) -> Result<ProteinAccession, ProteinProblem> {
    let requested = detail::decoded(&question.segment);
    if let Ok(accession) = ProteinAccession::parse_as_written(&requested)
        && let Some(representative) = members.representative(accession)?
    {
        return Ok(representative);
    }
    let address = |other| format!("{}{}", question.base, paths::protein_members(other));
    let found = detail::find(data, &requested, address)?.accession;
    if found.is_own() {
        return Err(ProteinProblem::Missing(Missing::Cluster { requested: requested.into_owned() }));
    }
    Ok(found)
}

fn stream(
    data: Arc<ProteinGeneration>,
    representative: ProteinAccession,
    mut after: Option<ProteinAccession>,
    mut num_left: u64,
    format: ResultFormat,
) -> Response {
    let mut head = Vec::new();
    write_members_head(format, &mut head);
    format.stream("members", move || {
        let Some(members) = data.members().filter(|_| num_left > 0) else { return Ok(None) };
        let wanted = usize::try_from(num_left).map_or(MEMBERS_PART, |left| left.min(MEMBERS_PART));
        let found = members.find(representative, after, wanted)?;
        let mut text = std::mem::take(&mut head);
        write_members(&found, representative, format, &mut text);
        num_left = if found.len() < wanted { 0 } else { num_left - found.len() as u64 };
        after = found.last().copied();
        Ok(Some(text))
    })
}

/// Writes the text before all members.
pub fn write_members_head(format: ResultFormat, text: &mut Vec<u8>) {
    if format == ResultFormat::Tsv {
        push_tsv_head(["accession", "representative"].into_iter(), text);
    }
}

/// Writes members of a cluster in NDJSON or TSV, one a line.
pub fn write_members(
    members: &[ProteinAccession],
    representative: ProteinAccession,
    format: ResultFormat,
    text: &mut Vec<u8>,
) {
    for member in members {
        let line = if format == ResultFormat::Tsv {
            format!("{member}\t{representative}\n")
        } else {
            format!("{{\"accession\":\"{member}\",\"representative\":\"{representative}\"}}\n")
        };
        text.extend_from_slice(line.as_bytes());
    }
}
