//! `mgdex config`: what is set, and by what.

use std::env;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, Subcommand};

use crate::arguments::configured;
use crate::config_file::{ConfigFile, is_setting};
use crate::failure::Failure;
use crate::output::{Output, print};

/// Check the file of settings, or show what is set
///
/// The file is in TOML. A key is the long name of an option that can be set by an environment variable, too; at the top it holds for every command that
/// has the option, and in a table named after a command for that one. What is given by an option or a variable wins over the file:
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
    /// Check the file that `--config` or `MGDEX_CONFIG` names: settings that there are not, and values that they cannot have
    Check,
    /// Show all settings of a command, and where each value comes from
    Show(ShowArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// The command, such as `index` or `catalogue load`
    #[arg(value_name = "COMMAND", default_value = "serve")]
    command: Vec<String>,
}

pub(crate) fn run(command: &ConfigCommand) -> Result<(), Failure> {
    match command {
        // A file with faults has ended the program already.
        ConfigCommand::Check => match ConfigFile::read(env::args_os()).map_err(Failure::Usage)? {
            Some(file) => print(format_args!(
                "{}: all settings are known, and have values that they can have",
                file.path().display()
            )),
            None => Err(Failure::Usage("no file of settings is named, by --config or MGDEX_CONFIG".to_owned())),
        },
        ConfigCommand::Show(arguments) => show(&arguments.command),
    }
}

fn show(names: &[String]) -> Result<(), Failure> {
    let file = ConfigFile::read(env::args_os()).map_err(Failure::Usage)?;
    let file = file.as_ref().map_or_else(|| "the file".to_owned(), |file| file.path().display().to_string());
    let with_file = configured(env::args_os()).map_err(Failure::Usage)?;
    let without = crate::arguments::command();
    let words = [&["mgdex".to_owned()], names].concat();
    // What a command cannot do without is not set here.
    let mut matches = &with_file.clone().ignore_errors(true).get_matches_from(words);
    let (mut command, mut without) = (&with_file, &without);
    for name in names {
        let below = |command: &'_ Command| command.find_subcommand(name).is_some();
        let (true, Some(found)) = (below(command), matches.subcommand_matches(name)) else {
            return Err(Failure::Usage(format!("there is no command {name}")));
        };
        matches = found;
        command = command.find_subcommand(name).unwrap_or(command);
        without = without.find_subcommand(name).unwrap_or(without);
    }
    let mut output = Output::new();
    for option in command.get_arguments().filter(|option| is_setting(option)) {
        let has_other_default = without
            .get_arguments()
            .find(|other| other.get_id() == option.get_id())
            .is_some_and(|other| other.get_default_values() != option.get_default_values());
        output.line(line(option, matches, has_other_default.then_some(&*file)))?;
    }
    output.finish()
}

/// Returns the line of a setting as a file could have it.
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
