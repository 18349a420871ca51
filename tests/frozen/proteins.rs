//! An index that was built once and must open as long as its format is supported.
//!
//! `frozen/v7` is a data folder that `frozen/regenerate.sh` has built from `frozen/inputs`, and
//! `frozen/expected.json` has the answers that it must give, computed from the same inputs by a
//! script that shares no code with mgdex. If a test here fails, the program has to change, not the
//! index.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use axum::http::StatusCode;
use serde_json::{Value, json};
use store::ProteinAccession;
use store_proteins::{Gene, PAGE_BUDGET, ProteinGeneration, ProteinQuery};
use support::profile_writers::copy_folder;
use support::tables::read_table;
use support::{PROTEINS_V2, TestFolder, get, get_protein};

/// Rights to read, for files and folders.
const READ_ONLY: [u32; 2] = [0o444, 0o555];

/// The usual rights, for files and folders.
const WRITABLE: [u32; 2] = [0o644, 0o755];

/// A copy of an index that may only be read.
struct FrozenCopy(TestFolder);

impl FrozenCopy {
    fn new() -> Self {
        Self::of("v7/proteins")
    }

    fn of(generations: &str) -> Self {
        let folder = TestFolder::empty();
        copy_folder(&frozen(generations), folder.generations().root());
        set_rights(folder.path(), READ_ONLY);
        Self(folder)
    }

    fn open(&self) -> ProteinGeneration {
        ProteinGeneration::open_current(&self.0.generations()).expect("whole").expect("published")
    }
}

impl Drop for FrozenCopy {
    fn drop(&mut self) {
        // Otherwise it could not be removed.
        set_rights(self.0.path(), WRITABLE);
    }
}

fn frozen(name: &str) -> PathBuf {
    support::project("tests/frozen").join(name)
}

/// Returns the expected answers of the index.
fn expected() -> Value {
    serde_json::from_slice(&fs::read(frozen("expected.json")).expect("committed")).expect("JSON")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path()).collect()
}

fn set_rights(path: &Path, [of_files, of_folders]: [u32; 2]) {
    let set = |mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("ours");
    if path.is_dir() {
        set(of_folders | 0o700);
        for entry in entries(path) {
            set_rights(&entry, [of_files, of_folders]);
        }
        set(of_folders);
    } else {
        set(of_files);
    }
}

/// Returns the bytes of every file below a folder.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in entries(folder) {
        if entry.is_dir() {
            files.append(&mut contents(&entry));
        } else {
            let bytes = fs::read(&entry).expect("readable");
            files.insert(entry, bytes);
        }
    }
    files
}

#[test]
fn the_frozen_index_has_its_format_and_is_whole() {
    let copy = FrozenCopy::new();
    let generation = copy.open();
    let (statistics, expected) = (generation.statistics(), expected());
    let proteins = expected["proteins"].as_array().expect("a list");
    assert_eq!(json!(statistics.num_proteins), proteins.len());
    assert_eq!(json!(statistics.num_replacements), expected["num_replacements"]);
    let ends = [statistics.first, statistics.last].map(|accession| json!(accession.expect("not empty").to_string()));
    assert_eq!(ends, [&proteins[0], &proteins[proteins.len() - 1]].map(|protein| protein["mgyp"].clone()));
    let verification = generation.verify().expect("unaltered");
    assert_eq!(json!(verification.num_records), proteins.len());
}

#[test]
fn own_data_are_found_by_their_names() {
    let copy = FrozenCopy::of("v7/own/proteins");
    let generation = copy.open();
    assert_eq!(generation.verify().expect("unaltered").num_records, 2);
    let [source] = generation.sources() else { panic!("{:?}", generation.sources()) };
    assert_eq!((&*source.name, source.first.to_string()), ("mine", "MGYP900000000000".to_owned()));
    let [first, second] = ["mine_1", "mine_2"].map(|name| {
        let [accession] = generation.named(name).expect("sound")[..] else { panic!("{name}") };
        generation.fetch(accession).expect("sound").expect("there")
    });
    assert_eq!((&*first.sequence, first.full_length, &*first.occurrences[0].contig), ("MKVLA", Some(true), "mine"));
    assert_eq!((&*second.name, &*second.description, &*second.sequence), ("mine_2", "found by myself", "MKW"));
    assert_eq!((&*second.occurrences[0].study, &*second.biomes[0].lineage), ("A study", "root:Mine"));
}

#[test]
fn members_of_clusters_are_found() {
    let copy = FrozenCopy::of("v7/context/proteins");
    let generation = copy.open();
    assert_eq!(generation.verify().expect("unaltered").num_records, 2);
    let members = generation.members().expect("indexed");
    let accession = |number| ProteinAccession::new(number).expect("in range");
    let found = members.find(accession(5), None, 9).expect("sound");
    assert_eq!((found, members.count(accession(5)).expect("sound")), ([5, 7, 9].map(accession).into(), 3));
    assert_eq!(members.find(accession(6), None, 9).expect("sound"), [accession(6)]);
    let representatives = [6, 7, 9].map(|number| members.representative(accession(number)).expect("sound"));
    assert_eq!(representatives, [None, Some(accession(5)), Some(accession(5))]);
}

