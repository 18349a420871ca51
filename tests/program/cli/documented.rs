//! Chapters of the documentation on operating, whose commands tests run.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use crate::cli::{Done, run};
use support::{program, project};

/// Returns a chapter by its title.
pub(super) fn chapter(title: &str) -> String {
    let page = fs::read_to_string(project("src/operating.md")).expect("there");
    let (_, rest) = page.split_once(&format!("\n## {title}\n")).expect(title);
    rest.split("\n## ").next().expect("its text").to_owned()
}

/// Returns the blocks of code in a language.
pub(super) fn blocks<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let start = format!("```{language}\n");
    text.split(&start).skip(1).map(|part| part.split("```").next().expect("its end")).collect()
}

/// Runs a line as Snakemake does, with the program and some tools at hand.
pub(super) fn shell(line: &str, folder: &Path, data: &Path, tools: Option<&Path>) -> Done {
    let own = Path::new(program().get_program()).parent().expect("a folder").to_owned();
    let path = env::var_os("PATH").unwrap_or_default();
    let tools = tools.map(Path::to_owned);
    let path = env::join_paths([own].into_iter().chain(tools).chain(env::split_paths(&path))).expect("no colons");
    let mut command = Command::new("bash");
    command.args(["-c", &format!("set -euo pipefail; {line}")]).current_dir(folder);
    run(command.env("PATH", path).env("MGDEX_DATA", data))
}
