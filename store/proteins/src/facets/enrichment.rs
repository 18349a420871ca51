//! Enrichment: the values that are more or less frequent in a selection of proteins than in a
//! background.

use std::collections::HashMap;

use store::Result;
use store::engine::catch_panics;

use crate::ProteinGeneration;
use crate::evaluation::Work;
use crate::query::ProteinQuery;

use super::count::{Counts, count_all};
use super::estimate::{SAMPLE_ROWS, Sample};
use super::kind::{self, FacetKind, Value};
use super::known::{counts_without_biome, known_counts, single};
use super::statistics::{Comparison, RATE_MAX, false_discovery_rates};
use super::unless_too_much;

/// The values of a selection of proteins, compared with those of a background. Both have only
/// proteins with a recorded biome, and they share no protein.
#[derive(Clone, Debug, PartialEq)]
pub struct Enrichment {
    /// The values, those with the largest statistic of the G-test first.
    pub values: Vec<EnrichedValue>,
    /// The number of all values that were compared.
    pub num_values: usize,
    /// The number of proteins of the selection.
    pub num_selected: u64,
    /// The number of proteins of the selection that were left out, because they have no recorded
    /// biome.
    pub num_selected_without_biome: u64,
    /// The number of proteins of the background.
    pub num_background: u64,
    /// The number of proteins of the background that were left out.
    pub num_background_without_biome: u64,
    /// The number of proteins that were examined if not all were. All numbers then describe this
    /// systematic sample.
    pub num_sampled: Option<u64>,
}

/// A value in a selection and its background.
#[derive(Clone, Debug, PartialEq)]
pub struct EnrichedValue {
    /// The value as queries accept it, or `None` for proteins without a family or clan.
    pub value: Option<String>,
    /// The name to display.
    pub name: String,
    /// The number of proteins of the selection that have the value.
    pub count: u64,
    /// The number of proteins of the background that have it.
    pub background_count: u64,
    /// The expected number of the selection if the value is equally frequent in both.
    pub expected: f64,
    /// The binary logarithm of the ratio of the two frequencies. `None` if a group has no proteins.
    pub log2_ratio: Option<f64>,
    /// The probability of a difference of this size by chance: G-test, or Fisher's exact test if
    /// less than ten are expected to have the value, or to lack it, in either group.
    pub probability: f64,
    /// The false discovery rate by Benjamini and Hochberg over all values that were compared.
    pub false_discovery_rate: f64,
    /// `Some(true)` if the value is over-represented, `Some(false)` if it is under-represented: the
    /// false discovery rate is below 5 %, and at least ten proteins are found or expected.
    pub is_enriched: Option<bool>,
    comparison: Comparison,
}

impl EnrichedValue {
    /// Returns whether the value differs by more than chance, but too few proteins are found and
    /// expected to call it enriched or not.
    pub fn is_too_rare(&self) -> bool {
        self.is_enriched.is_none() && self.false_discovery_rate < RATE_MAX
    }

    /// Returns the interval of 95 % of the logarithm of the ratio: all ratios that the G-test does
    /// not reject at 5 %. An end is `None` if the ratio has no bound there, since no protein of a
    /// group has the value. `None` if Fisher's exact test was used.
    pub fn log2_interval(&self) -> Option<[Option<f64>; 2]> {
        self.comparison.log2_interval()
    }
}

/// The values of a group: of proteins with a recorded biome, or of genes.
pub(super) struct Group {
    num_proteins: u64,
    num_left_out: u64,
    by_value: HashMap<Option<Value>, u64>,
}

impl ProteinGeneration {
    /// Compares the values of the matches of `selection` with those of a background, and returns
    /// the `top` values that differ most. The background is the matches of `against` (by default
    /// all proteins) that are not in the selection. Returns `None` if a budget of work is spent
    /// first; its unit is that of [`super::super::PAGE_BUDGET`].
    ///
    /// If the numbers are neither known nor few enough to be counted (see
    /// [`ProteinGeneration::facets`]), both groups are those of a systematic sample, which `seed`
    /// chooses.
    ///
    /// # Errors
    ///
    /// * The index is damaged or cannot be read.
    pub fn enrichment(
        &self,
        selection: &ProteinQuery,
        against: Option<&ProteinQuery>,
        by: FacetKind,
        top: usize,
        seed: u64,
        budget: u64,
    ) -> Result<Option<Enrichment>> {
        catch_panics(&self.path, || {
            let mut work = Work::new(budget);
            let all = ProteinQuery::Everything;
            let not_selected = ProteinQuery::Not(Box::new(selection.clone()));
            let background = ProteinQuery::And(vec![against.unwrap_or(&all).clone(), not_selected]);
            let mut groups = None;
            if let Some(selected) = self.group(selection, by, seed, &mut work)? {
                let others = match against.map(single) {
                    None | Some(ProteinQuery::Everything) => {
                        self.group(&all, by, seed, &mut work)?.map(|all| all.without(&selected))
                    }
                    Some(_) => self.group(&background, by, seed, &mut work)?,
                };
                groups = others.map(|others| (selected, others));
            }
            if let Some((selected, others)) = groups {
                return self.compare(&selected, &others, by, top, None).map(Some);
            }
            let known = self.with_biome();
            let queries = [selection, &background];
            let Some(sample) = Sample::affordable(self, &queries, by, SAMPLE_ROWS, seed, &mut work)? else {
                return Ok(None);
            };
            let [selected, others] = queries.map(|query| {
                let with_biome = ProteinQuery::And(vec![query.clone(), known.clone()]);
                let num_all = sample.count(self, query, FacetKind::Length, &mut work)?.num_proteins;
                let counts = sample.count(self, &with_biome, by, &mut work)?;
                let num_left_out = num_all - counts.num_proteins;
                Ok(Group::new(counts, num_left_out))
            });
            self.compare(&selected?, &others?, by, top, sample.len_if_partial()).map(Some)
        })
        .or_else(unless_too_much)
    }

