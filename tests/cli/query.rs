//! Queries on the command line: their formats, cursors, counts and faults.

use serde_json::{Value, json};

use crate::cli::{rows, run_on};
use support::TestFolder;

/// Searches the rows, which must work.
fn found(folder: &TestFolder, query: &str, more: &[&str]) -> String {
    let done = run_on(folder, &[&["search", "--query", query], more].concat());
    assert_eq!((done.code, &*done.stderr), (Some(0), ""), "{query} {more:?}");
    done.stdout
}

#[test]
fn facets_are_those_of_the_service() {
    let folder = TestFolder::of_rows(&rows());
    let facets = |more: &[&str]| run_on(&folder, &[&["facets", "--by", "full_length"], more].concat());
    let table = facets(&["--query", "biome:132", "--format", "tsv", "--top", "1"]);
    assert_eq!(table.stdout, "value\tname\tcount\n\tnot recorded\t1\n");
    let whole: Value = serde_json::from_str(&facets(&[]).stdout).expect("JSON");
    let values = ["not recorded", "partial", "full length"].map(|name| json!(name));
    assert_eq!([0, 1, 2].map(|index| whole["facets"][index]["name"].clone()), values);
    assert_eq!((&whole["total"]["value"], &whole["exact"]), (&json!(3), &json!(true)));
    let faulty = facets(&["--query", "pfam:"]);
    assert!(faulty.code == Some(1) && faulty.stderr.contains("the query has faults"), "{}", faulty.stderr);
    let unknown = run_on(&folder, &["facets", "--by", "sequence"]);
    assert!(unknown.code == Some(2) && unknown.stderr.contains("one of biome, pfam"), "{}", unknown.stderr);
}

#[test]
fn every_format_is_that_of_the_service() {
    let folder = TestFolder::of_rows(&rows());
    let objects = [
        r#"{"accession":"MGYP000000000012","length":130,"full_length":true,"cluster_size":7}"#,
        r#"{"accession":"MGYP000000000014","length":4,"full_length":null,"cluster_size":1}"#,
    ];
    let query = "biome:132 AND (pfam:5 OR NOT full_length:true)";
    assert_eq!(found(&folder, query, &[]), format!("[{}]\n", objects.join(",")));
    assert_eq!(found(&folder, query, &["--format", "ndjson"]), format!("{}\n", objects.join("\n")));
    assert_eq!(
        found(&folder, query, &["--format", "tsv", "--fields", "accession,full_length,pfam,clans"]),
        "accession\tfull_length\tpfam\tclans\nMGYP000000000012\ttrue\tPF00005\tCL0023\nMGYP000000000014\t\t\t\n"
    );
    let long = "MKVLAARSTW".repeat(13);
    let fasta = format!(
        ">MGYP000000000012 FL=1 CLUSTER=7\n{}\n{}\n{}\n>MGYP000000000014 CLUSTER=1\nMKAA\n",
        &long[..60],
        &long[60..120],
        &long[120..]
    );
    assert_eq!(found(&folder, query, &["--format", "fasta"]), fasta);
    let chosen: Value =
        serde_json::from_str(&found(&folder, "accession:12", &["--fields", "sequence,biomes"])).expect("JSON");
    assert_eq!(chosen, json!([{"sequence": long, "biomes": ["root:Environmental:Aquatic:Marine"]}]));
    for (format, nothing) in
        [("json", "[]\n"), ("ndjson", ""), ("tsv", "accession\tlength\tfull_length\tcluster_size\n"), ("fasta", "")]
    {
        assert_eq!(found(&folder, "pfam:6", &["--format", format]), nothing, "{format}");
        assert_eq!(found(&folder, "*", &["--format", format, "--limit", "0"]), nothing, "{format}");
    }
}

