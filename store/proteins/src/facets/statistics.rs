//! The comparison of two groups of proteins: ratio, interval, test and false discovery rate.

#![allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::cast_sign_loss)]

use std::f64::consts::LN_2;
use std::iter::successors;

/// The least number of proteins, found or expected, for which a value can be called enriched.
const PROTEINS_MIN: f64 = 10.0;

/// The false discovery rate below which a value is called enriched.
pub(super) const RATE_MAX: f64 = 0.05;

/// The least expected number for which the distribution of the statistic of the G-test is close
/// enough to chi-square.
const G_TEST_EXPECTED_MIN: f64 = 10.0;

/// The statistic of the G-test whose probability is 5 %.
const DEVIANCE_MAX: f64 = 3.841_458_820_694_124;

/// The distance from a ratio that is beyond the ends of its interval, as a binary logarithm, and
/// the number of times that it is halved.
const END_MAX: f64 = 64.0;
const NUM_HALVINGS: usize = 50;

/// Probabilities that differ by less count as equal, as `scipy` does.
const EQUAL: f64 = 1.0 + 1e-7;

/// The number of proteins of two groups that have a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Comparison {
    /// The proteins of the selection that have the value, and all proteins of the selection.
    pub(super) selection: (u64, u64),
    /// Likewise those of the background.
    pub(super) background: (u64, u64),
}

impl Comparison {
    /// Returns the expected number of the selection if the value is equally frequent in both
    /// groups.
    pub(super) fn expected(self) -> f64 {
        let [[expected, _], _] = self.expected_at(0.0);
        expected
    }

    /// Returns whether the value is over-represented, or `Some(false)` if it is under-represented,
    /// at a false discovery rate.
    pub(super) fn is_enriched(self, rate: f64) -> Option<bool> {
        let (count, expected) = (self.selection.0 as f64, self.expected());
        (rate < RATE_MAX && count.max(expected) >= PROTEINS_MIN).then_some(count > expected)
    }

    /// Returns the binary logarithm of the ratio of the two frequencies, or `None` if a group has
    /// no proteins. If no protein of a group has the value, a half is added to all numbers.
    pub(super) fn log2_ratio(self) -> Option<f64> {
        let lacks = self.selection.0 == 0 || self.background.0 == 0;
        let added = if lacks { 0.5 } else { 0.0 };
        let frequency = |(count, all): (u64, u64)| (count as f64 + added) / (all as f64 + 2.0 * added);
        let ratio = frequency(self.selection) / frequency(self.background);
        (self.selection.1 > 0 && self.background.1 > 0).then(|| ratio.log2())
    }

    /// Returns the ends of the interval of 95 % of the binary logarithm of the ratio: all ratios
    /// that the G-test does not reject at 5 % (the profile likelihood). If no protein of a group
    /// has the value, an end is `None`, since the ratio has no bound there. There is no interval if
    /// Fisher's exact test is used.
    pub(super) fn log2_interval(self) -> Option<[Option<f64>; 2]> {
        let ratio = self.log2_ratio().filter(|_| self.has_g_test())?;
        let ends = [(self.selection.0, -END_MAX), (self.background.0, END_MAX)];
        Some(ends.map(|(count, distance)| {
            let (mut inside, mut outside) = (ratio, ratio + distance);
            for _ in 0..NUM_HALVINGS {
                let middle = f64::midpoint(inside, outside);
                let is_inside = self.deviance_at(middle) <= DEVIANCE_MAX;
                *(if is_inside { &mut inside } else { &mut outside }) = middle;
            }
            (count > 0).then_some(inside)
        }))
    }

    /// Returns the statistic of the G-test: twice the logarithm of the ratio of likelihoods.
    pub(super) fn deviance(self) -> f64 {
        self.deviance_at(0.0)
    }

    /// Returns the statistic of the G-test for a ratio, which is given as its binary logarithm.
    fn deviance_at(self, log2_ratio: f64) -> f64 {
        let (observed, expected) = (self.table(), self.expected_at(log2_ratio));
        let terms = observed.iter().flatten().zip(expected.iter().flatten());
        let sum: f64 = terms
            .filter(|(observed, _)| **observed > 0.0)
            .map(|(observed, expected)| observed * (observed / expected).ln())
            .sum();
        (2.0 * sum).max(0.0)
    }

    /// Returns whether all expected numbers are large enough for the G-test.
    fn has_g_test(self) -> bool {
        self.expected_at(0.0).iter().flatten().all(|&expected| expected >= G_TEST_EXPECTED_MIN)
    }

