//! Answers that only look valid: they replace no earlier object, and their gaps are reported.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::documents::{Documents, LARGE, SMALL};
use super::server::{FaultyServer, Plan, Reply};
use super::{fail, files, harvest, keys, lines, report, succeed};

/// A study with samples, runs, analyses and publications.
const STUDY: &str = "MGYS00000257";

fn since(folder: &Path) -> [&str; 2] {
    ["--since", folder.to_str().expect("text")]
}

fn json(body: &Value) -> Reply {
    Reply::new(200, "application/json", body.to_string())
}

#[test]
fn wrong_answers_do_not_replace_earlier_objects() {
    let documents = Documents::of_studies(&SMALL);
    let mut after = documents.clone();
    after.find("studies", STUDY)["updated_at"] = json!("2026-08-01T00:00:00Z");
    let (source, later) = (documents.publish(), after.publish());
    for (path, reply, reason) in [
        ("", json(&json!({"detail": "the database is away"})), "not the requested object"),
        ("", json(&json!([])), "not the requested object"),
        ("", json(&json!({"accession": "MGYS00002011"})), "not the requested object"),
        ("", json(&Value::Null), "is null"),
        ("/analyses/", Reply::new(404, "application/json", "{\"detail\": \"Not Found\"}"), "the list does not exist"),
        ("/samples/", Reply::new(410, "application/json", "{}"), "the list does not exist"),
    ] {
        // Enough for all repeats.
        let scripted = vec![(format!("/studies/{STUDY}{path}"), vec![reply; 4])];
        let changes = vec![(usize::MAX, later.clone())];
        let good = FaultyServer::start(&source, Plan { changes: changes.clone(), ..Plan::default() });
        let folder = TempDir::new().expect("a temporary folder");
        let [to, whole] = ["to", "whole"].map(|name| folder.path().join(name));
        succeed(&mut harvest(&good.url(), &to, &[]));
        good.change();
        succeed(&mut harvest(&good.url(), &whole, &[]));
        // The same server, with the fault, as seen through the address of the harvest.
        let odd = FaultyServer::start(&later, Plan { scripted, ..Plan::default() });
        let as_good = |url: &str| {
            let path = to.join("harvest.json");
            let text = std::fs::read_to_string(&path).expect("a report");
            let mut report: Value = serde_json::from_str(&text).expect("JSON");
            report["from"] = json!(format!("{url}/"));
            std::fs::write(&path, report.to_string()).expect("written");
        };
        as_good(&odd.url());
        let before = ["studies", "samples", "analyses"].map(|kind| keys(&to, kind));
        succeed(&mut harvest(&odd.url(), &to, &since(&to)));
        assert_eq!(["studies", "samples", "analyses"].map(|kind| keys(&to, kind)), before, "{reason}");
        let skipped = lines(&to, "harvest.skipped.jsonl");
        assert!(skipped.iter().any(|line| line["why"].as_str().is_some_and(|why| why.contains(reason))), "{skipped:?}");
        as_good(&good.url());
        succeed(&mut harvest(&good.url(), &to, &since(&to)));
        let (found, expected) = (files(&to), files(&whole));
        let different = expected.keys().filter(|name| found.get(*name) != expected.get(*name));
        let different: Vec<_> = different.collect();
        assert_eq!(different, [""; 0], "{path}: {reason}");
    }
}

#[test]
fn many_new_samples_do_not_hide_an_earlier_change() {
    let before = Documents::of_studies(&SMALL);
    let mut after = Documents::of_studies(SMALL.iter().chain(&LARGE[3..]));
    let new: Vec<String> = (&after.keys("samples") - &before.keys("samples")).into_iter().collect();
    assert!(new.len() > 100, "{}", new.len());
    for (number, sample) in new.iter().enumerate() {
        after.find("samples", sample)["updated_at"] = json!(format!("2026-09-01T00:00:00.{number:06}Z"));
    }
    let alone = before.keys("samples").into_iter().next().expect("a sample");
    *after.find("samples", &alone) = {
        let mut sample = after.find("samples", &alone).clone();
        sample["updated_at"] = json!("2026-08-31T00:00:00Z");
        sample["sample_title"] = json!("Changed alone");
        sample
    };
    let changes = vec![(usize::MAX, after.publish())];
    let server = FaultyServer::start(&before.publish(), Plan { changes, ..Plan::default() });
    let folder = TempDir::new().expect("a temporary folder");
    succeed(&mut harvest(&server.url(), folder.path(), &[]));
    server.change();
    succeed(&mut harvest(&server.url(), folder.path(), &since(folder.path())));
    let titles = lines(folder.path(), "samples");
    let mut titles = titles.iter().filter(|sample| sample["accession"] == alone.as_str());
    assert!(titles.any(|sample| sample["sample_title"] == "Changed alone"));
    assert_eq!(report(folder.path())["objects"]["samples"]["changed"], 1);
}

#[test]
fn rows_without_identifiers_are_counted_and_written_once() {
    let biome = |name: &str| json!({"biome_name": name, "lineage": format!("root:{name}")});
    let rows = json!({"count": 5, "items": [biome("Air"), biome("Soil"), biome("Soil")]});
    let scripted = vec![("/biomes/".to_owned(), vec![json(&rows); 4])];
    let server =
        FaultyServer::start(&Documents::of_studies(&SMALL[..3]).publish(), Plan { scripted, ..Plan::default() });
    let folder = TempDir::new().expect("a temporary folder");
    succeed(&mut harvest(&server.url(), folder.path(), &[]));
    assert_eq!(report(folder.path())["incomplete"], json!([{"list": "biomes/", "count": 5, "seen": 3}]));
    // One of them was there twice in every read.
    assert_eq!(lines(folder.path(), "biomes").len(), 3);
}

