//! Faults in the text of a query.

use std::fmt;
use std::ops::Range;

use super::place::QueryPlace;

/// The longest part of a text that a message repeats.
const SHOWN_BYTES_MAX: usize = 60;

/// The longest name for which similar ones are searched.
const NAME_BYTES_MAX: usize = 100;

const SUGGESTIONS_MAX: usize = 3;

/// A fault in the text of a query. [`fmt::Display`] writes it in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryFault {
    /// The faulty part of the text, by offsets in bytes.
    pub place: Range<usize>,
    /// The faulty part itself, truncated if it is long. Empty at the end of the text.
    pub part: String,
    /// The problem.
    pub problem: String,
    /// The values that are accepted at this place.
    pub understood: String,
    /// Similar names, the most similar first.
    pub suggestions: Vec<String>,
}

impl QueryPlace<'_> {
    /// Makes a fault of the part.
    pub fn fault(&self, problem: impl Into<String>, understood: &str) -> QueryFault {
        let (place, mut part) = (self.range(), self.part().to_owned());
        if part.len() > SHOWN_BYTES_MAX {
            part.truncate(part.floor_char_boundary(SHOWN_BYTES_MAX));
            part.push('…');
        }
        let (problem, understood) = (problem.into(), understood.to_owned());
        QueryFault { place, part, problem, understood, suggestions: Vec::new() }
    }
}

impl QueryFault {
    /// Adds those of some names that are similar to the faulty part.
    #[must_use]
    pub fn suggest<'a>(mut self, names: impl Iterator<Item = &'a str>, wanted: &str) -> Self {
        self.suggestions = near_names(names, wanted);
        self
    }
}

impl fmt::Display for QueryFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}", self.place.start)?;
        if self.part.is_empty() {
            write!(f, ", at the end")?;
        } else {
            write!(f, ", \"{}\"", self.part)?;
        }
        write!(f, ": {}", self.problem)?;
        if self.suggestions.is_empty() {
            write!(f, "; understood: {}", self.understood)
        } else {
            write!(f, "; did you mean \"{}\"?", self.suggestions.join("\" or \""))
        }
    }
}

/// Returns the names that differ from `wanted` in few letters, the most similar first, and then the
/// names that `wanted` continues, as `pfam_accession` continues `pfam`. Only the last level of
/// lineages is compared: it is the most specific one, and quick to compare.
pub fn near_names<'a>(names: impl Iterator<Item = &'a str>, wanted: &str) -> Vec<String> {
    if wanted.len() > NAME_BYTES_MAX {
        return Vec::new();
    }
    let last_level = |name: &'a str| name.rsplit(':').next().unwrap_or_default();
    let wanted_level = wanted.rsplit(':').next().unwrap_or_default().to_lowercase();
    let num_chars = wanted_level.chars().count();
    let distance_max = num_chars.div_ceil(4);
    let mut found: Vec<(usize, usize, &str)> = names
        // Names of very different lengths need not be compared.
        .filter(|name| {
            let length = last_level(name).chars().count();
            length.abs_diff(num_chars) <= distance_max || wanted_level.as_bytes().get(length) == Some(&b'_')
        })
        .map(|name| {
            let level = last_level(name).to_lowercase();
            let is_continued = wanted_level.strip_prefix(&*level).is_some_and(|rest| rest.starts_with('_'));
            let distance = strsim::osa_distance(&level, &wanted_level);
            (if is_continued { distance.min(distance_max) } else { distance }, name.len().abs_diff(wanted.len()), name)
        })
        .filter(|&(distance, ..)| distance <= distance_max)
        .collect();
    found.sort_unstable();
    found.into_iter().take(SUGGESTIONS_MAX).map(|(.., name)| name.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::near_names;

    #[test]
    fn near_names_differ_in_few_letters_or_are_continued() {
        let names = ["pfam", "biome", "biome_exact", "min_length", "accession"];
        for (wanted, expected) in [
            ("pfan", vec!["pfam"]),
            ("pfam_accession", vec!["pfam"]),
            ("biome_exakt", vec!["biome_exact", "biome"]),
            ("min_lenght", vec!["min_length"]),
            ("pfamily", vec![]),
            ("colour", vec![]),
        ] {
            assert_eq!(near_names(names.into_iter(), wanted), expected, "{wanted}");
        }
    }
}
