//! Ctrl-C and SIGTERM in the middle of a run: it says what becomes of its work before it ends.

use std::io::{self, IsTerminal, Write};
use std::process;
use std::thread;

use tokio::runtime;
use tokio::signal::unix::{SignalKind, signal};

use crate::failure::Failure;
use crate::logging;

/// What the exit code of a process that a signal ended is above the number of the signal, as shells have it.
const SIGNAL_EXIT_CODE: i32 = 128;

/// From now on, ends the process with a message at Ctrl-C and SIGTERM. What it leaves on the disk is what a killed one leaves.
pub(crate) fn announce(message: &'static str) -> Result<(), Failure> {
    let runtime = runtime::Builder::new_current_thread().enable_io().build()?;
    let (interrupt, terminate) = (SignalKind::interrupt(), SignalKind::terminate());
    let (mut interrupts, mut terminations) = {
        let _in_runtime = runtime.enter();
        (signal(interrupt)?, signal(terminate)?)
    };
    let wait = move || {
        let kind = runtime.block_on(async {
            tokio::select! {
                _ = interrupts.recv() => interrupt,
                _ = terminations.recv() => terminate,
            }
        });
        if io::stderr().is_terminal() {
            // The progress stands on the line. There is nobody else to tell.
            let _ = writeln!(io::stderr());
        }
        logging::last_error(format_args!("interrupted: {message}"));
        process::exit(SIGNAL_EXIT_CODE + kind.as_raw_value());
    };
    thread::Builder::new().name("signals".to_owned()).spawn(wait)?;
    Ok(())
}
