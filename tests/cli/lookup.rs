//! Sequences are looked up as the service does it.

use std::io::Write;
use std::process::Stdio;

use crate::cli::{done, rows, run_on};
use support::{TestFolder, program};

const FASTA: &str = ">one of them\nmkaa*\n>none\nMK\n>bad\nM7\n";

fn folder() -> TestFolder {
    let folder = TestFolder::with_checksums(&rows());
    folder.input("some.fasta", FASTA);
    folder
}

#[test]
fn each_sequence_has_a_line() {
    let folder = folder();
    let file = folder.path().join("some.fasta");
    let file = file.to_str().expect("text");
    let bad = "{\"query\":\"bad\",\"error\":\"'7' is no residue: a sequence has letters, * and -\"}\n";
    let expected = format!(
        "{{\"query\":\"one\",\"accession\":\"MGYP000000000014\"}}\n{{\"query\":\"none\",\"accession\":null}}\n{bad}"
    );
    let looked_up = run_on(&folder, &["lookup", file]);
    // The others are looked up.
    assert_eq!((looked_up.code, &*looked_up.stdout), (Some(1), &*expected));
    assert!(looked_up.stderr.contains("1 sequence cannot be looked up"), "{}", looked_up.stderr);
    let all = run_on(&folder, &["lookup", "--all", file]);
    let all_of_one = "{\"query\":\"one\",\"accession\":\"MGYP000000000014\",\"accessions\":[\"MGYP000000000014\"]}\n";
    assert!(all.stdout.starts_with(all_of_one) && all.stdout.ends_with(bad), "{}", all.stdout);

    let mut child = program();
    child.args(["lookup", "-", "--data"]).arg(folder.path());
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("mgdex");
    child.stdin.take().expect("piped").write_all(FASTA.as_bytes()).expect("read");
    assert_eq!(done(child.wait_with_output().expect("it ends")).stdout, expected);

    let digest = "md5:1d5a9f7dc8f1dd2bcee4ae4b7ab3a7d3";
    let none = run_on(&folder, &["search", "--query", digest, "--count"]);
    assert_eq!((none.code, &*none.stdout), (Some(0), "0\n"), "{}", none.stderr);
}

#[test]
fn without_digests_the_option_is_named() {
    let folder = TestFolder::of_rows(&rows());
    folder.input("some.fasta", FASTA);
    let file = folder.path().join("some.fasta");
    let digest = "md5:1d5a9f7dc8f1dd2bcee4ae4b7ab3a7d3";
    for arguments in [["lookup", file.to_str().expect("text")], ["search", &format!("--query={digest}")]] {
        let failed = run_on(&folder, &arguments);
        assert_eq!((failed.code, &*failed.stdout), (Some(1), ""));
        assert!(failed.stderr.contains("--checksums"), "{}", failed.stderr);
    }
    let missing = run_on(&self::folder(), &["lookup", "nothing.fasta"]);
    assert_eq!(missing.code, Some(1));
    assert!(missing.stderr.contains("nothing.fasta"), "{}", missing.stderr);
}
