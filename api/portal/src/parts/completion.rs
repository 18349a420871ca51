//! Suggestions while typing.

use api_http::json::json_answer;
use api_proteins::Words;
use api_proteins::suggestions::{Kind, Suggestion, suggest};
use axum::response::Response;
use serde::Serialize;
use store_catalogue::model::SAMPLES;

use crate::context::address::{encoded, segment};
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::number::Number;

/// The number of suggestions of each kind.
const SUGGESTED: usize = 8;

/// The kinds of suggestions of the search box.
const BOX_KINDS: [Kind; 2] = [Kind::Biome, Kind::Family];

/// The kinds of suggestions for a word of a query.
const WORD_KINDS: [Kind; 2] = [Kind::Family, Kind::Clan];

/// The kind of the keys of metadata.
const METADATA_KEY: &str = "metadata-key";

/// The minimum length of a text with suggestions.
const LETTERS_MIN: usize = 2;

/// The maximum length of a text with suggestions; no name is longer.
const LETTERS_MAX: usize = 300;

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Completion {
    /// The text to fill in.
    pub(crate) text: String,
    pub(crate) what: String,
    pub(crate) href: String,
    /// The number of proteins.
    #[serde(skip)]
    pub(crate) count: u64,
}

/// Returns whether a text is a query with `near`.
pub(crate) fn has_near(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    // The last piece has no parenthesis after it.
    let mut before = text.split('(').rev().skip(1).filter_map(|before| before.trim_end().strip_suffix("near"));
    before.any(|rest| !rest.ends_with(char::is_alphanumeric))
}

/// Answers with suggestions for the search box: pages, or the last word of a query.
pub(crate) fn answer(context: &PageContext) -> Result<Response, PortalProblem> {
    let typed = context.parameter("text");
    if !has_near(&typed) {
        return listed(&typed, completions(context, &BOX_KINDS, &typed)?);
    }
    let (before, word) = typed.split_at(typed.rfind([' ', '(', ',', ':']).map_or(0, |place| place + 1));
    let kinds = if word.starts_with(char::is_alphabetic) { &WORD_KINDS[..] } else { &[] };
    let mut found = completions(context, kinds, word)?;
    for found in &mut found {
        found.text.insert_str(0, before);
    }
    listed(&typed, found)
}

/// Answers with suggestions for a field.
pub(crate) fn of_kind(context: &PageContext, kind: &str) -> Result<Response, PortalProblem> {
    let typed = context.parameter("text");
    if kind == METADATA_KEY {
        return listed(&typed, metadata_keys(context, &typed)?);
    }
    let kind = Kind::named(kind).ok_or_else(PortalProblem::no_page)?;
    listed(&typed, completions(context, &[kind], &typed)?)
}

fn listed(typed: &str, mut found: Vec<Completion>) -> Result<Response, PortalProblem> {
    // Browsers hide options that do not contain the typed text.
    for Completion { text, what, .. } in &mut found {
        let contains_typed = |shown: &str| shown.to_lowercase().contains(&typed.to_lowercase());
        if !contains_typed(text) && !contains_typed(what) {
            *what = format!("{what} – {typed}");
        }
    }
    Ok(json_answer(serde_json::to_vec(&found)?))
}

/// Returns the names that contain all words of a text, best matches first.
pub(crate) fn completions(context: &PageContext, kinds: &[Kind], text: &str) -> Result<Vec<Completion>, PortalProblem> {
    let words = Words::of(text);
    if context.proteins.is_none() || words.is_empty() || !(LETTERS_MIN..=LETTERS_MAX).contains(&text.chars().count()) {
        return Ok(Vec::new());
    }
    let release = context.release()?;
    let mut found: Vec<(Kind, Suggestion)> = Vec::new();
    for &kind in kinds {
        found.extend(suggest(&release, kind, &words, SUGGESTED)?.into_iter().map(|suggestion| (kind, suggestion)));
    }
    found.sort_by_key(|(_, suggestion)| suggestion.fit);
    Ok(found.into_iter().map(|(kind, suggestion)| Completion::new(kind, suggestion, context.root())).collect())
}

/// Returns the keys of metadata that contain all words of a text, best matches first.
fn metadata_keys(context: &PageContext, text: &str) -> Result<Vec<Completion>, PortalProblem> {
    let words = Words::of(text);
    let Some(catalogue) = context.catalogue.as_ref().filter(|_| !words.is_empty() && text.len() <= LETTERS_MAX) else {
        return Ok(Vec::new());
    };
    let keys = catalogue.metadata_keys(SAMPLES)?.into_iter();
    let mut found: Vec<_> = keys.filter_map(|key| Some((words.fit(&[&key])?, key.len(), key))).collect();
    found.sort_unstable();
    let found = found.into_iter().take(SUGGESTED);
    Ok(found
        .map(|(.., text)| Completion { text, what: "metadata".to_owned(), href: String::new(), count: 0 })
        .collect())
}

impl Completion {
    fn new(kind: Kind, Suggestion { value, name, count, .. }: Suggestion, root: &str) -> Self {
        let (what, page) = match kind {
            Kind::Biome => ("biome", format!("biomes/{}", segment(&value))),
            Kind::Family => ("Pfam family", format!("families/{}", segment(&value))),
            Kind::Clan => ("clan", format!("clans/{}", segment(&value))),
            // The catalogue may lack the study.
            Kind::Study => ("study", format!("search?study={}", encoded(&value))),
        };
        let name = if kind == Kind::Biome || name == value { String::new() } else { format!(": {name}") };
        Self {
            text: value,
            what: format!("{what}{name}, {}", Number(count).counted("proteins")),
            href: format!("{root}/portal/{page}"),
            count,
        }
    }
}
