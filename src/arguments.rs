//! The command line.

use std::path::PathBuf;
use std::{env, process};

use clap::builder::FalseyValueParser;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use indexer::Input;

use crate::commands::catalogue::{self, CatalogueCommand};
use crate::commands::config::{self, ConfigCommand};
use crate::commands::describe::{self, CompletionsArguments, ManualArguments};
use crate::commands::doctor::{self, DoctorArguments};
use crate::commands::facets::{self, FacetsArguments};
use crate::commands::generations::{self, RollbackArguments};
use crate::commands::index::{self, IndexArguments};
use crate::commands::load::{self, DirectoryCommand};
use crate::commands::lookup::{self, LookupArguments};
use crate::commands::own::{self, OwnCommand};
use crate::commands::profiles::{self, ProfilesCommand};
use crate::commands::proteins::{self, SearchArguments};
use crate::commands::serve::{self, ServeArguments};
use crate::commands::show::{self, ShowArguments};
use crate::commands::similar::{self, SimilarArguments};
use crate::commands::synth::{self, SynthArguments};
use crate::commands::token::{self, TokenArguments};
use crate::commands::{demo, verify};
use crate::config_file::ConfigFile;
use crate::data_folder::DataFolder;
use crate::distributed::{self, PublishArguments};
use crate::failure::Failure;
use crate::help::with_help;
use crate::logging::{LogFormat, Logged, last_error};

/// A metagenomics index of your own: loads public MGnify data, and serves and searches it.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 110)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Format of log lines
    #[arg(long, global = true, env = "MGDEX_LOG", value_enum, default_value = "text")]
    log: LogFormat,
    /// Settings file, in TOML: see `mgdex config --help`
    #[arg(long, global = true, env = "MGDEX_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Log only warnings and errors
    #[arg(long, short, global = true, env = "MGDEX_QUIET", value_parser = FalseyValueParser::new())]
    quiet: bool,
    // Last, since the headings of its options hold for those behind them.
    #[command(flatten)]
    demo: ServeArguments,
}

impl Arguments {
    /// Returns the command line with the defaults of a settings file.
    pub(crate) fn configured(file: Option<&ConfigFile>) -> Result<clap::Command, String> {
        file.map_or_else(|| Ok(Self::command()), |file| file.apply(Self::command()))
    }

    /// Parses the command line, and the settings file if there is one. Exits if it is wrong or asks for help.
    pub(crate) fn read() -> Self {
        let command = ConfigFile::read(env::args_os()).and_then(|file| Self::configured(file.as_ref()));
        let command = command.unwrap_or_else(|fault| {
            last_error(fault);
            process::exit(2)
        });
        let mut command = with_help(command);
        let matches = command.get_matches_mut();
        // Options of the demo before a command would be ignored.
        if let Some(command) = matches.subcommand_name()
            && let Some(setting) = ServeArguments::augment_args(clap::Command::new("demo"))
                .get_arguments()
                .find(|setting| matches.value_source(setting.get_id().as_str()) == Some(ValueSource::CommandLine))
        {
            let problem = format!("{setting} must come after the command {command}");
            Self::command().error(ErrorKind::ArgumentConflict, problem).exit();
        }
        if let Some(problem) = distributed::refusal(&command, &matches) {
            Self::command().error(ErrorKind::InvalidValue, problem).exit();
        }
        let arguments = Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        let inputs = arguments.command.as_ref().map(Command::inputs).unwrap_or_default();
        if inputs.iter().filter(|input| ***input == Input::Stdin).count() > 1 {
            let problem = "only one input can be `-`, since standard input is read only once";
            Self::command().error(ErrorKind::ArgumentConflict, problem).exit();
        }
        arguments
    }

    /// Returns what is logged.
    pub(crate) fn logged(&self) -> Logged {
        let served = match &self.command {
            None => Some(&self.demo),
            Some(Command::Serve(served)) => Some(&**served),
            Some(_) => None,
        };
        Logged {
            format: self.log,
            is_quiet: self.quiet,
            with_requests: served.is_some_and(|served| served.log_requests),
            is_demo: self.command.is_none(),
        }
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
            Some(Command::Publish(arguments)) => distributed::publish(&arguments),
            Some(Command::Search(arguments)) => proteins::search(&arguments),
            Some(Command::Lookup(arguments)) => lookup::run(&arguments),
            Some(Command::Similar(arguments)) => similar::run(&arguments),
            Some(Command::Facets(arguments)) => facets::run(&arguments),
            Some(Command::Show(arguments)) => show::show(&arguments),
            Some(Command::Synth(arguments)) => synth::run(&arguments),
            Some(Command::Generations(data)) => generations::list(&data),
            Some(Command::Rollback(arguments)) => generations::roll_back(&arguments),
            Some(Command::Verify(data)) => verify::run(&data),
            Some(Command::Doctor(arguments)) => doctor::run(&arguments),
            Some(Command::Config(command)) => config::run(&command),
            Some(Command::Completions(arguments)) => describe::print_completions(&arguments),
            Some(Command::Manual(arguments)) => describe::write_manual(&arguments),
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Load a release or an export of MGnify's proteins
    Index(IndexArguments),
    /// Add proteins of your own, list them, or remove them
    #[command(subcommand)]
    Own(OwnCommand),
    /// Load studies, samples and the like, add to them, or remove some
    #[command(subcommand)]
    Catalogue(CatalogueCommand),
    /// Load the users and groups who may read and change profiles
    #[command(subcommand)]
    Directory(DirectoryCommand),
    /// Write all profiles to a file, read them from one, or erase one
    #[command(subcommand)]
    Profiles(ProfilesCommand),
    /// Make a token for the profile service, for development
    Token(TokenArguments),
    /// Serve the data folder, and what is loaded into it meanwhile
    Serve(Box<ServeArguments>),
    /// Copy the data to an object store, which other servers follow
    Publish(PublishArguments),
    /// Search proteins by biome, Pfam family or a query
    Search(SearchArguments),
    /// Find proteins similar to the sequences of a FASTA file, by HMMER
    Similar(SimilarArguments),
    /// Count the matches of a query by biome, family or another value
    Facets(FacetsArguments),
    /// Show full records of proteins
    Show(ShowArguments),
    /// Find proteins with exactly the sequences of a FASTA file
    Lookup(LookupArguments),
    /// Write a made-up release of any size, for tests and measurements
    Synth(SynthArguments),
    /// List the generations of the data, with their inputs
    Generations(DataFolder),
    /// Go back to an earlier generation of the data
    Rollback(RollbackArguments),
    /// Compare all data and profiles with their checksums
    Verify(DataFolder),
    /// Look at data, disk, locks, limits, other services and the clock
    Doctor(DoctorArguments),
    /// Check the settings, or show where each comes from
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print a script that completes commands and options in a shell
    Completions(CompletionsArguments),
    /// Write the manual pages of all commands
    Manual(ManualArguments),
}

impl Command {
    /// Returns the files that are read, as far as the command line names them.
    fn inputs(&self) -> Vec<&Input> {
        match self {
            Self::Index(index) => index.inputs().collect(),
            Self::Similar(similar) => vec![&similar.fasta],
            Self::Own(own) => own.inputs().collect(),
            Self::Catalogue(command) => command.inputs().collect(),
            Self::Directory(DirectoryCommand::Load(load)) => vec![&load.file],
            Self::Profiles(ProfilesCommand::Import(import)) => vec![&import.file],
            _ => Vec::new(),
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
