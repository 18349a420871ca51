//! Checks that every engine must pass: hits over HTTP, from the command and from the engine itself,
//! and its refusals.

use std::fs;

use serde_json::json;
use similarity::{Limits, Query, Search, Targets};
use tempfile::TempDir;

use super::client::Client;
use super::command::{json_lines, printed, selection, sequences_of, similar};
use super::site::Site;

/// Checks hits over HTTP, in each form, against those of the command, and returns their number. The
/// site has the sample.
pub fn hits_are_those_of_the_command(site: &Site) -> usize {
    let server = site.serve(&[]);
    let client = Client::new(&server);
    let folder = TempDir::new().expect("a temporary folder");
    let fasta = folder.path().join("query.fasta");
    let family = sequences_of(&site.data, "pfam:PF00005");
    let mut num_hits = 0;
    for (number, (query, evalue, space)) in [
        ("", "1e-3", "selection"),
        ("full_length:true AND NOT biome:root:Environmental:Aquatic", "10", "release"),
        ("pfam:PF00005", "0.1", "123456789"),
        ("length:[80 TO 90]", "10", "1"),
        ("NOT length:[1 TO 60]", "1e-8", "selection"),
    ]
    .into_iter()
    .enumerate()
    {
        let (_, residues) = &family[number * family.len() / 5];
        fs::write(&fasta, format!(">query\n{residues}\n")).expect("written");
        let id = client.search(&json!({ "sequence": residues, "q": query, "E": evalue, "Z": space }));
        let state = client.state(&id);
        let command = |format: &str| {
            let mut more = vec!["--evalue", evalue, "--space", space, "--format", format];
            if !query.is_empty() {
                more.extend(["--query", query]);
            }
            printed(&mut site.with_programs(similar(site.data.path(), &fasta, &more)))
        };
        let lines = command("ndjson").replace("{\"query\":\"query\",", "{");
        assert_eq!(client.text(&id, "format=ndjson&fields=accession,length"), lines, "{query}");
        assert_eq!(state["hits"], lines.lines().count(), "{query}");
        for format in ["tsv", "a3m", "fasta"] {
            assert_eq!(client.text(&id, &format!("format={format}")), command(format), "{query} {format}");
        }
        num_hits += lines.lines().count();
    }
    num_hits
}

/// Checks hits of a profile over HTTP against those of the engine.
pub fn hits_of_a_profile_are_those_of_the_engine(site: &Site, text: &str) {
    let server = site.serve(&[]);
    let client = Client::new(&server);
    let id = client.search(&json!({ "hmm": text, "E": 0.5 }));
    let state = client.state(&id);
    let query = Query::profile(text).expect("a profile");
    assert_eq!((&state["query"], &state["query_length"]), (&json!("profile"), &json!(query.length())));
    let engine = site.engine();
    let run = TempDir::new().expect("a temporary folder");
    let search = Search {
        engine: &engine,
        query: &query,
        evalue: 0.5,
        space: None,
        hits_max: u64::MAX,
        limits: &Limits::default(),
    };
    let mut hits = Vec::new();
    let found = search.run(run.path(), &Targets::Selection(&selection(&site.data)), &|_| (), &|_| true, |hit| {
        hits.push(serde_json::to_value(hit).expect("JSON"));
        Ok(())
    });
    let found = found.expect("hits");
    assert_eq!((&state["hits"], &state["Z"]), (&json!(found.num_hits), &json!(found.num_targets)));
    let mut lines = json_lines(&client.text(&id, "format=ndjson&fields=accession,length"));
    for line in lines.iter_mut().chain(&mut hits) {
        line.as_object_mut().expect("an object").sort_keys();
    }
    assert_eq!(lines, hits);
    // A profile has no sequence that could be the first row.
    let a3m = client.text(&id, "format=a3m");
    assert!(a3m.starts_with(">MGYP"), "{}", &a3m[..60]);
    let rows = a3m.lines().skip(1).step_by(2);
    let num_columns = rows.map(|row| row.chars().filter(|letter| !letter.is_ascii_lowercase()).count());
    assert!(num_columns.into_iter().all(|num| num == query.length()));
}

/// Checks that profiles that the engine would refuse, or read otherwise than mgdex does, are
/// refused before it starts.
pub fn refused_profiles(site: &Site, profile: &str) {
    let server = site.serve(&[]);
    let client = Client::new(&server);
    let cut = profile.lines().take(40).collect::<Vec<_>>().join("\n") + "\n//\n";
    let with = |line: &str| profile.replacen("\nHMM ", &format!("\n{line}\nHMM "), 1);
    for (what, text, expected) in [
        ("cut", cut, "is not"),
        ("another length after a blank", with(" LENG 40000"), "LENG again"),
        (
            "statistics by which all are hits",
            profile
                .lines()
                .map(|line| {
                    if line.contains("LOCAL MSV") {
                        "STATS LOCAL MSV -10000 0.7\n".to_owned()
                    } else {
                        format!("{line}\n")
                    }
                })
                .collect(),
            "STATS LOCAL MSV is -10000",
        ),
    ] {
        let answer = client.post(&json!({ "hmm": text, "E": 1 }));
        let faults = answer.json()["detail"].clone();
        assert_eq!((answer.status.as_u16(), &faults[0]["loc"][1]), (422, &json!("hmm")), "{what}: {faults}");
        assert!(faults[0]["msg"].as_str().is_some_and(|message| message.contains(expected)), "{what}: {faults}");
    }
    assert_eq!(site.files(), Vec::<String>::new());
}
