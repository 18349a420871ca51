//! Proteins that are replaced while searches wait, run, or have ended: each search uses one
//! generation, and names it.

use std::fmt::Write;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use support::generation::current_name;
use support::machine::{Server, wait_for};
use support::{PROTEINS_V2, TestFolder, program};

use support::similarity::client::{Client, detail, order};
use support::similarity::command::{json_lines, printed};
use support::similarity::engine::{AT_ONCE, WAITS, assert_gone};
use support::similarity::proteins::QUERY;
use support::similarity::site::Site;

/// Returns rows of `num` proteins, which are more than an engine reads before it begins.
fn rows(num: u32) -> String {
    let tail = "MKVLAGRE".repeat(1500);
    (1..=num).fold(String::new(), |mut rows, number| {
        // Writing into memory does not fail.
        let _ = writeln!(rows, "{number},{QUERY}{},true,1,\"{{\"\"b\"\":[[62,1]]}}\"", &tail[number as usize..]);
        rows
    })
}

/// Waits until a server uses the current generation.
fn wait_until_served(server: &Server, folder: &TestFolder) -> String {
    let name = current_name(folder).to_string();
    wait_for("the generation", || server.get("/readyz").1.contains(&name).then_some(()));
    name
}

fn accessions(hits: &[Value]) -> Vec<String> {
    let mut accessions: Vec<String> =
        hits.iter().map(|hit| hit["accession"].as_str().expect("a text").to_owned()).collect();
    accessions.sort();
    accessions
}

fn numbered(num: u32) -> Vec<String> {
    (1..=num).map(|number| format!("MGYP{number:012}")).collect()
}

/// Checks the known hits of a search whose proteins have been replaced.
fn check_replaced(client: Client, id: &str, generation: &str, num_hits: u32) {
    let lines = json_lines(&client.text(id, "format=ndjson"));
    assert_eq!(accessions(&lines), numbered(num_hits));
    let names: Vec<_> = lines[0].as_object().expect("an object").keys().collect();
    assert_eq!(names, ["accession", "length", "score", "evalue", "bias", "domains"]);
    for line in &lines {
        let number: usize = line["accession"].as_str().expect("a text")["MGYP".len()..].parse().expect("a number");
        assert_eq!(line["length"], QUERY.len() + 12_000 - number);
    }
    assert_eq!(client.hits(id, "limit=7").json()["results"], json!(lines[..7]));
    assert_eq!(client.text(id, "format=tsv&fields=accession,length").lines().count(), 1 + num_hits as usize);
    assert_eq!(client.text(id, "format=a3m").lines().count(), 2 + 2 * num_hits as usize);
    for format in ["parquet", "arrow"] {
        assert_eq!(client.hits(id, &format!("format={format}")).status, StatusCode::OK);
    }
    for parameters in
        ["format=fasta", "fields=sequence", "format=ndjson&fields=accession,full_length", "format=parquet&fields=pfam"]
    {
        let answer = client.hits(id, parameters);
        assert_eq!(answer.status, StatusCode::CONFLICT, "{parameters}");
        let detail = detail(&answer);
        assert!(detail.contains("have been replaced") && detail.contains(generation), "{detail}");
    }
}

#[test]
fn running_searches_keep_their_generation() {
    let site = Site::with_engine(TestFolder::of_rows(&rows(300)), WAITS);
    let first = current_name(&site.data).to_string();
    let server = site.serve(&["--search-jobs", "1"]);
    let client = Client::new(&server);
    let order = order(0);
    let id = client.begin(&order);
    site.wait_for_runs(1);
    let waiting = client.begin(&support::similarity::client::order(1));
    // Publishes two more, so that the first one is not kept for a rollback.
    site.data.publish_rows(&rows(160));
    wait_until_served(&server, &site.data);
    site.data.publish_rows(&rows(200));
    let third = wait_until_served(&server, &site.data);
    let other = client.begin(&order);
    assert_ne!(site.run(&other), site.run(&id));
    let generation = |id: &str| client.state(id)["generation"].as_str().expect("a text").to_owned();
    assert_eq!([&id, &waiting, &other].map(|id| generation(id)), [first.clone(), first.clone(), third.clone()]);
    assert_eq!(client.state(&id)["state"], "running");
    site.go();
    for (id, generation, num) in [(&id, &first, 300), (&waiting, &first, 300), (&other, &third, 200)] {
        let state = client.wait(id);
        assert_eq!(state["state"], "done", "{state}");
        let members = ["generation", "hits", "count"].map(|name| state[name].clone());
        assert_eq!(members, [json!(generation), json!(num), json!(num)]);
    }
    for id in [&id, &waiting] {
        check_replaced(client, id, &first, 300);
    }
    let lines = json_lines(&client.text(&other, "format=ndjson&fields=sequence"));
    assert_eq!(accessions(&lines), numbered(200));
    assert!(lines.iter().all(|line| line["sequence"].as_str().is_some_and(|residues| residues.starts_with(QUERY))));
    assert_eq!(site.num_runs(), 3);
}

