//! The richest of several documents of an object wins, then the newest one, whatever their files
//! and order.

use rand::seq::SliceRandom;
use serde_json::{Value, json};
use support::machine::{rounds, seeded};

use super::{Harvest, analysis, bundled_documents, sample, with};
use crate::loading::catalogue::answers::{all_answers, assert_same};

/// Returns a sample as lists have it, with a title and a time.
fn listed(title: &str, updated_at: &str) -> Value {
    json!({"accession": "SAMEA1", "ena_accessions": ["SAMEA1"], "sample_title": title, "biome": null, "updated_at": updated_at})
}

fn detail(title: &str, updated_at: &str) -> Value {
    with(sample("SAMEA1"), listed(title, updated_at))
}

#[test]
fn richer_documents_win_then_newer_ones() {
    let (old, new) = ("2020-01-02T03:04:05Z", "2020-01-02T03:04:05.001Z");
    let mut cases = vec![
        (vec![listed("old", old), listed("new", new)], "new"),
        (vec![listed("poor", new), detail("rich", old)], "rich"),
        (vec![detail("old", old), detail("new", new), listed("poor", "2021-01-01T00:00:00Z")], "new"),
    ];
    let backwards: Vec<_> =
        cases.iter().map(|(documents, title)| (documents.iter().rev().cloned().collect(), *title)).collect();
    cases.extend(backwards);
    for (documents, title) in cases {
        let harvest = Harvest::new();
        harvest.write_documents("samples", &documents);
        let report = harvest.load_with(&[]);
        assert_eq!(report["num_documents_combined"], documents.len() - 1);
        assert_eq!(harvest.document("samples", "SAMEA1").expect("it came")["sample_title"], title, "{documents:?}");
    }
}

#[test]
fn embedded_documents_compete_but_are_not_counted_as_lines() {
    let harvest = Harvest::new();
    let of = |id: &str, sample: Value| with(analysis(id), json!({"sample": sample}));
    harvest.write_documents(
        "analyses",
        &[of("MGYA1", listed("first", "2020-01-01T00:00:00Z")), of("MGYA2", listed("second", "2021-01-01T00:00:00Z"))],
    );
    let report = harvest.load_with(&[]);
    assert_eq!((&report["stored"]["samples"], &report["num_documents_combined"]), (&json!(1), &json!(0)));
    assert_eq!(harvest.document("samples", "SAMEA1").expect("it came")["sample_title"], "second");
    harvest.write_documents("samples", &[detail("detail", "2019-01-01T00:00:00Z")]);
    harvest.load_with(&[]);
    assert_eq!(harvest.document("samples", "SAMEA1").expect("it came")["sample_title"], "detail");
}

/// Lists with an order of their own keep the order of their lines.
#[test]
fn order_and_repetition_of_documents_change_no_answers() {
    let (mut random, seed) = seeded();
    let (first, second) = (Harvest::of_bundled(), Harvest::new());
    for (kind, text) in bundled_documents() {
        let mut lines: Vec<&str> = text.lines().collect();
        if !["biomes", "super-studies", "genome-catalogues"].contains(&&*kind) {
            lines.extend(text.lines().step_by(3));
            lines.shuffle(&mut random);
        }
        second.write(&format!("v2/{kind}.jsonl"), lines.join("\n"));
    }
    second.load_with(&[]);
    let step = rounds(10, 20);
    assert_same(&all_answers(&second.data(), step), &all_answers(&first.data(), step), &format!("seed {seed}"));
}
