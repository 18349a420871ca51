//! Answers for which the real program had more data than are bundled: runs, pipelines,
//! publications, downloads, experiment types, the numbers of metadata entries, and samples that are
//! not public.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Difference, Recorded};
use support::Answer;

/// Returns the table.
pub(super) fn table() -> Vec<Difference> {
    vec![
        Difference::get("/studies/MGYS00000256/downloads?format=json", "no downloads were given", empty),
        Difference::get(
            "/samples/ERS074453/metadata?format=json",
            "metadata entries came without their numbers",
            metadata,
        ),
        Difference::get(
            "/biomes/root:Environmental:Terrestrial:Soil/studies?page_size=2&ordering=study_id",
            "no row tells the biome of a study itself, only those of its samples",
            |_, answer| assert_eq!(answer.json()["meta"]["pagination"]["count"], 30),
        ),
        Difference::get("/biomes/top10?format=json", "samples that are not public were not given", top10),
        Difference::get("/", "only what was given has an address", root),
    ]
}

/// Checks that the list has the recorded form, and is empty.
fn empty(recorded: &Recorded, answer: &Answer) {
    let mut expected = recorded.json.clone().expect("JSON");
    expected["data"] = json!([]);
    expected["meta"]["pagination"]["count"] = json!(0);
    assert_eq!((answer.status.as_u16(), answer.json()), (200, expected));
}

/// Checks that everything but the ids is as recorded.
fn metadata(recorded: &Recorded, answer: &Answer) {
    let without_ids = |page: &Value| {
        let mut page = page.clone();
        for entry in page["data"].as_array_mut().expect("a list") {
            entry["id"].take();
        }
        page
    };
    assert_eq!(without_ids(&answer.json()), without_ids(recorded.json.as_ref().expect("JSON")));
}

/// Checks that the biomes are the recorded ones, by falling number of samples, and that none has
/// more than were recorded.
fn top10(recorded: &Recorded, answer: &Answer) {
    let biomes = |answer: &Value| -> Vec<(String, u64)> {
        let data = answer["data"].as_array().expect("a list");
        let num_samples = |biome: &Value| biome["attributes"]["samples-count"].as_u64().expect("a number");
        data.iter().map(|biome| (biome["id"].to_string(), num_samples(biome))).collect()
    };
    let ours = biomes(&answer.json());
    let recorded: BTreeMap<String, u64> = biomes(recorded.json.as_ref().expect("JSON")).into_iter().collect();
    assert!(ours.is_sorted_by(|(_, left), (_, right)| left >= right), "{ours:?}");
    assert_eq!(ours.len(), recorded.len());
    for (biome, num_samples) in &ours {
        assert!(*num_samples > 0 && *num_samples <= recorded[biome], "{biome}: {num_samples} of {}", recorded[biome]);
    }
}

/// Checks that every address was recorded.
fn root(recorded: &Recorded, answer: &Answer) {
    let (ours, recorded) = (answer.json(), recorded.json.as_ref().expect("JSON").clone());
    let ours = ours["data"].as_object().expect("an object");
    assert_eq!(ours.len(), 15, "{ours:?}");
    for (name, address) in ours {
        assert_eq!(Some(address), recorded["data"].get(name), "{name}");
    }
}
