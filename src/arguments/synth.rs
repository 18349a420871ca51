//! `mgdex synth`.

use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::{Args, ValueEnum, value_parser};

/// The largest synthetic release. Accessions have twelve digits.
const PROTEINS_MAX: u64 = 100_000_000_000;

#[derive(Debug, Args)]
pub(crate) struct SynthArguments {
    /// Number of proteins, cluster representatives and other members together
    #[arg(long, env = "MGDEX_PROTEINS", value_name = "N", value_parser = value_parser!(u64).range(1..=PROTEINS_MAX))]
    pub(crate) proteins: u64,
    /// Folder for the files, which must be missing or empty
    #[arg(long, env = "MGDEX_OUT", value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// File formats
    #[arg(long, env = "MGDEX_LAYOUT", value_enum, default_value = "parquet")]
    pub(crate) layout: ReleaseLayout,
    /// Seed of the random numbers: the same seed gives the same bytes
    #[arg(long, env = "MGDEX_SEED", value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Shuffle the rows of every table
    #[arg(long, env = "MGDEX_SHUFFLE", value_parser = FalseyValueParser::new())]
    pub(crate) shuffle: bool,
    /// Add bad rows, and list them in faults.tsv
    #[arg(long, env = "MGDEX_FAULTS", value_parser = FalseyValueParser::new())]
    pub(crate) faults: bool,
    /// Write only cluster representatives, without the other members of their clusters
    #[arg(long, env = "MGDEX_ONLY_REPRESENTATIVES", value_parser = FalseyValueParser::new())]
    pub(crate) only_representatives: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ReleaseLayout {
    /// Parquet files, as of July 2026
    Parquet,
    /// Gzipped FASTA and TSV files, as of April 2024
    Flat,
}
