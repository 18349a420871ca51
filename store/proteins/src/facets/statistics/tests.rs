//! Probabilities, rates and intervals against those of `scipy`.

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
    (1_u64..4000, 0_u64..4000, 0..4, prop::sample::select(vec![1, 20, 30_000])).prop_map(|(all, some, kind, factor)| {
        match (some % (all + 1), kind) {
            (some, 0) => (some.min(30), all * factor),
            (some, 1) => (all * factor - some.min(30).min(all), all * factor),
            (some, _) => (some * factor, all * factor),
        }
    })
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
