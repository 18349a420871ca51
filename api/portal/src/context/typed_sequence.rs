//! Sequences typed or pasted into the search box.

use store::FastaReader;

/// A text of at least this many letters without other characters is a sequence.
const RESIDUES_MIN: usize = 20;

/// A text recognised as one or more sequences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TypedSequence {
    /// One sequence, in upper case.
    One(String),
    /// This many sequences, each with a header.
    Several(usize),
}

impl TypedSequence {
    /// Recognises a sequence in any letter case, with or without a FASTA header. Browsers replace
    /// line breaks with spaces, so the sequence may follow its header in the same line.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let headers = if text.contains('\n') { "\n>" } else { " >" };
        let num_headers = usize::from(text.starts_with('>')) + text.matches(headers).count();
        if num_headers > 1 {
            return Some(Self::Several(num_headers));
        }
        let (body, has_header) = match text.strip_prefix('>') {
            None => (text, false),
            Some(rest) => (rest.split_once('\n').map_or_else(|| last_words(rest), |(_, body)| body), true),
        };
        let sequence = FastaReader::new(body.as_bytes()).next_sequence().ok()??.sequence.ok()?;
        // Text has spaces between words.
        let has_words = body.contains(char::is_lowercase) && body.lines().any(|line| line.trim().contains(' '));
        (has_header || sequence.len() >= RESIDUES_MIN && !has_words).then_some(Self::One(sequence))
    }
}

/// Returns the words in capital letters at the end of a header, or its last word in any case, but
/// never its name.
fn last_words(header: &str) -> &str {
    let Some((_, text)) = header.split_once(' ') else { return "" };
    let is_in_capitals = |word: &&str| !word.contains(|letter: char| !matches!(letter, 'A'..='Z' | '*' | '-'));
    let num_bytes: usize =
        text.split_inclusive(' ').rev().take_while(|word| is_in_capitals(&word.trim())).map(str::len).sum();
    if num_bytes > 0 { &text[text.len() - num_bytes..] } else { text.rsplit(' ').next().unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_are_recognised() {
        let one = |sequence: &str| Some(TypedSequence::One(sequence.to_owned()));
        let long = "MKVLAAGIVGLCAKVLAAGIV";
        for (text, expected) in [
            (long, one(long)),
            ("mkvlaagivglcakvlaagiv", one(long)),
            ("MKVLAAGIVGL CAKVLAAGIV*", one("MKVLAAGIVGLCAKVLAAGIV*")),
            ("mkvlaagivgl\r\ncakvlaagiv", one(long)),
            (">x\nMKV\nLAA", one("MKVLAA")),
            (">x y\nmkv laa*", one("MKVLAA*")),
            (">foo bar MKV LAA", one("MKVLAA")),
            (">foo bar mkvlaa", one("MKVLAA")),
            (">a\nMKV\n>b\nMKV", Some(TypedSequence::Several(2))),
            (">a MKV >b MKV >c MKV", Some(TypedSequence::Several(3))),
            ("marine", None),
            ("MKVLA AGIVG*", None),
            ("samples of marine sediment", None),
            ("MGYP000000000012", None),
            (">x", None),
            (">", None),
            (">x\n", None),
            (">x\n12", None),
            ("", None),
        ] {
            assert_eq!(TypedSequence::of(text), expected, "{text:?}");
        }
    }
}
