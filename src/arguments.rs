//! The command line.

mod order;

use std::ffi::OsString;
use std::path::PathBuf;
use std::{env, process};

use clap::builder::FalseyValueParser;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use indexer::Input;

use crate::commands::catalogue::{self, CatalogueCommand};
use crate::commands::cite::{self, CiteArguments};
use crate::commands::config::{self, ConfigCommand};
use crate::commands::describe::{self, CompletionsArguments, ManualArguments};
use crate::commands::doctor::{self, DoctorArguments};
use crate::commands::facets::{self, EnrichmentArguments, FacetsArguments};
use crate::commands::files::{self, FilesArguments};
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
    // Last, since the headings of its options also apply to those after them.
    #[command(flatten)]
    demo: ServeArguments,
}

impl Arguments {
    /// Returns the command line with the defaults of a settings file.
    pub(crate) fn configured(file: Option<&ConfigFile>) -> Result<clap::Command, String> {
        file.map_or_else(|| Ok(Self::command()), |file| file.apply(Self::command()))
    }

    /// Parses the command line, and the settings file if there is one. Exits if they are wrong or
    /// ask for help.
    pub(crate) fn read() -> Self {
        let command = ConfigFile::read(env::args_os()).and_then(|file| Self::configured(file.as_ref()));
        let command = command.unwrap_or_else(|fault| {
            last_error(fault);
            process::exit(2)
        });
        Self::parse_words(with_help(command), env::args_os()).unwrap_or_else(|error| error.exit())
    }

    fn parse_words(mut command: clap::Command, words: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let words = order::after_command(&command, words);
        let matches = command.try_get_matches_from_mut(words)?;
        if let Some(problem) = distributed::refusal(&command, &matches) {
            return Err(Self::command().error(ErrorKind::InvalidValue, problem));
        }
        let arguments = Self::from_arg_matches(&matches)?;
        let inputs = arguments.command.as_ref().map(Command::inputs).unwrap_or_default();
        if inputs.iter().filter(|input| ***input == Input::Stdin).count() > 1 {
            let problem = "only one input can be `-`, since standard input is read only once";
            return Err(Self::command().error(ErrorKind::ArgumentConflict, problem));
        }
        Ok(arguments)
    }

    /// Returns which lines are logged.
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
            Some(Command::Facets(arguments)) => facets::count(&arguments),
            Some(Command::Enrichment(arguments)) => facets::compare(&arguments),
            Some(Command::Show(arguments)) => show::show(&arguments),
            Some(Command::Cite(arguments)) => cite::run(&arguments),
            Some(Command::Synth(arguments)) => synth::run(&arguments),
            Some(Command::Files(arguments)) => files::run(&arguments),
            Some(Command::Generations(data)) => generations::list(&data),
            Some(Command::Rollback(arguments)) => generations::roll_back(&arguments),
            Some(Command::Verify(data)) => verify::run(&data),
            Some(Command::Doctor(arguments)) => doctor::run(&arguments),
            Some(Command::Config(command)) => config::run(&command, Self::configured),
            Some(Command::Completions(arguments)) => describe::print_completions(&arguments, Self::command()),
            Some(Command::Manual(arguments)) => describe::write_manual(&arguments, Self::command()),
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Load a release or an export of MGnify's proteins
    Index(IndexArguments),
    /// Add your own proteins, list them, or remove them
    #[command(subcommand)]
    Own(OwnCommand),
    /// Load, add or remove studies, samples and related resources
    #[command(subcommand)]
    Catalogue(CatalogueCommand),
    /// Load the users and groups who may read and change profiles
    #[command(subcommand)]
    Directory(DirectoryCommand),
    /// Export all profiles, import them, or erase one
    #[command(subcommand)]
    Profiles(ProfilesCommand),
    /// Make a token for the profile service, for development
    Token(TokenArguments),
    /// Serve the data folder, and new data as soon as it is loaded
    Serve(Box<ServeArguments>),
    /// Copy the data to an object store, which other servers follow
    Publish(PublishArguments),
    /// Search proteins by biome, Pfam family or a query
    Search(SearchArguments),
    /// Find proteins similar to those of a FASTA file, with HMMER
    Similar(SimilarArguments),
    /// Count the matches of a query by biome, family or another value
    Facets(FacetsArguments),
    /// Compare the families or biomes of proteins with those of others
    Enrichment(EnrichmentArguments),
    /// Show full records of proteins
    Show(ShowArguments),
    /// Print how to cite the loaded release and mgdex
    Cite(CiteArguments),
    /// Find proteins with exactly the sequences of a FASTA file
    Lookup(LookupArguments),
    /// Write a made-up release of any size, for tests and measurements
    Synth(SynthArguments),
    /// Write the example files of the manual
    Files(FilesArguments),
    /// List the generations of the data, with their inputs
    Generations(DataFolder),
    /// Go back to an earlier generation of the data
    Rollback(RollbackArguments),
    /// Compare all data and profiles with their checksums
    Verify(DataFolder),
    /// Check data, disk, locks, limits, other services and the clock
    Doctor(DoctorArguments),
    /// Check the settings, or show the origin of each
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print a completion script for a shell
    Completions(CompletionsArguments),
    /// Write the manual pages of all commands
    Manual(ManualArguments),
}

