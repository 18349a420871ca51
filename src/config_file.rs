//! A settings file: its values apply if neither an option nor an environment variable is set.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Arg, Command};
use store::near_names;
use toml::de::{DeTable, DeValue};

use crate::distributed::{permit_setting, permit_table};

/// The option that names the file, and the variable that does so if the option is missing.
const OPTION: &str = "--config";
const VARIABLE: &str = "MGDEX_CONFIG";

/// The command whose settings also apply without a command: the program then loads the demo and
/// serves it.
const WITHOUT_COMMAND: &str = "serve";

/// A settings file in TOML.
///
/// A key is the long name of an option that can also be set by an environment variable. At the top,
/// it applies to every command with the option; in a table named after a command, to that one and
/// those below it.
///
/// ```toml
/// data = "/var/lib/mgdex"
///
/// [serve]
/// listen = "0.0.0.0:8080"
/// jwt-key = ["/etc/mgdex/key.pem"]
/// ```
pub(crate) struct ConfigFile {
    path: PathBuf,
    text: String,
}

/// The byte offset of a key, and the fault of its value.
type Fault = (usize, String);

/// A value of an option, and its place in the file.
#[derive(Clone)]
struct Setting {
    /// The offset of its key, in bytes.
    place: usize,
    name: String,
    values: Vec<String>,
}

impl ConfigFile {
    /// Reads the file that the command line or the environment names, if one does.
    ///
    /// # Errors
    ///
    /// * It cannot be read.
    pub(crate) fn read(command_line: impl IntoIterator<Item = OsString>) -> Result<Option<Self>, String> {
        let Some(path) = named_path(command_line) else { return Ok(None) };
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some(Self { path, text })),
            Err(error) => Err(format!("cannot read the settings in {}: {error}", path.display())),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns a command line with the settings of the file as the defaults of its options.
    ///
    /// # Errors
    ///
    /// * The file is not TOML.
    /// * It has unknown settings or invalid values. All are named by line.
    pub(crate) fn apply(&self, command: Command) -> Result<Command, String> {
        let table = DeTable::parse(&self.text).map_err(|error| format!("{}: {error}", self.path.display()))?;
        let mut faults = Vec::new();
        let table = table.get_ref();
        let mut command = apply(command, table, &[], &mut faults);
        if let (Some(below), Some(table)) = (command.find_subcommand(WITHOUT_COMMAND), subtable(table, WITHOUT_COMMAND))
        {
            let settings = settings(below, table, &mut Vec::new());
            command = command.mut_args(|option| set(WITHOUT_COMMAND, option, &settings, &mut faults));
        }
        if faults.is_empty() {
            return Ok(command);
        }
        faults.sort();
        let line = |place: usize| self.text[..place].matches('\n').count() + 1;
        let lines =
            faults.into_iter().map(|(place, fault)| format!("{}:{}: {fault}", self.path.display(), line(place)));
        Err(lines.collect::<Vec<_>>().join("\n"))
    }
}

/// Returns whether an option can be set by a file.
pub(crate) fn is_setting(option: &Arg) -> bool {
    option.get_env().is_some_and(|variable| variable != VARIABLE) && option.get_long().is_some()
}

