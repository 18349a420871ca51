//! Log lines on standard error.

use std::io::{self, IsTerminal};

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

/// Starts logging: everything from notices up, or from warnings up where the user wants it quiet.
pub(crate) fn start(format: LogFormat, is_quiet: bool) {
    let level = if is_quiet { LevelFilter::WARN } else { LevelFilter::INFO };
    let use_colour = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let lines = tracing_subscriber::fmt().with_writer(io::stderr).with_max_level(level).with_ansi(use_colour);
    match format {
        LogFormat::Text => lines.with_target(false).init(),
        LogFormat::Json => lines.json().flatten_event(true).init(),
    }
}
