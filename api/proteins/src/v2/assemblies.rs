//! The contigs of an assembly.

use serde::Serialize;
use utoipa::ToSchema;

use super::genes::ContigItem;
use super::given::Given;
use super::listing::{linked_page, next_page};
use crate::problem::{Missing, ProteinProblem};
use crate::question::{Answer, Question};
use crate::shared::detail;
use crate::shared::result_format::ResultFormat;

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
    let mut given = Given::new(question.query(), &["after", "limit"])?;
    let after = given.value("after", parse_cursor);
    let limit = usize::try_from(given.limit(ResultFormat::Json)).unwrap_or(usize::MAX);
    given.check()?;
    let (data, requested) = (&question.release.data, detail::decoded(&question.segment));
    let mut parts = Vec::new();
    for (part, (source, contigs)) in (0..).zip(data.contigs()) {
        let found = contigs.find_assembly(&requested)?;
        let found =
            found.map_or_else(|| contigs.find_assembly(&requested.to_ascii_uppercase()), |found| Ok(Some(found)))?;
        parts.extend(found.map(|position| (part, source, contigs, position)));
    }
    if parts.is_empty() {
        let missing = || Missing::Assembly { requested: requested.into_owned() };
        return Err(ProteinProblem::Missing(data.contigs().next().map_or(Missing::Contigs, |_| missing())));
    }
    let (first, mut number) = after.map_or((0, None), |(part, number)| (part, Some(number)));
    // One more than the limit shows that there is a next page.
    let mut found = Vec::new();
    for (part, source, contigs, position) in parts.into_iter().filter(|(part, ..)| *part >= first) {
        let after = number.take().filter(|_| part == first);
        for (contig, num_genes) in contigs.contigs_of(position, after, limit + 1 - found.len())? {
            let cursor = format!("{part}.{}", contig.key.number());
            found.push((cursor, CountedContig { contig: ContigItem::new(source, contig), num_genes }));
        }
    }
    let next = (found.len() > limit).then(|| next_page(question, &found[limit - 1].0));
    let results = found.into_iter().take(limit).map(|(_, contig)| contig).collect();
    let page = AssemblyPage { results, next };
    linked_page(&page, page.next.as_deref())
}

/// Reads a cursor: a part of the data, and the number of a contig in it.
fn parse_cursor(text: &str) -> Result<(usize, u64), String> {
    let numbers = text.split_once('.').and_then(|(part, number)| Some((part.parse().ok()?, number.parse().ok()?)));
    numbers.ok_or_else(|| "This is not the cursor of another page.".to_owned())
}
