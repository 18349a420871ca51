//! `mgdex directory …`.

use clap::{Args, Subcommand};
use indexer::Input;

use super::{DataFolder, parse_input, parse_memory};
use crate::size::Size;

/// What to do with the directory.
#[derive(Debug, Subcommand)]
pub(crate) enum DirectoryCommand {
    /// Load users and domains and make them the current directory
    Load(DirectoryLoadArguments),
}

/// What a directory is loaded from.
#[derive(Debug, Args)]
pub(crate) struct DirectoryLoadArguments {
    /// Where the directory goes.
    #[command(flatten)]
    pub(crate) data: DataFolder,
    /// A file with one user or domain a line, as JSON
    #[arg(value_name = "FILE", value_parser = parse_input)]
    pub(crate) file: Input,
    /// Memory for sorting, 64M at least; larger inputs go through the disk
    #[arg(long, env = "MGDEX_MEMORY", value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    pub(crate) memory: Size,
    /// How many bad rows are left out, listed in the rejects file, before the load fails
    #[arg(long, env = "MGDEX_MAX_REJECTS", value_name = "N", default_value_t = 0)]
    pub(crate) max_rejects: u64,
}
