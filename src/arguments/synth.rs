//! `mgdex synth`.

use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::{Args, ValueEnum, value_parser};

/// The most proteins of a synthetic release: accessions have twelve digits.
const PROTEINS_MAX: u64 = 100_000_000_000;

/// What a synthetic release is like.
#[derive(Debug, Args)]
pub(crate) struct SynthArguments {
    /// The number of proteins, representatives and other members of clusters together
    #[arg(long, env = "MGDEX_PROTEINS", value_name = "N", value_parser = value_parser!(u64).range(1..=PROTEINS_MAX))]
    pub(crate) proteins: u64,
    /// The folder for the files, which must be missing or empty
    #[arg(long, env = "MGDEX_OUT", value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// The form of the files
    #[arg(long, env = "MGDEX_LAYOUT", value_enum, default_value = "parquet")]
    pub(crate) layout: ReleaseLayout,
    /// Another seed gives other proteins; the same gives the same bytes
    #[arg(long, env = "MGDEX_SEED", value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Bring the rows of every table out of order
    #[arg(long, env = "MGDEX_SHUFFLE", value_parser = FalseyValueParser::new())]
    pub(crate) shuffle: bool,
    /// Add bad rows, and list them in faults.tsv
    #[arg(long, env = "MGDEX_FAULTS", value_parser = FalseyValueParser::new())]
    pub(crate) faults: bool,
    /// Make all proteins representatives, without the other members of their clusters
    #[arg(long, env = "MGDEX_ONLY_REPRESENTATIVES", value_parser = FalseyValueParser::new())]
    pub(crate) only_representatives: bool,
}

/// The form of a release.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ReleaseLayout {
    /// Parquet files, as of July 2026
    Parquet,
    /// Gzip files of lines, as of April 2024
    Flat,
}
