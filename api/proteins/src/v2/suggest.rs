//! Suggestions of values for queries, by words.

use api_catalogue::check_searched;
use api_http::json::json_answer;
use serde::Serialize;
use utoipa::ToSchema;

use super::given::{Given, number};
use crate::problem::{ParameterProblem, ProteinProblem};
use crate::question::{Answer, Question};
use crate::shared::suggestions::{Kind, SUGGESTED_MAX, Suggestion, suggest};
use crate::shared::words::Words;

const LIMIT_DEFAULT: usize = 20;

/// Things that have all words of a text.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Suggestions {
    /// Those that fit best first: by the word that fits worst, then those with the most proteins.
    suggestions: Vec<Suggestion>,
}

#[derive(Debug)]
struct SuggestParameters {
    kind: Kind,
    words: Words,
    limit: usize,
}

/// Answers with suggestions.
pub(crate) fn answer(question: &Question) -> Answer {
    let SuggestParameters { kind, words, limit } = SuggestParameters::parse(question.query())?;
    let suggestions = suggest(&question.release, kind, &words, limit)?;
    Ok(json_answer(serde_json::to_vec(&Suggestions { suggestions })?))
}

impl SuggestParameters {
    /// Reads the query part of a URI.
    ///
    /// # Errors
    ///
    /// * All parameters that cannot be used or are missing.
    fn parse(query: &str) -> Result<Self, ProteinProblem> {
        let mut given = Given::new(query, &["kind", "text", "limit"])?;
        let (kind, words) = (given.value("kind", parse_kind), given.value("text", parse_words));
        let limit = given.value("limit", |text| number(text, 1, SUGGESTED_MAX)).unwrap_or(LIMIT_DEFAULT);
        let problems = &mut given.problems;
        for (name, is_missing) in [("kind", kind.is_none()), ("text", words.is_none())] {
            let is_reported = problems.0.iter().any(|problem| problem.loc.iter().any(|reported| reported == name));
            if is_missing && !is_reported {
                problems.push(ParameterProblem::new("missing", name, "Field required"));
            }
        }
        match (kind, words) {
            (Some(kind), Some(words)) if problems.0.is_empty() => Ok(Self { kind, words, limit }),
            _ => Err(ProteinProblem::Parameters(given.problems.0)),
        }
    }
}

fn parse_kind(text: &str) -> Result<Kind, String> {
    Kind::named(text).ok_or_else(|| format!("The kinds are {}.", Kind::ALL.map(Kind::name).join(", ")))
}

fn parse_words(text: &str) -> Result<Words, String> {
    check_searched(text)?;
    let words = Words::of(text);
    if words.is_empty() { Err("Enter at least one word.".to_owned()) } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_or_all_refused() {
        let read = SuggestParameters::parse("kind=biome&text=Marine+sediment&limit=7").expect("sound");
        assert_eq!((read.kind, read.words.text(), read.limit), (Kind::Biome, "marine sediment".to_owned(), 7));
        assert_eq!(SuggestParameters::parse("kind=study&text=x").expect("sound").limit, LIMIT_DEFAULT);
        for (query, expected) in [
            ("", &["kind", "text"][..]),
            ("kind=x&text=-&limit=0", &["kind", "text", "limit"]),
            ("kind=clan&text=a&limit=101", &["limit"]),
            ("kind=clan&txt=a", &["txt", "text"]),
            (&format!("kind=clan&text={}", "a".repeat(9 << 10)), &["text"]),
        ] {
            let Err(ProteinProblem::Parameters(problems)) = SuggestParameters::parse(query) else { panic!("{query}") };
            assert_eq!(problems.iter().map(|problem| &*problem.loc[1]).collect::<Vec<_>>(), expected, "{query}");
        }
        let words: Vec<_> = (0..65).map(|number| format!("w{number}")).collect();
        assert!(parse_words(&words.join(" ")).is_err() && parse_words(&words[..64].join(" ")).is_ok());
    }
}
