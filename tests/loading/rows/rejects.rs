//! Bad rows are listed with their reasons, and too many of them publish nothing.

use std::fs;

use serde_json::json;

use crate::loading::rows::{
    HEADER, TWO_ROWS, checked_report, current_file, entries, failure, indexed, plan_of, report_of,
};
use support::{TestFolder, get_protein};

/// Returns rows with one fault each, with the reason and the detail that the rejects file must give
/// for them.
fn bad_rows() -> Vec<(String, &'static str, &'static str)> {
    let long = format!("21,{},true,1,{{}}", "M".repeat(4 * 1024 * 1024));
    let t = |row: &str, reason, detail| (row.to_owned(), reason, detail);
    vec![
        (long, "too_long", "longer than 4194304 bytes"),
        t("22,MKVL,true,1", "bad_row", "expected 5 columns, found 4"),
        t(
            "x23,MKVL,true,1,{}",
            "bad_accession",
            "\"x23\": not a protein accession: expected MGYP and 1 to 12 significant digits",
        ),
        t(
            "1000000000000,MKVL,true,1,{}",
            "bad_accession",
            "\"1000000000000\": not a protein accession: expected MGYP and 1 to 12 significant digits",
        ),
        t("24,MKvL,true,1,{}", "bad_sequence", "MGYP000000000024: 'v' at position 3"),
        t("25,,true,1,{}", "bad_sequence", "MGYP000000000025: the sequence is empty"),
        t("26,MKVL,yes,1,{}", "bad_full_length", "\"yes\" is neither true nor false nor empty"),
        t("27,MKVL,true,,{}", "bad_cluster_size", "\"\" is not a number"),
        t("28,MKVL,true,-1,{}", "negative_count", "cluster size -1"),
        t("29,MKVL,true,1,\"{\"\"b\"\":[[132,-4]]}\"", "negative_count", "count of a biome -4"),
        t("30,MKVL,true,1,[]", "unreadable_metadata", "invalid type: sequence, expected an object at line 1 column 0"),
        t("31,MKVL,true,1,\"{\"\"a\"\":[[1,[[2,3,4,5]]]]}\"", "unreadable_metadata", "strand 5 is neither 1 nor -1"),
        t("32,MKVL,true,1,\"{\"\"b\"\":[[100000,1]]}\"", "unknown_biome", "id 100000 is not in the biome table"),
        t("33,\tMKVL,true,1,{}", "bad_sequence", "MGYP000000000033: '\\t' at position 1"),
        t("34,MKVL,true,0,{}", "bad_cluster_size", "0: a cluster has at least one protein"),
        t("35,MKVL,true,1,\"{\"\"b\"\":[[132,0]]}\"", "bad_number", "the count of a biome is 0"),
        t("36,MKVL,true,1,\"{\"\"b\"\":[[132,1],[132,4]]}\"", "duplicate_annotation", "biome 132 is listed twice"),
    ]
}

