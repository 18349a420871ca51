//! Records are printed as JSON or FASTA, and missing ones are named.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use indexer_release::ReleasePlan;
use indexer_synth::SynthLayout;
use serde_json::Value;

use crate::cli::{Done, done, rows, run_on};
use crate::loading::release::{plan::plan, tiny};
use support::{TestFolder, program};

#[test]
fn show_prints_one_record_a_line() {
    let folder = TestFolder::of_rows(&rows());
    let done = run_on(&folder, &["show", "mgyp13", "12"]);
    assert_eq!((done.code, &*done.stderr), (Some(0), ""));
    let records: Vec<Value> = done.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(records.len(), 2);
    assert_eq!((&records[0]["mgyp"], &records[1]["mgyp"]), (&"MGYP000000000013".into(), &"MGYP000000000012".into()));
    assert_eq!(records[1]["pfam_annotations"][0]["clan"], "CL0023");
}

#[test]
fn records_are_indented_for_people() {
    let folder = TestFolder::of_rows(&rows());
    let done = run_on(&folder, &["show", "--pretty", "13"]);
    assert_eq!((done.code, &*done.stderr), (Some(0), ""));
    assert!(done.stdout.starts_with("{\n  \"mgyp\": \"MGYP000000000013\",\n"), "{}", done.stdout);
    let record: Value = serde_json::from_str(&done.stdout).expect("JSON");
    assert_eq!(record, serde_json::from_str::<Value>(&run_on(&folder, &["show", "13"]).stdout).expect("JSON"));
}

#[test]
fn fasta_lines_have_sixty_residues_and_headers_have_the_known_fields() {
    let folder = TestFolder::of_rows(&rows());
    let done = run_on(&folder, &["show", "--format", "fasta", "12", "13", "14"]);
    assert_eq!((done.code, &*done.stderr), (Some(0), ""));
    let long = "MKVLAARSTW".repeat(13);
    let expected = format!(
        ">MGYP000000000012 FL=1\n{}\n{}\n{}\n>MGYP000000000013 FL=0\nMKVL\n>MGYP000000000014\nMKAA\n",
        &long[..60],
        &long[60..120],
        &long[120..]
    );
    assert_eq!(done.stdout, expected);
}

#[test]
fn missing_records_exit_with_1_and_the_others_are_printed() {
    let folder = TestFolder::of_rows(&rows());
    let done = run_on(&folder, &["show", "13", "99", "12", "98"]);
    assert_eq!((done.code, done.stdout.lines().count()), (Some(1), 2));
    for missing in ["MGYP000000000099", "MGYP000000000098"] {
        assert!(done.stderr.contains(missing), "{}", done.stderr);
    }
    let done = run_on(&folder, &["search", "--lineage", "Wastewater"]);
    assert_eq!((done.code, &*done.stdout), (Some(1), ""));
    assert!(done.stderr.contains("'root:Engineered:Wastewater'"), "{}", done.stderr);
}

#[test]
fn replaced_accessions_are_followed() {
    let folder = TestFolder::empty();
    let mut plan = folder.plan(vec![folder.input("rows.csv", rows())]);
    plan.superseded = Some(folder.input("superseded.tsv", "21\t22\n22\t13\n"));
    plan.run().expect("well formed");
    let done = run_on(&folder, &["show", "21"]);
    let record: Value = serde_json::from_str(&done.stdout).expect("JSON");
    assert_eq!((done.code, &record["mgyp"]), (Some(0), &"MGYP000000000013".into()));
    assert!(done.stderr.contains("MGYP000000000021 was replaced by MGYP000000000013"), "{}", done.stderr);
    let done = run_on(&folder, &["show", "--format", "fasta", "21", "22", "13"]);
    let headers: Vec<&str> = done.stdout.lines().filter(|line| line.starts_with('>')).collect();
    let expected = ["21", "22"].map(|requested| format!(">MGYP000000000013 FL=0 member=MGYP0000000000{requested}"));
    assert_eq!(headers, [&expected[0], &expected[1], ">MGYP000000000013 FL=0"]);
}

