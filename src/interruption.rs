//! Ctrl-C and SIGTERM: during a run, the process reports the state of its work before it ends.

use std::io::{self, IsTerminal, Write};
use std::process;
use std::thread;

use tokio::runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::failure::Failure;
use crate::logging;

/// Shells report this exit code plus the number of the signal for a process that a signal has
/// ended.
const SIGNAL_EXIT_CODE: i32 = 128;

/// The signals that end a process.
pub(crate) struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

impl StopSignals {
    /// Must be called in a runtime.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    pub(crate) async fn next(&mut self) -> SignalKind {
        tokio::select! {
            _ = self.interrupt.recv() => SignalKind::interrupt(),
            _ = self.terminate.recv() => SignalKind::terminate(),
        }
    }
}

/// Ends the process with a message at Ctrl-C and SIGTERM. Files are left as if it had been killed.
pub(crate) fn announce(message: &'static str) -> Result<(), Failure> {
    announce_after(message, || ())
}

/// Ends the process like [`announce`], after cleaning up.
pub(crate) fn announce_after(message: &'static str, clean: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let runtime = runtime::Builder::new_current_thread().enable_io().build()?;
    let mut signals = {
        let _in_runtime = runtime.enter();
        StopSignals::new()?
    };
    let wait = move || {
        let kind = runtime.block_on(signals.next());
        if io::stderr().is_terminal() {
            // The message starts on a new line, below the progress bar.
            let _ = writeln!(io::stderr());
        }
        clean();
        logging::last_error(format_args!("interrupted: {message}"));
        process::exit(SIGNAL_EXIT_CODE + kind.as_raw_value());
    };
    thread::Builder::new().name("signals".to_owned()).spawn(wait)?;
    Ok(())
}
