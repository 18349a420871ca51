//! Evaluating searches of texts, and ordering their results.

use std::cmp::Reverse;

use store::Result;

use super::evaluation::Evaluation;
use super::ordinal_set::OrdinalSet;
use super::search_text::{Part, SearchText};
use crate::model::SAMPLES;
use crate::{Condition, Ordinal, TypeContents};

pub(crate) struct Searched<'a> {
    text: &'a str,
    /// The texts of samples that a resource names are searched, too.
    or_samples: bool,
}

impl<'a> Searched<'a> {
    pub(crate) fn first_in(conditions: &'a [Condition]) -> Option<Self> {
        conditions.iter().find_map(|condition| match condition {
            Condition::Text(text) => Some(Self { text, or_samples: false }),
            Condition::TextOrSamples(text) => Some(Self { text, or_samples: true }),
            _ => None,
        })
    }
}

impl Evaluation<'_> {
    /// See [`Condition::Text`] and [`Condition::TextOrSamples`].
    pub(super) fn with_text(&self, contents: &TypeContents, text: &str, or_samples: bool) -> Result<OrdinalSet> {
        let SearchText(parts) = SearchText::parse(text);
        if parts.is_empty() {
            return Ok(OrdinalSet::none(contents));
        }
        let mut found = OrdinalSet::all(contents);
        for part in &parts {
            let set = self.with_part(contents, part, or_samples)?;
            found.intersect_with(&if part.is_wanted { set } else { set.inverted() });
            if found.is_empty() || !self.effort.may_continue() {
                break;
            }
        }
        Ok(found)
    }

    fn with_part(&self, contents: &TypeContents, part: &Part, or_samples: bool) -> Result<OrdinalSet> {
        let mut found = self.index.with_part(contents, part, self.effort)?;
        if let (true, Some(samples)) = (or_samples, self.types.get(SAMPLES)) {
            let samples = self.index.with_part(samples, part, self.effort)?;
            found.union_with(&self.naming(contents, &samples)?);
        }
        Ok(found)
    }

    /// Sorts resources of a type by their relevance to a search, the most relevant first. Ties stay
    /// unchanged.
    pub(crate) fn sort_by_relevance(
        &self,
        contents: &TypeContents,
        searched: &Searched<'_>,
        ordinals: &mut [Ordinal],
    ) -> Result<()> {
        let search = SearchText::parse(searched.text);
        let own = self.index.scores(contents, &search, self.effort)?;
        // Scores are never negative, so that their bits have the order of the numbers.
        let falling = |score: f32| Reverse(score.to_bits());
        let Some(samples) = self.types.get(SAMPLES).filter(|_| searched.or_samples) else {
            ordinals.sort_by_cached_key(|&ordinal| falling(own.of(ordinal)));
            return Ok(());
        };
        let samples = self.index.scores(samples, &search, self.effort)?;
        let links = self.columns.sample_links(self.index)?;
        ordinals.sort_by_cached_key(|&ordinal| {
            let of_samples = links.of(ordinal).iter().map(|&sample| samples.of(sample));
            falling(own.of(ordinal) + of_samples.fold(0.0, f32::max))
        });
        Ok(())
    }
}