#[test]
fn rows_without_usable_identifiers_are_reported() {
    let rows = json!({"count": 3, "items": [{"accession": null}, {"accession": ".."}, {"accession": "ERR1"}]});
    let scripted = vec![("/runs/".to_owned(), vec![json(&rows); 4])];
    let documents = Documents::of_studies(&SMALL[..2]);
    let server = FaultyServer::start(&documents.publish(), Plan { scripted, ..Plan::default() });
    let folder = TempDir::new().expect("a temporary folder");
    succeed(&mut harvest(&server.url(), folder.path(), &["--analyses", "details"]));
    let received = server.take();
    assert!(received.iter().all(|request| request.get != "/runs/" && !request.get.contains("..")));
    let skipped = lines(folder.path(), "harvest.skipped.jsonl");
    let num = skipped.iter().filter(|line| line["why"] == "a row has no identifier").count();
    assert_eq!(num, 2, "{skipped:?}");
}

#[test]
fn unanswered_requests_do_not_stop_a_harvest() {
    let path = format!("/studies/{STUDY}/publications/");
    let scripted = vec![(path.clone(), vec![Reply::page(503); 200])];
    let server = FaultyServer::start(&Documents::of_studies(&SMALL).publish(), Plan { scripted, ..Plan::default() });
    let folder = TempDir::new().expect("a temporary folder");
    succeed(&mut harvest(&server.url(), folder.path(), &[]));
    let lists = report(folder.path())["incomplete"].clone();
    assert!(lists.to_string().contains(&path[1..]), "{lists}");
    assert_eq!(keys(folder.path(), "studies").len(), SMALL.len());
}

#[test]
fn messages_repeat_no_passwords_or_invalid_base_addresses() {
    let folder = TempDir::new().expect("a temporary folder");
    let message = fail(&mut harvest("http://bob:s3cret@127.0.0.1:1/metagenomics/api/v2", folder.path(), &[]));
    assert!(!message.contains("s3cret") && message.contains("127.0.0.1:1"), "{message}");
    let message = fail(&mut harvest("http://127.0.0.1:1/metagenomics/api/v2?token=s3cret", folder.path(), &[]));
    assert!(message.contains("is not a base URL"), "{message}");
}

#[test]
fn version_1_is_not_harvested() {
    let folder = TempDir::new().expect("a temporary folder");
    let refused = |command: &mut Command| {
        let output = command.output().expect("the binary");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && message.contains("version 1 is not harvested"), "{output:?}");
        message
    };
    let url = "http://127.0.0.1:1/metagenomics/api/v2";
    refused(&mut harvest(url, folder.path(), &["--api", "v1"]));
    for base in ["http://127.0.0.1:1/metagenomics/api/v1", "http://127.0.0.1:1/metagenomics/api/latest/"] {
        refused(&mut harvest(base, folder.path(), &[]));
    }
    let report = json!({
        "version": "1.0.0", "from": url, "api": "v1", "analyses": "lists", "since": null, "began": "", "finished": "", "requests": 1,
        "repeated": 0, "seconds_waited": 0, "bytes": 1, "peak_memory_bytes": null, "objects": {}, "listed": {}, "skipped": 0,
        "incomplete": [],
    });
    std::fs::write(folder.path().join("harvest.json"), report.to_string()).expect("writable");
    refused(&mut harvest(url, folder.path(), &[]));
    let other = TempDir::new().expect("a temporary folder");
    let since = folder.path().to_str().expect("text");
    let message = refused(&mut harvest(url, other.path(), &["--since", since]));
    assert!(message.contains(since), "{message}");
}

#[test]
fn oversized_pages_are_rejected() {
    let rows: Vec<Value> = (0..1_001).map(|number| json!({"pubmed_id": number})).collect();
    let scripted = vec![("/publications/".to_owned(), vec![json(&json!({"count": 5, "items": rows})); 100])];
    let server =
        FaultyServer::start(&Documents::of_studies(&SMALL[..2]).publish(), Plan { scripted, ..Plan::default() });
    let folder = TempDir::new().expect("a temporary folder");
    succeed(&mut harvest(&server.url(), folder.path(), &[]));
    let skipped = lines(folder.path(), "harvest.skipped.jsonl");
    assert!(skipped.iter().any(|line| line["why"] == "its page has 1001 rows, more than 10"), "{skipped:?}");
    assert!(report(folder.path())["incomplete"].to_string().contains("publications/"));
    // A user who knows the server may raise the limit.
    let folder = TempDir::new().expect("a temporary folder");
    let scripted = vec![("/publications/".to_owned(), vec![json(&json!({"count": 1_001, "items": rows}))])];
    let server =
        FaultyServer::start(&Documents::of_studies(&SMALL[..2]).publish(), Plan { scripted, ..Plan::default() });
    succeed(&mut harvest(&server.url(), folder.path(), &["--max-page-objects", "1001"]));
    assert_eq!(report(folder.path())["incomplete"], json!([]));
}

#[test]
fn endless_lists_fail_the_harvest() {
    let server = FaultyServer::start(&Documents::of_studies(&SMALL).publish(), Plan::default());
    let folder = TempDir::new().expect("a temporary folder");
    let message = fail(&mut harvest(&server.url(), folder.path(), &["--max-objects", "20"]));
    assert!(message.contains("more than 20 objects") && message.contains("--max-objects"), "{message}");
    // Objects that were fetched are not fetched again.
    let num_received = server.take().len();
    assert!(num_received > 0);
    succeed(&mut harvest(&server.url(), folder.path(), &[]));
}
