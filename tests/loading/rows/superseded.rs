//! Replaced accessions are followed, and bad rows of their table listed.

use std::path::Path;

use axum::http::StatusCode;
use serde_json::json;

use crate::loading::rows::{TWO_ROWS, checked_report, current_file, failure, plan_of, report_of};
use support::{TestFolder, get_protein};

#[tokio::test]
async fn replaced_accessions_are_followed_and_their_bad_rows_listed() {
    let folder = TestFolder::empty();
    let mut plan = plan_of(&folder, vec![folder.input("rows.csv", TWO_ROWS)]);
    let table = folder.input(
        "superseded.tsv",
        "# old\tnew\n\n21\t22\r\n22\tmgyp23\nMGYP000000000023\t11\n31\t32\n32\t33\n33\t31\n21\t12\n41\n42\t0\n43 \t 12 \n#44\t11\n",
    );
    plan.superseded = Some(table.clone());
    plan.max_rejects = 3;
    let published = plan.run().expect("a duplicate and two bad rows are allowed, cycles do not count");
    let report = checked_report(&folder, &published);
    assert_eq!(
        report_of(&report, &table),
        json!({
            "name": table.name(), "num_read": 10, "num_accepted": 4,
            "rejected": {"bad_accession": 2, "duplicate_accession": 1, "replacement_cycle": 3},
        })
    );
    let listed = current_file(&folder, "rejects.tsv");
    let lines: Vec<(String, String)> = listed
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            assert_eq!((cells.len(), cells[0]), (5, &*table.name()));
            (cells[1].to_owned(), cells[2].to_owned())
        })
        .collect();
    let expected = [
        ("10", "bad_accession"),
        ("11", "bad_accession"),
        ("9", "duplicate_accession"),
        ("6", "replacement_cycle"),
        ("7", "replacement_cycle"),
        ("8", "replacement_cycle"),
    ];
    assert_eq!(lines, expected.map(|(line, reason)| (line.to_owned(), reason.to_owned())));

    let router = folder.router();
    for (old, new) in
        [(21, Some(11)), (22, Some(11)), (23, Some(11)), (43, Some(12)), (31, None), (41, None), (44, None)]
    {
        let answer = get_protein(&router, &format!("/protein/{old}")).await;
        match new {
            Some(new) => {
                assert_eq!(answer.status, StatusCode::FOUND, "{old}");
                assert!(Path::new(answer.header("location")).ends_with(format!("MGYP{new:012}")), "{old}");
            }
            None => assert_eq!(answer.status, StatusCode::NOT_FOUND, "{old}"),
        }
    }
    plan.max_rejects = 2;
    let message = failure(&plan);
    assert!(message.contains(&format!("{}, line 10: bad_accession", table.name())), "{message}");
}

#[test]
fn replacements_without_a_target_or_effect_are_reported() {
    let folder = TestFolder::empty();
    let mut plan = plan_of(&folder, vec![folder.input("rows.csv", TWO_ROWS)]);
    plan.superseded = Some(folder.input("superseded.tsv", "5\t6\n7\t8\n8\t99\n10\t11\n11\t12\n13\t12\n"));
    let published = plan.run().expect("none of that is a bad row");
    let report = checked_report(&folder, &published);
    let name = |number: u64| format!("MGYP{number:012}");
    assert_eq!(
        report["replaced"],
        json!({
            "num": 6,
            "to_missing": {"num": 3, "examples": [[name(5), name(6)], [name(7), name(99)], [name(8), name(99)]]},
            "of_indexed": {"num": 1, "examples": [[name(11), name(12)]]},
        })
    );
    let text = current_file(&folder, "report.json");
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&text).expect("JSON"),
        report,
        "the same stands in the folder"
    );

    let many: String = (100..150).fold(String::new(), |table, old| format!("{table}{old}\t{}\n", 1000 + old));
    plan.superseded = Some(folder.input("superseded.tsv", many));
    let replaced = plan.run().expect("good rows").report.replaced.expect("there are some");
    assert_eq!((replaced.to_missing.num, replaced.to_missing.examples.len()), (50, 10), "only some are listed");
    plan.superseded = Some(folder.input("superseded.tsv", "# nothing\n"));
    assert_eq!(plan.run().expect("an empty table").report.replaced, None);
}

#[test]
fn strict_runs_reject_suspicious_replacements() {
    let folder = TestFolder::empty();
    let mut plan = plan_of(&folder, vec![folder.input("rows.csv", TWO_ROWS)]);
    plan.acceptance.strict = true;
    for (table, expected) in [
        ("21\t22\n22\t21\n", "2 replacements leading into a cycle and dropped (replacement_cycle in rejects.tsv)"),
        ("5\t6\n", "1 replacement by a protein that is not in the index, such as MGYP000000000005 by MGYP000000000006"),
        ("11\t12\n", "1 replacement without effect, since the replaced accession is in the index"),
    ] {
        plan.superseded = Some(folder.input("superseded.tsv", table));
        let message = failure(&plan);
        assert!(message.contains(expected) && message.contains("--strict"), "{message}");
        assert_eq!(folder.generations().current().expect("readable"), None, "{message}");
        plan.acceptance.strict = false;
        let warnings = plan.run().expect("suspicious, but readable").report.warnings;
        assert!(matches!(&*warnings, [warning] if warning.starts_with(expected)), "{warnings:?}");
        std::fs::remove_dir_all(folder.generations().root()).expect("ours");
        plan.acceptance.strict = true;
    }
    plan.superseded = Some(folder.input("superseded.tsv", "5\t11\n"));
    plan.run().expect("nothing is wrong with this one");
}
