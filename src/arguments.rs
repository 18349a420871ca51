//! The command line.

mod catalogue;
mod directory;
mod generations;
mod index;
mod profile_service;
mod profiles;
mod search;
mod serve;
mod show;
mod synth;
mod token;

use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use indexer::Input;

pub(crate) use catalogue::{CatalogueCommand, CatalogueLoadArguments};
pub(crate) use directory::{DirectoryCommand, DirectoryLoadArguments};
pub(crate) use generations::{Kind, RollbackArguments};
pub(crate) use index::IndexArguments;
pub(crate) use profile_service::ProfileServiceArguments;
pub(crate) use profiles::{ProfilesCommand, ProfilesExportArguments, ProfilesImportArguments};
pub(crate) use search::{FilterArguments, SearchArguments, SearchFormat};
pub(crate) use serve::ServeArguments;
pub(crate) use show::{ShowArguments, ShowFormat};
pub(crate) use synth::{ReleaseLayout, SynthArguments};
pub(crate) use token::TokenArguments;

use crate::logging::LogFormat;
use crate::size::Size;

/// The least memory that a run works with.
const MEMORY_MIN: Size = Size(64 << 20);

/// Examples below the help.
const EXAMPLES: &str = "\
Examples:
  mgdex                                         load the bundled data into ./mgdex-data and serve them
  mgdex index --portal rows.csv.gz --biomes biomes.tsv --pfam Pfam-A.clans.tsv.gz
  mgdex index --release 2026_07 --biomes biomes.tsv --pfam Pfam-A.clans.tsv.gz --memory 8G
  mgdex catalogue load studies.jsonl.gz samples.jsonl.gz harvested-pages/
  mgdex directory load users-and-domains.jsonl.gz
  mgdex serve --listen 0.0.0.0:8080 --jwt-key public.pem
  mgdex token --key private.pem --sub usr-d8749acf-6a22-4438-accc-cc8d1877ba36 --domains svc.admin
  mgdex profiles export backup.jsonl.zst
  mgdex search --lineage root:Environmental:Aquatic:Marine --limit 10 --format tsv
  mgdex show MGYP004580619181 --format fasta

Results go to standard output, everything else to standard error. Exit codes: 0 done, 1 failed, 2 wrong usage,
130 interrupted.
Inputs may be plain, gzip or zstd; `-` is standard input.";

/// A metagenomics index on one machine: loads public MGnify data and serves them by REST.
///
/// Without a command: loads the bundled sample of real data where the data folder has none, and serves it.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES, max_term_width = 110)]
pub(crate) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// The settings of the demo.
    #[command(flatten)]
    pub(crate) demo: ServeArguments,
    /// The form of log lines.
    #[arg(long, global = true, env = "MGDEX_LOG", value_enum, default_value = "text")]
    pub(crate) log: LogFormat,
    /// Say only what needs attention.
    #[arg(long, short, global = true, env = "MGDEX_QUIET", value_parser = FalseyValueParser::new())]
    pub(crate) quiet: bool,
}

impl Arguments {
    /// Reads the command line, and exits where it is wrong or asks for help.
    pub(crate) fn read() -> Self {
        let matches = Self::command().get_matches();
        // Settings of the demo before a command would do nothing, so that whoever gives them means something else.
        if let Some(command) = matches.subcommand_name()
            && let Some(setting) = ServeArguments::augment_args(clap::Command::new("demo"))
                .get_arguments()
                .find(|setting| matches.value_source(setting.get_id().as_str()) == Some(ValueSource::CommandLine))
        {
            let problem = format!("{setting} stands before the command {command}: put it behind");
            Self::command().error(ErrorKind::ArgumentConflict, problem).exit();
        }
        let arguments = Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        let num_stdin = arguments.command.as_ref().map_or(0, Command::num_stdin);
        if num_stdin > 1 {
            let problem = "only one input can be `-`: standard input is read once";
            Self::command().error(ErrorKind::ArgumentConflict, problem).exit();
        }
        arguments
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build an index of proteins and make it the current one
    Index(IndexArguments),
    /// Load the catalogue of studies, samples and all that belongs to them
    #[command(subcommand)]
    Catalogue(CatalogueCommand),
    /// Load the directory of users and domains, which says who may read and change whose profile
    #[command(subcommand)]
    Directory(DirectoryCommand),
    /// Write all profiles to a file, or read them from one
    #[command(subcommand)]
    Profiles(ProfilesCommand),
    /// Make a token for the profiles, for development
    Token(TokenArguments),
    /// Serve what the data folder has; new data are taken over as they are published
    Serve(ServeArguments),
    /// Search proteins by biome or Pfam family, without a server
    Search(SearchArguments),
    /// Show full records of proteins, without a server
    Show(ShowArguments),
    /// Write a synthetic release of any size, for tests and measurements
    Synth(SynthArguments),
    /// List what was published: counts, dates, and what it was built from
    Generations(DataFolder),
    /// Serve the generation before the current one again; the next publication removes the one that is left
    Rollback(RollbackArguments),
    /// Check every generation in the data folder in full, checksums included
    Verify(DataFolder),
}

impl Command {
    /// Returns how many inputs are standard input.
    fn num_stdin(&self) -> usize {
        let is_stdin = |input: &&Input| **input == Input::Stdin;
        match self {
            Self::Index(index) => index.inputs().filter(is_stdin).count(),
            Self::Catalogue(CatalogueCommand::Load(load)) => load.files.iter().filter(is_stdin).count(),
            Self::Directory(DirectoryCommand::Load(load)) => usize::from(is_stdin(&&load.file)),
            Self::Profiles(ProfilesCommand::Import(import)) => usize::from(is_stdin(&&import.file)),
            _ => 0,
        }
    }
}

/// Where the data are.
#[derive(Clone, Debug, Args)]
pub(crate) struct DataFolder {
    /// The folder that holds all data of mgdex
    #[arg(long = "data", env = "MGDEX_DATA", value_name = "DIR", default_value = "mgdex-data")]
    pub(crate) path: PathBuf,
}

/// Reads an input.
#[expect(clippy::unnecessary_wraps, reason = "the signature of a value parser")]
fn parse_input(text: &str) -> Result<Input, String> {
    Ok(Input::from_argument(PathBuf::from(text)))
}

/// Reads an amount of memory that a run works with.
fn parse_memory(text: &str) -> Result<Size, String> {
    let size: Size = text.parse()?;
    if size.0 < MEMORY_MIN.0 { Err("64M at least is needed".to_owned()) } else { Ok(size) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
