//! The results of a run over a release that nothing disturbs.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::machine::acknowledged;
use serde_json::Value;
use tempfile::TempDir;

use super::contents::Contents;
use super::runs::{Release, current_folder, num_ranges_continued, report};

/// The outcome of a run that was left alone.
pub struct Expected {
    pub contents: Contents,
    report: Value,
    rejects: String,
    pub duration: Duration,
}

impl Expected {
    /// Runs over a release without a disturbance.
    pub fn of(release: &Release) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let started = Instant::now();
        acknowledged(&release.publish(folder.path()));
        let duration = started.elapsed();
        assert_eq!(num_ranges_continued(folder.path()), 0);
        let contents = Contents::of(&folder.path().join("proteins"));
        assert!(contents.num_proteins() > 0 && contents.has_digests());
        assert!(contents.num_members() >= contents.num_proteins());
        assert!(contents.num_neighbours() > contents.num_members());
        Self { contents, report: report(folder.path()), rejects: rejects(folder.path()), duration }
    }

    /// Compares the current generation of a data folder with it.
    pub fn assert_published(&self, data: &Path, context: &str) {
        self.contents.assert_same(&Contents::of(&data.join("proteins")), context);
        let report = report(data);
        for key in ["files", "num_read", "num_accepted", "num_rejected", "num_passed_over", "notes", "num_biomes"] {
            assert_eq!(report[key], self.report[key], "{context}: {key}");
        }
        for key in ["num_proteins", "out_of_order", "layout"] {
            assert_eq!(report["release"][key], self.report["release"][key], "{context}: {key}");
        }
        assert_eq!(rejects(data), self.rejects, "{context}");
    }
}

/// Returns the rejected rows of the current generation.
fn rejects(data: &Path) -> String {
    fs::read_to_string(current_folder(data).join("rejects.tsv")).expect("listed")
}
