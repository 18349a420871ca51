//! Runs of the real binary over synthetic releases.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use store::GenerationName;
use tempfile::TempDir;

use crate::families;
use crate::machine::{generations, mgdex};

/// A release that the binary has written.
pub struct Release {
    folder: TempDir,
}

impl Release {
    /// Writes one with that many representatives, and some more arguments.
    pub fn write(num_proteins: u64, arguments: &[&str]) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let mut command = crate::program();
        command.args(["synth", "--quiet", "--proteins", &num_proteins.to_string()]).args(arguments);
        let output = command.arg("--out").arg(folder.path().join("release")).output().expect("the binary");
        assert!(output.status.success(), "{output:?}");
        let release = Self { folder };
        fs::write(families::table_path(&release.path()), families::of(&release.path())).expect("room");
        release
    }

    /// Returns its folder.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("release")
    }

    /// Returns the command that indexes it with the least memory.
    pub fn index(&self, data: &Path) -> Command {
        let mut command = mgdex("index", data);
        command.arg("--release").arg(self.path());
        command.arg("--biomes").arg(crate::data("proteins/biomes_id_lineage.tsv"));
        command.arg("--pfam").arg(families::table_path(&self.path()));
        command.args([
            "--memory",
            "64M",
            "--threads",
            "2",
            "--max-rejects",
            "1000000",
            "--checksums",
            "--members",
            "--contigs",
        ]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Indexes it.
    pub fn publish(&self, data: &Path) -> Output {
        self.index(data).output().expect("the binary")
    }
}

/// Returns the report of the current generation.
pub fn report(data: &Path) -> Value {
    let text = fs::read_to_string(current_folder(data).join("report.json")).expect("a run over a release");
    serde_json::from_str(&text).expect("JSON")
}

/// Returns the folder of the current generation.
pub fn current_folder(data: &Path) -> PathBuf {
    generations(data).path(current_name(data))
}

/// Returns the name of the current generation.
pub fn current_name(data: &Path) -> GenerationName {
    generations(data).current().expect("readable").expect("published")
}

/// Returns the number of ranges that an earlier run had indexed.
pub fn num_ranges_continued(data: &Path) -> u64 {
    report(data)["release"]["num_ranges_continued"].as_u64().expect("a number")
}

/// Returns the contents of the journal of the unfinished run, if there is one.
pub fn journal(data: &Path) -> Option<String> {
    let entries = fs::read_dir(data.join("proteins")).ok()?;
    entries.filter_map(Result::ok).find_map(|entry| fs::read_to_string(entry.path().join("journal")).ok())
}
