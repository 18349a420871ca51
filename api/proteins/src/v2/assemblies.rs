//! The contigs of an assembly.

use api_http::json::json_answer;
use serde::Serialize;
use utoipa::ToSchema;

use super::contigs::{check_limit, page_limit};
use super::genes::ContigItem;
use super::parameters::positive;
use super::reader::unknown;
use super::repeats::pairs;
use super::search::{link_next, next_url};
use crate::problem::{Missing, Problems, ProteinProblem};
use crate::question::{Answer, Question};
use crate::shared::detail;

/// Contigs of an assembly.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct AssemblyPage {
    /// Contigs by accession, those of own data last.
    results: Vec<CountedContig>,
    /// The address of the next page; null after the last one.
    #[schema(required)]
    next: Option<String>,
}

/// A contig, and the number of genes on it.
#[derive(Debug, Serialize, ToSchema)]
struct CountedContig {
    /// The contig.
    contig: ContigItem,
    /// The number of genes.
    num_genes: u64,
}

/// Answers with the contigs of an assembly.
pub(crate) fn answer(question: &Question) -> Answer {
    let (mut problems, mut after, mut limit) = (Problems::default(), None, None);
    for (name, value) in pairs(question.query())? {
        match &*name {
            "after" => after = problems.value("after", parse_cursor(&value)),
            "limit" => limit = problems.value("limit", positive(&value)),
            name => problems.push(unknown(name, ["after", "limit"].into_iter())),
        }
    }
    check_limit(true, limit, &mut problems);
    problems.check()?;
    let data = &question.release.data;
    let (requested, limit) = (detail::decoded(&question.segment), page_limit(limit));
    let (mut is_known, mut has_contigs, mut last) = (false, false, None);
    let mut page = AssemblyPage { results: Vec::new(), next: None };
    let (first_part, mut number) = after.map_or((0, None), |(part, number)| (part, Some(number)));
    for (part, (source, contigs)) in (0..).zip(data.contigs()) {
        has_contigs = true;
        let upper = requested.to_ascii_uppercase();
        let found = contigs
            .find_assembly(&requested)?
            .map_or_else(|| contigs.find_assembly(&upper), |found| Ok(Some(found)))?;
        let Some(position) = found else { continue };
        is_known = true;
        if part < first_part {
            continue;
        }
        let after = number.take().filter(|_| part == first_part);
        for (contig, num_genes) in contigs.contigs_of(position, after, limit + 1 - page.results.len())? {
            if page.results.len() == limit {
                page.next = last.take().map(|last: String| next_url(&question.url(), question.query(), &last));
                break;
            }
            last = Some(format!("{part}.{}", contig.key.number()));
            page.results.push(CountedContig { contig: ContigItem::new(source, contig), num_genes });
        }
        if page.next.is_some() {
            break;
        }
    }
    if !is_known {
        let requested = requested.into_owned();
        return Err(ProteinProblem::Missing(if has_contigs {
            Missing::Assembly { requested }
        } else {
            Missing::Contigs
        }));
    }
    let mut response = json_answer(serde_json::to_vec(&page)?);
    link_next(&mut response, page.next.as_deref());
    Ok(response)
}

/// Reads a cursor: a part of the data, and the number of a contig in it.
fn parse_cursor(text: &str) -> Result<(usize, u64), String> {
    let numbers = text.split_once('.').and_then(|(part, number)| Some((part.parse().ok()?, number.parse().ok()?)));
    numbers.ok_or_else(|| "This is not the cursor of another page.".to_owned())
}
