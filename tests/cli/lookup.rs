//! Sequence lookups name the missing parts.

use crate::cli::{rows, run_on};
use support::TestFolder;

const FASTA: &str = ">one of them\nmkaa*\n>none\nMK\n>bad\nM7\n";

fn folder() -> TestFolder {
    let folder = TestFolder::with_checksums(&rows());
    folder.input("some.fasta", FASTA);
    folder
}

#[test]
fn lookup_without_digests_names_the_option() {
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
