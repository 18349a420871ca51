//! Indexes of formats 1 to 3 that were built once and must open for ever.
//!
//! `frozen/v1` to `frozen/v3` are data folders as `frozen/regenerate.sh` has built them of `frozen/inputs`, and
//! `frozen/expected.json` is what they must answer, worked out from the same inputs by a script that shares no code with mgdex. If a test here fails, the program has
//! to change, not the index.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use axum::http::StatusCode;
use serde_json::{Value, json};
use store::{Error, PAGE_BUDGET, ProteinGeneration, ProteinQuery};
use support::{PROTEINS_V2, TestFolder, get, get_protein};

/// Rights to read, for files and folders.
const READ_ONLY: [u32; 2] = [0o444, 0o555];

/// The usual rights, for files and folders.
const WRITABLE: [u32; 2] = [0o644, 0o755];

/// All formats.
const FORMATS: [u32; 3] = [1, 2, 3];

/// A copy of an index that may only be read.
struct FrozenCopy {
    format: u32,
    folder: TestFolder,
}

impl FrozenCopy {
    fn new(format: u32) -> Self {
        let folder = TestFolder::empty();
        copy(&frozen(&format!("v{format}/proteins")), folder.generations().root());
        set_rights(folder.path(), READ_ONLY);
        Self { format, folder }
    }

    /// Returns a copy of each.
    fn all() -> [Self; 3] {
        FORMATS.map(Self::new)
    }
}

impl Drop for FrozenCopy {
    fn drop(&mut self) {
        // Otherwise it could not be removed.
        set_rights(self.folder.path(), WRITABLE);
    }
}

fn frozen(name: &str) -> PathBuf {
    support::project("tests/frozen").join(name)
}

/// Rows that were good when the first two indexes were built, and are rejected now: an empty cluster, and a biome counted as 0.
const REJECTED_SINCE: [&str; 2] = ["MGYP000000000013", "MGYP000000000014"];

/// Returns what an index of a format must answer.
fn expected(format: u32) -> Value {
    let mut expected: Value =
        serde_json::from_slice(&fs::read(frozen("expected.json")).expect("committed")).expect("JSON");
    if format > 2 {
        let searches =
            expected["searches"].as_object().expect("by filter").keys().map(|filter| format!("/searches/{filter}"));
        for list in searches.chain(["/proteins".to_owned()]).collect::<Vec<_>>() {
            let list = expected.pointer_mut(&list).and_then(Value::as_array_mut).expect("a list");
            list.retain(|protein| !REJECTED_SINCE.contains(&protein["mgyp"].as_str().expect("an accession")));
        }
    }
    expected
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path()).collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).expect("new");
    for entry in entries(from) {
        let target = to.join(entry.file_name().expect("a name"));
        if entry.is_dir() {
            copy(&entry, &target);
        } else {
            fs::copy(&entry, target).expect("room");
        }
    }
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
fn each_index_is_of_its_format_and_whole() {
    for copy in FrozenCopy::all() {
        let generation =
            ProteinGeneration::open_current(&copy.folder.generations()).expect("whole").expect("published");
        assert_eq!(generation.manifest().format, copy.format);
        let (statistics, expected) = (generation.statistics(), expected(copy.format));
        let proteins = expected["proteins"].as_array().expect("a list");
        assert_eq!(json!(statistics.num_proteins), proteins.len());
        assert_eq!(json!(statistics.num_replacements), expected["num_replacements"]);
        let ends =
            [statistics.first, statistics.last].map(|accession| json!(accession.expect("not empty").to_string()));
        assert_eq!(ends, [&proteins[0], &proteins[proteins.len() - 1]].map(|protein| protein["mgyp"].clone()));
        let verification = generation.verify().expect("unaltered");
        assert_eq!(json!(verification.num_records), proteins.len());
    }
}

#[tokio::test]
async fn every_record_is_answered_as_ever() {
    for copy in FrozenCopy::all() {
        let router = copy.folder.router();
        for protein in expected(copy.format)["proteins"].as_array().expect("a list") {
            let mgyp = protein["mgyp"].as_str().expect("a text");
            let answer = get_protein(&router, &format!("/protein/{mgyp}")).await;
            assert_eq!(answer.status, StatusCode::OK, "{mgyp}");
            assert_eq!(answer.json(), *protein, "{mgyp}");
        }
    }
}

