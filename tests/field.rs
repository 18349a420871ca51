//! The files of the field: each awkward form of a file, a list or a name, through every way in, and
//! tables through readers that know quotes.

mod conditions;
mod lists;
mod names;
mod of_catalogue;
mod releases;
mod samples;
mod sequences;
mod tables;

use support::{TestFolder, program};

/// Returns the output of a command over a folder, and its exit code.
fn printed(folder: &TestFolder, arguments: &[&str]) -> (Option<i32>, String) {
    let output = program().args(arguments).args(["--data"]).arg(folder.path()).output().expect("the program starts");
    (output.status.code(), String::from_utf8(output.stdout).expect("text"))
}
