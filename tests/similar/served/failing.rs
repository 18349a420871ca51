//! Engines that fail or pretend: clients get a message about the problem, and can try again.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use support::PROTEINS_V2;

use support::similarity::alike;
use support::similarity::client::{Client, JSON, detail, order};
use support::similarity::engine::{AT_ONCE, assert_gone, profile};
use support::similarity::proteins::{QUERY, data};
use support::similarity::site::Site;

/// Checks that a text contains no paths of the machine.
fn assert_names_no_file(text: &str, site: &Site) {
    let folders = [site.data.path(), site.folder.path(), site.programs.as_ref().expect("an engine").path()];
    for folder in folders.map(|folder| folder.display().to_string()) {
        assert!(!text.contains(&folder), "{text}");
    }
    assert!(!text.contains("searches/") && !text.contains("/tmp") && !text.contains("hits.jsonl"), "{text}");
}

#[test]
fn failures_are_explained_and_can_be_retried() {
    let site = Site::with_engine(data(), AT_ONCE);
    let server = site.serve(&[]);
    let client = Client::new(&server);
    let mut num_runs = 0;
    for (number, (script, expected)) in [
        ("exit 1", "phmmer rejects the query: it gives no reason"),
        ("echo; echo ' Error: no such thing' >&2; exit 1", "phmmer rejects the query: Error: no such thing"),
        ("kill -ABRT $$", "phmmer gave up, probably because it ran out of memory"),
        ("kill -SEGV $$", "phmmer crashed (signal 11)"),
        ("kill -KILL $$", "phmmer gave up, probably because it ran out of memory"),
        ("kill -TERM $$", "the result of phmmer is incomplete: it was ended by signal 15"),
        ("kill -XCPU $$", "the search took longer than 600 s"),
        ("kill -XFSZ $$", "the hits take more than 256 MiB"),
        ("cat > /dev/null", "the result of phmmer is incomplete: the file of hits cannot be read"),
        ("REAL \"$@\" && sed -i '$d' hits", "the file of hits is truncated"),
        ("REAL \"$@\" && sed -i '$d' domains", "the file of domains is truncated"),
        ("REAL \"$@\" && sed -i '$d' alignments", "the file of alignments is truncated"),
        ("head -c 5000 | REAL \"$@\"", "of 300 proteins"),
        ("REAL \"$@\" && mkdir x && rm -rf hits && mkdir hits", "the file of hits"),
        ("REAL \"$@\" && echo MGYP000000000001 - x > hits", "the file of hits has an unknown form"),
        ("REAL \"$@\" && ln -sf /etc/passwd hits", "the file of hits cannot be read"),
        ("REAL \"$@\" && ln -sf /etc/passwd domains", "the file of domains cannot be read"),
        ("REAL \"$@\" && rm alignments && mkfifo alignments", "the file of alignments cannot be read"),
        ("REAL \"$@\" && ln hits \"$PWD.hits\" && rm \"$PWD.hits\" && ln hits more", "the file of hits cannot be read"),
        ("ln -sf /etc/passwd said; exit 1", "phmmer rejects the query: it gives no reason"),
        ("REAL \"$@\" && rm -rf \"$PWD\"", "the server could not read or write its files"),
    ]
    .into_iter()
    .enumerate()
    {
        site.change_engine(script);
        let id = client.begin(&order(number));
        let state = client.wait(&id);
        assert_eq!(state["state"], "failed", "{script}: {state}");
        num_runs += 1;
        let problem = state["problem"].as_str().expect("a sentence");
        assert!(!problem.is_empty() && problem.contains(expected), "{script}: {problem}");
        assert_names_no_file(problem, &site);
        for (name, is_present) in [("finished", true), ("hits", false), ("truncated", false), ("expires", false)] {
            assert_eq!(state.get(name).is_some(), is_present, "{script}: {state}");
        }
        // Only the reason of the failure is kept.
        let left: Vec<_> = site.files().into_iter().filter(|file| file.starts_with(&site.run(&id))).collect();
        assert_eq!(left, ["done.json", "job.json"].map(|file| format!("{}/{file}", site.run(&id))), "{script}");
        let hits = client.hits(&id, "format=tsv");
        assert_eq!(hits.status, StatusCode::CONFLICT, "{hits:?}");
        assert_eq!(detail(&hits), problem);
        // A request for the state does not run the search.
        assert_eq!((client.state(&id)["state"].as_str(), site.num_runs()), (Some("failed"), num_runs), "{script}");
        // A new request runs it again, and it may fail again. A few scripts are enough for that.
        if number % 5 != 0 {
            continue;
        }
        assert_eq!(client.wait(&client.begin(&order(number)))["state"], "failed", "{script}");
        // The first client does not see the search that another one has started again.
        assert_eq!(client.get(&format!("/searches/{id}")).status, StatusCode::NOT_FOUND, "{script}");
        num_runs += 1;
        assert_eq!(site.num_runs(), num_runs, "{script}");
        site.change_engine(AT_ONCE);
        let id = client.begin(&order(number));
        let state = client.wait(&id);
        assert_eq!((&state["state"], state.get("problem")), (&json!("done"), None), "{script}: {state}");
        assert_eq!(client.text(&id, "format=ndjson").lines().count(), 300, "{script}");
        num_runs += 1;
    }
    assert_gone(&site.pids());
    assert_eq!(site.num_runs(), num_runs);
}

#[test]
fn profiles_that_an_engine_would_misread_are_refused() {
    alike::refused_profiles(&Site::with_engine(data(), AT_ONCE), &profile(QUERY));
}