#[tokio::test]
async fn every_search_is_answered_as_ever() {
    for copy in FrozenCopy::all() {
        let router = copy.folder.router();
        for (filter, hits) in expected(copy.format)["searches"].as_object().expect("by filter") {
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
}

/// A query, the proteins that match it, and what formats before the third one lack to answer it.
type Query = (&'static str, fn(&Value) -> bool, Option<&'static str>);

/// Tells whether a protein has an element in a list of its record.
fn any(protein: &Value, list: &str, is_meant: impl FnMut(&Value) -> bool) -> bool {
    protein[list].as_array().expect("a list").iter().any(is_meant)
}

const QUERIES: [Query; 12] = [
    ("*", |_| true, None),
    ("biome:root:Mixed", |protein| any(protein, "biomes", |biome| biome["name"] == "root:Mixed"), None),
    ("pfam:PF04659", |protein| any(protein, "pfam_annotations", |hit| hit["accession"] == "PF04659"), None),
    ("NOT accession:>=MGYP000000001000", |protein| protein["mgyp"].as_str() < Some("MGYP000000001000"), None),
    ("has:pfam", |protein| protein["pfam_annotations"] != json!([]), Some("families")),
    ("clan:CL0023", |protein| any(protein, "pfam_annotations", |hit| hit["clan"] == "CL0023"), Some("clans")),
    ("full_length:true", |protein| protein["full_length"] == json!(true), Some("complete")),
    ("full_length:false", |protein| protein["full_length"] == json!(false), Some("complete")),
    (
        "cluster_size:[2 TO 300]",
        |protein| (2..=300).contains(&protein["cluster_size"].as_u64().unwrap_or(0)),
        Some("sizes"),
    ),
    (
        "length:<100",
        |protein| protein["sequence"].as_str().is_some_and(|sequence| sequence.len() < 100),
        Some("lengths"),
    ),
    (
        "assembly:ERZ000006",
        |protein| any(protein, "study_assembly_contigs", |contig| contig["assembly_accession"] == "ERZ000006"),
        Some("assemblies"),
    ),
    (
        "study:erp000005",
        |protein| any(protein, "study_assembly_contigs", |contig| contig["study_accession"] == "ERP000005"),
        Some("studies"),
    ),
];

#[test]
fn queries_find_proteins_or_name_what_is_lacking() {
    for copy in FrozenCopy::all() {
        let expected = expected(copy.format);
        let generation =
            ProteinGeneration::open_current(&copy.folder.generations()).expect("whole").expect("published");
        for (text, is_match, new) in QUERIES {
            let query = ProteinQuery::parse(text, generation.biomes()).expect(text);
            let page = generation.page(&query, None, 1000, PAGE_BUDGET);
            let Some(what) = new.filter(|_| copy.format < 3) else {
                let proteins =
                    expected["proteins"].as_array().expect("a list").iter().filter(|protein| is_match(protein));
                let proteins: Vec<_> = proteins
                    .map(|protein| {
                        let length = protein["sequence"].as_str().map(str::len);
                        json!([protein["mgyp"], length, protein["full_length"], protein["cluster_size"]])
                    })
                    .collect();
                let found = page.expect(text).hits.into_iter();
                let found =
                    found.map(|hit| json!([hit.accession.to_string(), hit.length, hit.full_length, hit.cluster_size]));
                assert_eq!(found.collect::<Vec<_>>(), proteins, "{text}, format {}", copy.format);
                assert!(!proteins.is_empty() && proteins.len() < 1000, "{text} tells something");
                continue;
            };
            let errors = [page.map(drop), generation.total(&query, 0).map(drop)].map(|answer| answer.expect_err(text));
            for error in errors {
                let message = error.to_string();
                assert!(matches!(error, Error::Lacking { .. }), "{text}: {message}");
                assert!(message.contains(what) && message.contains("mgdex index"), "{text}: {message}");
            }
        }
    }
}

#[tokio::test]
async fn requests_for_what_an_index_lacks_name_the_command() {
    for copy in FrozenCopy::all() {
        let router = copy.folder.router();
        for (text, _, new) in QUERIES {
            let query: String = form_urlencoded::byte_serialize(text.as_bytes()).collect();
            for format in ["json", "ndjson", "fasta"] {
                let answer = get(&router, &format!("{PROTEINS_V2}/proteins?q={query}&format={format}")).await;
                let Some(what) = new.filter(|_| copy.format < 3) else {
                    assert_eq!(answer.status, StatusCode::OK, "{text}, format {}", copy.format);
                    continue;
                };
                assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{text}, {format}");
                assert_eq!(answer.header("cache-control"), "no-store");
                let detail = answer.json()["detail"].to_string();
                assert!(detail.contains(what) && detail.contains("`mgdex index`"), "{text}, {format}: {detail}");
            }
        }
        assert_eq!(get(&router, &format!("{PROTEINS_V2}/proteins/1")).await.json()["accession"], "MGYP000000000001");
    }
}

#[tokio::test]
async fn every_replaced_accession_leads_on_as_ever() {
    for copy in FrozenCopy::all() {
        let router = copy.folder.router();
        for (old, new) in expected(copy.format)["replaced"].as_object().expect("by accession") {
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
}

#[tokio::test]
async fn reading_it_writes_nothing() {
    for copy in FrozenCopy::all() {
        let before = contents(copy.folder.path());
        let router = copy.folder.router();
        assert_eq!(get_protein(&router, "/protein/1").await.status, StatusCode::OK);
        assert_eq!(get_protein(&router, "/protein/search?biome_id=0").await.status, StatusCode::OK);
        let generation =
            ProteinGeneration::open_current(&copy.folder.generations()).expect("whole").expect("published");
        generation.verify().expect("unaltered");
        drop((router, generation));
        assert_eq!(before, contents(copy.folder.path()));
    }
}
