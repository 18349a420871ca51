//! `mgdex config`: the settings, and their sources.

use std::env;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, Subcommand};

use crate::config_file::{ConfigFile, is_setting};
use crate::failure::Failure;
use crate::output::{Output, print};

/// Check the settings file, or show what is set
///
/// The file is in TOML. Keys are the long names of options that environment variables can also set.
/// At the top they apply to every command that has the option, and in a table named after a command
/// to that command. Options and environment variables override the file:
///
///     data = "/var/lib/mgdex"
///
///     [serve]
///     listen = "0.0.0.0:8080"
///     jwt-key = ["/etc/mgdex/key.pem"]
///
///     [catalogue.load]
///     memory = "1G"
#[derive(Debug, Subcommand)]
#[command(verbatim_doc_comment)]
pub(crate) enum ConfigCommand {
    /// Check the settings file for unknown settings and invalid values
    Check,
    /// Show all settings of a command, and the origin of each value
    Show(ShowArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// The command, such as `index` or `catalogue load`
    #[arg(value_name = "COMMAND", default_value = "serve")]
    command: Vec<String>,
}

/// Gives the options of the whole command line the values of a settings file as their defaults.
pub(crate) type Configure = fn(Option<&ConfigFile>) -> Result<Command, String>;

pub(crate) fn run(command: &ConfigCommand, configure: Configure) -> Result<(), Failure> {
    match command {
        // A file with errors has already ended the program.
        ConfigCommand::Check => match ConfigFile::read(env::args_os()).map_err(Failure::Usage)? {
            Some(file) => {
                print(format_args!("{}: every setting is known and has a valid value", file.path().display()))
            }
            None => Err(Failure::Usage("name a settings file with --config or MGDEX_CONFIG".to_owned())),
        },
        ConfigCommand::Show(arguments) => show(&arguments.command, configure),
    }
}

fn show(names: &[String], configure: Configure) -> Result<(), Failure> {
    let file = ConfigFile::read(env::args_os()).map_err(Failure::Usage)?;
    let path = file.as_ref().map(|file| file.path().display().to_string()).unwrap_or_default();
    let mut command = configure(file.as_ref()).map_err(Failure::Usage)?;
    let mut without_file = configure(None).map_err(Failure::Usage)?;
    // Required options may be missing here.
    let matches = command.clone().ignore_errors(true).get_matches_from([&["mgdex".to_owned()], names].concat());
    // This gives each command the global options, too.
    command.build();
    without_file.build();
    let (mut command, mut without_file, mut matches) = (&command, &without_file, &matches);
    for name in names {
        let below =
            (command.find_subcommand(name), without_file.find_subcommand(name), matches.subcommand_matches(name));
        let (Some(below), Some(below_without), Some(below_matches)) = below else {
            return Err(Failure::Usage(format!("no such command: {name}")));
        };
        (command, without_file, matches) = (below, below_without, below_matches);
    }
    let mut output = Output::new();
    let (of_all, own): (Vec<&Arg>, Vec<&Arg>) =
        command.get_arguments().filter(|option| is_setting(option)).partition(|option| option.is_global_set());
    for (head, options) in [(None, of_all), (Some(names.join(".")), own)] {
        if let Some(table) = head {
            output.line(format_args!("\n[{table}]"))?;
        }
        for option in options {
            let other = without_file.get_arguments().find(|other| other.get_id() == option.get_id());
            let is_from_file = other.is_some_and(|other| other.get_default_values() != option.get_default_values());
            output.line(line(option, matches, is_from_file.then_some(&*path)))?;
        }
    }
    output.finish()
}

/// Returns the line of a setting in the format of a settings file.
fn line(option: &Arg, matches: &ArgMatches, file: Option<&str>) -> String {
    let name = option.get_long().unwrap_or_default();
    let variable = option.get_env().map(|variable| variable.to_string_lossy()).unwrap_or_default();
    let source = match (matches.value_source(option.get_id().as_str()), file) {
        (Some(ValueSource::EnvVariable), _) => format!("from {variable}"),
        (Some(ValueSource::DefaultValue), Some(file)) => format!("from {file}"),
        (Some(ValueSource::DefaultValue), None) => "default".to_owned(),
        _ => return format!("{:<40} # not set", format!("# {name} =")),
    };
    let values = matches.get_raw(option.get_id().as_str()).into_iter().flatten();
    let values: Vec<String> = values.map(|value| value.to_string_lossy().into_owned()).collect();
    let value = match &values[..] {
        _ if option.is_hide_env_values_set() => "\"…\"".to_owned(),
        [value] if !option.get_action().takes_values() || value.parse::<i64>().is_ok() => value.clone(),
        [value] => toml::Value::from(value.as_str()).to_string(),
        values => toml::Value::from(values.to_vec()).to_string(),
    };
    format!("{:<40} # {source}", format!("{name} = {value}"))
}
