//! The glossary of the portal.

use std::sync::LazyLock;

use askama::Template;
use axum::response::Response;

use crate::context::layout::Layout;
use crate::context::page_context::{PageContext, render};
use crate::context::problem::PortalProblem;

/// A term of the glossary.
pub(crate) struct Term {
    /// The name of its anchor.
    anchor: &'static str,
    word: &'static str,
    meaning: &'static str,
}

/// The terms in the order of the manual, which has one table row per term.
static TERMS: LazyLock<Vec<Term>> = LazyLock::new(|| {
    let page = include_str!("../../../../manual/src/glossary.md");
    let term = |row: &'static str| {
        let (anchor, rest) = row.strip_prefix("| <a id=\"")?.split_once("\"></a>")?;
        let (word, meaning) = rest.strip_suffix(" |")?.split_once(" | ")?;
        Some(Term { anchor, word, meaning })
    };
    page.lines().filter_map(term).collect()
});

#[derive(Template)]
#[template(path = "glossary.html")]
struct GlossaryPage {
    layout: Layout,
    terms: &'static [Term],
}

pub(crate) fn answer(context: &PageContext) -> Result<Response, PortalProblem> {
    render(&GlossaryPage { layout: context.layout("Glossary"), terms: &TERMS })
}

/// Returns the word and meaning of a term.
pub(crate) fn term(anchor: &str) -> (&'static str, &'static str) {
    TERMS.iter().find(|term| term.anchor == anchor).map_or(("", ""), |term| (term.word, term.meaning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_sorted_and_explained() {
        assert!(TERMS.len() > 30 && TERMS.is_sorted_by_key(|term| term.word.to_lowercase()));
        for template in ["parts", "search", "protein", "biome", "family", "clan"] {
            let path = format!("{}/templates/{template}.html", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(path).expect("a template");
            for asked in text.split("what(layout, \"").skip(1) {
                let anchor = asked.split('"').next().unwrap_or_default();
                assert_ne!(term(anchor).0, "", "{anchor}");
            }
        }
        assert!(TERMS.iter().all(|known| term(known.anchor).1 == known.meaning && known.meaning.ends_with('.')));
    }
}
