//! The second version of the interface: queries that combine conditions, counts, cursors and streams.

mod description;
mod parameters;
mod record;
mod search;

pub(super) use description::description;
pub(crate) use parameters::QueryParameters;

use std::sync::Arc;

use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::Response;
use store::{PAGE_BUDGET, ProteinGeneration};

use super::{ProteinProblem, Respond};
use crate::http::blocking::{ANSWER_PATIENCE, in_turn};
use crate::http::door::{Door, Passing};
use crate::paths;
use parameters::{accepted, none_allowed};
use search::Query;

/// The work of a page that may be done in place: some tens of microseconds.
const QUICK_BUDGET: u64 = 20_000;

/// The most bytes and separators of a query part that is read in place: each fault in it is compared with all lineages.
const QUICK_BYTES: usize = 512;
const QUICK_SEPARATORS: usize = 16;

/// What is asked for below the prefix of the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation<'a> {
    Search,
    Record(&'a str),
    Fasta(&'a str),
}

impl<'a> Operation<'a> {
    /// Returns the operation of a path. A slash at the end is as if it were not there.
    pub(super) fn at(path: &'a str) -> Option<Self> {
        let rest = path.strip_suffix('/').unwrap_or(path).strip_prefix("/proteins")?;
        match rest.strip_prefix('/') {
            None => rest.is_empty().then_some(Self::Search),
            Some(segment) if segment.is_empty() || segment.contains('/') => None,
            Some(segment) => Some(segment.strip_suffix(".fasta").map_or(Self::Record(segment), Self::Fasta)),
        }
    }

    pub(super) fn route(self) -> &'static str {
        match self {
            Self::Search => paths::PROTEINS_ROUTE,
            Self::Record(_) => paths::PROTEIN_ROUTE,
            Self::Fasta(_) => paths::PROTEIN_FASTA_ROUTE,
        }
    }
}

/// Returns what tells apart the answers to one address: the format, and what links begin with.
pub(super) fn variant(headers: &HeaderMap, base: &str) -> String {
    format!("{:?} {base}", accepted(headers))
}

/// Answers a request. A search that takes longer than a moment goes on on a thread that may block. `base` is what links begin with.
pub(super) fn read<'a>(
    operation: Operation<'_>,
    data: Arc<ProteinGeneration>,
    parts: &Parts,
    base: String,
    door: &'a Door,
    respond: impl Respond,
) -> Passing<'a, Response> {
    let is_fasta = matches!(operation, Operation::Fasta(_));
    if let Operation::Record(segment) | Operation::Fasta(segment) = operation {
        let segment = segment.to_owned();
        let allowed = none_allowed(parts.uri.query().unwrap_or_default());
        return door.pass(move || respond(allowed.and_then(|()| record::answer(&data, &segment, is_fasta, &base))));
    }
    let text = parts.uri.query().unwrap_or_default().to_owned();
    let (is_short, url, accepted) = (is_short(&text), base + parts.uri.path(), accepted(&parts.headers));
    let answer = move |budget| -> Result<Option<Response>, ProteinProblem> {
        let parameters = QueryParameters::parse(&text, accepted, data.biomes())?;
        Query { data: &data, parameters, url: &url, text: &text }.answer(budget)
    };
    if is_short && let Some(Some(answered)) = door.try_pass(|| answer(QUICK_BUDGET).transpose()) {
        return Passing::Done(respond(answered));
    }
    Passing::Elsewhere(Box::pin(async move {
        // The last budget is always enough.
        let whole = move || answer(PAGE_BUDGET).map(Option::unwrap_or_default);
        respond(in_turn(ANSWER_PATIENCE, whole).await.unwrap_or_else(|overloaded| Err(overloaded.into())))
    }))
}

/// Tells whether a query part is read in less than a moment, whatever is wrong with it.
fn is_short(text: &str) -> bool {
    let is_in_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'=' | b'.' | b'-');
    text.len() <= QUICK_BYTES && text.bytes().filter(|byte| !is_in_word(byte)).count() <= QUICK_SEPARATORS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_have_many_faults_is_not_short() {
        for (text, expected) in [
            ("", true),
            ("biome=root:Environmental:Aquatic:Marine&pfam=PF00005&limit=50", true),
            ("q=pfam:PF00005+AND+biome:%22root:Host-associated%22+AND+NOT+length:%5B1+TO+50%5D", true),
            (&*"biome=x&".repeat(20), false),
            (&*format!("q={}", "biome:x%20OR%20".repeat(10)), false),
            (&*"a".repeat(600), false),
        ] {
            assert_eq!(is_short(text), expected, "{text}");
        }
    }

    #[test]
    fn paths_lead_to_operations() {
        for (path, expected) in [
            ("/proteins", Some(Operation::Search)),
            ("/proteins/", Some(Operation::Search)),
            ("/proteins/12", Some(Operation::Record("12"))),
            ("/proteins/12/", Some(Operation::Record("12"))),
            ("/proteins/MGYP000000000012.fasta", Some(Operation::Fasta("MGYP000000000012"))),
            ("/proteins/12/x", None),
            ("/proteinss", None),
            ("/docs", None),
            ("", None),
        ] {
            assert_eq!(Operation::at(path), expected, "{path}");
        }
    }
}
