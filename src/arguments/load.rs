//! `mgdex catalogue load` and `mgdex directory load`.

use clap::{Args, Subcommand, value_parser};
use indexer::Input;

use super::{DataFolder, parse_input, parse_memory};
use crate::size::Size;

#[derive(Debug, Subcommand)]
pub(crate) enum CatalogueCommand {
    /// Load JSON:API resources and make them the current catalogue
    Load(CatalogueLoadArguments),
}

#[derive(Debug, Args)]
pub(crate) struct CatalogueLoadArguments {
    #[command(flatten)]
    pub(crate) data: DataFolder,
    /// Files with one resource or document a line, files that are one document, or folders of such files
    #[arg(value_name = "FILE", required = true, value_parser = parse_input)]
    pub(crate) files: Vec<Input>,
    /// Memory for reading, sorting and indexing, at least 64M; what does not fit is sorted on disk
    #[arg(long, env = "MGDEX_MEMORY", value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    pub(crate) memory: Size,
    /// Number of threads that read resources [default: all cores]
    #[arg(long, short = 't', env = "MGDEX_THREADS", value_name = "N", value_parser = value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// Number of bad rows that are skipped and listed in the rejects file before the load fails [default: unlimited]
    #[arg(long, env = "MGDEX_MAX_REJECTS", value_name = "N")]
    pub(crate) max_rejects: Option<u64>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DirectoryCommand {
    /// Load users and domains and make them the current directory
    Load(DirectoryLoadArguments),
}

#[derive(Debug, Args)]
pub(crate) struct DirectoryLoadArguments {
    #[command(flatten)]
    pub(crate) data: DataFolder,
    /// A file with one user or domain a line, as JSON
    #[arg(value_name = "FILE", value_parser = parse_input)]
    pub(crate) file: Input,
    /// Memory for sorting, at least 64M; what does not fit is sorted on disk
    #[arg(long, env = "MGDEX_MEMORY", value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    pub(crate) memory: Size,
    /// Number of bad rows that are skipped and listed in the rejects file before the load fails
    #[arg(long, env = "MGDEX_MAX_REJECTS", value_name = "N", default_value_t = 0)]
    pub(crate) max_rejects: u64,
}
