//! The search: a page in JSON, or a stream of everything.

use std::sync::Arc;

use axum::http::{HeaderValue, header};
use axum::response::Response;
use store::{PAGE_BUDGET, ProteinAccession, ProteinGeneration, ProteinPages, Relation, Total};

use super::super::ProteinProblem;
use super::super::shared::results::ResultFormat;
use super::parameters::QueryParameters;
use crate::http::error::Problem;
use crate::http::json::json_answer;
use crate::http::streaming;

/// The most records that are read in place.
const QUICK_RECORDS: usize = 50;

/// A search that can be answered.
pub(super) struct Query<'a> {
    pub(super) data: &'a Arc<ProteinGeneration>,
    pub(super) parameters: QueryParameters,
    /// The address without its query part.
    pub(super) url: &'a str,
    /// The query part of the address.
    pub(super) text: &'a str,
}

impl Query<'_> {
    /// Answers with a page, or begins a stream. Returns `None` if the budget of work was too small and a larger one would find more.
    pub(super) fn answer(&self, budget: u64) -> Result<Option<Response>, ProteinProblem> {
        let QueryParameters { query, after, limit, counts_exactly, .. } = &self.parameters;
        let Some(limit) = self.parameters.page_limit() else { return Ok(Some(self.stream(*limit))) };
        let is_quick = budget < PAGE_BUDGET;
        if is_quick && limit > QUICK_RECORDS && self.parameters.writer.needs_records() {
            return Ok(None);
        }
        if !is_quick && !self.parameters.writer.take_memory(self.data, limit) {
            return Err(Problem::Overloaded.into());
        }
        let page = self.data.page(query, *after, limit, budget)?;
        let is_cut_short = page.next.is_some() && page.hits.len() < limit;
        let total = if after.is_none() && page.next.is_none() {
            Total { value: page.hits.len() as u64, relation: Relation::Eq }
        } else {
            self.data.total(query, if *counts_exactly { budget } else { 0 })?
        };
        let is_uncounted = *counts_exactly && total.relation == Relation::Gte;
        if is_quick && (is_cut_short || is_uncounted) {
            return Ok(None);
        }
        let relation = match total.relation {
            Relation::Eq => "eq",
            Relation::Gte => "gte",
        };
        let value = total.value.max(page.hits.len() as u64);
        let next = page.next.map(|next| self.next_url(next));
        let mut json = b"{\"results\":[".to_vec();
        self.parameters.writer.write_page(self.data, &page, &mut json)?;
        let tail = serde_json::json!({ "total": { "value": value, "relation": relation }, "next": next });
        json.extend_from_slice(b"],");
        json.extend_from_slice(&tail.to_string().as_bytes()[1..]);
        let mut response = json_answer(json);
        if let Some(link) = next.and_then(|next: String| HeaderValue::try_from(format!("<{next}>; rel=\"next\"")).ok())
        {
            response.headers_mut().insert(header::LINK, link);
        }
        Ok(Some(response))
    }

    /// Returns the address of the page behind an accession: this one with another cursor.
    fn next_url(&self, after: ProteinAccession) -> String {
        let pairs = form_urlencoded::parse(self.text.as_bytes()).filter(|(name, _)| name != "after");
        let mut text = form_urlencoded::Serializer::new(String::new());
        text.extend_pairs(pairs).append_pair("after", &after.to_string());
        format!("{}?{}", self.url, text.finish())
    }

    /// Answers with all hits, written while they are read.
    fn stream(&self, limit: Option<u64>) -> Response {
        let QueryParameters { query, after, writer, .. } = self.parameters.clone();
        let (content_type, name) = match writer.format() {
            ResultFormat::Fasta => ("text/x-fasta", "proteins.fasta"),
            ResultFormat::Tsv => ("text/tab-separated-values; charset=utf-8", "proteins.tsv"),
            ResultFormat::Ndjson | ResultFormat::Json => ("application/x-ndjson", "proteins.ndjson"),
        };
        let mut pages = ProteinPages::new(Arc::clone(self.data), query, after, limit);
        let mut is_begun = false;
        let next = move || {
            let mut chunk = Vec::new();
            if !std::mem::replace(&mut is_begun, true) {
                writer.write_head(&mut chunk);
            }
            let Some(page) = pages.next().transpose()? else {
                return Ok((!chunk.is_empty()).then_some(chunk));
            };
            writer.write_page(pages.generation(), &page, &mut chunk)?;
            Ok(Some(chunk))
        };
        streaming::attachment(content_type, name, next)
    }
}
