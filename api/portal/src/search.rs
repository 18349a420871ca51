//! The protein search: a form for all queries of version 2 of the API.

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
use crate::context::page_context::{PageContext, redirect};
use crate::context::problem::PortalProblem;
use crate::parts::choices::{Chip, Choice, Conditions};
use crate::plots;
use choices::{ChoiceFinder, Choices};
pub(crate) use form::{Form, Input, suggest};
use hits::Hits;
pub(crate) use text::{of as text_of, parse, with_fields};

/// The default columns.
pub(crate) const FIELDS: &str = "accession,length,full_length,cluster_size,pfam,biomes";

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage {
    layout: Layout,
    form: Form,
    /// All conditions as one query.
    text: String,
    /// The address of the page with this query instead of the conditions.
    text_path: String,
    choices: Choices,
    chips: Vec<Chip>,
    finds_similar: bool,
    hits: Option<Hits>,
    /// The conditions whose removal gives results.
    relaxed: Vec<Choice>,
    /// The hidden parameters of forms: alternatives, columns and order.
    kept: Pairs,
    /// All parameters except the columns and those of a single page.
    repeated: Pairs,
}

pub(crate) fn answer(context: &PageContext) -> Result<Response, PortalProblem> {
    let given = Pairs::parse(context.query());
    let pairs = normalized(&given);
    if pairs != given {
        return Ok(redirect(&address(context, &pairs)));
    }
    let release = context.release()?;
    if !pairs.value("before").is_empty() {
        let first = pairs.without(&["before", "after", "rank"]);
        let page = hits::before(&release, &pairs).map_err(PortalProblem::of_proteins)?;
        let page =
            page.map(|(cursor, rank)| first.clone().and("after", &cursor.to_string()).and("rank", &rank.to_string()));
        return Ok(redirect(&address(context, &page.unwrap_or(first))));
    }
    let api_pairs = text::for_api(&pairs);
    let api_pairs = if api_pairs.value("fields").is_empty() { api_pairs.with("fields", FIELDS) } else { api_pairs };
    let first_page = |pairs: &Pairs| address(context, &form::merge_alternatives(&pairs.without(&["after", "rank"])));
    let (page_parameters, group) = (&text::PAGE_PARAMETERS, text::bounded);
    let conditions = Conditions { pairs: &pairs, page_parameters, group, address: &first_page };
    let finder = ChoiceFinder { release: &release, conditions };
    let text = text::of(&pairs);
    let title = if text == text::ALL { "All proteins".to_owned() } else { format!("Proteins: {}", shown(&text)) };
    let layout = context.layout(title).section("search");
    let mut search = SearchPage {
        layout: layout.call("This page", &format!("{PROTEINS_ROUTE}{}", api_pairs.to_query())),
        form: Form::new(&pairs, &[], &release.data),
        text_path: address(context, &text::as_pairs(&pairs)),
        text,
        choices: Choices::default(),
        chips: Vec::new(),
        finds_similar: context.finds_similar(),
        hits: None,
        relaxed: Vec::new(),
        kept: pairs.filtered(|name| name.starts_with(ANY) || ["fields", "order", "limit"].contains(&name)),
        repeated: pairs.without(&["fields", "after", "rank"]),
    };
    let status = match hits::find(&release, &api_pairs) {
        Ok(found) => {
            let hits = Hits::new(&found, context, &pairs);
            search.layout = with_numbers(found.add_downloads(search.layout, &api_pairs), &search.text);
            search.choices = finder.choices(plots::narrow(context))?;
            search.chips = finder.chips();
            if hits.total.value == 0 {
                search.relaxed = finder.relaxed()?;
            }
            search.hits = Some(hits);
            StatusCode::OK
        }
        Err(ProteinProblem::Parameters(problems)) => {
            search.form = Form::new(&pairs, &problems, &release.data);
            suggest(&mut search.form.inputs, context, "search", &pairs)?;
            StatusCode::UNPROCESSABLE_ENTITY
        }
        Err(ProteinProblem::NoChecksums) => {
            search.form.problems.push(NO_CHECKSUMS.to_owned());
            StatusCode::NOT_IMPLEMENTED
        }
        Err(problem) => return Err(PortalProblem::of_proteins(problem)),
    };
    Ok((status, plots::answer(context, &search, &search.choices.plots)?).into_response())
}

/// Returns the parameters without redundant ones. Conditions that do not fit into the form become
/// one query.
fn normalized(given: &Pairs) -> Pairs {
    let mut pairs = given.tidied("fields", &["format", "count"]);
    if pairs.value("fields") == FIELDS {
        pairs = pairs.without(&["fields"]);
    }
    let pairs = form::merge_alternatives(&pairs);
    let pairs = pairs.iter().fold(Pairs::default(), |pairs, (name, value)| match name {
        "q" => pairs.and(name, &text::with_fields(value)),
        _ => pairs.and(name, value),
    });
    if form::fits_form(&pairs) { pairs } else { text::as_pairs(&pairs) }
}

/// Adds the API calls for the counts beside the results.
fn with_numbers(layout: Layout, text: &str) -> Layout {
    let conditions = if text == text::ALL { Pairs::default() } else { Pairs::default().with("q", text) };
    let kinds = [("Counts by biome", "biome"), ("Counts by family", "pfam"), ("Counts by clan", "clan")];
    kinds.into_iter().fold(layout, |layout, (what, by)| {
        let path = format!("{}{}", paths::FACETS_ROUTE, conditions.with("by", by).to_query());
        layout.call(what, &path)
    })
}

fn address(context: &PageContext, pairs: &Pairs) -> String {
    format!("{}/portal/search{}", context.root(), pairs.to_query())
}
