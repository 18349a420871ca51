#![doc = include_str!("../README.md")]

mod assemblies;
mod background;
mod cell;
mod chance;
mod clusters;
mod columns;
mod draw;
mod faults;
mod file;
mod files;
mod folder;
mod gzip;
mod inputs;
mod lineages;
mod parquet;
mod protein;
mod proteins;
mod sprinkle;
mod stages;
mod sum;
mod tables;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

pub use faults::{Fault, FaultReason};

use indexer::Result;

use crate::folder::Unfinished;

/// The form of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SynthLayout {
    /// Parquet files, as of July 2026.
    Parquet,
    /// Gzip files of lines, as of April 2024.
    Flat,
}

/// What a synthetic release is to be.
#[derive(Clone, Debug)]
pub struct SynthPlan {
    /// The folder, which must be missing or empty.
    pub out: PathBuf,
    /// The number of proteins, representatives and other members of clusters together.
    pub num_proteins: u64,
    /// The form.
    pub layout: SynthLayout,
    /// Another seed gives other proteins.
    pub seed: u64,
    /// Whether rows are in no order.
    pub shuffle: bool,
    /// Whether there are bad rows.
    pub faults: bool,
    /// Whether all proteins are representatives, and other members left out.
    pub only_representatives: bool,
    /// The memory for sorting.
    pub memory_bytes: usize,
}

/// A file of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SynthFile {
    /// Where it is.
    pub path: PathBuf,
    /// The number of rows; of FASTA files, of sequences.
    pub num_rows: u64,
}

/// What was written.
#[derive(Clone, Debug)]
pub struct SynthReport {
    /// The files.
    pub files: Vec<SynthFile>,
    /// The bad rows in them.
    pub faults: Vec<Fault>,
}

impl SynthPlan {
    /// Writes the release. Its folder gets its name when everything is in it.
    ///
    /// # Errors
    ///
    /// * The folder is not empty, an input cannot be used, or a file cannot be written.
    pub fn run(&self) -> Result<SynthReport> {
        let unfinished = Unfinished::create(&self.out)?;
        let (mut files, faults) = stages::write(self, &unfinished.content(), &unfinished.scratch())?;
        unfinished.publish()?;
        for file in &mut files {
            file.path = self.out.join(&file.path);
        }
        Ok(SynthReport { files, faults })
    }
}
