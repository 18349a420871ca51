//! The command line.

use clap::builder::FalseyValueParser;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use indexer::Input;

use crate::commands::catalogue::{self, CatalogueCommand};
use crate::commands::facets::{self, FacetsArguments};
use crate::commands::generations::{self, RollbackArguments};
use crate::commands::index::{self, IndexArguments};
use crate::commands::load::{self, DirectoryCommand};
use crate::commands::lookup::{self, LookupArguments};
use crate::commands::own::{self, OwnCommand};
use crate::commands::profiles::{self, ProfilesCommand};
use crate::commands::proteins::{self, SearchArguments};
use crate::commands::publish::{self, PublishArguments};
use crate::commands::serve::{self, ServeArguments};
use crate::commands::show::{self, ShowArguments};
use crate::commands::similar::{self, SimilarArguments};
use crate::commands::synth::{self, SynthArguments};
use crate::commands::token::{self, TokenArguments};
use crate::commands::{demo, verify};
use crate::data_folder::DataFolder;
use crate::failure::Failure;
use crate::logging::LogFormat;

const EXAMPLES: &str = "\
Examples:
  mgdex                                         load the bundled data into ./mgdex-data and serve it
  mgdex index --portal rows.csv.gz --biomes biomes.tsv --pfam Pfam-A.clans.tsv.gz
  mgdex index --release 2026_07 --biomes biomes.tsv --pfam Pfam-A.clans.tsv.gz --memory 8G
  mgdex own add soil_2024 --proteins genes.faa --pfam hits.domtblout --biome root:Environmental:Terrestrial:Soil
  mgdex catalogue harvest --from https://www.ebi.ac.uk/metagenomics/api/v2 --to harvest
  mgdex catalogue load --v2 harvest
  mgdex catalogue load studies.jsonl.gz samples.jsonl.gz harvested-pages/
  mgdex catalogue load studies.jsonl.gz publications.jsonl.gz --links study-publications.jsonl.gz
  mgdex catalogue add my-samples.jsonl
  mgdex catalogue remove --from my-samples.jsonl
  mgdex directory load users-and-domains.jsonl.gz
  mgdex serve --listen 0.0.0.0:8080 --jwt-key public.pem
  mgdex publish --to s3://bucket/mgdex
  mgdex serve --follow s3://bucket/mgdex --listen 0.0.0.0:8080
  mgdex token --key private.pem --sub usr-d8749acf-6a22-4438-accc-cc8d1877ba36 --domains svc.admin
  mgdex profiles export backup.jsonl.zst
  mgdex search --lineage root:Environmental:Aquatic:Marine --limit 10 --format tsv
  mgdex facets --query 'pfam:PF00005' --by biome --format tsv
  mgdex show MGYP004580619181 --format fasta
  mgdex lookup sequences.fasta.gz
  mgdex similar sequences.fasta --query 'pfam:PF00005 AND full_length:true' --format table

Results go to standard output, everything else to standard error. Exit codes: 0 success, 1 failure,
2 wrong usage, 130 interrupted.
Inputs may be plain, gzip or zstd; `-` is standard input.";

/// A metagenomics index on one machine: loads public MGnify data and serves it by REST.
///
/// Without a command, loads the bundled sample of MGnify's data, unless the data folder has data already, and serves it.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES, max_term_width = 110)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    demo: ServeArguments,
    /// Format of log lines
    #[arg(long, global = true, env = "MGDEX_LOG", value_enum, default_value = "text")]
    pub(crate) log: LogFormat,
    /// Log only warnings and errors
    #[arg(long, short, global = true, env = "MGDEX_QUIET", value_parser = FalseyValueParser::new())]
    pub(crate) quiet: bool,
}

