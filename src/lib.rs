//! The command line of mgdex: parse, call, exit code. It is a library, so that it is compiled while
//! those below it are still being optimised; the program itself waits for all of them.

mod arguments;
mod audit_log;
mod bundled;
mod commands;
mod confidential;
mod config_file;
mod data_folder;
mod distributed;
mod duration;
mod engine_user;
mod failure;
mod files;
mod help;
mod interruption;
mod listen_address;
mod logging;
mod output;
mod size;
mod token_audience;

use std::process::ExitCode;

/// Runs the command that the arguments name.
pub fn run() -> ExitCode {
    let arguments = arguments::Arguments::read();
    let _last_lines = logging::start(arguments.logged());
    match arguments.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
