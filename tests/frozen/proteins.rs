//! Indexes of formats 1 and 2 that were built once and must open for ever.
//!
//! `frozen/v1` and `frozen/v2` are data folders as `frozen/regenerate.sh` has built them of `frozen/inputs`, and
//! `frozen/expected.json` is what they must answer, worked out from the same inputs by a script that shares no code with mgdex. If a test here fails, the program has
//! to change, not the index.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use axum::http::StatusCode;
use serde_json::{Value, json};
use store::ProteinGeneration;
use support::{TestFolder, get_protein};

/// Rights to read, for files and folders.
const READ_ONLY: [u32; 2] = [0o444, 0o555];

/// The usual rights, for files and folders.
const WRITABLE: [u32; 2] = [0o644, 0o755];

/// All formats.
const FORMATS: [u32; 2] = [1, 2];

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
    fn all() -> [Self; 2] {
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

fn expected() -> Value {
    serde_json::from_slice(&fs::read(frozen("expected.json")).expect("committed")).expect("JSON")
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
        let (statistics, expected) = (generation.statistics(), expected());
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
        for protein in expected()["proteins"].as_array().expect("a list") {
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
}

#[tokio::test]
async fn every_replaced_accession_leads_on_as_ever() {
    for copy in FrozenCopy::all() {
        let router = copy.folder.router();
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
