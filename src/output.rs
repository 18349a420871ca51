//! Results on standard output.

use std::io::{self, BufWriter, ErrorKind, StdoutLock, Write};

use crate::failure::Failure;

/// Standard output, buffered. A reader that goes away ends the command quietly.
pub(crate) struct Output(BufWriter<StdoutLock<'static>>);

impl Output {
    /// Takes standard output.
    pub(crate) fn new() -> Self {
        Self(BufWriter::new(io::stdout().lock()))
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, text: impl std::fmt::Display) -> Result<(), Failure> {
        writeln!(self.0, "{text}").map_err(|error| closed(&error))
    }

    /// Writes what is still in memory.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.0.flush().map_err(|error| closed(&error))
    }
}

/// Returns the failure for an error of standard output.
fn closed(error: &io::Error) -> Failure {
    if error.kind() == ErrorKind::BrokenPipe {
        Failure::ClosedPipe
    } else {
        Failure::Message(format!("cannot write the result: {error}"))
    }
}
