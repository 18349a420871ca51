//! The search for proteins: a form over all that version 2 of the interface can be asked.

mod choices;
mod form;
mod hits;
mod text;

use api_http::error::shown;
use api_http::paths::{self, PROTEINS_ROUTE};
use api_proteins::{NO_CHECKSUMS, ProteinProblem};
use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::context::address::{ANY, Pairs};
use crate::context::layout::Layout;
use crate::context::problem::PortalProblem;
use crate::context::visit::{Visit, page, redirect};
use crate::parts::number::Count;
use choices::{Choices, Varied};
pub(crate) use form::Form;
use hits::Hits;
pub(crate) use text::of as text_of;

/// The columns that are shown unless others are chosen.
pub(crate) const FIELDS: &str = "accession,length,full_length,cluster_size,pfam,biomes";

/// The format of a download, its name in the interface, and its size.
type Download = (&'static str, &'static str, String);

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage {
    layout: Layout,
    form: Form,
    /// All conditions as the text of one query.
    text: String,
    /// The address of the page with that query instead of the conditions.
    text_path: String,
    choices: Choices,
    finds_similar: bool,
    hits: Option<Hits>,
    /// The conditions without which there would be matches, the numbers of these, and their addresses.
    emptying: Vec<(String, Count, String)>,
    /// The parameters that forms repeat: alternatives, the columns and the order.
    kept: Vec<(String, String)>,
    /// All parameters but the columns and those of a single page.
    repeated: Vec<(String, String)>,
}

pub(crate) fn answer(visit: &Visit) -> Result<Response, PortalProblem> {
    let given = Pairs::parse(visit.query());
    let mut pairs = given.tidied("fields", &["format", "count"]);
    if pairs.value("fields") == FIELDS {
        pairs = pairs.without(&["fields"]);
    }
    let pairs = form::with_alternatives(&pairs);
    let pairs = if form::can_show(&pairs) { pairs } else { text::as_pairs(&pairs) };
    if pairs != given {
        return Ok(redirect(&address(visit, &pairs)));
    }
    let release = visit.release()?;
    if !pairs.value("before").is_empty() {
        let first = pairs.without(&["before", "after", "rank"]);
        let page = hits::before(&release, &pairs).map_err(PortalProblem::of_proteins)?;
        let page = page.map(|(cursor, rank)| first.and("after", &cursor.to_string()).and("rank", &rank.to_string()));
        return Ok(redirect(&address(visit, &page.unwrap_or(first))));
    }
    let asked = text::for_interface(&pairs);
    let asked = if asked.value("fields").is_empty() { asked.with("fields", FIELDS) } else { asked };
    let has_own = !release.data.sources().is_empty();
    let sources = release.data.source_names().filter(|_| has_own).map(str::to_owned).collect();
    let varied = Varied { visit, release: &release, pairs: &pairs };
    let text = text::of(&pairs);
    let title = if text == text::ALL { "All proteins".to_owned() } else { format!("Proteins: {}", shown(&text)) };
    let layout = visit.layout(title).section("search");
    let mut search = SearchPage {
        layout: layout.call("This page", visit.base(), &format!("{PROTEINS_ROUTE}{}", asked.to_query())),
        form: Form::new(&pairs, &[], sources),
        text_path: address(visit, &text::as_pairs(&pairs)),
        text,
        choices: Choices::default(),
        finds_similar: visit.finds_similar(),
        hits: None,
        emptying: Vec::new(),
        kept: pairs.filtered(|name| name.starts_with(ANY) || ["fields", "order", "limit"].contains(&name)).into(),
        repeated: pairs.without(&["fields", "after", "rank"]).into(),
    };
    let status = match hits::find(&release, asked.to_query().trim_start_matches('?')) {
        Ok(found) => {
            let hits = Hits::new(&found, visit, &pairs);
            search.layout = with_downloads(search.layout, &asked, found.downloads());
            search.layout = with_numbers(search.layout, visit, &search.text);
            search.form = search.form.with_columns(found.fields());
            search.choices = varied.choices()?;
            if hits.total.value == 0 {
                search.emptying = varied.emptying()?;
            }
            search.hits = Some(hits);
            StatusCode::OK
        }
        Err(ProteinProblem::Parameters(problems)) => {
            search.form = Form::new(&pairs, &problems, search.form.sources).with_near(visit, &pairs)?;
            StatusCode::UNPROCESSABLE_ENTITY
        }
        Err(ProteinProblem::NoChecksums) => {
            search.form.problems.push(NO_CHECKSUMS.to_owned());
            StatusCode::NOT_IMPLEMENTED
        }
        Err(problem) => return Err(PortalProblem::of_proteins(problem)),
    };
    Ok((status, page(&search)?).into_response())
}

/// Adds the downloads of all that a search finds.
fn with_downloads(layout: Layout, asked: &Pairs, downloads: impl IntoIterator<Item = Download>) -> Layout {
    downloads.into_iter().fold(layout, |layout, (format, name, size)| {
        let whole = asked.without(&["limit", "after"]).with("format", name);
        // FASTA has no fields.
        let whole = if name == "fasta" { whole.without(&["fields"]) } else { whole };
        layout.download(format, &format!("{PROTEINS_ROUTE}{}", whole.to_query()), size)
    })
}

/// Adds the requests for the numbers beside the results.
fn with_numbers(layout: Layout, visit: &Visit, text: &str) -> Layout {
    let conditions = if text == text::ALL { Pairs::default() } else { Pairs::default().with("q", text) };
    let kinds = [("Counts by biome", "biome"), ("Counts by family", "pfam"), ("Counts by clan", "clan")];
    kinds.into_iter().fold(layout, |layout, (what, by)| {
        let path = format!("{}{}", paths::FACETS_ROUTE, conditions.with("by", by).to_query());
        layout.call(what, visit.base(), &path)
    })
}

fn address(visit: &Visit, pairs: &Pairs) -> String {
    format!("{}/portal/search{}", visit.root(), pairs.to_query())
}
