//! The identity of the inputs of a run, so that it is only continued with the same ones.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use indexer::{Error, Result};
use serde::{Deserialize, Serialize};
use store::{BiomeTable, FamilyTable};

use crate::read::layout::Layout;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fingerprint {
    /// The folder of the release, for messages: the same files in another folder are the same
    /// inputs.
    #[serde(default)]
    pub(super) folder: PathBuf,
    files: Vec<FileStamp>,
    biomes: u32,
    families: u32,
    all_proteins: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct FileStamp {
    name: String,
    size_bytes: u64,
    /// The time of the last change, in nanoseconds since 1970-01-01 UTC.
    modified_ns: u64,
}

impl Fingerprint {
    pub(crate) fn new(release: &Path, layout: &Layout, biomes: &BiomeTable, families: &FamilyTable) -> Result<Self> {
        let files = layout.files().map(|file| stamp(&file.path)).collect::<Result<_>>()?;
        let biomes = checksum(biomes.iter().map(|biome| format!("{:?}\t{}", biome.id, biome.lineage)));
        let families = checksum(families.iter().map(|(accession, family)| format!("{accession}\t{family:?}")));
        let folder = release.canonicalize().map_err(Error::io("cannot read", release))?;
        Ok(Self { folder, files, biomes, families, all_proteins: layout.all_proteins })
    }

    /// Returns how other inputs differ, or `None` if they do not.
    pub(super) fn difference(&self, other: &Self) -> Option<String> {
        if let Some((mine, theirs)) = self.files.iter().zip(&other.files).find(|(mine, theirs)| mine != theirs) {
            return Some(if mine.name != theirs.name {
                format!("it read {}, this one reads {}", mine.name, theirs.name)
            } else if self.folder == other.folder {
                format!("{} has changed", mine.name)
            } else {
                format!("{} is not the one in {}", mine.name, other.folder.display())
            });
        }
        if self.files.len() != other.files.len() {
            return Some(format!("it read {} files, this one reads {}", self.files.len(), other.files.len()));
        }
        if self.biomes != other.biomes {
            return Some("the biome table differs".to_owned());
        }
        if self.families != other.families {
            return Some("the clans table differs".to_owned());
        }
        (self.all_proteins != other.all_proteins).then(|| "only one of them has --all-proteins".to_owned())
    }
}

fn checksum(rows: impl Iterator<Item = String>) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for row in rows {
        hasher.update(row.as_bytes());
        hasher.update(b"\n");
    }
    hasher.finalize()
}

fn stamp(path: &Path) -> Result<FileStamp> {
    let metadata = path.metadata().map_err(Error::io("cannot read", path))?;
    let modified = metadata.modified().ok().and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    let modified_ns = modified.and_then(|since| u64::try_from(since.as_nanos()).ok()).unwrap_or_default();
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(FileStamp { name, size_bytes: metadata.len(), modified_ns })
}