impl Arguments {
    /// Parses the command line. Exits if it is wrong or asks for help.
    pub(crate) fn read() -> Self {
        let matches = Self::command().get_matches();
        // Options of the demo before a command would be ignored.
        if let Some(command) = matches.subcommand_name()
            && let Some(setting) = ServeArguments::augment_args(clap::Command::new("demo"))
                .get_arguments()
                .find(|setting| matches.value_source(setting.get_id().as_str()) == Some(ValueSource::CommandLine))
        {
            let problem = format!("{setting} must come after the command {command}");
            Self::command().error(ErrorKind::ArgumentConflict, problem).exit();
        }
        let arguments = Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        let num_stdin = arguments.command.as_ref().map_or(0, Command::num_stdin);
        if num_stdin > 1 {
            let problem = "only one input can be `-`, since standard input is read only once";
            Self::command().error(ErrorKind::ArgumentConflict, problem).exit();
        }
        arguments
    }

    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.command {
            None => demo::run(&self.demo),
            Some(Command::Index(arguments)) => index::run(&arguments),
            Some(Command::Own(command)) => own::run(&command),
            Some(Command::Catalogue(command)) => catalogue::run(&command),
            Some(Command::Directory(DirectoryCommand::Load(arguments))) => load::directory(&arguments),
            Some(Command::Profiles(command)) => profiles::run(&command),
            Some(Command::Token(arguments)) => token::run(&arguments),
            Some(Command::Serve(arguments)) => serve::run(&arguments),
            Some(Command::Publish(arguments)) => publish::run(&arguments),
            Some(Command::Search(arguments)) => proteins::search(&arguments),
            Some(Command::Lookup(arguments)) => lookup::run(&arguments),
            Some(Command::Similar(arguments)) => similar::run(&arguments),
            Some(Command::Facets(arguments)) => facets::run(&arguments),
            Some(Command::Show(arguments)) => show::show(&arguments),
            Some(Command::Synth(arguments)) => synth::run(&arguments),
            Some(Command::Generations(data)) => generations::list(&data),
            Some(Command::Rollback(arguments)) => generations::roll_back(&arguments),
            Some(Command::Verify(data)) => verify::run(&data),
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build an index of proteins and make it the current one
    Index(IndexArguments),
    /// Add proteins of your own to the index, list them, or remove them
    #[command(subcommand)]
    Own(OwnCommand),
    /// Load the catalogue of studies, samples and related resources, add to it, or remove from it
    #[command(subcommand)]
    Catalogue(CatalogueCommand),
    /// Load the directory of users and domains, which determines who may read and change which profile
    #[command(subcommand)]
    Directory(DirectoryCommand),
    /// Write all profiles to a file, read them from one, or erase one
    #[command(subcommand)]
    Profiles(ProfilesCommand),
    /// Make a token for the profile service, for development
    Token(TokenArguments),
    /// Serve the data folder. New data are served as soon as they are published
    Serve(Box<ServeArguments>),
    /// Publish the current generations to an object store, which replicas follow
    Publish(PublishArguments),
    /// Search proteins by biome or Pfam family, without a server
    Search(SearchArguments),
    /// Find the proteins of a query that are similar to the sequences of a FASTA file, by HMMER, without a server
    Similar(SimilarArguments),
    /// Count the matches of a query by biome, family or another value, without a server
    Facets(FacetsArguments),
    /// Show full records of proteins, without a server
    Show(ShowArguments),
    /// Find the proteins that have exactly the sequences of a FASTA file, without a server
    Lookup(LookupArguments),
    /// Write a synthetic release of any size, for tests and measurements
    Synth(SynthArguments),
    /// List published generations with their counts, dates and inputs
    Generations(DataFolder),
    /// Make an earlier generation current again. The one it replaces is removed by the next publication
    Rollback(RollbackArguments),
    /// Check all generations and profiles in the data folder, including their checksums
    Verify(DataFolder),
}

impl Command {
    fn num_stdin(&self) -> usize {
        let is_stdin = |input: &&Input| **input == Input::Stdin;
        match self {
            Self::Index(index) => index.inputs().filter(is_stdin).count(),
            Self::Similar(similar) => usize::from(is_stdin(&&similar.fasta)),
            Self::Own(own) => own.inputs().filter(is_stdin).count(),
            Self::Catalogue(command) => command.inputs().filter(is_stdin).count(),
            Self::Directory(DirectoryCommand::Load(load)) => usize::from(is_stdin(&&load.file)),
            Self::Profiles(ProfilesCommand::Import(import)) => usize::from(is_stdin(&&import.file)),
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
