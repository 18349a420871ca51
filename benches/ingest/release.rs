//! Synthetic releases, which are kept for the next run.

use std::fs;
use std::path::{Path, PathBuf};

use indexer_synth::{SynthLayout, SynthPlan};

/// The memory for sorting while a release is made.
const MEMORY_BYTES: usize = 1 << 30;

/// The kind of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Parquet, representatives only.
    Parquet,
    /// Flat files, representatives only.
    Flat,
    /// Shuffled Parquet, representatives only.
    ParquetShuffled,
    /// Parquet, with the members of clusters.
    ParquetWithMembers,
}

/// A release on disk.
pub(crate) struct Release {
    /// Its kind.
    pub(crate) kind: Kind,
    /// The number of proteins, of whatever role.
    pub(crate) num_proteins: u64,
    pub(crate) path: PathBuf,
}

impl Kind {
    /// Returns the name in the results.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Parquet => "Parquet",
            Self::Flat => "flat",
            Self::ParquetShuffled => "Parquet, no order",
            Self::ParquetWithMembers => "Parquet, with members",
        }
    }
}

impl Release {
    /// Makes a release unless it exists.
    pub(crate) fn provide(kind: Kind, num_proteins: u64) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ingest");
        fs::create_dir_all(&folder).expect("a writable folder");
        let path = folder.join(format!("{kind:?}-{num_proteins}"));
        if !path.try_exists().expect("readable") {
            let plan = SynthPlan {
                out: path.clone(),
                num_proteins,
                layout: if kind == Kind::Flat { SynthLayout::Flat } else { SynthLayout::Parquet },
                seed: 1,
                shuffle: kind == Kind::ParquetShuffled,
                faults: false,
                only_representatives: kind != Kind::ParquetWithMembers,
                memory_bytes: MEMORY_BYTES,
            };
            plan.run().expect("room on the disk");
        }
        Self { kind, num_proteins, path }
    }

    /// Returns the name in the results.
    pub(crate) fn name(&self) -> String {
        format!("{}, {} M", self.kind.name(), self.num_proteins as f64 / 1e6)
    }

    /// Returns the names of its files without endings, with their sizes.
    pub(crate) fn files(&self) -> Vec<(String, u64)> {
        let entries = fs::read_dir(&self.path).expect("a folder").map(|entry| entry.expect("readable"));
        let files = entries.map(|entry| (table_of(&entry.path()), entry.metadata().expect("a file").len()));
        files.collect()
    }
}

/// Returns the name of a file without endings.
pub(crate) fn table_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
}

/// Returns the path of a bundled table.
pub(crate) fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/proteins").join(name)
}
