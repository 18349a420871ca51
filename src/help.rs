//! The help of `mgdex -h` and `mgdex --help`: commands by task, without the options of commands.

use std::fmt::Write;

use clap::Command;

use crate::distributed::marked;

/// The commands that a newcomer needs.
const FIRST: [&str; 5] = ["search", "show", "index", "own", "serve"];

/// All commands, by task.
const TASKS: [(&str, &[&str]); 4] = [
    ("Ask", &["search", "show", "facets", "enrichment", "lookup", "similar", "cite"]),
    ("Load", &["index", "own", "catalogue", "directory", "profiles", "synth", "files"]),
    ("Serve", &["serve", "publish", "token"]),
    ("Maintain", &["generations", "rollback", "verify", "doctor", "config", "completions", "manual"]),
];

/// Options of `mgdex serve` in the help of `mgdex` alone, which accepts all of them.
const SHOWN: [&str; 2] = ["path", "listen"];

const TEMPLATE: &str = "{about-with-newline}\n{usage-heading} {usage}{after-help}\n\nOptions:\n{options}";

const DEMO: &str = "Serve the data folder, filled with a sample of MGnify's data if empty";

const MORE: &str = "`mgdex --help` lists all commands, and `mgdex search --help` explains one.";

const WORDS: &str = "\
Each load builds a generation, a complete state of the data, beside the present
one, checks it, and makes it the current one, which is searched and served. Rows
that cannot be loaded are listed in its rejects.tsv.
Without a command, mgdex accepts the options of `mgdex serve`.";

const EXAMPLES: &str = "\
Examples:
  mgdex search --pfam PF00005 --limit 10
  mgdex search --lineage root:Environmental:Aquatic --format fasta > aquatic.fasta
  mgdex search --query 'clan:CL0023 AND length:[50 TO 300]' --limit all --count
  mgdex show MGYP004580619181 --format fasta
  mgdex similar sequences.fasta --query 'pfam:PF00005' --format table
  mgdex index --release 2026_07 --pfam Pfam-A.clans.tsv.gz --pfam-version 38.0
  mgdex own add soil_2024 --proteins genes.faa --pfam hits.domtblout
  mgdex catalogue harvest --from https://www.ebi.ac.uk/metagenomics/api/v2 --to h
  mgdex catalogue load --v2 h
  mgdex serve --listen 0.0.0.0:8080 --jwt-key public.pem
  mgdex publish --to s3://bucket/mgdex
  mgdex serve --follow s3://bucket/mgdex --listen 0.0.0.0:8080

Results go to standard output, everything else to standard error.
Exit codes: 0 success, 1 failure, 2 wrong usage, 130 interrupted.
Inputs may be plain, gzip or zstd; `-` is standard input.";

/// Returns the command line with our own help. It is parsed in the same way.
pub(crate) fn with_help(command: Command) -> Command {
    let command = marked(command);
    let first = format!("Getting started:\n  {:<12} {DEMO}\n{}\n{MORE}", "mgdex", listed(&command, &FIRST));
    let mut all = String::new();
    for (task, names) in TASKS {
        let _ = writeln!(all, "{task}:\n{}", listed(&command, names));
    }
    let own = command.find_subcommand("serve").map(|serve| serve.get_arguments().cloned().collect::<Vec<_>>());
    let is_own = |id: &str| own.iter().flatten().any(|option| option.get_id() == id && !SHOWN.contains(&id));
    command
        .mut_args(|option| if is_own(option.get_id().as_str()) { option.hide(true) } else { option })
        .help_template(TEMPLATE)
        .after_help(first)
        .after_long_help(format!("{all}{WORDS}\n\n{EXAMPLES}"))
}

fn listed(command: &Command, names: &[&str]) -> String {
    let about = |name: &str| command.find_subcommand(name).and_then(Command::get_about).cloned().unwrap_or_default();
    let mut lines = String::new();
    for name in names {
        let _ = writeln!(lines, "  {name:<12} {}", about(name));
    }
    lines
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::arguments::Arguments;

    #[test]
    fn every_command_has_a_task_and_a_line() {
        let command = Arguments::command();
        let mut listed: Vec<_> = TASKS.iter().flat_map(|(_, names)| *names).copied().collect();
        listed.sort_unstable();
        let mut names: Vec<_> = command.get_subcommands().map(Command::get_name).collect();
        names.sort_unstable();
        assert_eq!(listed, names);
        for below in command.get_subcommands() {
            let about = below.get_about().expect("a line").to_string();
            assert!(about.chars().count() <= 64, "{about}");
        }
        let short = with_help(command).render_help().to_string();
        assert!(short.lines().count() <= 24, "{short}");
    }
}
