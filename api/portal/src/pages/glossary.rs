//! The words of the portal, each with a sentence or two.

use std::sync::LazyLock;

use askama::Template;
use axum::response::Response;

use crate::context::layout::Layout;
use crate::context::problem::PortalProblem;
use crate::context::visit::{Visit, page};

/// A word of the glossary.
pub(crate) struct Term {
    /// The name of its anchor.
    anchor: &'static str,
    word: &'static str,
    meaning: &'static str,
}

/// The words in their order, as the manual has them: a row of a table each.
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

pub(crate) fn answer(visit: &Visit) -> Result<Response, PortalProblem> {
    page(&GlossaryPage { layout: visit.layout("Glossary"), terms: &TERMS })
}

/// Returns a word and what it means, by the name of its anchor.
pub(crate) fn term(anchor: &str) -> (&'static str, &'static str) {
    TERMS.iter().find(|term| term.anchor == anchor).map_or(("", ""), |term| (term.word, term.meaning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_an_order_and_a_meaning() {
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
