//! How a command fails: one line on standard error, and exit code 1.

use std::error::Error;
use std::process::ExitCode;

use crate::logging;

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something went wrong; the text says what, and what to do.
    Message(String),
    /// The reader of the output has gone away, which is no fault.
    ClosedPipe,
}

impl Failure {
    /// Tells the user, and returns the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Self::Message(message) => {
                logging::last_error(message);
                ExitCode::FAILURE
            }
            Self::ClosedPipe => ExitCode::SUCCESS,
        }
    }
}

impl<E: Error + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Message(error.to_string())
    }
}
