//! Synthetic releases in folders that go away.

use std::path::{Path, PathBuf};

use synth::{SynthLayout, SynthPlan, SynthReport};
use tempfile::TempDir;

/// The number of proteins that a release has, with all members of clusters.
pub(crate) const NUM_PROTEINS: u64 = 20_000;

/// Both layouts.
pub(crate) const LAYOUTS: [SynthLayout; 2] = [SynthLayout::Parquet, SynthLayout::Flat];

/// A release.
pub(crate) struct Synthetic {
    folder: TempDir,
    /// The files that were written.
    pub(crate) report: SynthReport,
}

impl Synthetic {
    /// Writes a release as a plan says, whose folder is set here.
    pub(crate) fn write(plan: &SynthPlan) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let report = SynthPlan { out: folder.path().join("release"), ..plan.clone() }.run().expect("room");
        Self { folder, report }
    }

    /// Returns its folder.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("release")
    }
}

/// Returns the plan of a release in order and without faults.
pub(crate) fn synth_plan(layout: SynthLayout, num_proteins: u64) -> SynthPlan {
    SynthPlan {
        out: PathBuf::new(),
        num_proteins,
        layout,
        seed: 7,
        shuffle: false,
        faults: false,
        only_representatives: false,
        memory_bytes: 32 << 20,
    }
}

/// Returns the names of the files in a folder.
pub(crate) fn file_names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("readable");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
