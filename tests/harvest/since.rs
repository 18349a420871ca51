//! Incremental harvests send few requests, and end like full ones.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::answers::Paths;
use super::documents::{Documents, SMALL, key_of};
use super::load::loaded;
use super::server::{FaultyServer, Plan};
use super::{files, harvest, keys, lines, report, succeed};

/// The kinds that reports count.
const KINDS: [&str; 9] =
    ["biomes", "studies", "samples", "runs", "assemblies", "analyses", "publications", "genomes", "super-studies"];

/// Sets members of an object wherever it is embedded.
fn update(value: &mut Value, accession: &str, members: &Value) {
    if value["accession"] == accession {
        for (name, changed) in members.as_object().expect("an object") {
            if let Some(member) = value.get_mut(name) {
                *member = changed.clone();
            }
        }
    }
    match value {
        Value::Object(object) => object.values_mut().for_each(|value| update(value, accession, members)),
        Value::Array(items) => items.iter_mut().for_each(|item| update(item, accession, members)),
        _ => {}
    }
}

/// Returns a study and all that it has, under other names.
fn copy_of(study: &'static str) -> Documents {
    let documents = Documents::of_studies(&[study]);
    let mut names = Vec::new();
    for kind in ["studies", "samples", "runs", "analyses"] {
        for document in documents.all(kind) {
            let others = document["ena_accessions"].as_array().into_iter().flatten();
            names.extend([&document["accession"]].into_iter().chain(others).map(ToString::to_string));
        }
    }
    let renamed: Vec<String> = names.iter().map(|name| format!("{}77\"", name.trim_end_matches('"'))).collect();
    let names: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(renamed.iter().map(String::as_str)).collect();
    documents.renamed(&names)
}

/// Returns the documents of a server some days later: a study has changed with its children, one is
/// new, two are withdrawn, one of them with a sample that others have, and two samples, a genome
/// and the genomes of a catalogue have changed alone, also an assembly, if wanted.
fn later(before: &Documents, has_other_assembly: bool) -> Documents {
    let mut after = before.clone();
    after.retain_studies(|study| !["MGYS00000275", "MGYS00000552"].contains(&study));
    let new = copy_of("MGYS00000560");
    for kind in ["studies", "samples", "runs", "analyses", "study-features", "analysis-annotations"] {
        after.add(kind, new.all(kind).to_vec());
    }
    // Another study gets some other kinds of children of the copied study.
    let more = copy_of("MGYS00000274").renamed(&[("\"MGYS0000027477\"", "\"MGYS00000257\"")]);
    for kind in ["samples", "runs", "analyses", "analysis-annotations"] {
        after.add(kind, more.all(kind).to_vec());
    }
    let withdrawn = after.all("analyses").iter().find(|one| one["study_accession"] == "MGYS00000257").map(key_of);
    for kind in ["analyses", "analysis-annotations"] {
        after.of(kind).retain(|document| Some(key_of(document)) != withdrawn);
    }
    let study = after.find("studies", "MGYS00000257").clone();
    let mut changes =
        vec![("MGYS00000257".to_owned(), json!({"title": "Changed", "updated_at": "2026-07-01T00:00:00.001Z"}))];
    for (number, study) in ["MGYS00002062", "MGYS00001271"].into_iter().enumerate() {
        let sample = after.all("samples").iter().find(|sample| sample["studies"][0]["accession"] == study);
        let date = format!("2026-07-02T00:00:0{number}Z");
        changes.push((
            key_of(sample.expect(study)),
            json!({"sample_title": "Alone", "updated_at": date, "metadata": {"lat": "1.5", "lon": "7"}}),
        ));
    }
    changes.push(("MGYG000000020".to_owned(), json!({"length": 1, "updated_at": "2026-07-03T00:00:00.7Z"})));
    if has_other_assembly {
        changes.push(("ERZ477585".to_owned(), json!({"assembler_name": "flye", "updated_at": "2026-07-04T00:00:00Z"})));
    }
    for kind in KINDS {
        for document in after.of(kind) {
            update(
                document,
                "MGYS00000257",
                &json!({"metadata": study["metadata"], "ena_accessions": study["ena_accessions"], "biome": study["biome"]}),
            );
            for (accession, members) in &changes {
                update(document, accession, members);
            }
        }
    }
    for kind in ["genomes", "genome-annotations"] {
        after.of(kind).retain(|document| document["accession"] != "MGYG000000022");
    }
    after
}

/// Returns the documents of a kind by their keys.
fn by_key(folder: &Path, kind: &str) -> BTreeMap<String, Value> {
    lines(folder, kind).into_iter().map(|document| (key_of(&document), document)).collect()
}

