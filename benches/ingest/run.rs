//! Runs of `mgdex index`.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use store::Generations;
use store_proteins::ProteinGeneration;
use support::process::Process;
use tempfile::TempDir;

use crate::release::{Kind, Release, data, table_of};

/// A run that is to be measured.
pub(crate) struct RunPlan<'a> {
    pub(crate) release: &'a Release,
    /// The value of `--memory`.
    pub(crate) memory: &'static str,
}

/// A run that was measured.
pub(crate) struct Run {
    /// The input and the memory of the run, for people.
    pub(crate) name: String,
    /// The kind of release.
    pub(crate) kind: Kind,
    /// The system's report on the process.
    pub(crate) process: Process,
    /// The report of the run.
    report: Value,
    /// Rows and bytes that were read, by table.
    pub(crate) tables: BTreeMap<String, Read>,
    /// The data folder, until the run is dropped.
    folder: TempDir,
}

/// The rows and bytes that were read of a table.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Read {
    pub(crate) num_rows: u64,
    /// Those of proteins that are not indexed.
    pub(crate) num_passed_over: u64,
    /// The bytes on disk, with columns that were not read.
    pub(crate) size_bytes: u64,
}

impl RunPlan<'_> {
    /// Indexes into a folder that is removed with the result.
    pub(crate) fn run(&self) -> Run {
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder");
        let mut command = Command::new(env!("CARGO_BIN_EXE_mgdex"));
        command.args(["index", "--quiet", "--memory", self.memory]);
        command.arg("--data").arg(folder.path()).arg("--release").arg(&self.release.path);
        command.arg("--biomes").arg(data("biomes_id_lineage.tsv"));
        command.arg("--pfam").arg(data("Pfam-A.clans.tsv.gz"));
        let process = Process::run(&mut command);
        let generation = open(&folder);
        let report = fs::read(generations(&folder).path(generation.name()).join("report.json")).expect("written");
        let report: Value = serde_json::from_slice(&report).expect("JSON");
        let tables = tables(self.release, &report);
        let name = format!("{}, {}", self.release.name(), self.memory);
        Run { name, kind: self.release.kind, process, report, tables, folder }
    }
}

impl Run {
    /// Opens what was built.
    pub(crate) fn generation(&self) -> ProteinGeneration {
        open(&self.folder)
    }

    /// Returns the data folder.
    pub(crate) fn data(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the bytes of those files of the current generation that are counted.
    pub(crate) fn size_bytes(&self, is_counted: impl Fn(&Metadata) -> bool) -> u64 {
        let generation = self.generation();
        let path = generations(&self.folder).path(generation.name());
        let files = generation.manifest().files.iter().map(|file| path.join(&file.path));
        let metadata = files.map(|file| fs::metadata(file).expect("listed"));
        metadata.filter(|file| is_counted(file)).map(|file| file.len()).sum()
    }

    /// Returns a number of the report about the release.
    pub(crate) fn number(&self, name: &str) -> u64 {
        self.report["release"][name].as_u64().unwrap_or_default()
    }

    /// Returns the number of proteins in the index.
    pub(crate) fn num_indexed(&self) -> u64 {
        self.number("num_proteins")
    }

    /// Returns the names and seconds of the stages.
    pub(crate) fn stages(&self) -> Vec<(String, f64)> {
        let stages = self.report["stages"].as_array().map(Vec::as_slice).unwrap_or_default();
        let seconds = |stage: &Value| stage["duration_ms"].as_f64().unwrap_or_default() / 1e3;
        stages.iter().map(|stage| (stage["name"].as_str().unwrap_or_default().to_owned(), seconds(stage))).collect()
    }
}

/// Returns the folder of the generations.
fn generations(folder: &TempDir) -> Generations {
    Generations::new(folder.path().join("proteins"))
}

/// Opens what was built.
fn open(folder: &TempDir) -> ProteinGeneration {
    ProteinGeneration::open_current(&generations(folder)).expect("whole").expect("published")
}

/// Finds what was read of each table that was read.
fn tables(release: &Release, report: &Value) -> BTreeMap<String, Read> {
    let sizes: BTreeMap<String, u64> = release.files().into_iter().collect();
    let mut tables = BTreeMap::new();
    for file in report["files"].as_array().map(Vec::as_slice).unwrap_or_default() {
        let path = Path::new(file["name"].as_str().unwrap_or_default());
        let stem = table_of(path);
        let rows: &mut Read = tables.entry(stem.trim_end_matches(['_', '1', '2']).to_owned()).or_default();
        let num_read = file["num_read"].as_u64().unwrap_or_default();
        let passed_over = file["passed_over"].as_object().into_iter().flat_map(|reasons| reasons.values());
        rows.num_rows += num_read;
        rows.num_passed_over += passed_over.filter_map(Value::as_u64).sum::<u64>();
        rows.size_bytes += if num_read > 0 { sizes.get(&stem).copied().unwrap_or_default() } else { 0 };
    }
    tables.retain(|_, rows| rows.num_rows > 0);
    tables
}
