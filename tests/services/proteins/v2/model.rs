//! Random queries over a synthetic release, sent as a client does and compared with a plain scan of
//! the records: hits, order, counts, cursors, and the same results in all formats. The evaluation
//! itself is tested in the store.

use std::collections::HashSet;

use api::{Api, ServiceConfig};
use axum::http::StatusCode;
use indexer::{Acceptance, Input};
use indexer_release::ReleasePlan;
use indexer_synth::{SynthLayout, SynthPlan};
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use serde_json::{Value, json};
use store_proteins::{Protein, ProteinGeneration, ProteinQuery};

use crate::services::proteins::v2::{next_of, page, search};
use support::machine::{rounds, seeded};
use support::{TestFolder, data, get};

/// A third of them are representatives, which are indexed. These are more than a part of a stream
/// has.
const NUM_PROTEINS: u64 = 4000;

/// The depth to which a query is nested.
const DEPTH_MAX: u32 = 3;

/// Fields of results that a scan can read without computing anything.
const FIELDS: [&str; 9] =
    ["accession", "length", "full_length", "cluster_size", "biomes", "pfam", "clans", "studies", "assemblies"];

/// A condition of a field, and the check of a scan.
struct Condition {
    field: &'static str,
    value: String,
    is_match: Check,
}

type Check = Box<dyn Fn(&Protein) -> bool>;

fn index() -> TestFolder {
    let folder = TestFolder::empty();
    let release = folder.path().join("release");
    let synthetic = SynthPlan {
        out: release.clone(),
        num_proteins: NUM_PROTEINS,
        layout: SynthLayout::Parquet,
        seed: 15,
        shuffle: false,
        faults: false,
        only_representatives: false,
        memory_bytes: 32 << 20,
    };
    synthetic.run().expect("room");
    let plan = ReleasePlan {
        generations: folder.generations().root().to_owned(),
        release,
        biomes: Input::Path(data("proteins/biomes_id_lineage.tsv")),
        pfam: Input::Path(data("proteins/Pfam-A.clans.tsv.gz")),
        pfam_version: None,
        superseded: None,
        checksums: true,
        previous: None,
        all_proteins: false,
        memory_bytes: 64 << 20,
        num_threads: 2,
        max_rejects: 0,
        without_own: false,
        fresh: false,
        acceptance: Acceptance::default(),
    };
    plan.run().expect("a release");
    folder
}

/// Returns all records, as they are fetched one by one.
fn records(folder: &TestFolder) -> Vec<Protein> {
    let generation = ProteinGeneration::open_current(&folder.generations()).expect("whole").expect("published");
    let hits = generation.search(&ProteinQuery::Everything, usize::MAX).expect("sound");
    let proteins: Vec<_> = hits
        .iter()
        .map(|hit| generation.fetch(hit.accession).expect("sound").expect("what is found is there"))
        .collect();
    assert_eq!(proteins.len() as u64, generation.statistics().num_proteins);
    assert!(proteins.len() > 1024 && proteins.is_sorted_by_key(|protein| protein.accession));
    proteins
}

fn lineages(protein: &Protein) -> Vec<String> {
    sorted(protein.biomes.iter().map(|biome| biome.lineage.clone()))
}

fn families(protein: &Protein) -> Vec<String> {
    sorted(protein.pfam_annotations.iter().map(|found| found.hit.family.to_string()))
}

fn clans(protein: &Protein) -> Vec<String> {
    sorted(protein.pfam_annotations.iter().filter_map(|found| found.clan.as_deref().map(str::to_owned)))
}

fn studies(protein: &Protein) -> Vec<String> {
    sorted(protein.occurrences.iter().map(|found| found.study.clone()).filter(|study| !study.is_empty()))
}

fn assemblies(protein: &Protein) -> Vec<String> {
    sorted(protein.occurrences.iter().map(|found| found.assembly.clone()))
}

fn sorted(values: impl Iterator<Item = String>) -> Vec<String> {
    let mut values: Vec<_> = values.collect();
    values.sort();
    values.dedup();
    values
}

/// Returns a field of a result.
fn field(protein: &Protein, name: &str) -> Value {
    match name {
        "accession" => json!(protein.accession.to_string()),
        "length" => json!(protein.sequence.len()),
        "full_length" => json!(protein.full_length),
        "cluster_size" => json!(protein.cluster_size),
        "biomes" => json!(lineages(protein)),
        "pfam" => json!(families(protein)),
        "clans" => json!(clans(protein)),
        "studies" => json!(studies(protein)),
        "assemblies" => json!(assemblies(protein)),
        other => panic!("{other}"),
    }
}

