//! `mgdex catalogue …`.

use clap::{Args, Subcommand, value_parser};
use indexer::Input;

use super::{DataFolder, parse_input, parse_memory};
use crate::size::Size;

/// What to do with the catalogue.
#[derive(Debug, Subcommand)]
pub(crate) enum CatalogueCommand {
    /// Load resources of JSON:API and make them the current catalogue
    Load(CatalogueLoadArguments),
}

/// What a catalogue is loaded from.
#[derive(Debug, Args)]
pub(crate) struct CatalogueLoadArguments {
    /// Where the catalogue goes.
    #[command(flatten)]
    pub(crate) data: DataFolder,
    /// Files with one resource or document a line, files that are one document, or folders of such files
    #[arg(value_name = "FILE", required = true, value_parser = parse_input)]
    pub(crate) files: Vec<Input>,
    /// Memory for reading, sorting and indexing, 64M at least; larger inputs go through the disk
    #[arg(long, env = "MGDEX_MEMORY", value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    pub(crate) memory: Size,
    /// Threads that read resources [default: all cores]
    #[arg(long, short = 't', env = "MGDEX_THREADS", value_name = "N", value_parser = value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// How many bad rows are left out, listed in the rejects file, before the load fails [default: any number]
    #[arg(long, env = "MGDEX_MAX_REJECTS", value_name = "N")]
    pub(crate) max_rejects: Option<u64>,
}
