//! The text of a full-text search, as people type it.

use crate::index::schema::words;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SearchText(pub(crate) Vec<Part>);

/// Words that must occur anywhere in a text, or consecutively as a phrase, or that must be absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The words in their indexed form.
    pub(crate) words: Vec<String>,
    pub(crate) is_phrase: bool,
    pub(crate) is_wanted: bool,
}

/// Returns the number of words in a text. Words of repeated parts count once.
pub fn num_searched_words(text: &str) -> usize {
    SearchText::parse(text).0.iter().map(|part| part.words.len()).sum()
}

impl SearchText {
    /// Reads a search. A quote that is not closed extends to the end. Parts without letters and
    /// digits are ignored.
    pub(crate) fn parse(text: &str) -> Self {
        let (mut parts, mut rest) = (Vec::new(), text);
        loop {
            rest = rest.trim_start_matches(is_between);
            if rest.is_empty() {
                return Self(parts);
            }
            let (is_wanted, part) = rest.strip_prefix('-').map_or((true, rest), |part| (false, part));
            let is_quoted = part.starts_with('"');
            let text;
            (text, rest) = if is_quoted {
                part[1..].split_once('"').unwrap_or((&part[1..], ""))
            } else {
                part.split_at(part.find(|c| is_between(c) || c == '"').unwrap_or(part.len()))
            };
            let words = words(text);
            if !words.is_empty() {
                let part = Part { is_phrase: is_quoted && words.len() > 1, words, is_wanted };
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
        }
    }
}

fn is_between(c: char) -> bool {
    c.is_whitespace() || c == ','
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a search as words, with phrases in brackets, and unwanted parts after an exclamation
    /// mark.
    fn parsed(text: &str) -> String {
        let SearchText(parts) = SearchText::parse(text);
        let written = |is_wanted: bool| {
            let part = |part: &Part| {
                let words = part.words.join(" ");
                if part.is_phrase { format!("[{words}]") } else { words }
            };
            parts.iter().filter(|part| part.is_wanted == is_wanted).map(part).collect::<Vec<_>>().join(" ")
        };
        [written(true), written(false)].join("!")
    }

    #[test]
    fn searches_are_split_into_words_and_phrases() {
        for (text, expected) in [
            ("", "!"),
            (" - , \"\" -\"-\" °", "!"),
            ("Sea water,SEA", "sea water!"),
            ("sea-water", "sea water!"),
            ("sea -water", "sea!water"),
            ("\"Sea  water\" -\"hot spring\"", "[sea water]![hot spring]"),
            ("\"sea\" -\"water\"", "sea!water"),
            ("\"the sea the", "[the sea the]!"),
            ("a\"b c\"d", "a [b c] d!"),
            ("--a -b-c", "!a b c"),
            ("a a -a \"b c\" a \"b c\" -a", "a [b c]!a"),
        ] {
            assert_eq!(parsed(text), expected, "{text}");
        }
    }
}
