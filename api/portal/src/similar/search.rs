//! The page of a search: its state, then its hits.

use std::sync::Arc;

use api_http::error::Problem;
use api_http::paths;
use api_proteins::FASTA_WIDTH;
use api_proteins::similar::{self, Searches};
use askama::Template;
use axum::response::Response;
use similarity::{Job, JobState, Query, QueryKind, SearchSpace};
use store_proteins::ProteinGeneration;
use time::{OffsetDateTime, UtcOffset};

use super::SimilarForm;
use super::hits::{self, HitRow, PAGE_HITS};
use super::scores;
use crate::context::address::{Pairs, encoded};
use crate::context::layout::Layout;
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::number::Number;
use crate::plots;
use crate::plots::plot::Plot;

/// The downloads: format, name in the API, and contents.
const FORMATS: [(&str, &str, &str); 5] = [
    ("TSV", "tsv", "the twelve columns of BLAST"),
    ("FASTA", "fasta", "the sequences"),
    ("A3M", "a3m", "aligned with the query"),
    ("NDJSON", "ndjson", "all scores and alignments"),
    ("Parquet", "parquet", "the columns of the TSV"),
];

#[derive(Template)]
#[template(path = "similar_search.html")]
struct SearchPage {
    layout: Layout,
    job: Job,
    /// The address of the searched proteins.
    selection: String,
    count: Number,
    evalue: String,
    space: Number,
    /// A query sequence as FASTA; empty for a profile, and for a query that is not kept.
    fasta: String,
    /// The time until which the query is kept.
    kept_until: String,
    /// `true` if this visitor started the search and can remove it.
    is_own: bool,
    /// `true` if the proteins have been replaced since.
    is_replaced: bool,
    state: SearchState,
    /// The scores of the best hits, on the first page.
    scores: Option<Plot>,
    form: SimilarForm,
}

/// The state of a search.
enum SearchState {
    Waiting {
        before: usize,
    },
    Running {
        num_sent: Number,
        share: u64,
    },
    Failed(String),
    Done {
        num_hits: Number,
        num_kept: Number,
        num_skipped: Number,
        rows: Vec<HitRow>,
        /// The search for the proteins of the page, if they are still served.
        as_search: Option<String>,
        next: Option<String>,
        first: Option<String>,
    },
}

impl SearchPage {
    fn has_failed(&self) -> bool {
        matches!(self.state, SearchState::Failed(_))
    }

    fn kind_name(&self) -> &'static str {
        if self.job.query_kind == QueryKind::Profile { "profile" } else { "sequence" }
    }

    /// Returns whether the page will change soon.
    fn is_under_way(&self) -> bool {
        matches!(self.state, SearchState::Waiting { .. } | SearchState::Running { .. })
    }
}

impl SearchState {
    fn of(context: &PageContext, served: &Searches, job: &Job) -> Result<Self, PortalProblem> {
        Ok(match &job.state {
            JobState::Waiting { position } => Self::Waiting { before: *position },
            JobState::Running { num_sent } => {
                Self::Running { num_sent: Number(*num_sent), share: num_sent * 1000 / job.count.max(1) }
            }
            JobState::Failed { reason, .. } => Self::Failed(reason.clone()),
            JobState::Done { found, .. } => {
                let after: u64 = context.parameter("after").parse().unwrap_or(0);
                let next = after.saturating_add(PAGE_HITS as u64);
                let own_path = format!("{}/portal/similar/{}", context.root(), job.id);
                let current = current(context, job);
                let rows = hits::page_of(served, job, after, current)?;
                let as_search = current.filter(|_| !rows.is_empty()).map(|_| {
                    let accessions: Vec<&str> = rows.iter().map(|row| &*row.accession).collect();
                    let query = format!("accession:({})", accessions.join(" OR "));
                    format!("{}/portal/search?q={}", context.root(), encoded(&query))
                });
                Self::Done {
                    num_hits: Number(found.num_hits),
                    num_kept: Number(found.num_kept),
                    num_skipped: Number(found.num_skipped),
                    rows,
                    as_search,
                    next: (next < found.num_kept).then(|| format!("{own_path}?after={next}")),
                    first: (after > 0).then_some(own_path),
                }
            }
        })
    }
}

/// Returns the proteins of a search, if they are still served.
fn current<'a>(context: &'a PageContext, job: &Job) -> Option<&'a Arc<ProteinGeneration>> {
    context.proteins.as_ref().filter(|data| data.name() == job.scope.generation)
}

/// Answers with the page of a search, started by this visitor or by another one.
pub(super) fn page_of(context: &PageContext, job: Job, is_own: bool) -> Result<Response, PortalProblem> {
    let similarity = &context.services().similarity;
    let served = similarity.searches().map_err(PortalProblem::of_proteins)?;
    let current = current(context, &job);
    let mut layout = context.layout("Similar proteins").section("search");
    let path = paths::search(job.id);
    let state = SearchState::of(context, served, &job)?;
    if let SearchState::Done { .. } = state {
        // FASTA needs the generation that was searched.
        let formats = FORMATS.into_iter().filter(|(_, name, _)| current.is_some() || *name != "fasta");
        layout = formats.fold(layout, |layout, (format, name, what)| {
            layout.download(format, &format!("{path}/hits?format={name}"), what)
        });
    }
    let is_first = matches!(&state, SearchState::Done { first: None, .. });
    let scores = if is_first { scores::plot_of(served, &job)? } else { None };
    let layout = layout.call("State of the search", &format!("{path}?wait=20")).call("Hits", &format!("{path}/hits"));
    // A profile is too long to show.
    let query = match served.jobs.query(&job).map_err(Problem::fault)? {
        Some(Query::Sequence(residues)) => residues,
        _ => String::new(),
    };
    let selection = Pairs::default().with("q", &job.scope.conditions).tidied("", &[]);
    let mut pairs = selection.with("query", &query).with("E", &shown(job.scope.evalue));
    if job.scope.space == SearchSpace::Release.number(context.proteins()?) {
        pairs = pairs.with("Z", "release");
    }
    let page = SearchPage {
        layout,
        selection: format!("{}/portal/search{}", context.root(), selection.to_query()),
        count: Number(job.count),
        evalue: shown(job.scope.evalue),
        space: Number(job.space()),
        fasta: fasta(&job, &query),
        kept_until: minute(served.jobs.expires(&job)),
        is_own,
        is_replaced: current.is_none(),
        state,
        form: SimilarForm::new(context, &pairs, &[])?,
        scores,
        job,
    };
    plots::answer(context, &page, &page.scores)
}

/// Formats the sequence of a query as FASTA.
fn fasta(job: &Job, residues: &str) -> String {
    if residues.is_empty() {
        return String::new();
    }
    let lines = residues.as_bytes().chunks(FASTA_WIDTH).map(String::from_utf8_lossy);
    format!(">{}\n{}", similar::name_of(job), lines.collect::<Vec<_>>().join("\n"))
}

/// Formats a time.
fn minute(time: OffsetDateTime) -> String {
    let time = time.checked_to_offset(UtcOffset::UTC).unwrap_or(time);
    let (day, month, year) = (time.day(), time.month(), time.year());
    format!("{day} {month} {year}, {:02}:{:02} UTC", time.hour(), time.minute())
}

/// Formats an E-value.
fn shown(evalue: f64) -> String {
    if evalue < 0.01 { format!("{evalue:e}") } else { evalue.to_string() }
}
