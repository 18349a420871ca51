//! Arbitrary bodies: each is started or refused, and the engine runs no more often than searches
//! are accepted.

use proptest::strategy::Strategy;
use support::machine::rounds;

use support::similarity::bodies::{Body, bytes, check_all, data, orders, profiles, sequences};
use support::similarity::engine::{AT_ONCE, profile};
use support::similarity::proteins::QUERY;
use support::similarity::site::Site;

/// Sends `num_cases` bodies, and returns the number of accepted searches.
fn searches(num_cases: usize, bodies: impl Strategy<Value = Body>) -> usize {
    let site = Site::with_engine(data(), AT_ONCE);
    let num_accepted = check_all(&site, num_cases, bodies);
    assert_eq!(site.num_runs(), num_accepted);
    num_accepted
}

#[test]
fn random_orders_are_started_or_refused() {
    assert!(searches(rounds(100, 300), orders()) > 0);
}

#[test]
fn random_bytes_are_started_or_refused() {
    searches(rounds(100, 400), bytes());
}

#[test]
fn random_sequences_are_searched_or_refused() {
    assert!(searches(rounds(40, 80), sequences()) > 0);
}

#[test]
fn random_profiles_are_searched_or_refused() {
    assert!(searches(rounds(25, 60), profiles(profile(QUERY))) > 0);
}
