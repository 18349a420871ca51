//! The search for proteins: a form over all that version 2 of the interface can be asked.

mod form;
mod hits;
mod text;

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use super::address::Pairs;
use super::layout::Layout;
use super::lead_to;
use super::problem::PortalProblem;
use super::visit::{Visit, page};
use crate::paths;
use crate::proteins::{NO_CHECKSUMS, ProteinProblem, ResultField};
pub(super) use form::Form;
use hits::Hits;
pub(super) use text::of as text_of;

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage {
    layout: Layout,
    form: Form,
    /// All conditions as the text of one query.
    text: String,
    /// The address of the page with that query instead of the conditions.
    text_path: String,
    hits: Option<Hits>,
}

pub(super) fn answer(visit: &Visit) -> Result<Response, PortalProblem> {
    let given = Pairs::parse(visit.query());
    let mut pairs = given.tidied("fields", &["format", "count"]);
    if pairs.value("fields") == ResultField::DEFAULT.map(ResultField::name).join(",") {
        pairs = pairs.without(&["fields"]);
    }
    if !form::can_show(&pairs) {
        pairs = text::as_pairs(&pairs);
    }
    if pairs != given {
        return Ok(lead_to(&address(visit, &pairs)));
    }
    let asked = pairs.to_query();
    let release = visit.release()?;
    let has_own = !release.data.sources().is_empty();
    let sources = release.data.source_names().filter(|_| has_own).map(str::to_owned).collect();
    let found = hits::find(&release, asked.trim_start_matches('?'));
    let api = format!("{}/proteins", paths::PROTEINS_V2);
    let layout = visit.layout("Search for proteins").section("search");
    let layout = layout.call("This search", visit.base(), &format!("{api}{}", pairs.to_query()));
    let (status, layout, form, hits) = match found {
        Ok(found) => {
            let layout = found.downloads().into_iter().fold(layout, |layout, (format, name, size)| {
                let whole = pairs.without(&["limit", "after"]).with("format", name);
                // FASTA has no fields.
                let whole = if name == "fasta" { whole.without(&["fields"]) } else { whole };
                layout.download(format, &format!("{api}{}", whole.to_query()), size)
            });
            let form = Form::new(&pairs, &[], sources).with_columns(found.fields());
            (StatusCode::OK, layout, form, Some(Hits::new(&found, visit, &pairs)))
        }
        Err(ProteinProblem::Parameters(problems)) => (
            StatusCode::UNPROCESSABLE_ENTITY,
            layout,
            Form::new(&pairs, &problems, sources).with_near(visit, &pairs)?,
            None,
        ),
        Err(ProteinProblem::NoChecksums) => {
            let mut form = Form::new(&pairs, &[], sources);
            form.problems.push(NO_CHECKSUMS.to_owned());
            (StatusCode::NOT_IMPLEMENTED, layout, form, None)
        }
        Err(ProteinProblem::Common(problem)) => return Err(problem.into()),
        Err(_) => return Err(PortalProblem::no_page()),
    };
    let text_path = address(visit, &text::as_pairs(&pairs));
    let search = SearchPage { layout, form, text: text::of(&pairs), text_path, hits };
    Ok((status, page(&search)?).into_response())
}

fn address(visit: &Visit, pairs: &Pairs) -> String {
    format!("{}/portal/search{}", visit.root(), pairs.to_query())
}
