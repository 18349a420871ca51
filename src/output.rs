//! Results on standard output.

use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, StdoutLock, Write};

use crate::failure::Failure;

/// Buffered standard output. If its reader closes it, the command ends without an error.
pub(crate) struct Output(BufWriter<StdoutLock<'static>>);

impl Output {
    pub(crate) fn new() -> Self {
        Self(BufWriter::new(io::stdout().lock()))
    }

    pub(crate) fn line(&mut self, text: impl Display) -> Result<(), Failure> {
        writeln!(self.0, "{text}").map_err(|error| failure(&error))
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.0.write_all(bytes).map_err(|error| failure(&error))
    }

    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.0.flush().map_err(|error| failure(&error))
    }
}

/// Returns whether results are printed at a terminal.
pub(crate) fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

pub(crate) fn print(text: impl Display) -> Result<(), Failure> {
    let mut output = Output::new();
    output.line(text)?;
    output.finish()
}

fn failure(error: &io::Error) -> Failure {
    if error.kind() == ErrorKind::BrokenPipe {
        Failure::ClosedPipe
    } else {
        Failure::Message(format!("cannot write the result: {error}"))
    }
}
