//! A plain scan of the bundled proteins, and comparisons of some of them with the others.

#![allow(clippy::cast_precision_loss, reason = "numbers of a few thousand proteins")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use crate::services::sample::{families, lineages, list, rows};

pub(super) struct Protein {
    /// The lineages of its biomes, and those of all biomes above them.
    pub(super) biomes: BTreeSet<String>,
    /// The lineages of its biomes alone.
    pub(super) own_biomes: BTreeSet<String>,
    pub(super) families: BTreeSet<String>,
    pub(super) clans: BTreeSet<String>,
    pub(super) length: usize,
    pub(super) cluster_size: u64,
    pub(super) full_length: Option<bool>,
}

pub(super) static PROTEINS: LazyLock<Vec<Protein>> = LazyLock::new(|| {
    let (lineages, names) = (lineages(), families());
    let proteins = rows().into_iter().map(|row| {
        let id = |biome: &serde_json::Value| biome[0].as_i64().expect("an id");
        let own_biomes: BTreeSet<String> = list(&row.metadata, "b").map(|biome| lineages[&id(biome)].clone()).collect();
        let above = |lineage: &String| {
            let ends = lineage.match_indices(':').map(|(end, _)| end).chain([lineage.len()]);
            ends.map(|end| lineage[..end].to_owned()).collect::<Vec<_>>()
        };
        let family = |hit: &serde_json::Value| hit[0].as_str().expect("a family").to_owned();
        let families: BTreeSet<String> = list(&row.metadata, "p").map(family).collect();
        let clan = |family: &String| Some(names.get(family)?.1.as_str()?.to_owned());
        Protein {
            biomes: own_biomes.iter().flat_map(above).collect(),
            clans: families.iter().filter_map(clan).collect(),
            own_biomes,
            families,
            length: row.sequence.len(),
            cluster_size: row.cluster_size,
            full_length: row.full_length.as_bool(),
        }
    });
    proteins.collect()
});

/// Counts proteins by value, and under `None` those without any.
pub(super) fn count<'a>(
    proteins: impl IntoIterator<Item = &'a Protein>,
    values: fn(&Protein) -> &BTreeSet<String>,
) -> BTreeMap<Option<String>, u64> {
    let mut counts = BTreeMap::new();
    for protein in proteins {
        let found = values(protein).iter().cloned().map(Some);
        for value in found.chain(values(protein).is_empty().then_some(None)) {
            *counts.entry(value).or_default() += 1;
        }
    }
    counts
}

/// Some proteins compared with the others, without those that have no biome.
pub(super) struct Comparison {
    pub(super) num_selected: u64,
    pub(super) num_others: u64,
    by_value: BTreeMap<Option<String>, Compared>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Compared {
    pub(super) expected: f64,
    pub(super) log2_ratio: f64,
    pub(super) log2_interval: [f64; 2],
    pub(super) rate: f64,
}

impl Comparison {
    pub(super) fn new(is_selected: impl Fn(&Protein) -> bool, values: fn(&Protein) -> &BTreeSet<String>) -> Self {
        let known = PROTEINS.iter().filter(|protein| !protein.biomes.is_empty());
        let (selected, others): (Vec<&Protein>, Vec<&Protein>) = known.partition(|protein| is_selected(protein));
        let (num_selected, num_others) = (selected.len() as u64, others.len() as u64);
        let (counts, other_counts) = (count(selected, values), count(others, values));
        let all: BTreeSet<_> = counts.keys().chain(other_counts.keys()).collect();
        let number = |counts: &BTreeMap<_, u64>, value| counts.get(value).copied().unwrap_or_default();
        let mut compared: Vec<(&Option<String>, Compared)> = all
            .into_iter()
            .map(|value| {
                let (count, other) = (number(&counts, value), number(&other_counts, value));
                (value, Compared::new([count, num_selected], [other, num_others]))
            })
            .collect();
        // Benjamini and Hochberg: from the largest probability to the smallest.
        compared.sort_by(|(_, one), (_, other)| other.rate.total_cmp(&one.rate));
        let (num_values, mut least) = (compared.len(), 1.0_f64);
        for (index, (_, compared)) in compared.iter_mut().enumerate() {
            least = least.min(compared.rate * num_values as f64 / (num_values - index) as f64);
            compared.rate = least;
        }
        let by_value = compared.into_iter().map(|(value, compared)| (value.clone(), compared)).collect();
        Self { num_selected, num_others, by_value }
    }

    pub(super) fn of(&self, value: Option<&str>) -> Compared {
        self.by_value[&value.map(str::to_owned)]
    }
}

impl Compared {
    /// Compares the numbers of those with a value among all of two groups. The rate is the probability at first.
    fn new([count, all]: [u64; 2], [other, other_all]: [u64; 2]) -> Self {
        let table = [[count, all - count], [other, other_all - other]].map(|row| row.map(|number| number as f64));
        let sum: f64 = table.iter().flatten().sum();
        let expected = [0, 1].map(|row: usize| {
            [0, 1].map(|column: usize| (table[row][0] + table[row][1]) * (table[0][column] + table[1][column]) / sum)
        });
        let added = if count == 0 || other == 0 { 0.5 } else { 0.0 };
        let [[a, b], [c, d]] = table.map(|row| row.map(|number| number + added));
        let log2_ratio = (a / (a + b) / (c / (c + d))).log2();
        let deviation = (1.0 / a - 1.0 / (a + b) + 1.0 / c - 1.0 / (c + d)).sqrt() * 1.96 / 2.0_f64.ln();
        let probability = if expected.iter().flatten().all(|&number| number >= 10.0) {
            let terms = table.iter().flatten().zip(expected.iter().flatten()).filter(|(number, _)| **number > 0.0);
            of_deviance(2.0 * terms.map(|(number, expected)| number * (number / expected).ln()).sum::<f64>())
        } else {
            exact([count, all], [other, other_all])
        };
        let log2_interval = [log2_ratio - deviation, log2_ratio + deviation];
        Self { expected: expected[0][0], log2_ratio, log2_interval, rate: probability }
    }
}

/// Returns the probability of a larger chi-square of one degree of freedom (Abramowitz and Stegun, 7.1.26).
fn of_deviance(deviance: f64) -> f64 {
    let x = (deviance.max(0.0) / 2.0).sqrt();
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let factors = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    factors.iter().fold(0.0, |sum, factor| (sum + factor) * t) * (-x * x).exp()
}

/// Fisher's exact test: the sum of the probabilities of all tables that are not likelier than this one.
fn exact([count, all]: [u64; 2], [other, other_all]: [u64; 2]) -> f64 {
    let ln_factorial = |number: u64| (2..=number).map(|factor| (factor as f64).ln()).sum::<f64>();
    let ln_choose = |all, some| ln_factorial(all) - ln_factorial(some) - ln_factorial(all - some);
    let with = count + other;
    let whole = ln_choose(all + other_all, with);
    let probability = |count: u64| (ln_choose(all, count) + ln_choose(other_all, with - count) - whole).exp();
    let observed = probability(count) * (1.0 + 1e-7);
    let tables = with.saturating_sub(other_all)..=with.min(all);
    tables.map(probability).filter(|&probability| probability <= observed).sum::<f64>().min(1.0)
}
