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
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Group = (u64, u64);

    const SCIPY: [(Group, Group, f64); 17] = [
        ((0, 10), (5, 100), 1.0),
        ((3, 10), (5, 100), 0.024_163_104_224_777_594),
        ((8, 10), (5, 100), 1.292_583_898_972_054_7e-07),
        ((10, 10), (5, 100), 6.403_307_748_912_071e-11),
        ((1, 1000), (40, 2000), 4.480_679_766_948_424_4e-07),
        ((7, 300), (2, 100_000), 7.149_735_371_764_274e-17),
        ((200, 210), (900, 1000), 0.009_932_880_863_710_277),
        ((2, 5000), (1, 2), 0.001_199_280_335_856_059_4),
        ((30, 100), (200, 1000), 0.024_320_483_599_932_483),
        ((500, 10_000), (40_000, 1_000_000), 9.983_951_063_659_255e-07),
        ((60, 5000), (900, 40_000), 1.745_970_927_690_524_7e-07),
        ((100_000, 3_000_000), (3_900_000, 120_000_000), 1.182_699_541_865_656_8e-15),
        ((9, 1_000_000), (5, 80_000_000), 1.261_324_155_001_602_6e-14),
        ((0, 40), (0, 50), 1.0),
        ((40, 40), (50, 50), 1.0),
        ((5, 5), (0, 50), 2.874_586_670_369_133_7e-07),
        ((4, 90), (3, 80), 1.0),
    ];

    /// Made with `scipy` 1.17: `fisher_exact`, and `chi2_contingency` with
    /// `lambda_="log-likelihood"` and no correction.
    #[test]
    fn probabilities_match_scipy() {
        for (selection, background, expected) in SCIPY {
            let found = Comparison { selection, background }.probability();
            assert!((found - expected).abs() <= expected * 1e-6, "{selection:?} {background:?}: {found} {expected}");
        }
    }

    /// Ends of intervals as natural logarithms, made with `scipy` 1.17:
    ///
    /// ```python
    /// from math import exp, log
    /// from scipy.optimize import brentq, minimize_scalar
    /// from scipy.special import xlogy, xlog1py
    /// from scipy.stats import chi2
    ///
    /// def loss(x, m, y, n, p, q):
    ///     return -(xlogy(x, p) + xlog1py(m - x, -p) + xlogy(y, q) + xlog1py(n - y, -q))
    ///
    /// def ends(x, m, y, n):
    ///     def excess(ln_ratio):
    ///         of = lambda q: loss(x, m, y, n, exp(ln_ratio) * q, q)
    ///         bounds = (0, min(1, exp(-ln_ratio)))
    ///         best = minimize_scalar(of, bounds=bounds, options={"xatol": 1e-14})
    ///         return 2 * (best.fun - loss(x, m, y, n, x / m, y / n)) - chi2.ppf(0.95, 1)
    ///     ratio = log(((x or 0.5) / m) / ((y or 0.5) / n))
    ///     low = brentq(excess, ratio - 9, ratio) if x else None
    ///     return (low, brentq(excess, ratio, ratio + 9) if y else None)
    /// ```
    const SCIPY_ENDS: [(Group, Group, [Option<f64>; 2]); 8] = [
        ((30, 100), (200, 1000), [Some(0.056_582_965_098), Some(0.708_100_949_843)]),
        ((500, 10_000), (40_000, 1_000_000), [Some(0.135_826_604_369), Some(0.307_805_012_040)]),
        ((60, 5000), (900, 40_000), [Some(-0.898_845_329_867), Some(-0.378_573_739_049)]),
        ((100_000, 3_000_000), (3_900_000, 120_000_000), [Some(0.019_139_882_259), Some(0.031_482_841_559)]),
        ((0, 699), (72, 1800), [None, Some(-2.666_584_768_608)]),
        ((72, 1800), (0, 699), [Some(2.666_584_768_608), None]),
        ((420, 699), (1440, 1800), [Some(-0.353_023_462_893), Some(-0.223_531_721_628)]),
        ((1480, 1500), (28_700, 30_000), [Some(0.023_738_935_135), Some(0.036_565_050_742)]),
    ];

    #[test]
    fn intervals_match_scipy() {
        for (selection, background, expected) in SCIPY_ENDS {
            let found = Comparison { selection, background }.log2_interval().expect("ten are expected");
            for (found, expected) in found.into_iter().zip(expected) {
                let found = found.map(|end| end * LN_2);
                let is_close = match (found, expected) {
                    (Some(found), Some(expected)) => (found - expected).abs() < 1e-7,
                    (found, expected) => found == expected,
                };
                assert!(is_close, "{selection:?} {background:?}: {found:?} {expected:?}");
            }
        }
    }

    /// Returns groups with from 0 to all proteins that have the value, often few or nearly all.
    fn any_group() -> impl Strategy<Value = Group> {
        (1_u64..4000, 0_u64..4000, 0..4, prop::sample::select(vec![1, 20, 30_000])).prop_map(
            |(all, some, kind, factor)| match (some % (all + 1), kind) {
                (some, 0) => (some.min(30), all * factor),
                (some, 1) => (all * factor - some.min(30).min(all), all * factor),
                (some, _) => (some * factor, all * factor),
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn an_interval_leaves_out_0_exactly_if_its_test_finds_a_difference(
            selection in any_group(),
            background in any_group(),
        ) {
            let comparison = Comparison { selection, background };
            let cells = [selection, background].map(|(count, all)| [count, all - count]);
            let all: u64 = selection.1 + background.1;
            let sums = [0, 1].map(|column| cells[0][column] + cells[1][column]);
            let least = sums.map(|sum| sum * selection.1.min(background.1)).into_iter().min().expect("two");
            match comparison.log2_interval() {
                // All four expected numbers are at least ten for the G-test.
                None => prop_assert!(least < 10 * all + 1),
                Some([low, high]) => {
                    prop_assert!(least + 1 > 10 * all);
                    let is_outside = low.is_some_and(|low| low > 0.0) || high.is_some_and(|high| high < 0.0);
                    prop_assert_eq!(is_outside, comparison.probability() < 0.05, "{:?} {:?}", low, high);
                    let ratio = comparison.log2_ratio().expect("two groups");
                    prop_assert!(low.is_none_or(|low| low < ratio) && high.is_none_or(|high| ratio < high));
                    prop_assert_eq!([low.is_none(), high.is_none()], [selection.0 == 0, background.0 == 0]);
                }
            }
        }
    }

    #[test]
    fn groups_without_proteins_have_no_ratio() {
        let some = |selection, background| {
            let comparison = Comparison { selection, background };
            (comparison.log2_ratio().is_some(), comparison.log2_interval().is_some(), comparison.probability())
        };
        assert_eq!(some((0, 0), (4, 2861)), (false, false, 1.0));
        assert_eq!(some((4, 2861), (0, 0)), (false, false, 1.0));
        assert_eq!(some((0, 0), (0, 0)), (false, false, 1.0));
        assert!(some((0, 9), (4, 2861)).0);
    }

    #[test]
    fn rates_match_scipy() {
        let found = false_discovery_rates(&[0.01, 0.2, 0.001, 0.04, 0.5, 0.03]);
        let expected = [0.03, 0.24, 0.006, 0.06, 0.5, 0.06];
        assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12), "{found:?}");
    }
}