#[test]
fn engines_read_profiles_as_the_server_does() {
    let site = Site::with_engine(data(), "grep -cE 'LENG|HMMER|secret|//' query >&2; exit 1");
    let server = site.serve(&[]);
    let client = Client::new(&server);
    let odd = profile(QUERY).replacen("\nHMM ", "\n\u{b}LENG 7\nCOM   [1] secret\nX /etc//secret\nHMM ", 1);
    let state = client.wait(&client.begin(&json!({ "hmm": odd, "E": 1 })));
    assert_eq!(state["problem"], "The search has no result: hmmsearch rejects the query: 3.", "{state}");
}

#[test]
fn all_errors_of_an_order_are_listed_and_nothing_starts() {
    let site = Site::with_engine(data(), AT_ONCE);
    let server = site.serve(&["--search-proteins", "100"]);
    let client = Client::new(&server);
    let long = "M".repeat(10_001);
    let faults = |answer: &support::Answer| {
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{answer:?}");
        let detail = answer.json()["detail"].clone();
        let faults = detail.as_array().unwrap_or_else(|| panic!("{detail}"));
        faults.iter().map(|fault| fault["loc"][1].as_str().expect("a name").to_owned()).collect::<Vec<_>>().join(" ")
    };
    for (order, expected) in [
        (json!({}), "sequence"),
        (json!({ "E": 1 }), "sequence"),
        (json!({ "sequence": QUERY, "fasta": QUERY }), "sequence"),
        (json!({ "sequence": "" }), "sequence"),
        (json!({ "sequence": "M7" }), "sequence"),
        (json!({ "sequence": "M-K" }), "sequence"),
        (json!({ "sequence": long }), "sequence"),
        (json!({ "fasta": ">a\nM\n>b\nM" }), "fasta"),
        (json!({ "accession": "MGYP999999999999" }), "accession"),
        (json!({ "accession": "x" }), "accession"),
        (json!({ "accession": "" }), "accession"),
        (json!({ "hmm": "HMMER3/f" }), "hmm"),
        (json!({ "sequence": QUERY, "E": 0 }), "E"),
        (json!({ "sequence": QUERY, "E": -1 }), "E"),
        (json!({ "sequence": QUERY, "E": 10.01 }), "E"),
        (json!({ "sequence": QUERY, "E": "NaN" }), "E"),
        (json!({ "sequence": QUERY, "E": "1e-400" }), "E"),
        (json!({ "sequence": QUERY, "E": true }), "E"),
        (json!({ "sequence": QUERY, "Z": 0 }), "Z"),
        (json!({ "sequence": QUERY, "Z": 1.5 }), "Z"),
        (json!({ "sequence": QUERY, "Z": "18446744073709551616" }), "Z"),
        (json!({ "sequence": QUERY, "colour": "red" }), "colour"),
        (json!({ "sequence": QUERY, "q": {} }), "q"),
        (json!({ "sequence": QUERY, "q": null }), "q"),
        (json!({ "sequence": QUERY, "q": ["length:1", "length:2"] }), "q"),
        (json!({ "sequence": QUERY, "q": "pfam:" }), "q"),
        (json!({ "sequence": QUERY, "q": "colour:red" }), "q"),
        (json!({ "sequence": QUERY, "q": "length:3" }), "q"),
        (json!({ "sequence": QUERY, "q": "" }), "q"),
        (json!({ "sequence": "M7", "E": 99, "Z": "x", "colour": "red" }), "sequence E Z colour"),
        (json!({ "sequence": QUERY, "accession": "x", "hmm": "y", "E": 0 }), "E sequence"),
        (json!({ "accession": ["x", "y"] }), "sequence"),
        (json!({ "E": 99, "Z": "x" }), "E Z sequence"),
        (json!({ "sequence": QUERY, "fasta": QUERY, "E": 99, "Z": "x" }), "E Z sequence"),
        (json!({ "sequence": "M7", "E": 99, "q": "colour:red" }), "sequence E q"),
    ] {
        assert_eq!(faults(&client.post(&order)), expected, "{order}");
    }
    let problem_of = |order: Value| client.post(&order).json()["detail"][0]["msg"].as_str().expect("a text").to_owned();
    let of_all = problem_of(json!({ "sequence": QUERY }));
    assert!(of_all.contains("300 proteins") && of_all.contains("at most 100"), "{of_all}");
    assert!(problem_of(json!({ "sequence": QUERY, "q": "length:3" })).contains("nothing to search"));
    for (headers, body, status) in [
        (&JSON[..], "", StatusCode::BAD_REQUEST),
        (&JSON, "[]", StatusCode::BAD_REQUEST),
        (&JSON, "{\"sequence\": \"MK\"", StatusCode::BAD_REQUEST),
        (&JSON, "{\"sequence\": \"MK\", \"sequence\": \"MK\"}", StatusCode::BAD_REQUEST),
        (&[("content-type", "text/plain")], QUERY, StatusCode::UNSUPPORTED_MEDIA_TYPE),
        (&[("content-type", "application/x-www-form-urlencoded2")], "sequence=MK", StatusCode::UNSUPPORTED_MEDIA_TYPE),
        (&[], "sequence=MK", StatusCode::UNSUPPORTED_MEDIA_TYPE),
        (&[("content-type", "application/x-www-form-urlencoded")], "", StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let answer = client.ask(Method::POST, &format!("{PROTEINS_V2}/searches"), headers, body);
        assert_eq!(answer.status, status, "{headers:?} {body}: {answer:?}");
        assert!(answer.json().get("detail").is_some());
    }
    let path = format!("{PROTEINS_V2}/searches?E=1");
    assert_eq!(faults(&client.ask(Method::POST, &path, &JSON, json!({ "sequence": QUERY }).to_string())), "E");
    assert_eq!((site.num_runs(), site.files()), (0, Vec::new()));
}
