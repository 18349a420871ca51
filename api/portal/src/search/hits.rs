//! A page of hits, and downloads of all of them.

mod row;

use api_http::SourceError;
use api_http::paths::PROTEINS_ROUTE;
use api_proteins::{FastaHeader, ProteinProblem, QueryParameters, Release, ResultField, ResultFormat, ResultWriter};
use serde_json::{Map, Value};
use store::ProteinAccession;
use store_proteins::{CHOSEN_MAX, PAGE_BUDGET, ProteinChoice, ProteinGeneration, ProteinPage, Relation, Total};

use super::text;
use crate::context::address::Pairs;
use crate::context::layout::{Layout, PROTEIN_FORMATS};
use crate::context::page_context::PageContext;
use crate::parts::number::{Bytes, Count, Number};
use crate::parts::own::Mark;
pub(super) use row::label;
use row::{Heading, Row, cells};

pub(super) struct Found {
    parameters: QueryParameters,
    page: ProteinPage,
    total: Total,
    rows: Vec<Map<String, Value>>,
    /// The marks of hits of own data.
    marks: Vec<Option<Mark>>,
    /// The mean size of a hit in each of [`PROTEIN_FORMATS`], in bytes: 0 for Parquet, which is not
    /// written.
    mean_bytes: [u64; PROTEIN_FORMATS.len()],
    /// The mean size of a hit in FASTA with full headers, in bytes.
    mean_full_bytes: u64,
    previous: Option<Previous>,
}

/// The position of the previous page.
#[derive(Clone, Copy)]
enum Previous {
    First,
    After(ProteinAccession),
    Before(ProteinAccession),
}

/// The hits of a page, ready to show.
pub(super) struct Hits {
    pub(super) total: Count,
    /// The ranks of the first and last protein of the page, 1-based, if the page was reached by
    /// links.
    pub(super) ranks: Option<(Number, Number)>,
    /// `true` if the page ended early because its budget was used up.
    pub(super) is_cut_short: bool,
    pub(super) headings: Vec<Heading>,
    pub(super) rows: Vec<Row>,
    /// `true` if more proteins match, but an order ends here.
    pub(super) is_end_of_order: bool,
    /// The addresses of the first, the previous and the next page.
    pub(super) first: Option<String>,
    pub(super) previous: Option<String>,
    pub(super) next: Option<String>,
}

pub(super) fn find(release: &Release, api_pairs: &Pairs) -> Result<Found, ProteinProblem> {
    let data = &*release.data;
    let parameters = text::parse(release, api_pairs)?;
    let limit = parameters.page_limit().unwrap_or_default();
    // Results are written in each format and read again. The mean size is large for few proteins,
    // because it includes the parts shared by all.
    let num_most =
        usize::try_from(data.statistics().num_proteins).map_or(limit, |num_proteins| num_proteins.min(limit));
    if !parameters.writer.take_memory(data, num_most.saturating_mul(PROTEIN_FORMATS.len() + 1)) {
        return Err(SourceError::Overloaded.into());
    }
    let (page, previous) = page_of(data, &parameters, limit)?;
    let num_hits = page.hits.len() as u64;
    let total = if parameters.after.is_none() && page.next.is_none() {
        Total { value: num_hits, relation: Relation::Eq }
    } else {
        let Total { value, relation } = data.total(&parameters.query, PAGE_BUDGET)?;
        Total { value: value.max(num_hits), relation }
    };
    let written = |format, header| -> Result<Vec<u8>, ProteinProblem> {
        let (mut text, writer) = (Vec::new(), ResultWriter::new(format, parameters.writer.fields()));
        writer.with_header(header).write_page(data, &page, &mut text)?;
        Ok(text)
    };
    let mean = |text: Vec<u8>| text.len() as u64 / num_hits.max(1);
    let json = [b"[", &*written(ResultFormat::Json, FastaHeader::Short)?, b"]"].concat();
    let rows = serde_json::from_slice(&json)?;
    let mut mean_bytes = [0; PROTEIN_FORMATS.len()];
    for (mean_bytes, (.., format)) in mean_bytes.iter_mut().zip(PROTEIN_FORMATS) {
        *mean_bytes = mean(written(format, FastaHeader::Short)?);
    }
    let mean_full_bytes = mean(written(ResultFormat::Fasta, FastaHeader::Full)?);
    let marks = Mark::of_all(data, page.hits.iter().map(|hit| hit.accession))?;
    Ok(Found { parameters, page, total, rows, marks, mean_bytes, mean_full_bytes, previous })
}

