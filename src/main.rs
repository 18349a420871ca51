//! The command line of mgdex: parse, call, exit code.

mod arguments;
mod audit_log;
mod bundled;
mod commands;
mod confidential;
mod config_file;
mod data_folder;
mod distributed;
mod duration;
mod failure;
mod help;
mod interruption;
mod logging;
mod output;
mod size;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = arguments::Arguments::read();
    let _last_lines = logging::start(arguments.logged());
    match arguments.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
