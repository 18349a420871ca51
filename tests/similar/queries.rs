//! Queries of a command. Invalid ones are named.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use support::TestFolder;
use support::similarity::command::similar;
use support::similarity::engine::{AT_ONCE, noting, programs};
use support::similarity::proteins::{QUERY, residues, row};

#[test]
fn invalid_queries_are_named_and_the_others_searched() {
    let data = TestFolder::of_rows(&(row(1, QUERY) + &row(2, &residues(5, 200))));
    let folder = TempDir::new().expect("a temporary folder");
    let programs = programs(&noting(&folder.path().join("pids"), AT_ONCE));
    let search = |fasta: &Path, more: &[&str]| {
        let mut command = similar(data.path(), fasta, more);
        command.env("PATH", programs.path()).output().expect("the program starts")
    };
    let fasta = folder.path().join("queries");
    let long = residues(7, 10_001);
    let text = format!(
        ">dash\nM-K\n>good one\n{QUERY}*\n>digit\nM7\n>empty\n>long\n{long}\n>\n{}\n>dna\n{}\n",
        residues(5, 200),
        "ATGC".repeat(20)
    );
    fs::write(&fasta, text).expect("written");
    let output = search(&fasta, &[]);
    let (text, warnings) = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text")).into();
    assert_eq!(output.status.code(), Some(1));
    let names: Vec<_> = text.lines().map(|line| line.split('\t').take(3).collect::<Vec<_>>().join(" ")).collect();
    let expected = ["qseqid sseqid pident", "good MGYP000000000001 100.000", "sequence_6 MGYP000000000002 100.000"];
    assert_eq!(names, expected);
    for warning in [
        "dash is left out: invalid residue '-'",
        "digit is left out: invalid residue '7'",
        "empty is left out: the sequence is missing",
        "long is left out: the query has 10001",
        "dna looks like nucleotides",
        "4 sequences could not be searched",
    ] {
        assert!(warnings.contains(warning), "{warning}: {warnings}");
    }
    let fail = |fasta: &str, more: &[&str]| {
        let path = folder.path().join("failing");
        fs::write(&path, fasta).expect("written");
        let output = search(&path, more);
        assert!(!output.status.success() && output.stdout.len() < 100, "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(fail(QUERY, &["--query", "length:1000"]).contains("the selection has no proteins"));
    assert!(
        fail(&format!(">a\n{QUERY}\n>b\n{QUERY}"), &["--query", "length:1000"])
            .contains("the selection has no proteins")
    );
    assert!(fail("", &[]).contains("no sequence can be searched"));
    assert!(fail(QUERY, &["--query", "pfam:PF99999999 OR"]).contains("the query has faults"));
    for evalue in ["0", "-1", "11", "nan", "inf", "x"] {
        assert!(fail(QUERY, &["--evalue", evalue]).contains("above 0 and up to 10"), "{evalue}");
    }
}
