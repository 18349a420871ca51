//! Harvests of a server with all faults of the real one and of its proxies.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::Value;
use support::HttpServer;
use tempfile::TempDir;
use time::OffsetDateTime;
use time::macros::format_description;

use super::documents::{Documents, LARGE, SMALL, key_of};
use super::server::{FaultyServer, Loss, Plan, ReceivedRequest, Reply};
use super::{fail, harvest, keys, lines, report, succeed};

/// Returns the key of a document at a position.
fn nth(documents: &Documents, kind: &str, is_wanted: impl Fn(&Value) -> bool, position: usize) -> String {
    documents.all(kind).iter().filter(|document| is_wanted(document)).nth(position).map(key_of).expect(kind)
}

/// Returns the details and pages of one item that never had a good answer.
fn unanswered(received: &[ReceivedRequest]) -> BTreeSet<String> {
    let mut answered: BTreeMap<&str, bool> = BTreeMap::new();
    for ReceivedRequest { get, is_good, .. } in received {
        *answered.entry(get).or_default() |= is_good;
    }
    let is_last = |get: &str| !get.contains("page=") || get.split(['?', '&']).any(|pair| pair == "page_size=1");
    answered.into_iter().filter(|(get, is_good)| !is_good && is_last(get)).map(|(get, _)| get.to_owned()).collect()
}

#[test]
fn harvests_of_faulty_servers_get_all_shown_objects_and_report_the_rest() {
    let documents = Documents::of_studies(SMALL.iter().chain(&LARGE));
    let of_study = |study: &'static str| move |document: &Value| document["study_accession"] == study;
    let in_analysis: BTreeSet<&str> =
        documents.all("analyses").iter().filter_map(|analysis| analysis["run"]["accession"].as_str()).collect();
    let is_unused = |run: &Value| !in_analysis.contains(run["accession"].as_str().expect("a text"));
    let sample = nth(&documents, "samples", |sample| sample["studies"][0]["accession"] == "MGYS00002072", 150);
    let analyses: Vec<String> =
        (0..4).map(|part| nth(&documents, "analyses", of_study("MGYS00002072"), 30 + 60 * part)).collect();
    let runs = [nth(&documents, "runs", is_unused, 0), nth(&documents, "runs", is_unused, 2)];
    let publication = nth(&documents, "publications", |_| true, 1);
    let broken = ["MGYS00000274", &sample, &analyses[0], &runs[0], &publication, "MGYG000000003"];
    let hidden = ["MGYS00000561", &analyses[1]];
    let other_host = HttpServer::with_answer("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}");
    let foreign = format!("http://localhost:{}/metagenomics/api/v2/", other_host.address().port());
    let redirected = [
        ("/genomes/MGYG000000005".to_owned(), "/metagenomics/api/v2/genomes/MGYG000000005/".to_owned()),
        (format!("/analyses/{}", analyses[2]), format!("{foreign}analyses/{}", analyses[2])),
        (format!("/analyses/{}", analyses[3]), format!("/metagenomics/api/v2/analyses/{}", analyses[3])),
    ];
    let plan = Plan {
        seed: 4,
        passing: 6,
        losing: Loss::ByTurn,
        never_shown: vec![("/runs/", runs[1].clone())],
        broken: broken.map(str::to_owned).into(),
        hidden: hidden.map(str::to_owned).into(),
        redirected: redirected.into(),
        ..Plan::default()
    };
    let server = FaultyServer::start(&documents.publish(), plan);
    let folder = TempDir::new().expect("a temporary folder");
    succeed(&mut harvest(&server.url(), folder.path(), &["--analyses", "details"]));
    let received = server.take();
    assert_eq!(other_host.num_requests(), 0);
    assert!(received.iter().all(|request| request.agent.starts_with("mgdex")), "{:?}", received[0]);

    // Only studies list their analyses.
    let studies = [broken[0], hidden[0]];
    let below = documents
        .all("analyses")
        .iter()
        .filter(|analysis| studies.iter().any(|study| analysis["study_accession"] == *study));
    let below = below.filter_map(|analysis| analysis["accession"].as_str());
    let lacking: BTreeSet<&str> = broken.into_iter().chain(hidden).chain(below).chain([&*runs[1]]).collect();
    for kind in ["biomes", "studies", "samples", "runs", "assemblies", "analyses", "publications", "genomes"] {
        let mut expected = documents.keys(kind);
        expected.retain(|key| !lacking.contains(&**key));
        let found = keys(folder.path(), kind);
        assert_eq!((&expected - &found, &found - &expected), Default::default(), "{kind}");
        let source: BTreeMap<String, &Value> =
            documents.all(kind).iter().map(|document| (key_of(document), document)).collect();
        for document in lines(folder.path(), kind) {
            let source = source[&key_of(&document)];
            for (member, value) in document.as_object().expect("an object") {
                assert!(value.is_null() || *value == source[member], "{member} of {}", key_of(&document));
            }
        }
    }
    let mut skipped = unanswered(&received);
    // It was asked for its number of items alone.
    skipped.remove("/studies/?page=1&page_size=1");
    skipped.insert(format!("/analyses/{}", analyses[3]));
    let (notes, report) = (lines(folder.path(), "harvest.skipped.jsonl"), report(folder.path()));
    assert_eq!(report["skipped"], notes.len());
    let gets = notes.iter().map(|line| format!("/{}", line["get"].as_str().expect("a path")));
    assert_eq!(gets.collect::<BTreeSet<_>>(), skipped);
    assert!(notes.iter().all(|line| line["why"].as_str().is_some_and(|why| !why.is_empty())), "{notes:?}");
    let mut incomplete = BTreeMap::from([("runs/".to_owned(), 1)]);
    for page in skipped.iter().filter(|get| get.contains("page=")) {
        let (list, _) = page.split_once("page=").expect("a page");
        *incomplete.entry(list[1..].trim_end_matches(['?', '&']).to_owned()).or_default() += 1;
    }
    let reported = report["incomplete"].as_array().expect("lists").iter().map(|reported| {
        let number = |name: &str| reported[name].as_u64().expect("a number");
        (reported["list"].as_str().expect("a path").to_owned(), number("count") - number("seen"))
    });
    assert_eq!(reported.collect::<BTreeMap<_, _>>(), incomplete);
}