#[test]
fn own_proteins_are_shown_by_their_names() {
    let folder = TestFolder::of_rows(&rows());
    folder.add_source("soil", ">k1\nMKV\n>shared\nMKVL\n", "name\tdescription\nk1\tmine\n");
    folder.add_source("sea", ">shared\nMK\n", "name\n");
    let done = run_on(&folder, &["show", "k1", "14", "SEA:shared"]);
    assert_eq!((done.code, &*done.stderr), (Some(0), ""));
    let records: Vec<Value> = done.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let own = ["mgyp", "name", "source", "description"];
    assert_eq!(own.map(|key| records[0][key].clone()), ["MGYP900000000000", "k1", "soil", "mine"].map(Value::from));
    assert_eq!(own.map(|key| records[2][key].clone())[1..], ["shared".into(), "sea".into(), Value::Null]);
    assert!(records[1].as_object().is_some_and(|record| own[1..].iter().all(|key| !record.contains_key(*key))));
    let missing = show_from_stdin(&folder, "nope\nshared\nk1\n12x\n");
    assert_eq!(missing.code, Some(1));
    assert!(missing.stdout.starts_with(">MGYP900000000000") && missing.stdout.ends_with(" source=soil name=k1\nMKV\n"));
    let message = "mgdex: not found: nope, shared (2 sources have a protein with this name: soil, sea; add the source, as in soil:shared), 12x\n";
    assert_eq!(missing.stderr, message);
    let arguments =
        ["search", "--query", "source:soil AND name:shared", "--format", "tsv", "--fields", "accession,name,source"];
    let found = run_on(&folder, &arguments);
    assert_eq!(found.stdout, "accession\tname\tsource\nMGYP900000000001\tshared\tsoil\n");
    let near = run_on(&folder, &["search", "--query", "source:siol"]);
    assert!(near.code == Some(1) && near.stderr.contains("did you mean \"soil\"?"), "{}", near.stderr);
    let counted = run_on(&folder, &["facets", "--by", "length", "--query", "source:release", "--format", "tsv"]);
    assert_eq!(counted.code, Some(0), "{}", counted.stderr);
}

/// Shows the accessions of a text on standard input.
fn show_from_stdin(folder: &TestFolder, text: &str) -> Done {
    let mut command = program();
    command.args(["show", "--format", "fasta", "--ids-from", "-", "--data"]).arg(folder.path());
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("read");
    done(child.wait_with_output().expect("a child"))
}

#[test]
fn accessions_are_read_from_a_file_or_standard_input() {
    let folder = TestFolder::of_rows(&rows());
    let text = "MGYP000000000014\n\n  mgyp13 \r\n14";
    let path = folder.path().join("accessions.txt");
    fs::write(&path, text).expect("writable");
    let expected = ">MGYP000000000014\nMKAA\n>MGYP000000000013 FL=0\nMKVL\n>MGYP000000000014\nMKAA\n";
    let packed = folder.path().join("accessions.txt.zst");
    fs::write(&packed, zstd::encode_all(text.as_bytes(), 1).expect("in memory")).expect("writable");
    let of_file =
        |path: &Path| run_on(&folder, &["show", "--format", "fasta", "--ids-from", path.to_str().expect("UTF-8")]);
    for done in [of_file(&path), of_file(&packed), show_from_stdin(&folder, text)] {
        assert_eq!((done.code, &*done.stdout, &*done.stderr), (Some(0), expected, ""));
    }
    let both = run_on(&folder, &["show", "--format", "fasta", "13", "--ids-from", path.to_str().expect("UTF-8")]);
    assert_eq!((both.code, both.stdout), (Some(0), format!(">MGYP000000000013 FL=0\nMKVL\n{expected}")));
    assert_eq!(show_from_stdin(&folder, "").stdout, "");
}

#[test]
fn bad_lines_are_named_by_number_and_missing_accessions_counted() {
    let folder = TestFolder::of_rows(&rows());
    let bad = show_from_stdin(&folder, "13\n\nERZ12\n14\n");
    assert_eq!((bad.code, &*bad.stdout), (Some(1), ">MGYP000000000013 FL=0\nMKVL\n"));
    assert!(bad.stderr.starts_with("mgdex: standard input: line 3: not a protein accession"), "{}", bad.stderr);
    let numbers: String = (13..=214).fold(String::new(), |text, number| text + &number.to_string() + "\n");
    let missing = show_from_stdin(&folder, &numbers);
    assert_eq!((missing.code, missing.stdout.lines().count()), (Some(1), 4));
    assert!(
        missing.stderr.contains("MGYP000000000015, ") && missing.stderr.ends_with(", and 100 more\n"),
        "{}",
        missing.stderr
    );
    let no_file = run_on(&folder, &["show", "--ids-from", "/nowhere/accessions.txt"]);
    assert_eq!((no_file.code, &*no_file.stdout), (Some(1), ""));
    assert!(no_file.stderr.contains("/nowhere/accessions.txt"), "{}", no_file.stderr);
}

