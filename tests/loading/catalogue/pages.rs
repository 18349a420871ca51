//! Pages as they are harvested: documents of any host, pretty or not, compressed or not, in
//! folders.

use std::io::Write;
use std::process::Stdio;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use store_catalogue::{Condition, Selection};
use support::machine::rounds;

use crate::loading::catalogue::{COLLECTIONS, Folder, acknowledged, bundled_lines, resources, selected};

/// The service that pages were harvested from.
const ELSEWHERE: &str = "https://www.ebi.ac.uk/metagenomics/api/latest";

/// Adds a format to all links of a JSON text.
fn with_format(text: &str) -> Value {
    fn add(value: &mut Value) {
        match value {
            Value::String(url) if url.starts_with(ELSEWHERE) => url.push_str("?format=json"),
            Value::Array(items) => items.iter_mut().for_each(add),
            Value::Object(members) => members.values_mut().for_each(add),
            _ => {}
        }
    }
    let mut value = serde_json::from_str(&text.replace("{base_url}/metagenomics/api/v1", ELSEWHERE)).expect("JSON");
    add(&mut value);
    value
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn harvested_pages_load_like_lines() {
    let (lines, pages) = (Folder::new(), Folder::new());
    acknowledged(&mut lines.load([lines.write_bundled()]));
    let mut num_pages = 0;
    for (collection, _) in COLLECTIONS {
        let all = bundled_lines(collection);
        let all: Vec<&str> = all.lines().collect();
        for (page, chunk) in all.chunks(rounds(60, 250)).enumerate() {
            let link = |page: usize| format!("{ELSEWHERE}/{collection}?format=json&page={page}");
            let document = json!({
                "links": {"first": link(1), "last": link(99), "next": link(page + 2), "prev": null},
                "data": chunk.iter().map(|text| with_format(text)).collect::<Vec<_>>(),
                "meta": {"pagination": {"page": page + 1, "pages": 99, "count": all.len()}},
            });
            let name = format!("{collection}/page_{}.json", page + 1);
            match num_pages % 4 {
                0 => pages.write(&name, document.to_string()),
                1 => pages.write(&name, format!("{document:#}\r\n")),
                2 => pages.write(&format!("{name}.gz"), gzip(&document.to_string())),
                _ => pages.write(&format!("{name}.gz"), gzip(&format!("\u{feff}\n{document:#}"))),
            };
            num_pages += 1;
        }
    }
    pages.write(".hidden", "not a page");
    let report = pages.report_of(&acknowledged(&mut pages.load([pages.inputs()])));
    assert_eq!(report["files"].as_array().map(Vec::len), Some(num_pages));
    assert_eq!(report["num_rejected"], 0);
    let (lines, pages) = (lines.open(), pages.open());
    for (_, resource_type) in COLLECTIONS {
        let [expected, found] = [&lines, &pages].map(|generation| resources(generation, resource_type));
        assert!(!found.is_empty() && expected == found, "{resource_type}");
    }
}

#[test]
fn studies_and_biomes_name_their_samples() {
    let naming = |kind: &str, id: &str| {
        format!(
            r#"{{"type": "{kind}", "id": "{id}", "relationships": {{"samples": {{"data": [{{"type": "samples", "id": "ERS1"}}]}}}}}}"#
        )
    };
    let (study, biome) = (naming("studies", "MGYS1"), naming("biomes", "root:A"));
    let sample = r#"{"type": "samples", "id": "ERS1"}"#;
    for lines in [[&*study, &*biome, sample], [sample, &*biome, &*study]] {
        let folder = Folder::new();
        folder.load_lines(&lines);
        let generation = folder.open();
        for resource_type in ["studies", "biomes"] {
            let conditions = vec![Condition::Names("samples".into(), "ERS1".into())];
            let selection = Selection { resource_type: resource_type.into(), conditions, orders: Vec::new() };
            let found = selected(&generation, &selection);
            assert_eq!(found.len(), 1, "{resource_type}");
            assert_eq!(found[0]["relationships"]["samples"]["data"][0]["id"], "ERS1");
        }
    }
}

#[test]
fn whole_documents_are_accepted_as_lines_on_standard_input() {
    let folder = Folder::new();
    let (single, list) = (bundled_lines("cogs"), bundled_lines("assemblies"));
    let single: Vec<String> = single.lines().map(|line| format!(r#"{{"data": {line}}}"#)).collect();
    let list: Vec<&str> = list.lines().collect();
    let text = format!("{}\n\n{{\"meta\": {{}}, \"data\": [{}]}}\n", single.join("\n"), list.join(", "));
    let mut child = folder.load(["-"]).stdin(Stdio::piped()).spawn().expect("the program");
    child.stdin.take().expect("piped").write_all(&zstd::encode_all(text.as_bytes(), 1).expect("memory")).expect("read");
    let output = child.wait_with_output().expect("a child");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let report = folder.report_of(&output);
    assert_eq!(report["stored"], json!({"assemblies": 13, "biomes": 1, "cog-cats": 26, "pipelines": 1}));
    assert_eq!(report["files"][0]["name"], "standard input");
}

#[test]
fn members_of_related_collections_are_kept_whichever_occurrence_wins() {
    let folder = Folder::new();
    let page = |parent: &str, id: &str| {
        let links = json!({"first": format!("{ELSEWHERE}/studies/{parent}/publications?page=1")});
        json!({"links": links, "data": [{"type": "publications", "id": id}]}).to_string()
    };
    let single = r#"{"type": "publications", "id": "1", "attributes": {"pub-title": "last"}}"#;
    folder.load_lines(&[&page("MGYS1", "1"), &page("MGYS%202", "1"), &page("MGYS1", "2"), &page("MGYS1", "1"), single]);
    let generation = folder.open();
    let found = |parent: &str| {
        let place = Condition::FoundIn("studies".into(), parent.into(), "publications".into());
        let publications = "publications".to_owned();
        let all =
            selected(&generation, &Selection { resource_type: publications, conditions: vec![place], orders: vec![] });
        all.iter().map(|publication| publication["id"].as_str().expect("text").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("MGYS1"), ["2", "1"], "they fall");
    assert_eq!(found("MGYS 2"), ["1"]);
    assert_eq!(found("MGYS3"), [""; 0]);
    assert_eq!(resources(&generation, "publications")[1]["attributes"]["pub-title"], "last");
}
