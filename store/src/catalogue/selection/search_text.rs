//! What a full-text search asks for, as people type it.

use crate::catalogue::index::schema::words;

/// The parts of a search: words, phrases in quotes, and either of them with a dash before what is not wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SearchText {
    pub(crate) wanted: Vec<Part>,
    pub(crate) unwanted: Vec<Part>,
}

/// Words that a text has: all of them in any place, or one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// As they are indexed.
    pub(crate) words: Vec<String>,
    pub(crate) is_phrase: bool,
}

/// Returns the number of words that a text asks for, those of repeated parts counted once.
pub fn num_searched_words(text: &str) -> usize {
    let search = SearchText::parse(text);
    search.wanted.iter().chain(&search.unwanted).map(|part| part.words.len()).sum()
}

impl SearchText {
    /// Reads a search. A quote that is not closed reaches to the end. Parts without letters and digits ask for nothing.
    pub(crate) fn parse(text: &str) -> Self {
        let mut search = Self::default();
        let mut rest = text;
        loop {
            rest = rest.trim_start_matches(is_between);
            if rest.is_empty() {
                return search;
            }
            let (is_unwanted, part) = rest.strip_prefix('-').map_or((false, rest), |part| (true, part));
            let is_quoted = part.starts_with('"');
            let text;
            (text, rest) = if is_quoted {
                part[1..].split_once('"').unwrap_or((&part[1..], ""))
            } else {
                part.split_at(part.find(|c| is_between(c) || c == '"').unwrap_or(part.len()))
            };
            let words = words(text);
            if !words.is_empty() {
                let is_phrase = is_quoted && words.len() > 1;
                let parts = if is_unwanted { &mut search.unwanted } else { &mut search.wanted };
                let part = Part { words, is_phrase };
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.wanted.is_empty() && self.unwanted.is_empty()
    }
}

fn is_between(c: char) -> bool {
    c.is_whitespace() || c == ','
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a search as words, phrases in brackets, and what is not wanted behind an exclamation mark.
    fn parsed(text: &str) -> String {
        let SearchText { wanted, unwanted } = SearchText::parse(text);
        let written = |parts: &[Part]| {
            let part = |part: &Part| {
                let words = part.words.join(" ");
                if part.is_phrase { format!("[{words}]") } else { words }
            };
            parts.iter().map(part).collect::<Vec<_>>().join(" ")
        };
        [written(&wanted), written(&unwanted)].join("!")
    }

    #[test]
    fn searches_are_read_as_people_type_them() {
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