#[test]
fn genes_are_on_their_contigs() {
    let copy = FrozenCopy::of("v7/contigs/proteins");
    let generation = copy.open();
    assert_eq!(generation.verify().expect("unaltered").num_records, 2);
    let accession = |number| ProteinAccession::new(number).expect("in range");
    let contigs = generation.contigs_of(accession(5)).expect("indexed");
    for (number, assembly, name, expected) in [
        (7, "ERZ2", "ERZ2.7-NODE-7-length-600-cov-5.0000", &[(1, 90, 5, 5), (95, 300, 6, 6), (200, 500, 7, 5)][..]),
        (8, "ERZ2", "ERZ2.8-NODE-8-length-100-cov-6.5000", &[(3, 92, 9, 5)]),
        (9, "ERZ1", "contig 9", &[(400, 30, 5, 5)]),
    ] {
        let found = contigs.find(number).expect("sound");
        assert_eq!(found, contigs.find_name(name, None).expect("sound"));
        let contig = contigs.describe(found[0]).expect("sound");
        assert_eq!((&*contig.assembly, contig.name.as_deref(), contig.length), (assembly, Some(name), None));
        let genes = contigs.genes(found[0], 0, 9).expect("sound");
        let gene = |gene: &Gene| (gene.start, gene.end, gene.protein.number(), gene.representative.number());
        assert_eq!(genes.iter().map(gene).collect::<Vec<_>>(), expected);
    }
    let places = contigs.places().find(accession(5), true, None, 9).expect("sound");
    assert_eq!(places.iter().map(|place| place.gene.start).collect::<Vec<_>>(), [400, 1, 200, 3]);
}

#[tokio::test]
async fn every_record_has_its_expected_answer() {
    let copy = FrozenCopy::new();
    let router = copy.0.router();
    for protein in expected()["proteins"].as_array().expect("a list") {
        let mgyp = protein["mgyp"].as_str().expect("a text");
        let answer = get_protein(&router, &format!("/protein/{mgyp}")).await;
        assert_eq!(answer.status, StatusCode::OK, "{mgyp}");
        assert_eq!(answer.json(), *protein, "{mgyp}");
    }
}

#[tokio::test]
async fn every_search_has_its_expected_answer() {
    let copy = FrozenCopy::new();
    let router = copy.0.router();
    for (filter, hits) in expected()["searches"].as_object().expect("by filter") {
        let (name, value) = filter.split_once('=').expect("a filter");
        let value: String = form_urlencoded::byte_serialize(value.as_bytes()).collect();
        let hits = hits.as_array().expect("a list");
        for limit in [1, 2, 1000] {
            let answer = get_protein(&router, &format!("/protein/search?{name}={value}&limit={limit}")).await;
            assert_eq!(answer.status, StatusCode::OK, "{filter}");
            assert_eq!(answer.json(), json!(hits[..hits.len().min(limit)]), "{filter}, limit {limit}");
        }
    }
}