#[test]
fn rollbacks_restore_earlier_searches() {
    let site = Site::with_engine(TestFolder::of_rows(&rows(30)), AT_ONCE);
    let first = current_name(&site.data).to_string();
    let server = site.serve(&["--search-jobs", "1"]);
    let client = Client::new(&server);
    let order = order(0);
    let of_first = client.search(&order);
    let path = format!("{PROTEINS_V2}/searches/{of_first}/hits");
    let whole = client.get(&format!("/searches/{of_first}/hits"));
    let tag = whole.header("etag").to_owned();
    let shown = |tag: &str| client.ask(Method::GET, &path, &[("if-none-match", tag)], "");
    assert_eq!(shown(&tag).status, StatusCode::NOT_MODIFIED);
    site.data.publish_rows(&rows(40));
    let second = wait_until_served(&server, &site.data);
    let of_second = client.search(&order);
    check_replaced(client, &of_first, &first, 30);
    // The known data of the hits have changed, and so has the tag.
    let changed = shown(&tag);
    assert_eq!(changed.status, StatusCode::OK);
    assert_ne!(changed.header("etag"), tag);
    let hits = client.text(&of_second, "format=fasta");
    assert_eq!(hits.matches('>').count(), 40);
    site.change_engine(WAITS);
    let running = client.begin(&support::similarity::client::order(1));
    site.wait_for_runs(3);
    printed(program().args(["rollback", "--quiet", "--data"]).arg(site.data.path()));
    assert_eq!(wait_until_served(&server, &site.data), first);
    assert_eq!((shown(&tag).status, site.run(&client.begin(&order))), (StatusCode::NOT_MODIFIED, site.run(&of_first)));
    assert_eq!(client.get(&format!("/searches/{of_first}/hits")).body, whole.body);
    assert_eq!(client.text(&of_first, "format=fasta").matches('>').count(), 30);
    site.go();
    let state = client.wait(&running);
    assert_eq!((&state["generation"], &state["hits"]), (&json!(second), &json!(40)));
    check_replaced(client, &running, &second, 40);
    check_replaced(client, &of_second, &second, 40);
    printed(program().args(["rollback", "proteins", "--to", &second, "--quiet", "--data"]).arg(site.data.path()));
    wait_until_served(&server, &site.data);
    assert_eq!(client.text(&of_second, "format=fasta"), hits);
    assert_eq!(site.num_runs(), 3);
}

#[test]
fn unfinished_searches_of_other_proteins_fail_after_a_restart() {
    let site = Site::with_engine(TestFolder::of_rows(&rows(30)), WAITS);
    let mut server = site.serve(&["--search-jobs", "1"]);
    let ids = [0, 1, 2].map(|number| Client::new(&server).begin(&order(number)));
    site.wait_for_runs(1);
    server.kill();
    assert_gone(&site.pids());
    site.data.publish_rows(&rows(40));
    site.go();
    let server = site.serve(&["--search-jobs", "1"]);
    let client = Client::new(&server);
    for id in &ids {
        let state = client.state(id);
        assert_eq!(state["state"], "failed", "{state}");
        let problem = state["problem"].as_str().expect("a sentence");
        assert!(problem.contains("replaced while it waited"), "{problem}");
        let left: Vec<_> = site.files().into_iter().filter(|file| file.starts_with(&site.run(id))).collect();
        assert_eq!(left, ["done.json", "job.json"].map(|file| format!("{}/{file}", site.run(id))));
        let answer = client.hits(id, "format=tsv");
        assert!(answer.status == StatusCode::CONFLICT && detail(&answer).contains("were replaced"), "{answer:?}");
    }
    let again = client.search(&order(1));
    assert!(ids.iter().all(|id| site.run(id) != site.run(&again)));
    assert_eq!(client.state(&again)["hits"], 40);
    assert_eq!(site.num_runs(), 2);
}
