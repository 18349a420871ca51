//! How a command fails: one line on standard error, and exit code 1.

use std::error::Error;
use std::process::ExitCode;

use crate::logging;

#[derive(Debug)]
pub(crate) enum Failure {
    /// What went wrong, and what to do.
    Message(String),
    /// The reader of standard output has gone away, which is not an error.
    ClosedPipe,
}

impl Failure {
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