#[test]
fn results_are_bounded_go_on_and_are_counted() {
    let folder = TestFolder::of_sample();
    let all = |more: &[&str]| found(&folder, "NOT full_length:false", &[&["--format", "ndjson"], more].concat());
    let whole = all(&["--limit", "all"]);
    let lines: Vec<&str> = whole.lines().collect();
    assert!(lines.len() > 5000 && lines.is_sorted(), "one a line, by accession");
    assert_eq!(found(&folder, "NOT full_length:false", &["--count"]), format!("{}\n", lines.len()));
    assert_eq!(all(&[]).lines().count(), 50);
    assert!(all(&["--limit", "3000"]).lines().eq(lines[..3000].iter().copied()));
    let accession = serde_json::from_str::<Value>(lines[2999]).expect("JSON")["accession"].as_str().map(str::to_owned);
    let rest = all(&["--limit", "all", "--after", &accession.expect("a text")]);
    assert!(rest.lines().eq(lines[3000..].iter().copied()));
    let list = found(&folder, "NOT full_length:false", &["--limit", "all"]);
    let list: Vec<Value> = serde_json::from_str(&list).expect("one list");
    let of_lines: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(list, of_lines);
    assert_eq!(
        found(&folder, "has:pfam AND biome:root", &["--count", "--after", "MGYP999999999999"]),
        "354\n",
        "of all"
    );
}

#[test]
fn samples_and_orders_are_those_of_the_service() {
    let folder = TestFolder::of_sample();
    let lines = |more: &[&str]| {
        let found = found(&folder, "biome:root", &[&["--format", "ndjson"], more].concat());
        found.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect::<Vec<Value>>()
    };
    let all = lines(&["--limit", "all"]);
    let sample = lines(&["--random", "100", "--seed", "42"]);
    assert!(sample.len() == 100 && sample.iter().all(|protein| all.contains(protein)));
    assert_eq!(lines(&["--random", "100", "--seed", "42"]), sample);
    assert_ne!(lines(&["--random", "100"]), sample);
    let mut longest = all;
    longest.sort_by_key(|protein| std::cmp::Reverse(protein["length"].as_u64()));
    assert_eq!(lines(&["--order", "-length"]), longest[..50]);
    for more in [["--random", "5", "--order", "length"], ["--order", "length", "--after", "12"]] {
        assert_eq!(run_on(&folder, &[&["search", "--query", "*"], &more[..]].concat()).code, Some(2), "{more:?}");
    }
}

#[test]
fn studies_are_resolved_by_the_catalogue_unless_a_server_has_it() {
    let folder = TestFolder::of_rows("12,MKVL,true,1,\"{\"\"s\"\":[[7,[[8,[[1,2,178,-1]]]]]]}\"\n13,MKVL,true,1,{}\n");
    let refused = |absence: &str| {
        let done = run_on(&folder, &["search", "--query", "study:PRJEB1"]);
        assert_eq!((done.code, &*done.stdout), (Some(1), ""));
        let expected = format!("\"PRJEB1\": no protein has this accession, and {absence}");
        assert!(done.stderr.contains(&expected), "{}", done.stderr);
    };
    refused("no catalogue is loaded, which would know other accessions;");
    let attributes = json!({"secondary-accession": "ERP000007", "bioproject": "PRJEB1"});
    let study = json!({"type": "studies", "id": "MGYS00000001", "attributes": attributes});
    folder.publish_catalogue(vec![folder.input("study.jsonl", study.to_string())]);
    for accession in ["PRJEB1", "MGYS1", "ERP000007"] {
        assert_eq!(found(&folder, &format!("has:pfam OR study:{accession}"), &["--count"]), "1\n", "{accession}");
    }
    assert_eq!(found(&folder, "study:ERP000008", &["--count"]), "0\n");
    let _server = folder.catalogue();
    refused("the catalogue cannot be asked (");
    assert_eq!(found(&folder, "study:ERP000007", &["--count"]), "1\n", "proteins are enough");
}

#[test]
fn faults_are_listed_with_their_places() {
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