/// Returns a page and the position of the previous one.
fn page_of(
    data: &ProteinGeneration,
    parameters: &QueryParameters,
    limit: usize,
) -> Result<(ProteinPage, Option<Previous>), ProteinProblem> {
    let Some(choice) = parameters.choice else {
        let page = data.page(&parameters.query, parameters.after, limit, PAGE_BUDGET)?;
        let first = page.hits.first().filter(|_| parameters.after.is_some()).map(|hit| hit.accession);
        return Ok((page, first.map(Previous::Before)));
    };
    let Some(mut hits) = data.choose(&parameters.query, choice, PAGE_BUDGET)? else {
        let problem = "There are too many proteins to sort: add conditions.";
        return Err(ProteinProblem::of_parameter("order", problem));
    };
    let start = parameters.start_among(&hits)?;
    let previous = match start.checked_sub(limit + 1) {
        Some(place) => Some(Previous::After(hits[place].accession)),
        None => (start > 0).then_some(Previous::First),
    };
    let next = hits.get(start + limit).and(hits.get(start + limit - 1)).map(|last| last.accession);
    hits.drain(..start);
    hits.truncate(limit);
    Ok((ProteinPage { hits, next }, previous))
}

/// Returns the cursor and rank of the page before a protein, or `None` if that is the first page.
pub(super) fn before(release: &Release, pairs: &Pairs) -> Result<Option<(ProteinAccession, u64)>, ProteinProblem> {
    let parameters = text::parse(release, &text::for_api(&pairs.without(&["before", "after"])))?;
    let Ok(before) = pairs.value("before").parse() else { return Ok(None) };
    let (limit, rank) = (parameters.page_limit().unwrap_or_default(), rank(pairs));
    let hits = release.data.hits_before(&parameters.query, before, limit + 1, PAGE_BUDGET)?;
    let (cursor, num_hits) = match &hits[..] {
        [first, rest @ ..] if hits.len() > limit => (first.accession, rest.len()),
        // The budget was used up before the page was full.
        [first, ..] if rank > hits.len() as u64 + 1 => (right_before(first.accession), hits.len()),
        _ => return Ok(None),
    };
    Ok(Some((cursor, rank.saturating_sub(num_hits as u64).max(1))))
}

/// Returns the accession before another one, whether or not such a protein exists.
fn right_before(accession: ProteinAccession) -> ProteinAccession {
    ProteinAccession::new(accession.number() - 1).unwrap_or(accession)
}

/// Returns the rank of the first protein of a page, 1-based. The first page has rank 1; invented
/// ranks are limited to the greatest possible one.
fn rank(pairs: &Pairs) -> u64 {
    let is_first = ["after", "before"].iter().all(|name| pairs.value(name).is_empty());
    let given = pairs.value("rank").parse().ok().filter(|_| !is_first);
    given.unwrap_or(1).clamp(1, ProteinAccession::MAX.number())
}

impl Found {
    pub(super) fn fields(&self) -> &[ResultField] {
        self.parameters.writer.fields()
    }

    /// Returns whether the order has only the first of the matches.
    pub(super) fn is_part(&self) -> bool {
        let Total { value, relation } = self.total;
        matches!(self.parameters.choice, Some(ProteinChoice::First(_)))
            && (value > CHOSEN_MAX as u64 || relation != Relation::Eq)
    }

