//! The comparison of two groups of proteins: ratio, interval, test and false discovery rate.

#![allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::cast_sign_loss)]

use std::iter::successors;

use super::estimate::Z;

/// The least expected number for which the distribution of the statistic of the G-test is close
/// enough to chi-square.
const G_TEST_EXPECTED_MIN: f64 = 10.0;

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
        let [[expected, _], _] = self.all_expected();
        expected
    }

    /// Returns the binary logarithm of the ratio of the two frequencies, and the ends of its
    /// interval of 95 % (Katz and others, "Obtaining confidence intervals for the risk ratio in
    /// cohort studies", 1978). If no protein of a group has the value, a half is added to all
    /// numbers.
    pub(super) fn log2_ratio(self) -> (f64, [f64; 2]) {
        let lacks = self.selection.0 == 0 || self.background.0 == 0;
        let added = if lacks { 0.5 } else { 0.0 };
        let number = |(count, all): (u64, u64)| (count as f64 + added, all as f64 + 2.0 * added);
        let ((count, all), (other_count, other_all)) = (number(self.selection), number(self.background));
        let ratio = (count / all / (other_count / other_all)).ln();
        let deviation = (1.0 / count - 1.0 / all + 1.0 / other_count - 1.0 / other_all).max(0.0).sqrt();
        let log2 = |ln: f64| ln / std::f64::consts::LN_2;
        (log2(ratio), [log2(ratio - Z * deviation), log2(ratio + Z * deviation)])
    }

    /// Returns the statistic of the G-test: twice the logarithm of the ratio of likelihoods.
    pub(super) fn deviance(self) -> f64 {
        let observed = self.table();
        let expected = self.all_expected();
        let terms = observed.iter().flatten().zip(expected.iter().flatten());
        let sum: f64 = terms
            .filter(|(observed, _)| **observed > 0.0)
            .map(|(observed, expected)| observed * (observed / expected).ln())
            .sum();
        (2.0 * sum).max(0.0)
    }

    /// Returns the two-sided probability of a difference at least this large by chance: of the
    /// G-test, or of Fisher's exact test if less than ten are expected.
    pub(super) fn probability(self) -> f64 {
        if self.all_expected().iter().flatten().all(|&expected| expected >= G_TEST_EXPECTED_MIN) {
            libm::erfc((self.deviance() / 2.0).sqrt())
        } else {
            self.exact_probability()
        }
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

    fn all_expected(self) -> [[f64; 2]; 2] {
        let table = self.table();
        let columns = [0, 1].map(|column| table[0][column] + table[1][column]);
        let all = columns[0] + columns[1];
        table.map(|row| columns.map(|column| (row[0] + row[1]) * column / all.max(1.0)))
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

    #[test]
    fn rates_match_scipy() {
        let found = false_discovery_rates(&[0.01, 0.2, 0.001, 0.04, 0.5, 0.03]);
        let expected = [0.03, 0.24, 0.006, 0.06, 0.5, 0.06];
        assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12), "{found:?}");
    }
}
