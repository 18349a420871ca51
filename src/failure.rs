//! The failure of a command: one line on standard error, and an exit code.

use std::error::Error;
use std::process::ExitCode;

use crate::logging;

#[derive(Debug)]
pub(crate) enum Failure {
    /// The problem and its remedy.
    Message(String),
    /// A problem of the settings.
    Usage(String),
    /// The reader of standard output is gone, which is not an error.
    ClosedPipe,
}

impl Failure {
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Self::Message(message) => {
                logging::last_error(message);
                ExitCode::FAILURE
            }
            Self::Usage(message) => {
                logging::last_error(message);
                ExitCode::from(2)
            }
            Self::ClosedPipe => ExitCode::SUCCESS,
        }
    }
}

impl Failure {
    /// Returns the problem, and its remedy.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Message(message) | Self::Usage(message) => message,
            Self::ClosedPipe => "nobody reads the output",
        }
    }
}

impl<E: Error + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Message(error.to_string())
    }
}
