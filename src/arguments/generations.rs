//! `mgdex rollback`.

use clap::{Args, ValueEnum};
use store::GenerationName;

use super::DataFolder;

/// Data that are published as generations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// The index of proteins
    Proteins,
    /// The catalogue of studies, samples and related resources
    Catalogue,
    /// The directory of users and domains
    Directory,
}

#[derive(Debug, Args)]
pub(crate) struct RollbackArguments {
    /// The data to roll back [default: the only data with an earlier generation]
    #[arg(value_enum)]
    pub(crate) kind: Option<Kind>,
    #[command(flatten)]
    pub(crate) data: DataFolder,
    /// The generation to make current, as listed by `mgdex generations` [default: the previous one]
    #[arg(long, env = "MGDEX_TO", value_name = "GENERATION", requires = "kind")]
    pub(crate) to: Option<GenerationName>,
}
