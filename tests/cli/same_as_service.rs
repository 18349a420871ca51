//! Commands print the answers of the service; its own tests cover the promises of the service.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use api::Api;
use axum::http::{Method, StatusCode};
use serde_json::Value;
use support::{PROTEINS, PROTEINS_V2, TestFolder, get, program, send_body};

use crate::cli::{done, rows, run_on};

/// Returns the lines of an answer of the service, and of a list its members.
async fn lines(router: &Api, path: &str, list: Option<&str>) -> Vec<String> {
    let answer = get(router, path).await;
    assert_eq!(answer.status, StatusCode::OK, "{path}");
    let Some(list) = list else {
        return String::from_utf8(answer.body).expect("text").lines().map(str::to_owned).collect();
    };
    let value = answer.json();
    let list = if list.is_empty() { &value } else { &value[list] };
    list.as_array().expect("a list").iter().map(Value::to_string).collect()
}

#[tokio::test]
async fn searches_print_the_answers_of_the_service() {
    let folder = TestFolder::of_sample();
    let router = folder.router();
    let v1 = format!("{PROTEINS}/protein/search?");
    let v2 = format!("{PROTEINS_V2}/proteins?");
    let [all, few] = ["format=ndjson&q=biome:root", "q=biome:root"];
    for (arguments, path) in [
        (&["--pfam", "PF00005"][..], format!("{v1}pfam_accession=PF00005")),
        (&["--pfam", "5", "--limit", "2"], format!("{v1}pfam_accession=PF00005&limit=2")),
        (&["--biome-id", "-3"], format!("{v1}biome_id=-3")),
        (&["--lineage", "root"], format!("{v1}biome_lineage=root&limit=50")),
        (&["--query", "biome:root"], format!("{v2}{few}&limit=50")),
        (&["--query", "biome:root", "--limit", "0"], format!("{v2}q=NOT+*")),
        (&["--query", "biome:root", "--limit", "all"], format!("{v2}{all}")),
        (&["--query", "biome:root", "--limit", "3000"], format!("{v2}{all}&limit=3000")),
        (
            &["--query", "biome:root", "--limit", "all", "--after", "MGYP004000000000"],
            format!("{v2}{all}&after=MGYP004000000000"),
        ),
        (&["--query", "biome:root", "--random", "70", "--seed", "42"], format!("{v2}{all}&random=70&seed=42")),
        (&["--query", "biome:root", "--order", "-length"], format!("{v2}{all}&order=-length&limit=50")),
        (
            &["--query", "biome:root", "--fields", "accession,pfam,biomes"],
            format!("{v2}{few}&limit=50&fields=accession,pfam,biomes"),
        ),
    ] {
        let list = [(v1.as_str(), ""), (&v2, "results")].into_iter().find(|(start, _)| path.starts_with(start));
        let list = list.map(|(_, list)| list).filter(|_| !path.contains("ndjson"));
        let expected = lines(&router, &path, list).await;
        let run = |more: &[&str]| {
            let done = run_on(&folder, &[&["search"], arguments, more].concat());
            assert_eq!((done.code, &*done.stderr), (Some(0), ""), "{arguments:?} {more:?}");
            done.stdout
        };
        assert_eq!(run(&["--format", "json"]), format!("[{}]\n", expected.join(",")), "{arguments:?}");
        if path.starts_with(&v2) {
            let lines = expected.iter().map(|line| format!("{line}\n"));
            assert_eq!(run(&["--format", "ndjson"]), lines.collect::<String>(), "{arguments:?}");
        }
    }
    let num_matches = lines(&router, &format!("{v2}{all}"), None).await.len();
    let count = run_on(&folder, &["search", "--query", "biome:root", "--count", "--after", "MGYP999999999999"]);
    assert_eq!(count.stdout, format!("{num_matches}\n"), "of all");
    for more in [["--random", "5", "--order", "length"], ["--order", "length", "--after", "12"]] {
        assert_eq!(run_on(&folder, &[&["search", "--query", "*"], &more[..]].concat()).code, Some(2), "{more:?}");
    }
}

