//! Suggestions for what is being typed.

use api_http::json::json_answer;
use api_proteins::Words;
use api_proteins::suggestions::{Kind, Suggestion, suggest};
use axum::response::Response;
use serde::Serialize;

use crate::context::address::{encoded, segment};
use crate::context::problem::PortalProblem;
use crate::context::visit::Visit;
use crate::parts::number::Number;

/// The suggestions of each kind.
const SUGGESTED: usize = 8;

/// The kinds of things that the box finds.
const OF_BOX: [Kind; 2] = [Kind::Biome, Kind::Family];

/// The shortest text that is completed.
const LETTERS_MIN: usize = 2;

/// The longest text that is completed: names are not longer.
const LETTERS_MAX: usize = 300;

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Completion {
    /// The text for the input.
    pub(crate) text: String,
    pub(crate) what: String,
    pub(crate) href: String,
}

/// Answers with all that the text of the box may mean.
pub(crate) fn answer(visit: &Visit) -> Result<Response, PortalProblem> {
    listed(visit, &OF_BOX)
}

/// Answers with all that the text of a field may mean.
pub(crate) fn of_kind(visit: &Visit, kind: &str) -> Result<Response, PortalProblem> {
    listed(visit, &[Kind::named(kind).ok_or_else(PortalProblem::no_page)?])
}

fn listed(visit: &Visit, kinds: &[Kind]) -> Result<Response, PortalProblem> {
    let typed = visit.parameter("text");
    let mut found = completions(visit, kinds, &typed)?;
    // Browsers leave out what does not have the typed text.
    for Completion { text, what, .. } in &mut found {
        let has_typed = |shown: &str| shown.to_lowercase().contains(&typed.to_lowercase());
        if !has_typed(text) && !has_typed(what) {
            *what = format!("{what} – {typed}");
        }
    }
    Ok(json_answer(serde_json::to_vec(&found)?))
}

/// Returns things that have all words of a text, those that fit best first.
pub(crate) fn completions(visit: &Visit, kinds: &[Kind], text: &str) -> Result<Vec<Completion>, PortalProblem> {
    let words = Words::of(text);
    if visit.proteins.is_none() || words.is_empty() || !(LETTERS_MIN..=LETTERS_MAX).contains(&text.chars().count()) {
        return Ok(Vec::new());
    }
    let release = visit.release()?;
    let mut found: Vec<(Kind, Suggestion)> = Vec::new();
    for &kind in kinds {
        found.extend(suggest(&release, kind, &words, SUGGESTED)?.into_iter().map(|suggestion| (kind, suggestion)));
    }
    found.sort_by_key(|(_, suggestion)| suggestion.fit);
    Ok(found.into_iter().map(|(kind, suggestion)| Completion::new(kind, suggestion, visit.root())).collect())
}

impl Completion {
    fn new(kind: Kind, Suggestion { value, name, count, .. }: Suggestion, root: &str) -> Self {
        let (what, page) = match kind {
            Kind::Biome => ("biome", format!("biomes/{}", segment(&value))),
            Kind::Family => ("Pfam family", format!("families/{}", segment(&value))),
            Kind::Clan => ("clan", format!("clans/{}", segment(&value))),
            // The catalogue need not have it.
            Kind::Study => ("study", format!("search?study={}", encoded(&value))),
        };
        let name = if kind == Kind::Biome || name == value { String::new() } else { format!(": {name}") };
        let proteins = if count == 1 { "protein" } else { "proteins" };
        Self {
            text: value,
            what: format!("{what}{name}, {} {proteins}", Number(count)),
            href: format!("{root}/portal/{page}"),
        }
    }
}