    /// Returns the two-sided probability of a difference at least this large by chance: of the
    /// G-test, or of Fisher's exact test if less than ten are expected.
    pub(super) fn probability(self) -> f64 {
        if self.has_g_test() { libm::erfc((self.deviance() / 2.0).sqrt()) } else { self.exact_probability() }
    }

    /// Fisher's exact test. It examines the cell with the least expected number, so that few
    /// numbers are likely.
    fn exact_probability(self) -> f64 {
        let (mut selection, mut background) = (self.selection, self.background);
        if background.1 < selection.1 {
            (selection, background) = (background, selection);
        }
        let others = |(count, all): (u64, u64)| (all - count, all);
        if 2 * (selection.0 + background.0) > selection.1 + background.1 {
            (selection, background) = (others(selection), others(background));
        }
        let (count, drawn, marked) = (selection.0, selection.1, selection.0 + background.0);
        let all = selection.1 + background.1;
        let (lowest, highest) = ((drawn + marked).saturating_sub(all), drawn.min(marked));
        let ln_choose = |all: u64, some: u64| {
            let ln_factorial = |number: u64| libm::lgamma(number as f64 + 1.0);
            ln_factorial(all) - ln_factorial(some) - ln_factorial(all - some)
        };
        let probability = |number: u64| {
            (ln_choose(marked, number) + ln_choose(all - marked, drawn - number) - ln_choose(all, drawn)).exp()
        };
        // The ratio of the probability of the next number to that of a number.
        let step = |number: u64| {
            ((marked - number) as f64 * (drawn - number) as f64)
                / ((number + 1) as f64 * (all + number + 1 - marked - drawn) as f64)
        };
        let mode = ((drawn + 1) as f64 * (marked + 1) as f64 / (all + 2) as f64) as u64;
        let mode = (mode.clamp(lowest, highest), probability(mode.clamp(lowest, highest)));
        // Outwards from the most likely number, until the probability is negligible: some hundreds
        // of numbers, since less than ten are expected.
        let next = |&(number, current): &(u64, f64)| (number < highest).then(|| (number + 1, current * step(number)));
        let previous =
            |&(number, current): &(u64, f64)| (number > lowest).then(|| (number - 1, current / step(number - 1)));
        let upwards = successors(Some(mode), next).take_while(|&(_, probability)| probability > 0.0);
        let downwards = successors(previous(&mode), previous).take_while(|&(_, probability)| probability > 0.0);
        let likely: Vec<(u64, f64)> = upwards.chain(downwards).collect();
        let observed = likely.iter().find(|(number, _)| *number == count).map_or(0.0, |(_, probability)| *probability);
        let as_unlikely =
            likely.into_iter().map(|(_, probability)| probability).filter(|&other| other <= observed * EQUAL);
        as_unlikely.sum::<f64>().min(1.0)
    }

    fn table(self) -> [[f64; 2]; 2] {
        [self.selection, self.background].map(|(count, all)| [count as f64, (all - count) as f64])
    }

    /// Returns the most likely numbers if the two frequencies have a ratio, which is given as its
    /// binary logarithm.
    fn expected_at(self, log2_ratio: f64) -> [[f64; 2]; 2] {
        let [[count, lacking], [other_count, other_lacking]] = self.table();
        let (size, other_size) = (count + lacking, other_count + other_lacking);
        let (ratio, excess, all) = (log2_ratio.exp2(), (log2_ratio * LN_2).exp_m1(), size + other_size);
        // The frequency of the background is the smaller solution of a quadratic equation, in a
        // form that loses no digits if nearly all proteins have the value.
        let slope = lacking + other_lacking - excess * (size + other_count);
        let root = (slope * slope + 4.0 * all * excess * lacking).max(0.0).sqrt();
        let frequency = 2.0 * (count + other_count) / (2.0 * all - slope + root).max(1.0);
        [(ratio * frequency, size), (frequency, other_size)]
            .map(|(frequency, size)| [frequency * size, (1.0 - frequency) * size])
    }
}

/// Returns the false discovery rate at each probability, by Benjamini and Hochberg: the least rate
/// that makes it a discovery.
pub(super) fn false_discovery_rates(probabilities: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_unstable_by(|&one, &other| probabilities[other].total_cmp(&probabilities[one]));
    let mut rates = vec![1.0; probabilities.len()];
    let mut least: f64 = 1.0;
    for (rank, index) in (1..=probabilities.len()).rev().zip(order) {
        least = least.min(probabilities[index] * probabilities.len() as f64 / rank as f64);
        rates[index] = least;
    }
    rates
}

#[cfg(test)]
mod tests;
