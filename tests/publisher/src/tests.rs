use std::collections::BTreeSet;

use stateright::{Checker, HasDiscoveries, Model};

use crate::model::{GROWS, Guard, IN_TIME, MIXTURE, Rules, WHOLE};

const RULES: Rules = Rules {
    without: None,
    is_empty_at_first: false,
    has_late_requests: false,
    runs: [1, 1],
    num_followers: 1,
    num_crashes: 0,
    num_damages: 0,
    num_periods: 1,
};

/// Looks at all states, and returns the promises that are broken.
fn broken(rules: Rules) -> BTreeSet<&'static str> {
    let checker = rules.checker().threads(2).spawn_bfs().join();
    checker.discoveries().into_keys().filter(|name| [MIXTURE, WHOLE, IN_TIME, GROWS].contains(name)).collect()
}

#[test]
fn promises_hold_in_any_order_of_steps_and_crashes() {
    let is_thorough = std::env::var("MGDEX_TEST_THOROUGH").is_ok_and(|value| value == "1");
    let runs = if is_thorough { [2, 1] } else { [1, 1] };
    for is_empty_at_first in [true, false] {
        let rules = Rules { num_crashes: 1, is_empty_at_first, runs, ..RULES };
        rules.checker().threads(2).spawn_bfs().join().assert_properties();
    }
}

#[test]
fn promises_hold_while_the_store_damages_an_object() {
    assert_eq!(broken(Rules { num_damages: 1, runs: [1, 0], ..RULES }), [].into());
}

#[test]
fn numbers_grow_and_nothing_is_mixed_however_late_requests_take_effect() {
    assert_eq!(broken(Rules { has_late_requests: true, ..RULES }), [WHOLE, IN_TIME].into(), "these rely on time");
}

#[test]
fn each_guard_keeps_a_promise() {
    for (guard, promise, is_empty_at_first) in [
        (Guard::StartUnderLease, WHOLE, true),
        (Guard::Condition, GROWS, true),
        (Guard::Lease, WHOLE, true),
        (Guard::LeaseForManifest, WHOLE, true),
        (Guard::LeaseForEachObject, WHOLE, false),
        (Guard::Grace, IN_TIME, false),
        (Guard::NextPublication, IN_TIME, false),
        (Guard::Previous, IN_TIME, false),
        (Guard::DateAfterUpload, IN_TIME, false),
        (Guard::KeptManifest, WHOLE, false),
        (Guard::Verification, MIXTURE, false),
    ] {
        let rules = Rules {
            without: Some(guard),
            is_empty_at_first,
            has_late_requests: guard == Guard::Condition,
            num_crashes: u8::from(guard == Guard::NextPublication),
            num_damages: u8::from(guard == Guard::Verification),
            ..RULES
        };
        let checker = rules.checker().finish_when(HasDiscoveries::AnyOf([promise].into())).threads(2);
        let found = checker.spawn_bfs().join().discovery(promise);
        assert!(found.is_some(), "without {guard:?}, no counterexample is found: {promise}");
    }
}