#[tokio::test]
async fn each_fault_is_listed_with_file_line_reason_and_text() {
    let folder = TestFolder::empty();
    let bad = bad_rows();
    let mut text = HEADER.to_owned();
    for (row, ..) in &bad {
        text += row;
        text += "\n";
    }
    text += TWO_ROWS;
    text += "11,MAAA,false,9,{}\n";
    let input = folder.input("rows.csv", &text);
    let mut plan = plan_of(&folder, vec![input.clone()]);
    let superseded = folder.input("superseded.tsv", "5\t6\n6\t5\n7\tx\n7\t11\n7\t12\n");
    plan.superseded = Some(superseded.clone());
    plan.max_rejects = 20;
    let published = plan.run().expect("20 bad rows are allowed; cycles do not count");

    let (rows_name, table_name) = (input.name(), superseded.name());
    let mut expected = vec![
        "file\tline\treason\tdetail\ttext".to_owned(),
        format!(
            "{table_name}\t3\tbad_accession\t\"x\": not a protein accession: expected MGYP and 1 to 12 significant digits\t7\\tx"
        ),
        format!(
            "{table_name}\t5\tduplicate_accession\talready replaced on line 4\tMGYP000000000007\\tMGYP000000000012"
        ),
        format!("{table_name}\t1\treplacement_cycle\tleads into a cycle\tMGYP000000000005\\tMGYP000000000006"),
        format!("{table_name}\t2\treplacement_cycle\tleads into a cycle\tMGYP000000000006\\tMGYP000000000005"),
    ];
    for ((row, reason, detail), line) in bad.iter().zip(2..) {
        let start = row[..row.len().min(80)].replace('\t', "\\t");
        expected.push(format!("{rows_name}\t{line}\t{reason}\t{detail}\t{start}"));
    }
    let num_lines = text.lines().count();
    expected.push(format!(
        "{rows_name}\t{num_lines}\tduplicate_accession\tfirst in {rows_name}, line {}\t11,MAAA,false,9,{{}}",
        num_lines - 2
    ));
    let listed = current_file(&folder, "rejects.tsv");
    for (found, expected) in listed.lines().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(listed.lines().count(), expected.len());
    assert!(listed.ends_with('\n'));

    let report = checked_report(&folder, &published);
    assert_eq!(
        (&report["num_read"], &report["num_accepted"], &report["num_rejected"]),
        (&json!(25), &json!(3), &json!(22))
    );
    assert_eq!(
        report_of(&report, &input)["rejected"],
        json!({
            "bad_accession": 2, "bad_cluster_size": 2, "bad_full_length": 1, "bad_number": 1, "bad_row": 1, "bad_sequence": 3,
            "duplicate_accession": 1, "duplicate_annotation": 1, "negative_count": 2, "too_long": 1, "unknown_biome": 1,
            "unreadable_metadata": 2,
        })
    );
    assert_eq!(
        report_of(&report, &superseded)["rejected"],
        json!({"bad_accession": 1, "duplicate_accession": 1, "replacement_cycle": 2})
    );
    let router = folder.router();
    assert_eq!(indexed(&router, 1..40).await, [11, 12]);
    assert_eq!(get_protein(&router, "/protein/11").await.json()["sequence"], "MKVL", "the first one stays");
}

#[tokio::test]
async fn too_many_bad_rows_publish_nothing() {
    let folder = TestFolder::of_rows(TWO_ROWS);
    let router = folder.router();
    let before = (get_protein(&router, "/protein/11").await, entries(&folder));
    let first = folder.input("first.csv", format!("{HEADER}{TWO_ROWS}13,MK,x,1,{{}}\n"));
    let second = folder.input("second.csv", "14,MKVL,true,1,{}\n0,MK,,1,{}\n15,mk,,1,{}\n");
    let mut plan = plan_of(&folder, vec![first.clone(), second.clone()]);
    plan.max_rejects = 1;
    let message = failure(&plan);
    let first_bad = format!("{}, line 4: bad_full_length", first.name());
    assert!(message.contains(&first_bad), "{message}");
    assert!(message.contains("--max-rejects allows 1"), "{message}");

    let kept = folder.generations().root().join("rejects-of-last-failed-run.tsv");
    assert!(message.contains(&kept.display().to_string()), "{message}");
    let listed = fs::read_to_string(&kept).expect("kept");
    let mut lines = listed.lines();
    assert_eq!(lines.next(), Some("file\tline\treason\tdetail\ttext"));
    assert!(lines.next().is_some_and(|line| line.starts_with(&format!("{}\t4\tbad_full_length\t", first.name()))));
    assert!(lines.next().is_some_and(|line| line.starts_with(&format!("{}\t2\tbad_accession\t", second.name()))));

    let mut expected = before.1.clone();
    expected.insert("rejects-of-last-failed-run.tsv".to_owned());
    assert_eq!(entries(&folder), expected, "the generation before is untouched, and no rubbish is left");
    for router in [router, folder.router()] {
        let after = get_protein(&router, "/protein/11").await;
        assert_eq!(
            (after.body, after.headers["etag"].clone()),
            (before.0.body.clone(), before.0.headers["etag"].clone())
        );
    }

    plan.max_rejects = 3;
    checked_report(&folder, &plan.run().expect("three bad rows are allowed"));
    assert_eq!(indexed(&folder.router(), 10..20).await, [11, 12, 14]);
}
