//! Words of a search in names.

use std::collections::BTreeSet;

/// The words of a text: runs of letters and digits, in lower case, without repetitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words(BTreeSet<String>);

/// The match of a word in a name; the best is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// It is the whole name, or a level of a lineage.
    Name,
    /// It is a word of the name.
    Whole,
    /// A word of the name begins with it.
    Beginning,
    /// It is within a word of the name.
    Within,
}

impl Words {
    /// Returns the words of a text.
    pub fn of(text: &str) -> Self {
        let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
        Self(words.map(str::to_lowercase).collect())
    }

    /// Returns whether the text has no words.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether there are words, and all have at least `num_bytes` bytes.
    pub(crate) fn are_long(&self, num_bytes: usize) -> bool {
        !self.is_empty() && self.0.iter().all(|word| word.len() >= num_bytes)
    }

    pub(crate) fn text(&self) -> String {
        self.0.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    /// Returns the worst match of a word in the names of one thing, or `None` if one of the words
    /// is in no name.
    pub fn fit(&self, names: &[&str]) -> Option<Fit> {
        let mut worst = Fit::Name;
        for word in &self.0 {
            worst = worst.max(names.iter().filter_map(|name| fit(word, name)).min()?);
        }
        Some(worst)
    }
}

/// Returns the best match of a word in lower case in a name. Names in ASCII are not copied.
fn fit(word: &str, name: &str) -> Option<Fit> {
    let lower;
    let name = if name.is_ascii() {
        name
    } else {
        lower = name.to_lowercase();
        &lower
    };
    let (name_bytes, word) = (name.as_bytes(), word.as_bytes());
    let mut best = None;
    for start in 0..(name.len() + 1).saturating_sub(word.len()) {
        let end = start + word.len();
        if !name_bytes[start..end].eq_ignore_ascii_case(word) {
            continue;
        }
        // The word consists of whole letters, so its match starts and ends between letters.
        let around = [name[..start].chars().next_back(), name[end..].chars().next()];
        let found = match around.map(|letter| letter.is_some_and(char::is_alphanumeric)) {
            [false, false] if around.iter().all(|letter| letter.is_none_or(|letter| letter == ':')) => {
                return Some(Fit::Name);
            }
            [false, false] => Fit::Whole,
            [false, true] => Fit::Beginning,
            [true, _] => Fit::Within,
        };
        best = Some(best.map_or(found, |best: Fit| best.min(found)));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_a_match_in_a_name() {
        let sediment = "root:Environmental:Aquatic:Marine:Intertidal zone:Sediment";
        for (text, names, expected) in [
            ("marine sediment", &[sediment][..], Some(Fit::Name)),
            ("Sediment, MARINE sediment", &[sediment], Some(Fit::Name)),
            ("zone marine", &[sediment], Some(Fit::Whole)),
            ("marine sediment", &["root:Marine sediment inoculum"], Some(Fit::Whole)),
            ("sediment", &["Sediment inoculum:Sediment"], Some(Fit::Name)),
            ("marine sedi", &[sediment], Some(Fit::Beginning)),
            ("arine sediment", &[sediment], Some(Fit::Within)),
            ("tidal", &[sediment], Some(Fit::Within)),
            ("marine soil", &[sediment], None),
            (sediment, &[sediment], Some(Fit::Whole)),
            ("sediment", &["Sedimentation sediment"], Some(Fit::Whole)),
            ("ed", &["seed edge"], Some(Fit::Beginning)),
            ("abc-2", &["ABC-2 family transporter protein"], Some(Fit::Whole)),
            ("pf00005 abc", &["PF00005", "ABC transporter"], Some(Fit::Whole)),
            ("ABC PF000", &["PF00005", "ABC transporter"], Some(Fit::Beginning)),
            ("éTANG", &["Étang salé"], Some(Fit::Whole)),
            ("sal", &["Étang salé"], Some(Fit::Beginning)),
            ("tang", &["Étang salé"], Some(Fit::Within)),
            ("longer than the name", &["name"], None),
        ] {
            assert_eq!(Words::of(text).fit(names), expected, "{text} in {names:?}");
        }
        assert!(Words::of(" :-/ ").is_empty());
        assert_eq!(Words::of("Soil: 2Fe-2S, soil").text(), "2fe 2s soil");
    }
}
