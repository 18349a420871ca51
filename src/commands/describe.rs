//! `mgdex completions` and `mgdex manual`: the command line, described for shells and for `man`.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::failure::Failure;
use crate::help::with_help;
use crate::output::Output;

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell, which reads the output: `source <(mgdex completions bash)`
    shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManualArguments {
    /// The folder that the pages are written to: mgdex.1, mgdex-search.1, and so on
    folder: PathBuf,
}

pub(crate) fn print_completions(
    CompletionsArguments { shell }: &CompletionsArguments,
    mut described: Command,
) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(*shell, &mut described, "mgdex", &mut script);
    let mut output = Output::new();
    output.bytes(&script)?;
    output.finish()
}

pub(crate) fn write_manual(ManualArguments { folder }: &ManualArguments, described: Command) -> Result<(), Failure> {
    let failure = |error| Failure::Message(format!("cannot write the pages to {}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failure)?;
    clap_mangen::generate_to(with_help(described), folder).map_err(failure)
}