/// Returns the condition that a list of a protein contains a random value of some protein.
fn listed(
    name: &'static str,
    list: fn(&Protein) -> Vec<String>,
    proteins: &[Protein],
    random: &mut StdRng,
) -> Condition {
    let with_values: Vec<&Protein> = proteins.iter().filter(|protein| !list(protein).is_empty()).collect();
    let values = list(with_values.choose(random).expect("some have values"));
    let value = values.choose(random).expect("not empty").clone();
    // Letter case matters only in lineages.
    let requested = if name != "biome_exact" && random.random() { value.to_lowercase() } else { value.clone() };
    Condition { field: name, value: requested, is_match: Box::new(move |protein| list(protein).contains(&value)) }
}

/// Returns the condition that a number is in a range around the numbers of two proteins.
fn ranged(name: &'static str, number: fn(&Protein) -> u64, proteins: &[Protein], random: &mut StdRng) -> Condition {
    let mut bound = || number(proteins.choose(random).expect("some"));
    let (one, other) = (bound(), bound());
    let (low, high) = (one.min(other), one.max(other));
    let (value, range) = match random.random_range(0..5) {
        0 => (format!("[{low} TO {high}]"), low..=high),
        1 => (format!("[{low} TO *]"), low..=u64::MAX),
        2 => (format!("<={high}"), 0..=high),
        3 => (low.to_string(), low..=low),
        _ => (format!("{{{low} TO {}}}", high + 2), low + 1..=high + 1),
    };
    Condition { field: name, value, is_match: Box::new(move |protein| range.contains(&number(protein))) }
}

fn condition(proteins: &[Protein], random: &mut StdRng) -> Condition {
    match random.random_range(0..11) {
        0 | 1 => {
            let lineages = lineages(proteins.choose(random).expect("some"));
            let lineage = lineages.choose(random).expect("each has a biome");
            let num_levels = random.random_range(1..=lineage.split(':').count());
            let requested = lineage.split(':').take(num_levels).collect::<Vec<_>>().join(":");
            let value = requested.clone();
            let is_below =
                move |lineage: &String| *lineage == requested || lineage.starts_with(&format!("{requested}:"));
            let is_match = move |protein: &Protein| self::lineages(protein).iter().any(&is_below);
            Condition { field: "biome", value, is_match: Box::new(is_match) }
        }
        2 => listed("biome_exact", lineages, proteins, random),
        3 => listed("pfam", families, proteins, random),
        4 => listed("clan", clans, proteins, random),
        5 => listed("study", studies, proteins, random),
        6 => listed("assembly", assemblies, proteins, random),
        7 => {
            let value: bool = random.random();
            Condition {
                field: "full_length",
                value: value.to_string(),
                is_match: Box::new(move |protein| protein.full_length == Some(value)),
            }
        }
        8 => ranged("cluster_size", |protein| protein.cluster_size, proteins, random),
        9 => ranged("length", |protein| protein.sequence.len() as u64, proteins, random),
        _ if random.random() => ranged("accession", |protein| protein.accession.number(), proteins, random),
        _ => Condition {
            field: "has",
            value: "pfam".into(),
            is_match: Box::new(|protein| !protein.pfam_annotations.is_empty()),
        },
    }
}

/// Returns the text of a query, and the check of a scan.
fn query(depth: u32, proteins: &[Protein], random: &mut StdRng) -> (String, Check) {
    if depth == 0 || random.random_range(0..3) == 0 {
        let Condition { field, value, is_match } = condition(proteins, random);
        let quote = if value.contains(' ') && !value.starts_with(['[', '{']) { "\"" } else { "" };
        return (format!("{field}:{quote}{value}{quote}"), is_match);
    }
    if random.random_range(0..4) == 0 {
        let (text, is_match) = query(depth - 1, proteins, random);
        return (format!("NOT ({text})"), Box::new(move |protein| !is_match(protein)));
    }
    let num_parts = random.random_range(2..=4);
    let (texts, checks): (Vec<String>, Vec<Check>) = (0..num_parts)
        .map(|_| query(depth - 1, proteins, random))
        .map(|(text, check)| (format!("({text})"), check))
        .unzip();
    if random.random() {
        return (texts.join(" AND "), Box::new(move |protein| checks.iter().all(|is_match| is_match(protein))));
    }
    (texts.join(" OR "), Box::new(move |protein| checks.iter().any(|is_match| is_match(protein))))
}

/// Returns the results of all pages.
async fn paged(router: &Api, mut path: String, num_found: usize) -> Vec<Value> {
    let mut results = Vec::new();
    loop {
        let mut page = page(router, &path).await;
        let total = &page["total"];
        let value = total["value"].as_u64().and_then(|value| usize::try_from(value).ok()).expect("a number");
        match total["relation"].as_str() {
            Some("eq") => assert_eq!(value, num_found, "{path}"),
            Some("gte") => assert!(value <= num_found && !path.contains("count=exact"), "{path}"),
            other => panic!("{other:?}"),
        }
        let next = next_of(&page).map(str::to_owned);
        results.append(page["results"].as_array_mut().expect("a list"));
        match next {
            None => return results,
            Some(next) => path = next,
        }
    }
}