#[tokio::test]
async fn tables_sequences_and_facets_match_the_service() {
    let folder = TestFolder::of_rows(&rows());
    let router = folder.router();
    for (arguments, path) in [
        (
            &["search", "--format", "tsv", "--fields", "accession,full_length,pfam,clans", "--query", "biome:132"][..],
            "proteins?format=tsv&fields=accession,full_length,pfam,clans&q=biome:132",
        ),
        (&["search", "--format", "fasta", "--query", "biome:132"], "proteins?format=fasta&q=biome:132"),
        (&["search", "--format", "tsv", "--query", "pfam:6"], "proteins?format=tsv&q=pfam:6"),
        (&["search", "--format", "fasta", "--query", "pfam:6"], "proteins?format=fasta&q=pfam:6"),
        (&["facets", "--by", "full_length"], "facets?by=full_length"),
        (&["facets", "--by", "architecture", "--query", "pfam:5"], "facets?by=architecture&q=pfam:5"),
        (&["facets", "--by", "biome", "--format", "ndjson"], "facets?by=biome&format=ndjson"),
        (&["enrichment", "--by", "pfam", "--query", "biome:132"], "enrichment?by=pfam&q=biome:132"),
        (
            &["enrichment", "--by", "pfam", "--query", "biome:132", "--against", "pfam:5", "--format", "ndjson"],
            "enrichment?by=pfam&q=biome:132&against=pfam:5&format=ndjson",
        ),
        (
            &["enrichment", "--by", "biome", "--query", "pfam:5", "--top", "2", "--format", "tsv"],
            "enrichment?by=biome&q=pfam:5&top=2&format=tsv",
        ),
        (&["facets", "--by", "pfam", "--query", "biome:132", "--top", "1"], "facets?by=pfam&q=biome:132&top=1"),
    ] {
        let answer = get(&router, &format!("{PROTEINS_V2}/{path}")).await;
        let body = String::from_utf8(answer.body).expect("text");
        let printed = run_on(&folder, arguments);
        assert_eq!((printed.code, printed.stdout.trim_end()), (Some(0), body.trim_end()), "{arguments:?}");
        assert_eq!(printed.stdout.ends_with('\n'), !printed.stdout.is_empty(), "{arguments:?}");
    }
    let table = run_on(&folder, &["facets", "--by", "full_length", "--query", "biome:132", "--format", "tsv"]);
    assert_eq!(table.stdout, "value\tname\tcount\n\tnot recorded\t1\ntrue\tfull length\t1\n");
    let faulty = run_on(&folder, &["facets", "--by", "full_length", "--query", "pfam:"]);
    assert!(faulty.code == Some(1) && faulty.stderr.contains("the query has faults"), "{}", faulty.stderr);
    let refused = run_on(&folder, &["enrichment", "--by", "length", "--query", "pfam:5"]);
    assert!(refused.code == Some(2) && refused.stderr.contains("biome, pfam or clan"), "{}", refused.stderr);
    let unknown = run_on(&folder, &["facets", "--by", "sequence"]);
    assert!(unknown.code == Some(2) && unknown.stderr.contains("one of biome, pfam"), "{}", unknown.stderr);
}

#[tokio::test]
async fn sequence_lookups_match_the_service() {
    const FASTA: &str = ">one of them\nmkaa*\n>none\nMK\n>bad\nM7\n";
    let folder = TestFolder::with_checksums(&rows());
    let file = folder.path().join("some.fasta");
    fs::write(&file, FASTA).expect("writable");
    let file = file.to_str().expect("text");
    for (arguments, query) in [(&["lookup", file][..], ""), (&["lookup", "--all", file], "?all=1")] {
        let path = format!("{PROTEINS_V2}/sequences/search{query}");
        let headers = [("content-type", "text/x-fasta")];
        let answer = send_body(&folder.router(), Method::POST, &path, &headers, FASTA).await;
        let printed = run_on(&folder, arguments);
        assert_eq!((printed.code, printed.stdout.as_bytes()), (Some(1), &*answer.body), "{query}");
        assert!(printed.stderr.contains("1 sequence cannot be looked up"), "{}", printed.stderr);
    }
    let mut child = program();
    child.args(["lookup", "-", "--data"]).arg(folder.path());
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("mgdex");
    child.stdin.take().expect("piped").write_all(FASTA.as_bytes()).expect("read");
    let piped = done(child.wait_with_output().expect("it ends"));
    assert_eq!(piped.stdout, run_on(&folder, &["lookup", file]).stdout);
}