fn named_path(command_line: impl IntoIterator<Item = OsString>) -> Option<PathBuf> {
    let mut words = command_line.into_iter().take_while(|word| word != "--");
    while let Some(word) = words.next() {
        if word == OPTION {
            return words.next().map(PathBuf::from);
        }
        if let Some(path) = word.to_str().and_then(|word| word.strip_prefix(OPTION)?.strip_prefix('=')) {
            return Some(path.into());
        }
    }
    std::env::var_os(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Applies a table of the file to its command and those below it, together with the settings of the
/// tables around it.
fn apply(command: Command, table: &DeTable<'_>, around: &[Setting], faults: &mut Vec<Fault>) -> Command {
    let settings = [around, &settings(&command, table, faults)].concat();
    let name = command.get_name().to_owned();
    let command = command.mut_args(|option| set(&name, option, &settings, faults));
    command.mut_subcommands(|below| match subtable(table, below.get_name()) {
        Some(table) if permit_table(below.get_name()).is_ok() => apply(below, table, &settings, faults),
        _ => apply(below, &DeTable::new(), &settings, faults),
    })
}

/// Returns the settings of a table, without those of its subtables.
fn settings(command: &Command, table: &DeTable<'_>, faults: &mut Vec<Fault>) -> Vec<Setting> {
    let mut settings = Vec::new();
    for (key, value) in table {
        let (place, name) = (key.span().start, key.get_ref());
        let fault = match value.get_ref() {
            DeValue::Table(_) if command.find_subcommand(&**name).is_some() => match permit_table(name) {
                Ok(()) => continue,
                Err(fault) => fault,
            },
            DeValue::Table(_) => format!("no such command: {name}"),
            value => match values(value) {
                _ if !names(command).any(|known| known == &**name) => {
                    let known: BTreeSet<_> = names(command).collect();
                    let near = near_names(known.into_iter(), name).join(" or ");
                    let did_you_mean = if near.is_empty() { near } else { format!(": did you mean {near}?") };
                    format!("unknown setting {name}{did_you_mean}")
                }
                None => format!("{name} takes a text, a number, true or false, or a list of these"),
                Some(values) => {
                    settings.push(Setting { place, name: name.to_string(), values });
                    continue;
                }
            },
        };
        faults.push((place, fault));
    }
    settings
}

/// Returns the names of all settings of a command and those below it.
fn names(command: &Command) -> Box<dyn Iterator<Item = &str> + '_> {
    let own = command.get_arguments().filter(|option| is_setting(option)).filter_map(Arg::get_long);
    Box::new(own.chain(command.get_subcommands().flat_map(names)))
}

fn subtable<'a, 'i>(table: &'a DeTable<'i>, command: &str) -> Option<&'a DeTable<'i>> {
    table.get(command).and_then(|value| value.get_ref().as_table())
}

/// Returns a value as a user would type it, or the items of a list.
fn values(value: &DeValue<'_>) -> Option<Vec<String>> {
    let one = |value: &DeValue<'_>| match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Float(number) => Some(number.to_string()),
        DeValue::Boolean(is_set) => Some(is_set.to_string()),
        DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    };
    match value {
        DeValue::Array(items) => items.iter().map(|item| one(item.get_ref())).collect(),
        value => one(value).map(|value| vec![value]),
    }
}

/// Makes the last setting of an option of a command its default.
fn set(command: &str, option: Arg, settings: &[Setting], faults: &mut Vec<Fault>) -> Arg {
    let is_meant = |setting: &&Setting| is_setting(&option) && option.get_long() == Some(&*setting.name);
    let Some(Setting { place, values, .. }) = settings.iter().rfind(is_meant) else { return option };
    match permit_setting(command, &option).and_then(|()| check(&option, values)) {
        Ok(()) => option.default_values(values.clone()).required(false),
        Err(fault) => {
            if !faults.iter().any(|(known, _)| known == place) {
                faults.push((*place, fault));
            }
            option
        }
    }
}

/// Checks that an option can have these values.
fn check(option: &Arg, values: &[String]) -> Result<(), String> {
    let name = option.get_long().unwrap_or_default();
    if !option.get_action().takes_values() {
        let is_switch = matches!(values, [value] if value == "true" || value == "false");
        return if is_switch { Ok(()) } else { Err(format!("{name} takes true or false")) };
    }
    let words = values.iter().map(|value| format!("--{name}={value}"));
    // The option without those that it requires or excludes.
    let mut alone = Arg::new("alone").long(name.to_owned()).action(option.get_action().clone());
    alone = alone.value_parser(option.get_value_parser().clone()).value_delimiter(option.get_value_delimiter());
    if let (Some(number), Some(names)) = (option.get_num_args(), option.get_value_names()) {
        alone = alone.num_args(number).value_names(names.iter().map(ToString::to_string));
    }
    let alone = Command::new("mgdex").no_binary_name(true).arg(alone);
    alone.try_get_matches_from(words).map(drop).map_err(|error| {
        let text = error.to_string();
        text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
    })
}
