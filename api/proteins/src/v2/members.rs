//! The members of a cluster: a page in JSON, or a stream of all of them.

use std::sync::Arc;

use api_catalogue::Formulas;
use api_http::paths;
use serde::Serialize;
use store::{AccessionError, ProteinAccession};
use store_proteins::{Members, ProteinGeneration};
use utoipa::ToSchema;

use super::given::Given;
use super::listing::{linked_page, next_page, stream};
use super::parameters::accepted;
use crate::problem::{Missing, ProteinProblem};
use crate::question::{Answer, Question};
use crate::shared::detail;
use crate::shared::result_format::ResultFormat;
use crate::shared::values::{write_head, write_rows};

/// The members that a stream reads at a time.
pub const MEMBERS_PART: usize = 4096;

/// The columns of tables.
pub const MEMBER_COLUMNS: &str = "accession representative";

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
pub struct Member {
    /// The accession. Only representatives have records, unless the index has all proteins.
    #[schema(example = "MGYP000261684433")]
    accession: String,
    /// The representative of the cluster.
    #[schema(example = "MGYP000261684433")]
    representative: String,
}

/// Answers with the members of the cluster of a protein.
pub(crate) fn answer(question: &Question) -> Answer {
    let mut given = Given::new(question.query(), &["after", "format", "limit"])?;
    let accession = |text: &str| text.parse().map_err(|error: AccessionError| error.to_string());
    let mut after: Option<ProteinAccession> = given.value("after", accession);
    let format = given.format(accepted(&question.parts.headers), |format| {
        matches!(format, ResultFormat::Json | ResultFormat::Ndjson | ResultFormat::Tsv)
    })?;
    let limit = given.limit(format);
    given.check()?;
    let data = &question.release.data;
    let members = data.members().ok_or(ProteinProblem::Missing(Missing::Members))?;
    let representative = representative(data, members, question)?;
    if format != ResultFormat::Json {
        let (data, mut head) = (Arc::clone(data), Vec::new());
        write_head(MEMBER_COLUMNS, format, &mut head);
        return Ok(stream(format, "members", head, limit, MEMBERS_PART, move |wanted, text| {
            let Some(members) = data.members() else { return Ok(0) };
            let found = members.find(representative, after, wanted)?;
            after = found.last().copied();
            write_rows(&Member::all(&found, representative), MEMBER_COLUMNS, format, Formulas::Kept, text)?;
            Ok(found.len())
        }));
    }
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut found = members.find(representative, after, limit + 1)?;
    let has_more = found.len() > limit;
    found.truncate(limit);
    let last = found.last().filter(|_| has_more);
    let page = MemberPage {
        count: members.count(representative)?,
        next: last.map(|last| next_page(question, last)),
        results: Member::all(&found, representative),
    };
    linked_page(&page, page.next.as_deref())
}

impl Member {
    /// Returns members of the cluster of a representative.
    pub fn all(members: &[ProteinAccession], representative: ProteinAccession) -> Vec<Self> {
        let member = |member: &ProteinAccession| (member.to_string(), representative.to_string());
        let members = members.iter().map(member);
        members.map(|(accession, representative)| Self { accession, representative }).collect()
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