/// A query, and the proteins that match it.
type Query = (&'static str, fn(&Value) -> bool);

/// Returns whether a protein has an element in a list of its record.
fn any(protein: &Value, list: &str, is_meant: impl FnMut(&Value) -> bool) -> bool {
    protein[list].as_array().expect("a list").iter().any(is_meant)
}

const QUERIES: [Query; 12] = [
    ("*", |_| true),
    ("biome:root:Mixed", |protein| any(protein, "biomes", |biome| biome["name"] == "root:Mixed")),
    ("pfam:PF04659", |protein| any(protein, "pfam_annotations", |hit| hit["accession"] == "PF04659")),
    ("NOT accession:>=MGYP000000001000", |protein| protein["mgyp"].as_str() < Some("MGYP000000001000")),
    ("has:pfam", |protein| protein["pfam_annotations"] != json!([])),
    ("clan:CL0023", |protein| any(protein, "pfam_annotations", |hit| hit["clan"] == "CL0023")),
    ("full_length:true", |protein| protein["full_length"] == json!(true)),
    ("full_length:false", |protein| protein["full_length"] == json!(false)),
    ("cluster_size:[2 TO 300]", |protein| (2..=300).contains(&protein["cluster_size"].as_u64().unwrap_or(0))),
    ("length:<100", |protein| protein["sequence"].as_str().is_some_and(|sequence| sequence.len() < 100)),
    ("assembly:ERZ000006", |protein| {
        any(protein, "study_assembly_contigs", |contig| contig["assembly_accession"] == "ERZ000006")
    }),
    ("study:erp000005", |protein| {
        any(protein, "study_assembly_contigs", |contig| contig["study_accession"] == "ERP000005")
    }),
];

#[test]
fn queries_find_proteins() {
    let copy = FrozenCopy::new();
    let (generation, expected) = (copy.open(), expected());
    for (text, is_match) in QUERIES {
        let query = ProteinQuery::parse(text, generation.biomes()).expect(text);
        let proteins = expected["proteins"].as_array().expect("a list").iter().filter(|protein| is_match(protein));
        let proteins: Vec<_> = proteins
            .map(|protein| {
                let length = protein["sequence"].as_str().map(str::len);
                json!([protein["mgyp"], length, protein["full_length"], protein["cluster_size"]])
            })
            .collect();
        let found = generation.page(&query, None, 1000, PAGE_BUDGET).expect(text).hits.into_iter();
        let found = found.map(|hit| json!([hit.accession.to_string(), hit.length, hit.full_length, hit.cluster_size]));
        assert_eq!(found.collect::<Vec<_>>(), proteins, "{text}");
        assert!(!proteins.is_empty() && proteins.len() < 1000, "{text} tells something");
    }
}

#[tokio::test]
async fn every_replaced_accession_has_its_expected_redirect() {
    let copy = FrozenCopy::new();
    let router = copy.0.router();
    for (old, new) in expected()["replaced"].as_object().expect("by accession") {
        let answer = get_protein(&router, &format!("/protein/{old}")).await;
        let new = new.as_str().expect("an accession");
        if get_protein(&router, &format!("/protein/{new}")).await.status == StatusCode::NOT_FOUND {
            let text = answer.json()["detail"].to_string();
            assert!(answer.status == StatusCode::NOT_FOUND && text.contains(new), "{old}: {text}");
            continue;
        }
        assert_eq!(answer.status, StatusCode::FOUND, "{old}");
        let location = answer.header("location");
        assert_eq!(location.rsplit('/').next(), Some(new), "{old} leads to {location}");
    }
    assert_eq!(get_protein(&router, "/protein/MGYP000000000006").await.status, StatusCode::NOT_FOUND);
}

/// Returns the proteins with the lists that a table has.
fn as_in_a_table(protein: &Value) -> Value {
    let list = |name: &str, key: &str| {
        let values = protein[name].as_array().expect("a list").iter().filter_map(|value| value[key].as_str());
        json!(values.filter(|text| !text.is_empty()).collect::<BTreeSet<_>>())
    };
    let sequence = protein["sequence"].as_str().expect("a text");
    json!({
        "accession": protein["mgyp"],
        "length": sequence.len(),
        "full_length": protein["full_length"],
        "cluster_size": protein["cluster_size"],
        "sequence": sequence,
        "biomes": list("biomes", "name"),
        "pfam": list("pfam_annotations", "accession"),
        "clans": list("pfam_annotations", "clan"),
        "studies": list("study_assembly_contigs", "study_accession"),
        "assemblies": list("study_assembly_contigs", "assembly_accession"),
    })
}

#[tokio::test]
async fn tables_have_their_expected_contents() {
    let copy = FrozenCopy::new();
    let router = copy.0.router();
    let expected = expected();
    let expected = expected["proteins"].as_array().expect("a list").iter().map(as_in_a_table).collect::<Vec<_>>();
    for format in ["parquet", "arrow"] {
        let mut frozen = read_table(&fs::read(frozen(&format!("v7/table.{format}"))).expect("committed"));
        let fields: Vec<_> = frozen.columns.iter().map(|(name, _)| &**name).collect();
        let path = format!("{PROTEINS_V2}/proteins?q=*&format={format}&fields={}", fields.join(","));
        let mut written = read_table(&get(&router, &path).await.body);
        // The table was written before tables had a citation.
        assert!(written.metadata.remove("mgdex.citation").is_some_and(|line| line.contains(" proteins, Pfam ")));
        // The same inputs make another generation.
        for table in [&mut written, &mut frozen] {
            assert!(table.metadata.remove("mgdex.generation").is_some_and(|name| name.starts_with("gen-")));
        }
        assert_eq!(written, frozen, "{format}");
        for row in &mut frozen.rows {
            let row = row.as_object_mut().expect("an object");
            assert!(row.shift_remove("md5").is_some() && row.shift_remove("ga4gh").is_some());
        }
        assert_eq!(frozen.rows, expected, "{format}");
    }
}

#[tokio::test]
async fn reading_the_frozen_index_writes_nothing() {
    let copy = FrozenCopy::new();
    let before = contents(copy.0.path());
    let router = copy.0.router();
    assert_eq!(get_protein(&router, "/protein/1").await.status, StatusCode::OK);
    assert_eq!(get_protein(&router, "/protein/search?biome_id=0").await.status, StatusCode::OK);
    let generation = copy.open();
    generation.verify().expect("unaltered");
    drop((router, generation));
    assert_eq!(before, contents(copy.0.path()));
}
