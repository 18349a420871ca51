//! Options before a command, which count as if they were after it.

use std::ffi::OsString;

use clap::{Arg, Command};

/// Returns the words of a command line in the order that the parser needs. Options that are also
/// valid without a command are moved from before a command, or from between its names, to after it.
/// There they are parsed by the rules of the command, and refused if it does not have them.
pub(super) fn after_command(root: &Command, words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut words = words.into_iter().peekable();
    let (mut line, mut moved, mut command) = (Vec::from_iter(words.next()), Vec::new(), root);
    while command.has_subcommands()
        && let Some(word) = words.next_if(|word| is_option(word) || command.find_subcommand(word).is_some())
    {
        if let Some(below) = command.find_subcommand(&word) {
            command = below;
            line.push(word);
            continue;
        }
        let bytes = word.as_encoded_bytes();
        let name = bytes.split(|byte| *byte == b'=').next().unwrap_or_default();
        let is_complete = name.len() < bytes.len();
        let option = root.get_arguments().find(|option| has_name(option, name));
        let target = if option.is_some() { &mut moved } else { &mut line };
        target.push(word);
        let takes_values = |option: &&Arg| !is_complete && option.get_action().takes_values();
        let Some(option) = option.filter(takes_values) else { continue };
        moved.extend(words.next());
        let is_list = option.get_num_args().is_some_and(|number| number.max_values() > 1);
        while is_list
            && let Some(value) = words.next_if(|word| !is_option(word) && command.find_subcommand(word).is_none())
        {
            moved.push(value);
        }
    }
    line.into_iter().chain(moved).chain(words).collect()
}

/// Returns whether a word can be an option. Two hyphens alone end the options.
fn is_option(word: &OsString) -> bool {
    word.as_encoded_bytes().starts_with(b"-") && word != "--"
}

/// Returns whether an option has a name, which begins with hyphens.
fn has_name(option: &Arg, name: &[u8]) -> bool {
    let (long, short) = (option.get_long().map(|long| format!("--{long}")), option.get_short());
    [long, short.map(|short| format!("-{short}"))].iter().flatten().any(|known| known.as_bytes() == name)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::arguments::Arguments;

    fn ordered(line: &str) -> String {
        let words = after_command(&Arguments::command(), line.split(' ').map(OsString::from));
        words.join(" ".as_ref()).into_string().expect("text")
    }

    #[test]
    fn options_are_moved_with_their_values() {
        for (given, expected) in [
            ("mgdex --data d search --pfam 5", "mgdex search --data d --pfam 5"),
            ("mgdex --data=d -q --log json show 12", "mgdex show --data=d -q --log json 12"),
            ("mgdex --data search search x", "mgdex search --data search x"),
            ("mgdex profiles --data d export --log json", "mgdex profiles export --data d --log json"),
            ("mgdex --jwt-key a b serve --listen x", "mgdex serve --jwt-key a b --listen x"),
            ("mgdex --jwt-key=a serve", "mgdex serve --jwt-key=a"),
            ("mgdex --data d help search", "mgdex --data d help search"),
            ("mgdex --data d", "mgdex --data d"),
            ("mgdex --data", "mgdex --data"),
            ("mgdex --nothing search --data d", "mgdex --nothing search --data d"),
            ("mgdex -h --data d serve", "mgdex -h serve --data d"),
            ("mgdex -- search --data d", "mgdex -- search --data d"),
            ("mgdex search --data d -- --data", "mgdex search --data d -- --data"),
        ] {
            assert_eq!(ordered(given), expected, "{given}");
        }
        assert_eq!(after_command(&Arguments::command(), []), [] as [&str; 0]);
    }
}
