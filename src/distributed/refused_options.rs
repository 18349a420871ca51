//! Options and a command that a build without the feature refuses: their help is marked, and their
//! use is wrong usage.

use clap::builder::{Resettable, StyledStr};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

/// Long names of options that every command refuses.
const OPTIONS: [&str; 9] = [
    "follow",
    "follow-interval",
    "follow-rate",
    "otlp",
    "profiles",
    "profiles-audit-days",
    "profiles-ca",
    "profiles-connections",
    "verify-key",
];

/// Options that one command refuses: the names of the command and of the option.
const COMMAND_OPTIONS: [(&str, &str); 2] = [("doctor", "to"), ("publish", "to")];

const COMMAND: &str = "publish";

/// The end of each refusal, after the name of the option or command.
pub(super) const NEEDS: &str = "needs a build with the feature `distributed`: packages and the image have it; `cargo build --release --features distributed` makes one";

const MARK: &str = "[only in a build with `distributed`]";

const IS_DISABLED: bool = !cfg!(feature = "distributed");

fn is_distributed(command: &str, option: &Arg) -> bool {
    let is_meant = |name| OPTIONS.contains(&name) || COMMAND_OPTIONS.contains(&(command, name));
    option.get_long().is_some_and(is_meant)
}

/// Returns the command line with marks in its help, and without required options that are refused
/// anyway.
pub(crate) fn marked(command: Command) -> Command {
    if IS_DISABLED { mark(command) } else { command }
}

fn with_mark(help: &StyledStr) -> StyledStr {
    format!("{help} {MARK}").into()
}

fn mark(command: Command) -> Command {
    let name = command.get_name().to_owned();
    let mark_option = |option: Arg| {
        if !is_distributed(&name, &option) {
            return option;
        }
        let short: Resettable<_> = option.get_help().map(with_mark).into();
        let long: Resettable<_> = option.get_long_help().map(with_mark).into();
        option.help(short).long_help(long).required(false)
    };
    let command = command.mut_args(mark_option).mut_subcommands(mark);
    let about = command.get_about().filter(|_| name == COMMAND).map(with_mark);
    if let Some(about) = about { command.about(about) } else { command }
}

/// Returns the reason why the command line or the environment is refused, if it is.
pub(crate) fn refusal(command: &Command, matches: &ArgMatches) -> Option<String> {
    IS_DISABLED.then(|| refused_name(command, matches)).flatten().map(|name| format!("{name} {NEEDS}"))
}

fn refused_name(command: &Command, matches: &ArgMatches) -> Option<String> {
    if let Some((name, matches)) = matches.subcommand() {
        return refused_name(command.find_subcommand(name)?, matches);
    }
    if command.get_name() == COMMAND {
        return Some(COMMAND.to_owned());
    }
    command.get_arguments().filter(|option| is_distributed(command.get_name(), option)).find_map(|option| match matches
        .value_source(option.get_id().as_str())?
    {
        ValueSource::CommandLine => Some(format!("--{}", option.get_long()?)),
        ValueSource::EnvVariable => Some(option.get_env()?.to_string_lossy().into_owned()),
        _ => None,
    })
}

/// Refuses an option in a settings file that this build lacks.
pub(crate) fn permit_setting(command: &str, option: &Arg) -> Result<(), String> {
    permit(option.get_long().filter(|_| is_distributed(command, option)).map(|name| format!("--{name}")))
}

/// Refuses the table of a command in a settings file that this build lacks.
pub(crate) fn permit_table(command: &str) -> Result<(), String> {
    permit(Some(command).filter(|command| *command == COMMAND).map(str::to_owned))
}

fn permit(distributed: Option<String>) -> Result<(), String> {
    distributed.filter(|_| IS_DISABLED).map_or(Ok(()), |name| Err(format!("{name} {NEEDS}")))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::*;
    use crate::arguments::Arguments;

    fn marked_names(command: &Command, names: &mut BTreeSet<String>) {
        let marked = |option: &&Arg| option.get_help().is_some_and(|help| help.to_string().ends_with(MARK));
        let options = command.get_arguments().filter(marked).filter_map(Arg::get_long);
        names.extend(options.map(|option| format!("{} --{option}", command.get_name())));
        command.get_subcommands().for_each(|below| marked_names(below, names));
    }

    #[test]
    fn every_option_exists_and_is_marked_in_each_command_that_has_it() {
        let command = mark(Arguments::command());
        let mut names = BTreeSet::new();
        marked_names(&command, &mut names);
        for option in OPTIONS {
            assert!(names.contains(&format!("serve --{option}")), "{option}: {names:?}");
        }
        for name in ["mgdex --follow", "doctor --follow", "doctor --to", "export --profiles", "erase --profiles-ca"] {
            assert!(names.contains(name), "{name}: {names:?}");
        }
        assert!(!names.contains("harvest --to") && !names.contains("serve --services"), "{names:?}");
        let about = command.find_subcommand(COMMAND).and_then(Command::get_about).expect("a line").to_string();
        assert!(about.ends_with(MARK), "{about}");
    }

    #[test]
    fn refusals_name_options_as_they_were_given() {
        let named = |line: &str| {
            let mut command = mark(Arguments::command());
            let matches = command.try_get_matches_from_mut(line.split(' ')).expect("it is parsed");
            refused_name(&command, &matches)
        };
        assert_eq!(named("mgdex serve --follow-rate 1M"), Some("--follow-rate".to_owned()));
        assert_eq!(named("mgdex --profiles postgres://db/mgdex?sslmode=require"), Some("--profiles".to_owned()));
        assert_eq!(
            named("mgdex profiles export --profiles postgres://db/mgdex?sslmode=require"),
            Some("--profiles".to_owned())
        );
        assert_eq!(named("mgdex publish"), Some("publish".to_owned()));
        assert_eq!(named("mgdex serve --services proteins --profiles-read-only"), None);
        assert_eq!(named("mgdex catalogue harvest --from https://x.test --to h"), None);
    }
}