fn with_level(level: &str) {
    let before = Documents::of_studies(&SMALL);
    let after = later(&before, level == "annotations");
    let folder = TempDir::new().expect("a temporary folder");
    let [to, unchanged, full] = ["to", "unchanged", "full"].map(|name| folder.path().join(name));
    let analyses = ["--analyses", level];
    let harvested = after.publish();
    // Both states are at one address.
    let changes = vec![(usize::MAX, harvested.clone())];
    let server = FaultyServer::start(&before.publish(), Plan { changes, ..Plan::default() });
    succeed(&mut harvest(&server.url(), &to, &analyses));
    server.take();
    // Nothing has changed.
    let since = ["--since", to.to_str().expect("text")];
    succeed(&mut harvest(&server.url(), &unchanged, &[&analyses[..], &since].concat()));
    let num_unchanged = server.take().len();
    assert_eq!(files(&unchanged), files(&to));
    let reported = report(&unchanged);
    for (kind, reported) in reported["objects"].as_object().expect("numbers") {
        assert_eq!(
            (&reported["new"], &reported["changed"], &reported["withdrawn"]),
            (&json!(0), &json!(0), &json!(0)),
            "{kind}"
        );
    }

    server.change();
    succeed(&mut harvest(&server.url(), &full, &analyses));
    let num_full = server.take().len();
    let counted = |kind: &str| -> BTreeSet<String> {
        if kind != "runs" {
            return by_key(&to, kind).into_keys().collect();
        }
        let analyses = lines(&to, "analyses");
        let co_assembled = analyses.iter().filter_map(|analysis| analysis["read_run"].as_array()).flatten();
        co_assembled.map(key_of).chain(keys(&to, kind)).collect()
    };
    let old = KINDS.map(|kind| (by_key(&to, kind), counted(kind)));
    succeed(&mut harvest(&server.url(), &to, &[&analyses[..], &since].concat()));
    let num_since = server.take().len();
    let seen = format!("{level}: {num_full} requests, {num_since} since, {num_unchanged} without a change");
    assert!(num_since * 2 < num_full && num_unchanged * 4 < num_full, "{seen}");
    let names = |folder: &Path| files(folder).into_keys().collect::<Vec<_>>();
    assert_eq!(names(&to), names(&full));
    let new = loaded(&to).router;
    // Everything is all that the server has.
    let expected = if level == "annotations" { harvested } else { loaded(&full) };
    assert_eq!(Paths::of(&after).differences(&expected.router, &new), [""; 0]);
    let reported = report(&to);
    let mut wrong = Vec::new();
    for (kind, (old_lines, old)) in KINDS.into_iter().zip(old) {
        let (new_lines, new) = (by_key(&to, kind), counted(kind));
        let expected = json!({
            "total": new.len(),
            "new": (&new - &old).len(),
            "changed": old_lines.iter().filter(|(key, line)| new_lines.get(*key).is_some_and(|new| new != *line)).count(),
            "withdrawn": (&old - &new).len(),
        });
        let reported = &reported["objects"][kind];
        if *reported != expected && (new.len(), reported) != (0, &Value::Null) {
            wrong.push(format!("{kind}: {reported} and not {expected}"));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn incremental_lists_equal_full_lists() {
    with_level("lists");
}

#[test]
fn incremental_harvests_equal_full_harvests() {
    with_level("annotations");
}

#[test]
fn temporarily_missing_objects_are_kept_and_requested_again() {
    let documents = Documents::of_studies(&SMALL);
    let sample = key_of(&documents.all("samples")[5]);
    let broken = ["MGYS00000257", "MGYS00002062", &sample, "MGYG000000003"].map(str::to_owned).into();
    let server = FaultyServer::start(&documents.publish(), Plan { broken, ..Plan::default() });
    let folder = TempDir::new().expect("a temporary folder");
    let [whole, other] = ["whole", "other"].map(|name| folder.path().join(name));
    let harvest = |is_well, to, since: &Path| {
        server.set_repaired(is_well);
        let options = ["--analyses", "details", "--since", since.to_str().expect("text")];
        succeed(&mut harvest(&server.url(), to, &options));
        assert_eq!(report(to)["incomplete"] == json!([]), is_well);
    };
    harvest(true, &whole, &whole);
    harvest(false, &other, &whole);
    for kind in KINDS {
        assert_eq!(by_key(&other, kind), by_key(&whole, kind));
        let numbers = &report(&other)["objects"][kind];
        assert_eq!((&numbers["changed"], &numbers["withdrawn"]), (&json!(0), &json!(0)), "{kind}");
    }
    std::fs::remove_dir_all(&other).expect("a folder");
    harvest(false, &other, &other);
    assert_ne!(keys(&other, "studies"), keys(&whole, "studies"));
    harvest(true, &other, &other);
    assert_eq!(files(&other), files(&whole));
}
