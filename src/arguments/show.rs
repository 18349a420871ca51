//! `mgdex show`.

use clap::{Args, ValueEnum};
use store::ProteinAccession;

use super::DataFolder;

/// What to show.
#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// Where the data are.
    #[command(flatten)]
    pub(crate) data: DataFolder,
    /// Accessions: MGYP000261684433, or just 261684433
    #[arg(value_name = "MGYP", required = true)]
    pub(crate) accessions: Vec<ProteinAccession>,
    /// The form of the output: JSON, one record a line, or FASTA
    #[arg(long, env = "MGDEX_FORMAT", value_enum, default_value = "json")]
    pub(crate) format: ShowFormat,
}

/// The form of records.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ShowFormat {
    /// JSON, one record a line, as the service answers
    Json,
    /// The sequence only, 60 residues a line
    Fasta,
}
