//! Searches over HTTP with HMMER itself, from an order to its hits.

use serde_json::json;
use support::{TestFolder, needed_program};

use crate::profile;
use support::similarity::alike;
use support::similarity::bodies::{self, check_all, profiles, sequences};
use support::similarity::client::Client;
use support::similarity::proteins::{QUERY, data};
use support::similarity::site::Site;

#[test]
fn hits_are_those_of_the_command() {
    let Some(_) = needed_program("phmmer", "hmmer") else { return };
    assert!(alike::hits_are_those_of_the_command(&Site::with_installed(TestFolder::of_sample())) > 20);
}

#[test]
fn hits_of_a_profile_are_those_of_the_engine() {
    let Some(profile) = profile() else { return };
    alike::hits_of_a_profile_are_those_of_the_engine(&Site::with_installed(TestFolder::of_sample()), &profile);
}

#[test]
fn proteins_with_the_same_sequence_are_all_hits_ordered_by_score() {
    let Some(_) = needed_program("phmmer", "hmmer") else { return };
    let site = Site::with_installed(data());
    let server = site.serve(&[]);
    let client = Client::new(&server);
    let id = client.search(&json!({ "sequence": QUERY, "E": 1 }));
    let lines = support::similarity::command::json_lines(&client.text(&id, "format=ndjson"));
    assert_eq!(lines.len(), 300);
    let order = |line: &serde_json::Value| {
        (line["score"].as_f64().expect("a number"), line["accession"].as_str().expect("text").to_owned())
    };
    let is_sorted = |pair: &[serde_json::Value]| {
        let (first, second) = (order(&pair[0]), order(&pair[1]));
        first.0 > second.0 || (first.0.to_bits() == second.0.to_bits() && first.1 < second.1)
    };
    assert!(lines.windows(2).all(is_sorted));
}

#[test]
fn sequences_of_any_kind_are_searched_or_refused() {
    let Some(_) = needed_program("phmmer", "hmmer") else { return };
    assert!(check_all(&Site::with_installed(bodies::data()), 40, sequences()) > 0);
}

#[test]
fn profiles_of_any_kind_are_searched_or_refused() {
    let Some(profile) = profile() else { return };
    assert!(check_all(&Site::with_installed(bodies::data()), 60, profiles(profile)) > 0);
}