    /// Adds the downloads of all results, with their estimated sizes.
    pub(super) fn add_downloads(&self, layout: Layout, api_pairs: &Pairs) -> Layout {
        let (is_part, proteins) = (self.is_part(), Count::from(self.total).counted("proteins"));
        let sorted = api_pairs.without(&["limit", "after"]);
        let whole = if is_part { sorted.without(&["order"]) } else { sorted.clone() };
        let add = |layout: Layout, title, pairs: Pairs, size| {
            layout.download(title, &format!("{PROTEINS_ROUTE}{}", pairs.to_query()), size)
        };
        let size = |mean: u64| match mean {
            // The first proteins of an order are no sample of all.
            _ if is_part => format!("{proteins} by accession"),
            0 => proteins.clone(),
            mean => format!("{proteins}, about {}", Bytes(mean * self.total.value)),
        };
        // FASTA has no fields.
        let fasta = whole.without(&["fields"]).with("format", "fasta");
        let layout =
            PROTEIN_FORMATS.into_iter().zip(self.mean_bytes).fold(layout, |layout, ((title, name, _), mean)| {
                let pairs = if name == "fasta" { fasta.clone() } else { whole.with("format", name) };
                add(layout, title, pairs, size(mean))
            });
        let full = fasta.with("header", "full");
        let layout = add(layout, "FASTA with families and biomes", full, size(self.mean_full_bytes));
        if !is_part {
            return layout;
        }
        add(layout, "TSV, sorted", sorted.with("format", "tsv"), format!("the first {}", Number::of(CHOSEN_MAX)))
    }
}

impl Hits {
    pub(super) fn new(found: &Found, context: &PageContext, pairs: &Pairs) -> Self {
        let Found { page, total, rows, .. } = found;
        let first = pairs.without(&["after", "rank"]);
        let (rank, num_hits) = (rank(pairs), page.hits.len() as u64);
        let at = |rank: u64| move |pairs: Pairs| pairs.with("rank", &rank.to_string());
        let behind = |cursor: ProteinAccession, rank: u64| at(rank)(first.with("after", &cursor.to_string()));
        let address = |pairs: Pairs| super::address(context, &pairs);
        let earlier = rank.saturating_sub(found.parameters.page_limit().unwrap_or_default() as u64).max(1);
        let previous = found.previous.map(|previous| match previous {
            Previous::First => first.clone(),
            Previous::After(cursor) => behind(cursor, earlier),
            Previous::Before(hit) => at(rank)(first.with("before", &hit.to_string())),
        });
        let is_ranked = pairs.value("after").is_empty() || rank > 1;
        let row = |(row, mark): (&Map<String, Value>, &Option<Mark>)| {
            cells(row, mark.as_ref(), found.fields(), context.root())
        };
        let accessions = page.hits.iter().map(|hit| hit.accession.to_string());
        Self {
            total: (*total).into(),
            ranks: (is_ranked && num_hits > 0).then(|| (Number(rank), Number(rank + num_hits - 1))),
            is_cut_short: page.next.is_some() && Some(page.hits.len()) < found.parameters.page_limit(),
            is_end_of_order: found.is_part() && page.next.is_none(),
            headings: found.fields().iter().map(|&field| Heading::new(field, context, &first)).collect(),
            rows: accessions
                .zip(rows.iter().zip(&found.marks).map(row))
                .map(|(accession, cells)| Row { accession, cells })
                .collect(),
            next: page.next.map(|cursor| address(behind(cursor, rank + num_hits))),
            previous: previous.map(address),
            first: (*pairs != first).then(|| address(first.clone())),
        }
    }

    /// Returns the accessions, one per line.
    pub(super) fn accessions(&self) -> String {
        self.rows.iter().map(|row| &*row.accession).collect::<Vec<_>>().join("\n")
    }
}
