//! Log lines on standard error.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

use clap::ValueEnum;
use tracing::level_filters::LevelFilter;

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LogFormat {
    /// Plain text for people
    Text,
    /// One JSON object a line
    Json,
}

static FORMAT: OnceLock<LogFormat> = OnceLock::new();

/// Starts logging from level info, or from level warn if `is_quiet`.
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

/// Reports why the process fails: as a plain line, or as a JSON object if the log is JSON, so that its reader can parse every line.
pub(crate) fn last_error(message: impl fmt::Display) {
    match FORMAT.get() {
        Some(LogFormat::Json) => tracing::error!("{message}"),
        Some(LogFormat::Text) | None => {
            // If standard error cannot be written, there is no other way to report it.
            let _ = writeln!(io::stderr(), "mgdex: {message}");
        }
    }
}
