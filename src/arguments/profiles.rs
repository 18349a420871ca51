//! `mgdex profiles …`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use indexer::Input;

use super::{DataFolder, parse_input};

#[derive(Debug, Subcommand)]
pub(crate) enum ProfilesCommand {
    /// Write all profiles as JSON lines, while no server runs
    Export(ProfilesExportArguments),
    /// Read what was exported into a store without profiles, while no server runs
    Import(ProfilesImportArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ProfilesExportArguments {
    #[command(flatten)]
    pub(crate) data: DataFolder,
    /// The file, compressed if its name ends in .gz or .zst; `-` is standard output
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) file: PathBuf,
    /// Name damaged profiles and write the others; the exit code is 1 all the same
    #[arg(long)]
    pub(crate) skip_damaged: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ProfilesImportArguments {
    #[command(flatten)]
    pub(crate) data: DataFolder,
    /// The file, with one profile a line
    #[arg(value_name = "FILE", default_value = "-", value_parser = parse_input)]
    pub(crate) file: Input,
}
