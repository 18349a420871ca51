//! Log lines on standard error.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

use clap::ValueEnum;
use tracing::level_filters::LevelFilter;

/// The form of log lines.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// The form of the lines of this process.
static FORMAT: OnceLock<LogFormat> = OnceLock::new();

/// Starts logging: everything from notices up, or from warnings up where the user wants it quiet.
pub(crate) fn start(format: LogFormat, is_quiet: bool) {
    let _ = FORMAT.set(format);
    let level = if is_quiet { LevelFilter::WARN } else { LevelFilter::INFO };
    let use_colour = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let lines = tracing_subscriber::fmt().with_writer(io::stderr).with_max_level(level).with_ansi(use_colour);
    match format {
        LogFormat::Text => lines.with_target(false).init(),
        LogFormat::Json => lines.json().flatten_event(true).init(),
    }
}

/// Tells why the process fails, in the form of its log lines: whoever reads JSON reads nothing else. People get a plain line.
pub(crate) fn last_error(message: impl fmt::Display) {
    match FORMAT.get() {
        Some(LogFormat::Json) => tracing::error!("{message}"),
        Some(LogFormat::Text) | None => {
            // There is nobody else to tell.
            let _ = writeln!(io::stderr(), "mgdex: {message}");
        }
    }
}