#[test]
fn retries_wait_for_retry_after() {
    let documents = Documents::of_studies(&["MGYS00002008"]);
    // Dates of HTTP have whole seconds.
    let (now, began) = (SystemTime::now().duration_since(UNIX_EPOCH).expect("later"), Instant::now());
    let date = Duration::from_secs(now.as_secs() + 4);
    let format =
        format_description!("[weekday repr:short], [day] [month repr:short] [year] [hour]:[minute]:[second] GMT");
    let written = |date: Duration| {
        let date = OffsetDateTime::UNIX_EPOCH + date;
        date.format(format).expect("a date")
    };
    let throttled = |after: String| Reply::page(429).with("retry-after", after);
    let paths = ["/super-studies/tara-oceans", "/studies/MGYS00002008"];
    let scripted = vec![
        (paths[0].to_owned(), vec![throttled("1".to_owned()), Reply::page(503).with("retry-after", "1")]),
        (paths[1].to_owned(), vec![throttled(written(date)), throttled(written(Duration::ZERO))]),
    ];
    let source = documents.publish();
    let server = FaultyServer::start(&source, Plan { scripted, ..Plan::default() });
    let folder = TempDir::new().expect("a temporary folder");
    succeed(&mut harvest(&server.url(), folder.path(), &[]));
    let received = server.take();
    let times = |path: &str| {
        let times: Vec<Instant> =
            received.iter().filter(|request| request.get == path).map(|request| request.began).collect();
        assert_eq!(times.len(), 3, "{path}");
        times
    };
    let starts = times(paths[0]);
    assert!(starts.windows(2).all(|pair| pair[1] - pair[0] >= Duration::from_secs(1)), "{starts:?}");
    let scripted = vec![(paths[1].to_owned(), vec![throttled("7200".to_owned())])];
    let server = FaultyServer::start(&source, Plan { scripted, ..Plan::default() });
    let message = fail(&mut harvest(&server.url(), &folder.path().join("other"), &[]));
    assert!(message.contains("7200 s"), "nobody waits for that long: {message}");
    assert!(times(paths[1])[1].duration_since(began) >= date.abs_diff(now), "{received:?}");
}

#[test]
fn objects_that_appear_or_vanish_do_not_disturb_a_harvest() {
    let before = Documents::of_studies(&SMALL);
    let mut after = before.clone();
    after.retain_studies(|study| !["MGYS00000257", "MGYS00001379", "MGYS00002062"].contains(&study));
    let mut between = before.clone();
    between.retain_studies(|study| study != "MGYS00002011");
    let [before_source, between_source, after_source] = [&before, &between, &after].map(Documents::publish);
    // The numbers of requests at which each of them begins.
    for (first, second) in [(3, 6), (10, 40), (30, 31), (60, 80)] {
        let changes = vec![(first, between_source.clone()), (second, after_source.clone())];
        let server =
            FaultyServer::start(&before_source, Plan { changes, passing: 9, seed: first as u64, ..Plan::default() });
        let folder = TempDir::new().expect("a temporary folder");
        succeed(&mut harvest(&server.url(), folder.path(), &[]));
        assert!(server.take().len() > second);
        for kind in ["studies", "samples", "analyses", "publications"] {
            let found = keys(folder.path(), kind);
            let always: BTreeSet<String> = &(&before.keys(kind) & &between.keys(kind)) & &after.keys(kind);
            assert!(found.is_superset(&always), "{kind}: {:?}", &always - &found);
            assert!(before.keys(kind).is_superset(&found));
        }
    }
}
