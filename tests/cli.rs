//! The promises of the program itself: its output, its exit codes, and its start and stop.

mod catalogue;
mod cite;
mod demo;
mod generations;
mod hostile;
mod index;
mod lookup;
mod plain_build;
mod profile_server;
mod profiles;
mod query;
mod same_as_service;
mod search;
mod serve;
mod settings;
mod show;
mod synth;
mod terminal;
mod token;
mod usage;
mod verify;

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Output};

use support::{TestFolder, data, program};

/// Three proteins, one of each value of `full_length`; the first is longer than a line of FASTA.
fn rows() -> String {
    let long = "MKVLAARSTW".repeat(13);
    format!(
        "12,{long},true,7,\"{{\"\"b\"\":[[132,1]],\"\"p\"\":[[\"\"PF00005\"\",1e-9,40.5,1,9,2,6]]}}\"\n\
         13,MKVL,false,1,\"{{\"\"b\"\":[[62,1]]}}\"\n14,MKAA,,1,\"{{\"\"b\"\":[[132,1]]}}\"\n"
    )
}

/// The outcome of a command.
#[derive(Debug)]
struct Done {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

/// Runs a command to its end.
fn run(command: &mut Command) -> Done {
    done(command.output().expect("the program starts"))
}

fn done(output: Output) -> Done {
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Done { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Runs a command over a data folder.
fn run_on(folder: &TestFolder, arguments: &[&str]) -> Done {
    run(program().args(arguments).arg("--data").arg(folder.path()))
}

/// Returns the arguments that name the bundled tables.
fn tables() -> [PathBuf; 4] {
    ["--biomes".into(), data("proteins/biomes_id_lineage.tsv"), "--pfam".into(), data("proteins/Pfam-A.clans.tsv.gz")]
}

/// Returns the command that indexes an input with the bundled tables.
fn index(folder: &TestFolder, portal: impl AsRef<OsStr>) -> Command {
    let mut command = program();
    command.args(["index", "--portal"]).arg(portal).args(tables()).arg("--data").arg(folder.path());
    command
}
