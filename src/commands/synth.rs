//! `mgdex synth`: writing a synthetic release.

use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::{Args, ValueEnum, value_parser};
use indexer::counted;
use indexer_synth::{Fault, SynthLayout, SynthPlan, SynthReport};

use crate::failure::Failure;
use crate::output::Output;

const MEMORY_BYTES: usize = 256 << 20;

/// The largest synthetic release. Accessions have twelve digits.
const PROTEINS_MAX: u64 = 100_000_000_000;

#[derive(Debug, Args)]
pub(crate) struct SynthArguments {
    /// Number of proteins, cluster representatives and other members together
    #[arg(long, env = "MGDEX_PROTEINS", value_name = "N", value_parser = value_parser!(u64).range(1..=PROTEINS_MAX))]
    proteins: u64,
    /// Folder for the files: a new or an empty one
    #[arg(long, env = "MGDEX_OUT", value_name = "DIR")]
    out: PathBuf,
    /// File formats
    #[arg(long, env = "MGDEX_LAYOUT", value_enum, default_value = "parquet")]
    layout: ReleaseLayout,
    /// Seed of the random numbers: the same seed gives the same bytes
    #[arg(long, env = "MGDEX_SEED", value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Shuffle the rows of every table
    #[arg(long, env = "MGDEX_SHUFFLE", value_parser = FalseyValueParser::new())]
    shuffle: bool,
    /// Add bad rows, and list them in faults.tsv
    #[arg(long, env = "MGDEX_FAULTS", value_parser = FalseyValueParser::new())]
    faults: bool,
    /// Write only cluster representatives, without the other members of their clusters
    #[arg(long, env = "MGDEX_ONLY_REPRESENTATIVES", value_parser = FalseyValueParser::new())]
    only_representatives: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ReleaseLayout {
    /// Parquet files, as of July 2026
    Parquet,
    /// Gzipped FASTA and TSV files, as of April 2024
    Flat,
}

pub(crate) fn run(arguments: &SynthArguments) -> Result<(), Failure> {
    let plan = SynthPlan {
        out: arguments.out.clone(),
        num_proteins: arguments.proteins,
        layout: match arguments.layout {
            ReleaseLayout::Parquet => SynthLayout::Parquet,
            ReleaseLayout::Flat => SynthLayout::Flat,
        },
        seed: arguments.seed,
        shuffle: arguments.shuffle,
        faults: arguments.faults,
        only_representatives: arguments.only_representatives,
        memory_bytes: MEMORY_BYTES,
    };
    let SynthReport { files, faults } = plan.run()?;
    log_faults(&faults);
    let mut output = Output::new();
    for file in &files {
        tracing::info!("{}: {}", file.path.display(), counted(file.num_rows, "row"));
        output.line(file.path.display())?;
    }
    output.finish()
}

fn log_faults(faults: &[Fault]) {
    let mut reasons: Vec<_> = faults.iter().map(|fault| fault.reason).collect();
    reasons.sort_unstable();
    for same in reasons.chunk_by(|one, other| one == other) {
        tracing::info!("{}: {}", counted(same.len() as u64, "bad row"), same[0].name());
    }
}