impl Command {
    /// Returns the input files that the command line names.
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
    use clap::{Arg, ArgAction};

    use super::*;

    /// Returns all commands with their full names.
    fn commands<'a>(above: &'a clap::Command, names: &[&'a str]) -> Vec<(Vec<&'a str>, &'a clap::Command)> {
        let below = above.get_subcommands().flat_map(|command| {
            let names = [names, &[command.get_name()]].concat();
            [vec![(names.clone(), command)], commands(command, &names)].concat()
        });
        below.collect()
    }

    /// Returns an option as a user would type it, with its default or another likely value.
    fn typed(option: &Arg) -> Option<String> {
        let name = option.get_long()?;
        if !option.get_action().takes_values() {
            return Some(format!("--{name}"));
        }
        let default = option.get_default_values().first().map(|value| value.to_string_lossy().into_owned());
        let possible = || Some(option.get_possible_values().first()?.get_name().to_owned());
        Some(format!("--{name}={}", default.or_else(possible).unwrap_or_else(|| "1".to_owned())))
    }

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn options_before_a_command_count_or_are_wrong_usage() {
        let root = Arguments::command();
        let outcome = |words: &[&[&str]]| {
            let words = [&["mgdex"], &*words.concat()].concat();
            let parsed = Arguments::parse_words(root.clone(), words.iter().map(OsString::from));
            let parsed = parsed.map(|arguments| format!("{arguments:?}")).map_err(|error| {
                let (code, text) = (error.exit_code(), error.to_string());
                assert!(code == 0 || code == 2 && text.starts_with("error: "), "{words:?}: {code} {text}");
                text
            });
            parsed.unwrap_or_else(|text| text)
        };
        let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
        let top: Vec<_> = root.get_arguments().collect();
        let (mut num_accepted, mut num_refused) = (0, 0);
        for (names, command) in commands(&root, &[]) {
            let globals = root.get_arguments().filter(|option| option.is_global_set());
            let own: Vec<_> = command.get_arguments().chain(globals).collect();
            let is_among = |options: &[&Arg], name| options.iter().any(|known| known.get_long() == name);
            let others = top.iter().filter(|option| !is_among(&own, option.get_long()));
            for option in own.iter().chain(others) {
                let Some(word) = typed(option) else { continue };
                let name = word.split('=').next().unwrap_or_default();
                let before = outcome(&[&[&word], &names]);
                if [&own, &top].iter().all(|known| is_among(known, option.get_long())) {
                    assert_eq!(before, outcome(&[&names, &[&word]]), "{names:?} {word}");
                    let twice = first(&outcome(&[&[&word], &names, &[&word]]));
                    let is_list = matches!(option.get_action(), ArgAction::Append);
                    assert!(
                        is_list || twice.starts_with("error: ") && twice.contains(name),
                        "{names:?} {word}: {twice}"
                    );
                    num_accepted += 1;
                } else {
                    let after = is_among(&own, option.get_long()).then(|| outcome(&[&names, &[&word]]));
                    assert!(after.is_none_or(|after| !after.contains("unexpected argument")), "{names:?} {word}");
                    let refusal = format!("error: unexpected argument '{name}' found");
                    assert_eq!(first(&before), refusal, "{names:?} {word}");
                    num_refused += 1;
                }
            }
        }
        assert!(num_accepted > 100 && num_refused > 500, "{num_accepted} {num_refused}");
    }
}
