//! Queries on the command line: studies, and errors.

use serde_json::json;

use crate::cli::{rows, run_on};
use support::TestFolder;

/// Searches the rows, which must work.
fn found(folder: &TestFolder, query: &str, more: &[&str]) -> String {
    let done = run_on(folder, &[&["search", "--query", query], more].concat());
    assert_eq!((done.code, &*done.stderr), (Some(0), ""), "{query} {more:?}");
    done.stdout
}

#[test]
fn studies_are_resolved_by_the_catalogue_unless_a_server_has_it_open() {
    let folder = TestFolder::of_rows("12,MKVL,true,1,\"{\"\"s\"\":[[7,[[8,[[1,2,178,-1]]]]]]}\"\n13,MKVL,true,1,{}\n");
    let refused = |absence: &str| {
        let done = run_on(&folder, &["search", "--query", "study:PRJEB1"]);
        assert_eq!((done.code, &*done.stdout), (Some(1), ""));
        let expected = format!("\"PRJEB1\": no protein has this accession, and {absence}");
        assert!(done.stderr.contains(&expected), "{}", done.stderr);
    };
    refused("no catalogue is loaded, so other accessions are unknown;");
    let attributes = json!({"secondary-accession": "ERP000007", "bioproject": "PRJEB1"});
    let study = json!({"type": "studies", "id": "MGYS00000001", "attributes": attributes});
    folder.publish_catalogue(vec![folder.input("study.jsonl", study.to_string())]);
    for accession in ["PRJEB1", "MGYS1", "ERP000007"] {
        assert_eq!(found(&folder, &format!("has:pfam OR study:{accession}"), &["--count"]), "1\n", "{accession}");
    }
    assert_eq!(found(&folder, "study:ERP000008", &["--count"]), "0\n");
    let _server = folder.catalogue();
    refused("the catalogue cannot be read (");
    assert_eq!(found(&folder, "study:ERP000007", &["--count"]), "1\n", "proteins are enough");
}

#[test]
fn query_faults_are_listed_with_their_positions() {
    let folder = TestFolder::of_rows(&rows());
    let done = run_on(&folder, &["search", "--query", "pfam:x AND bioms:1 OR biome:root:Engineered:Wastewatre"]);
    assert_eq!((done.code, &*done.stdout), (Some(1), ""));
    let lines: Vec<&str> = done.stderr.lines().map(str::trim_start).collect();
    assert_eq!(lines.len(), 4, "{}", done.stderr);
    for (line, start) in
        lines.iter().zip(["mgdex: the query has faults:", "byte 5, \"x\"", "byte 11, \"bioms\"", "byte 28"])
    {
        assert!(line.starts_with(start), "{line}");
    }
    assert!(
        lines[2].ends_with("did you mean \"biome\"?") && lines[3].contains("root:Engineered:Wastewater"),
        "{lines:?}"
    );

    let fasta = run_on(&folder, &["search", "--query", "*", "--format", "fasta", "--fields", "accession"]);
    assert_eq!((fasta.code, &*fasta.stderr), (Some(2), "mgdex: FASTA has no fields\n"));
}
