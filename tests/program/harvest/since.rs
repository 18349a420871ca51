//! Harvests that begin with an older one ask for little, and end like one that asks for everything.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::answers::{Paths, V2};
use super::documents::{Documents, SMALL, key_of};
use super::load::loaded;
use super::server::{FaultyServer, Plan};
use super::{files, harvest, lines, report, succeed};

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

/// Returns the documents of a server some days later: a study has changed with its children, one is new, one is withdrawn, and two samples, a
/// genome and the genomes of a catalogue have changed alone.
fn later(before: &Documents) -> Documents {
    let mut after = before.clone();
    after.retain_studies(|study| study != "MGYS00000275");
    let new = copy_of("MGYS00000560");
    for kind in ["studies", "samples", "runs", "analyses", "study-features", "analysis-annotations"] {
        after.add(kind, new.all(kind).to_vec());
    }
    // Another study gets what that of the copy has of another kind.
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

/// Returns the documents of a kind by what they are known by.
fn by_key(folder: &Path, kind: &str) -> BTreeMap<String, Value> {
    lines(folder, kind).into_iter().map(|document| (key_of(&document), document)).collect()
}

fn with_level(level: &str) {
    let before = Documents::of_studies(&SMALL);
    let after = later(&before);
    let folder = TempDir::new().expect("a temporary folder");
    let [old, new, full] = ["old", "new", "full"].map(|name| folder.path().join(name));
    let analyses = ["--analyses", level];
    // Both states are at one address.
    let changes = vec![(usize::MAX, after.clone())];
    let server = FaultyServer::start(&before, Plan { changes, ..Plan::default() });
    succeed(&mut harvest(&server.url(), &old, &analyses));
    server.take();
    // Nothing has changed.
    let since = ["--since", old.to_str().expect("text")];
    succeed(&mut harvest(&server.url(), &new, &[&analyses[..], &since].concat()));
    let num_unchanged = server.take().len();
    assert_eq!(files(&new), files(&old));
    let told = report(&new);
    for (kind, told) in told["objects"].as_object().expect("numbers") {
        assert_eq!((&told["new"], &told["changed"], &told["withdrawn"]), (&json!(0), &json!(0), &json!(0)), "{kind}");
    }

    server.change();
    succeed(&mut harvest(&server.url(), &full, &analyses));
    let num_full = server.take().len();
    std::fs::remove_dir_all(&new).expect("a folder");
    succeed(&mut harvest(&server.url(), &new, &[&analyses[..], &since].concat()));
    let num_since = server.take().len();
    let seen = format!("{level}: {num_full} requests, {num_since} since, {num_unchanged} without a change");
    let told = report(&new);
    for kind in KINDS {
        let (old, new) = (by_key(&old, kind), by_key(&new, kind));
        let number = |is_counted: &dyn Fn(&str) -> bool, of: &BTreeMap<String, Value>| {
            of.keys().filter(|key| is_counted(key)).count()
        };
        let expected = json!({
            "total": new.len(),
            "new": number(&|key| !old.contains_key(key), &new),
            "changed": number(&|key| old.get(key).is_some_and(|known| *known != new[key]), &new),
            "withdrawn": number(&|key| !new.contains_key(key), &old),
        });
        assert_eq!(told["objects"][kind], expected, "{kind}");
    }
    assert!(num_since * 3 < num_full && num_unchanged * 3 < num_full, "{seen}");
    let (_source, harvested) = after.publish();
    let [(_new, new), (_full, full)] = [&new, &full].map(|folder| loaded(folder));
    let paths = Paths::of(&after);
    assert_eq!(paths.differences(V2, &full, &new), [""; 0]);
    if level == "annotations" {
        assert_eq!(paths.differences(V2, &harvested, &new), [""; 0]);
    }
}

#[test]
fn lists_since_an_older_harvest_are_like_all_lists() {
    with_level("lists");
}

#[test]
fn everything_since_an_older_harvest_is_like_everything() {
    with_level("annotations");
}