#[test]
fn members_are_shown_in_place_of_records() {
    let folder = TestFolder::empty();
    let release = tiny::write(&folder, "release", SynthLayout::Flat, &[(5, &[3, 5, 9]), (6, &[6])]);
    ReleasePlan { members: true, ..plan(&folder, &release) }.run().expect("a release");
    let done = run_on(&folder, &["show", "--members", "9", "6", "7"]);
    let line =
        |member: u64, of: u64| format!("{{\"accession\":\"MGYP{member:012}\",\"representative\":\"MGYP{of:012}\"}}\n");
    let expected = [line(3, 5), line(5, 5), line(9, 5), line(6, 6)].concat();
    assert_eq!((done.code, done.stdout), (Some(1), expected));
    assert!(done.stderr.contains("not found: MGYP000000000007"), "{}", done.stderr);
    let done = run_on(&folder, &["show", "--members", "--format", "table", "6"]);
    assert_eq!(done.stdout, "accession\trepresentative\nMGYP000000000006\tMGYP000000000006\n");
    let done = run_on(&folder, &["show", "--members", "--format", "fasta", "6"]);
    assert!(done.code == Some(2) && done.stderr.contains("no sequences"), "{done:?}");
    let done = run_on(&folder, &["show", "9"]);
    let record: Value = serde_json::from_str(&done.stdout).expect("JSON");
    assert_eq!(record["mgyp"], "MGYP000000000005");
    assert!(done.stderr.contains("MGYP000000000009 is a member of the cluster of MGYP000000000005"), "{}", done.stderr);
    assert_eq!(run_on(&folder, &["search", "--query", "cluster:9", "--count"]).stdout, "1\n");

    let without = TestFolder::of_rows(&rows());
    for arguments in [&["show", "--members", "12"][..], &["search", "--query", "cluster:12"]] {
        let done = run_on(&without, arguments);
        assert!(done.code == Some(1) && done.stderr.contains("`mgdex index --members`"), "{done:?}");
    }
}

#[test]
fn neighbours_are_shown_in_place_of_records() {
    let folder = TestFolder::of_rows(&rows());
    let header = "name\tassembly\tcontig\tstart\tend\tstrand\n";
    let genes = "a\tA1\tk_1\t5\t90\t+\nb\tA1\tk_1\t100\t140\t-\nc\tA1\tk_1\t150\t240\t-\n";
    folder.add_source("mine", ">a\nMKV\n>b\nMKVL\n>c\nMKA\n", &[header, genes].concat());
    let done = run_on(&folder, &["show", "--neighbours", "1", "--format", "table", "a", "b"]);
    assert_eq!((done.code, &*done.stderr), (Some(0), ""));
    let [a, b, c] = [0, 1, 2].map(|number| format!("MGYP90000000000{number}"));
    let words: Vec<Vec<&str>> = done.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    let expected = [
        vec!["A1", "k_1"],
        vec!["+0", "5", "90", "+", &a, &a, "a"],
        vec!["+1", "100", "140", "-", &b, &b, "b"],
        vec![],
        vec!["A1", "k_1"],
        vec!["-1", "5", "90", "+", &a, &a, "a"],
        vec!["+0", "100", "140", "-", &b, &b, "b"],
        vec!["+1", "150", "240", "-", &c, &c, "c"],
        vec![],
    ];
    assert_eq!(words, expected);
    let done = run_on(&folder, &["show", "--neighbours", "5", "b"]);
    let place: Value = serde_json::from_str(&done.stdout).expect("one line");
    assert_eq!((&place["contig"]["name"], &place["genes"][0]["offset"]), (&"k_1".into(), &(-1).into()));
    for (arguments, code, expected) in [
        (&["show", "--neighbours", "5", "12"][..], 1, "`mgdex index --contigs`"),
        (&["show", "--neighbours", "101", "a"], 2, "101"),
        (&["show", "--neighbours", "5", "--members", "a"], 2, "--members"),
        (&["show", "--neighbours", "5", "--format", "fasta", "a"], 2, "neighbours have no sequences"),
    ] {
        let done = run_on(&folder, arguments);
        assert!(done.code == Some(code) && done.stderr.contains(expected), "{done:?}");
    }
}