/// Returns the text of a stream.
async fn stream(router: &Api, parameters: &[(&str, &str)], format: &str) -> String {
    let answer = get(router, &search(&[parameters, &[("format", format)]].concat())).await;
    let text = String::from_utf8(answer.body).expect("text");
    assert_eq!(answer.status, StatusCode::OK, "{parameters:?}: {text}");
    text
}

/// Compares the streams of a query with the proteins that match it.
async fn check_streams(router: &Api, conditions: &[(&str, &str)], expected: &[&Protein], random: &mut StdRng) {
    let mut fields: Vec<&str> = FIELDS.into_iter().filter(|_| random.random()).collect();
    fields.push("sequence");
    let names = fields.join(",");
    let with_fields = [conditions, &[("fields", &*names)]].concat();
    let value =
        |protein: &Protein, name: &str| if name == "sequence" { json!(protein.sequence) } else { field(protein, name) };

    let ndjson = stream(router, &with_fields, "ndjson").await;
    let lines: Vec<Value> = ndjson.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let objects: Vec<Value> = expected
        .iter()
        .map(|protein| {
            fields.iter().map(|name| ((*name).to_owned(), value(protein, name))).collect::<serde_json::Map<_, _>>()
        })
        .map(Value::Object)
        .collect();
    assert_eq!(lines, objects, "{conditions:?}");

    let cell = |value: Value| match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        Value::Array(texts) => texts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(";"),
        other => other.to_string(),
    };
    let tsv = stream(router, &with_fields, "tsv").await;
    let mut reader = csv::ReaderBuilder::new().delimiter(b'\t').from_reader(tsv.as_bytes());
    assert!(reader.headers().expect("a line").iter().eq(fields.iter().copied()));
    let rows: Vec<Vec<String>> =
        reader.records().map(|row| row.expect("a row").iter().map(str::to_owned).collect()).collect();
    let cells: Vec<Vec<String>> =
        expected.iter().map(|protein| fields.iter().map(|name| cell(value(protein, name))).collect()).collect();
    assert_eq!(rows, cells, "{conditions:?}");

    let fasta = stream(router, conditions, "fasta").await;
    let entries: Vec<(&str, String)> = fasta
        .split('>')
        .skip(1)
        .map(|entry| entry.split_once('\n').expect("a line"))
        .map(|(head, sequence)| (&head[..head.find(' ').expect("more words")], sequence.replace('\n', "")))
        .collect();
    assert_eq!(entries.len(), expected.len(), "{conditions:?}");
    for ((accession, sequence), protein) in entries.iter().zip(expected) {
        assert_eq!((*accession, sequence), (&*protein.accession.to_string(), &protein.sequence));
    }
}

#[tokio::test]
async fn queries_agree_with_a_scan_in_all_formats() {
    let folder = index();
    let proteins = records(&folder);
    // Some queries are long.
    let router = folder.router_with(&ServiceConfig { uri_bytes_max: 60 << 10, ..ServiceConfig::default() });
    let (mut random, seed) = seeded();
    let mut num_found = 0;
    for number in 0..rounds(12, 40) {
        let (text, is_match) = query(DEPTH_MAX, &proteins, &mut random);
        let mut known = HashSet::new();
        let further: Vec<Condition> = (0..random.random_range(0..3))
            .map(|_| condition(&proteins, &mut random))
            .filter(|_| number % 3 == 0)
            // Only lists may be repeated.
            .filter(|condition| condition.field == "pfam" || known.insert(condition.field))
            .collect();
        let mut conditions: Vec<(&str, &str)> =
            further.iter().map(|condition| (condition.field, &*condition.value)).collect();
        conditions.push(("q", &text));
        let is_found =
            |protein: &&Protein| is_match(protein) && further.iter().all(|condition| (condition.is_match)(protein));
        let expected: Vec<&Protein> = proteins.iter().filter(is_found).collect();
        num_found += expected.len();

        // A few pages at most, except for those that end within a hit of the last.
        let limit = random.random_range(expected.len() / 5 + 1..=expected.len() + 2).min(1000);
        let limit = limit.to_string();
        let mut parameters = [&conditions[..], &[("limit", &*limit)]].concat();
        if random.random() {
            parameters.push(("count", "exact"));
        }
        let results = paged(&router, search(&parameters), expected.len()).await;
        let defaults: Vec<Value> = expected
            .iter()
            .map(|protein| FIELDS[..4].iter().map(|name| ((*name).to_owned(), field(protein, name))).collect())
            .map(Value::Object)
            .collect();
        assert_eq!(results, defaults, "seed {seed}, query {number}: {conditions:?}, {limit}");
        check_streams(&router, &conditions, &expected, &mut random).await;
    }
    assert!(num_found > 0, "seed {seed}");
}
