//! The search: a page in JSON, or a stream of all results.

use std::sync::Arc;

use api_http::error::Problem;
use api_http::json::json_answer;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use store_proteins::{
    CHOSEN_MAX, FoundProtein, LONG_BUDGET, PAGE_BUDGET, ProteinChoice, ProteinGeneration, ProteinPage, ProteinPages,
    Relation, Total,
};

use super::super::ProteinProblem;
use super::parameters::QueryParameters;

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
    /// All parameters, written as the query part of an address.
    pub(super) conditions: &'a str,
}

impl Query<'_> {
    /// Answers with a page, or begins a stream. Returns `None` if a larger budget of work would
    /// find more.
    pub(super) fn answer(&self, budget: u64) -> Result<Option<Response>, ProteinProblem> {
        let QueryParameters { query, after, limit, counts_exactly, choice, .. } = &self.parameters;
        let (is_quick, page_limit) = (budget < PAGE_BUDGET, self.parameters.page_limit());
        // The memory is reserved only once, however often the answer is tried.
        if budget == PAGE_BUDGET
            && let Some(limit) = page_limit
            && !self.parameters.writer.take_memory(self.data, limit)
        {
            return Err(Problem::Overloaded.into());
        }
        let chosen = match choice {
            None => None,
            Some(_) if is_quick => return Ok(None),
            Some(choice) => match self.choose(*choice, budget)? {
                Some(hits) => Some(hits),
                None => return Ok(None),
            },
        };
        let Some(limit) = page_limit else {
            let generation = Arc::clone(self.data);
            let pages = match chosen {
                None => ProteinPages::new(generation, query.clone(), *after, *limit),
                Some(mut hits) => {
                    hits.truncate(limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX));
                    ProteinPages::of_hits(generation, hits)
                }
            };
            return self.stream(pages).map(Some);
        };
        if is_quick && limit > QUICK_RECORDS && self.parameters.writer.needs_records() {
            return Ok(None);
        }
        let page = match chosen {
            None => self.data.page(query, *after, limit, budget.min(PAGE_BUDGET))?,
            Some(mut hits) => {
                let next = hits.get(limit).and(hits.get(limit - 1)).map(|last| last.accession);
                hits.truncate(limit);
                ProteinPage { hits, next }
            }
        };
        let is_cut_short = page.next.is_some() && page.hits.len() < limit;
        let has_all = page.next.is_none() && (choice.is_none() || page.hits.len() < limit);
        let total = if after.is_none() && has_all {
            Total { value: page.hits.len() as u64, relation: Relation::Eq }
        } else {
            self.data.total(query, if *counts_exactly { budget } else { 0 })?
        };
        let is_uncounted = *counts_exactly && total.relation == Relation::Gte;
        if is_quick && is_cut_short || is_uncounted && budget < LONG_BUDGET {
            return Ok(None);
        }
        let total = Total { value: total.value.max(page.hits.len() as u64), ..total };
        let next = page.next.map(|next| next_url(self.url, self.text, &next.to_string()));
        let mut json = b"{\"results\":[".to_vec();
        self.parameters.writer.write_page(self.data, &page, &mut json)?;
        Ok(Some(page_answer(json, total, next.as_deref())))
    }

    /// Returns the chosen hits after the cursor, or `None` if a larger budget might find them.
    fn choose(&self, choice: ProteinChoice, budget: u64) -> Result<Option<Vec<FoundProtein>>, ProteinProblem> {
        let Some(mut hits) = self.data.choose(&self.parameters.query, choice, budget)? else {
            if budget < LONG_BUDGET {
                return Ok(None);
            }
            let name = if matches!(choice, ProteinChoice::First(_)) { "order" } else { "random" };
            let problem = "Choosing among the matches takes more work than is allowed for one request: add conditions.";
            return Err(ProteinProblem::of_parameter(name, problem));
        };
        hits.drain(..self.parameters.start_among(&hits)?);
        Ok(Some(hits))
    }

    /// Streams the hits of all pages.
    fn stream(&self, mut pages: ProteinPages) -> Result<Response, ProteinProblem> {
        let format = self.parameters.writer.format();
        let conditions = form_urlencoded::parse(self.conditions.as_bytes());
        let conditions = conditions.filter(|(name, _)| !matches!(&**name, "format" | "fields"));
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(conditions).finish();
        let results = self.parameters.writer.clone().begin(Arc::clone(self.data), query)?;
        let mut head = Vec::new();
        results.write_head(&mut head);
        let mut results = Some(results);
        Ok(format.stream("proteins", move || {
            let Some(writer) = &mut results else { return Ok(None) };
            let mut chunk = std::mem::take(&mut head);
            match pages.next().transpose()? {
                Some(page) => writer.write_page(&page, &mut chunk)?,
                None => results.take().map_or(Ok(()), |results| results.finish(&mut chunk))?,
            }
            Ok(Some(chunk))
        }))
    }
}

impl QueryParameters {
    /// Returns the position of the first hit after the cursor among the chosen hits.
    ///
    /// # Errors
    ///
    /// * The cursor is not among them.
    pub fn start_among(&self, hits: &[FoundProtein]) -> Result<usize, ProteinProblem> {
        let Some(after) = self.after else { return Ok(0) };
        let place = hits.iter().position(|hit| hit.accession == after).ok_or_else(|| {
            let problem = format!("{after} is not among the first {CHOSEN_MAX} matches of this order.");
            ProteinProblem::of_parameter("after", problem)
        })?;
        Ok(place + 1)
    }
}

/// Answers with a page. `json` begins with the results.
pub(crate) fn page_answer(mut json: Vec<u8>, total: Total, next: Option<&str>) -> Response {
    let relation = match total.relation {
        Relation::Eq => "eq",
        Relation::Gte => "gte",
    };
    let tail = serde_json::json!({ "total": { "value": total.value, "relation": relation }, "next": next });
    json.extend_from_slice(b"],");
    json.extend_from_slice(&tail.to_string().as_bytes()[1..]);
    let mut response = json_answer(json);
    link_next(&mut response, next);
    response
}

/// Links to the next page, if there is one.
pub(super) fn link_next(response: &mut Response, next: Option<&str>) {
    if let Some(link) = next.and_then(|next| HeaderValue::try_from(format!("<{next}>; rel=\"next\"")).ok()) {
        response.headers_mut().insert(header::LINK, link);
    }
}

/// Returns the address of the next page, which has another cursor.
pub(crate) fn next_url(url: &str, text: &str, after: &str) -> String {
    let pairs = form_urlencoded::parse(text.as_bytes()).filter(|(name, _)| name != "after");
    let mut text = form_urlencoded::Serializer::new(String::new());
    text.extend_pairs(pairs).append_pair("after", after);
    format!("{url}?{}", text.finish())
}
