//! `mgdex generations` and `mgdex rollback`.

use clap::{Args, ValueEnum};
use store::GenerationName;

use super::DataFolder;

/// A kind of data that is published as generations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// The index of proteins
    Proteins,
    /// The catalogue of studies, samples and all that belongs to them
    Catalogue,
    /// The directory of users and domains
    Directory,
}

/// Where to go back to.
#[derive(Debug, Args)]
pub(crate) struct RollbackArguments {
    /// Which data [default: the only kind that has an earlier generation]
    #[arg(value_enum)]
    pub(crate) kind: Option<Kind>,
    /// Where the data are.
    #[command(flatten)]
    pub(crate) data: DataFolder,
    /// The generation to make current, of those that `mgdex generations` lists [default: the one before]
    #[arg(long, env = "MGDEX_TO", value_name = "GENERATION", requires = "kind")]
    pub(crate) to: Option<GenerationName>,
}
