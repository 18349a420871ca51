#![doc = include_str!("../README.md")]

mod assemblies;
mod cluster;
mod clusters;
mod draw;
mod fault_writer;
mod faults;
mod files;
mod folder;
mod lineages;
mod model;
mod protein;
mod proteins;
mod random;
mod stages;
mod tables;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

pub use faults::{Fault, FaultReason};
pub use model::PFAM;

use indexer::Result;

use crate::folder::UnfinishedFolder;

/// The file formats of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SynthLayout {
    /// Parquet files, as of July 2026.
    Parquet,
    /// Gzipped FASTA and TSV files, as of April 2024.
    Flat,
}

/// The release to write, and its folder.
#[derive(Clone, Debug)]
pub struct SynthPlan {
    /// The folder, which must be missing or empty.
    pub out: PathBuf,
    /// The number of proteins, cluster representatives and other members together.
    pub num_proteins: u64,
    /// The file formats.
    pub layout: SynthLayout,
    /// The seed of all random numbers: plans that differ only in seed give different proteins.
    pub seed: u64,
    /// Shuffle the rows.
    pub shuffle: bool,
    /// Add bad rows.
    pub faults: bool,
    /// Write only representatives, without the other members of their clusters.
    pub only_representatives: bool,
    /// The memory for sorting, in bytes.
    pub memory_bytes: usize,
}

/// A file of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SynthFile {
    /// Its path.
    pub path: PathBuf,
    /// The number of rows, or of sequences in a FASTA file.
    pub num_rows: u64,
}

/// The files that were written.
#[derive(Clone, Debug)]
pub struct SynthReport {
    /// All files.
    pub files: Vec<SynthFile>,
    /// The bad rows in them.
    pub faults: Vec<Fault>,
}

impl SynthPlan {
    /// Writes the release. Its folder appears when all files are complete.
    ///
    /// # Errors
    ///
    /// * The folder is not empty, or a file cannot be written.
    pub fn run(&self) -> Result<SynthReport> {
        let unfinished = UnfinishedFolder::create(&self.out)?;
        let mut report = stages::write(self, &unfinished.content(), &unfinished.scratch())?;
        unfinished.publish()?;
        for file in &mut report.files {
            file.path = self.out.join(&file.path);
        }
        Ok(report)
    }
}
