//! Synthetic releases in temporary folders.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use indexer_synth::{SynthLayout, SynthPlan, SynthReport};
use tempfile::TempDir;

use support::families;

/// Both layouts.
pub(crate) const LAYOUTS: [SynthLayout; 2] = [SynthLayout::Parquet, SynthLayout::Flat];

/// Releases by their plans, each made once a process.
static MADE: LazyLock<Mutex<HashMap<String, Arc<OnceLock<Made>>>>> = LazyLock::new(Mutex::default);

/// The files of a release, by name, and the table of their families.
struct Made {
    files: Vec<(String, Vec<u8>)>,
    clans: String,
    report: SynthReport,
}

impl Made {
    fn of(plan: &SynthPlan) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let path = folder.path().join("release");
        let report = SynthPlan { out: path.clone(), ..plan.clone() }.run().expect("room");
        let read = |name: String| {
            let bytes = fs::read(path.join(&name)).expect("readable");
            (name, bytes)
        };
        Self { files: file_names(&path).into_iter().map(read).collect(), clans: families::of(&path), report }
    }
}

/// A release.
pub(crate) struct Synthetic {
    folder: TempDir,
    /// The files that were written.
    pub(crate) report: SynthReport,
}

impl Synthetic {
    /// Writes a release according to a plan, whose folder is set here.
    pub(crate) fn write(plan: &SynthPlan) -> Self {
        let made = Arc::clone(MADE.lock().expect("no panic").entry(format!("{plan:?}")).or_default());
        let Made { files, clans, report } = made.get_or_init(|| Made::of(plan));
        let mut synthetic = Self { folder: TempDir::new().expect("a temporary folder"), report: report.clone() };
        let path = synthetic.path();
        fs::create_dir(&path).expect("new");
        for (name, bytes) in files {
            fs::write(path.join(name), bytes).expect("room");
        }
        fs::write(families::table_path(&path), clans).expect("room");
        for file in &mut synthetic.report.files {
            file.path = path.join(file.path.file_name().expect("a file"));
        }
        synthetic
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
