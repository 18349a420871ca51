//! Writing a synthetic release, and indexing it, with the program itself.

use std::path::Path;

use serde_json::Value;

use crate::cli::{Done, run, run_on, tables};
use support::TestFolder;
use support::program;

/// Writes a release of 500 proteins.
fn synth(out: &Path, layout: &str) -> Done {
    run(program().args(["synth", "--proteins", "500", "--seed", "3", "--layout", layout, "--out"]).arg(out))
}

/// Indexes a release.
fn index_release(folder: &TestFolder, release: &Path) -> Done {
    let mut command = program();
    command.args(["index", "--release"]).arg(release).args(tables()).arg("--data").arg(folder.path());
    run(&mut command)
}

#[test]
fn a_synthetic_release_is_written_listed_and_indexed() {
    for layout in ["parquet", "flat"] {
        let folder = TestFolder::empty();
        let release = folder.path().join("release");
        let done = synth(&release, layout);
        assert_eq!(done.code, Some(0), "{done:?}");
        let files: Vec<&Path> = done.stdout.lines().map(Path::new).collect();
        assert!(files.len() >= 8 && files.iter().all(|file| file.is_file()), "{files:?}");

        let done = index_release(&folder, &release);
        assert_eq!(done.code, Some(0), "{done:?}");
        assert!(done.stderr.contains("only cluster representatives are indexed; --all-proteins"), "{}", done.stderr);
        let generation = Path::new(done.stdout.trim_end());
        let report = std::fs::read(generation.join("report.json")).expect("a report");
        let report: Value = serde_json::from_slice(&report).expect("JSON");
        assert_eq!((&report["release"]["layout"], &report["num_rejected"]), (&layout.into(), &0.into()));
        for message in ["is used for the", "indexing", "merging", "bytes a record"] {
            assert!(done.stderr.contains(message), "{message}: {}", done.stderr);
        }

        let num_proteins = report["release"]["num_proteins"].as_u64().expect("a number");
        let found = run_on(&folder, &["search", "--lineage", "root", "--limit", "1000", "--format", "tsv"]);
        assert_eq!(found.stdout.lines().count() as u64, num_proteins + 1, "{layout}: all, and the header");
    }
}