    /// Returns the query for proteins with a recorded biome.
    fn with_biome(&self) -> ProteinQuery {
        let is_root = |&biome: &u32| self.biomes.self_and_ancestors(biome).count() == 1;
        let biomes = 0..u32::try_from(self.biomes.iter().len()).unwrap_or(u32::MAX);
        ProteinQuery::Or(biomes.filter(is_root).map(ProteinQuery::Biome).collect())
    }

    /// Returns the exact numbers of a group, or `None` if there are too many proteins.
    fn group(&self, query: &ProteinQuery, by: FacetKind, seed: u64, work: &mut Work) -> Result<Option<Group>> {
        let is_in_biome = matches!(single(query), ProteinQuery::Biome(_));
        let is_all = matches!(single(query), ProteinQuery::Everything);
        let is_in_table = matches!(by, FacetKind::Pfam | FacetKind::Clan) && (is_in_biome || is_all);
        if (by == FacetKind::Biome || is_in_table)
            && let Some(mut counts) = known_counts(self, query, by, work)?
        {
            if by == FacetKind::Biome {
                let num_left_out = std::mem::take(&mut counts.num_without);
                counts.num_proteins -= num_left_out;
                return Ok(Some(Group::new(counts, num_left_out)));
            }
            let group = Group::new(counts, 0);
            if is_in_biome {
                return Ok(Some(group));
            }
            let without_biome = Group::new(counts_without_biome(self, by)?, 0);
            let num_left_out = without_biome.num_proteins;
            return Ok(Some(Group { num_left_out, ..group.without(&without_biome) }));
        }
        let known = self.with_biome();
        let with_biome = ProteinQuery::And(vec![query.clone(), known.clone()]);
        let Some(counts) = self.exact_counts(&with_biome, by, seed, work)? else { return Ok(None) };
        let left_out = ProteinQuery::And(vec![query.clone(), ProteinQuery::Not(Box::new(known))]);
        let left_out = count_all(self, &left_out, FacetKind::Length, u64::MAX, work)?;
        Ok(left_out.map(|left_out| Group::new(counts, left_out.num_proteins)))
    }

    pub(super) fn compare(
        &self,
        selected: &Group,
        background: &Group,
        by: FacetKind,
        top: usize,
        num_sampled: Option<u64>,
    ) -> Result<Enrichment> {
        let values = selected
            .by_value
            .keys()
            .chain(background.by_value.keys().filter(|value| !selected.by_value.contains_key(value)));
        let of = |group: &Group, value| (group.by_value.get(value).copied().unwrap_or_default(), group.num_proteins);
        let comparison = |value| Comparison { selection: of(selected, value), background: of(background, value) };
        let compared: Vec<(&Option<Value>, Comparison)> = values.map(|value| (value, comparison(value))).collect();
        let probabilities: Vec<f64> = compared.iter().map(|(_, comparison)| comparison.probability()).collect();
        let rates = false_discovery_rates(&probabilities);
        let mut ranked: Vec<(f64, usize)> =
            compared.iter().map(|(_, comparison)| comparison.deviance()).zip(0..).collect();
        ranked.sort_unstable_by(|(one, index), (other, other_index)| {
            other.total_cmp(one).then_with(|| compared[*index].0.cmp(compared[*other_index].0))
        });
        let enriched = |&(_, index): &(f64, usize)| {
            let (value, comparison) = compared[index];
            let (value, name) = kind::written(value.as_ref(), by, self)?;
            Ok(EnrichedValue {
                value,
                name,
                count: comparison.selection.0,
                background_count: comparison.background.0,
                expected: comparison.expected(),
                log2_ratio: comparison.log2_ratio(),
                probability: probabilities[index],
                false_discovery_rate: rates[index],
                is_enriched: comparison.is_enriched(rates[index]),
                comparison,
            })
        };
        Ok(Enrichment {
            values: ranked.iter().take(top).map(enriched).collect::<Result<_>>()?,
            num_values: compared.len(),
            num_selected: selected.num_proteins,
            num_selected_without_biome: selected.num_left_out,
            num_background: background.num_proteins,
            num_background_without_biome: background.num_left_out,
            num_sampled,
        })
    }
}

impl Group {
    pub(super) fn new(counts: Counts, num_left_out: u64) -> Self {
        let without = (counts.num_without > 0).then_some((None, counts.num_without));
        let by_value = counts.by_value.into_iter().map(|(value, count)| (Some(value), count)).chain(without).collect();
        Self { num_proteins: counts.num_proteins, num_left_out, by_value }
    }

    /// Subtracts a group that is a part of this group.
    pub(super) fn without(mut self, other: &Self) -> Self {
        self.num_proteins -= other.num_proteins;
        self.num_left_out -= other.num_left_out;
        self.by_value.retain(|value, count| {
            *count -= other.by_value.get(value).unwrap_or(&0);
            *count > 0
        });
        self
    }
}
