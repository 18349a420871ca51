//! Log lines on standard error.

mod access_lines;
mod text_lines;

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::time::Duration;

use clap::ValueEnum;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::writer::MakeWriterExt;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use self::access_lines::AccessLines;
use self::text_lines::{TerminalLines, TextLines};

/// The target of the lines about answered requests.
const ACCESS: &str = "access";

/// The interval at which lost lines are reported.
const LOSS_INTERVAL: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LogFormat {
    /// Plain text for people
    Text,
    /// One JSON object per line
    Json,
}

/// The lines that are logged, and their format. Warnings and errors are always logged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Logged {
    pub(crate) format: LogFormat,
    /// If set, only warnings and errors are logged.
    pub(crate) is_quiet: bool,
    /// If set, answered requests are also logged at a terminal.
    pub(crate) with_requests: bool,
    /// If set, the demo prints its own lines at a terminal, in place of those of the log.
    pub(crate) is_demo: bool,
}

static FORMAT: OnceLock<LogFormat> = OnceLock::new();

/// The writer of lines about answered requests, made for the first of them.
static ACCESS_LINES: OnceLock<AccessLines> = OnceLock::new();

/// Writes the last lines when it is dropped.
pub(crate) struct LastLines;

impl Drop for LastLines {
    fn drop(&mut self) {
        if let Some(lines) = ACCESS_LINES.get() {
            lines.close();
        }
    }
}

/// Starts logging. A separate thread writes the lines about answered requests: no request waits for
/// standard error.
pub(crate) fn start(Logged { format, is_quiet, with_requests, is_demo }: Logged) -> LastLines {
    let _ = FORMAT.set(format);
    let is_terminal = io::stderr().is_terminal();
    let level =
        |is_silent: bool| if is_quiet || is_terminal && is_silent { LevelFilter::WARN } else { LevelFilter::INFO };
    let levels = Targets::new().with_default(level(is_demo)).with_target(ACCESS, level(!with_requests));
    let use_colour = is_terminal && std::env::var_os("NO_COLOR").is_none();
    let start_access_lines = || AccessLines::start(io::stderr()).expect("the system has room for a thread");
    let access_lines = move || ACCESS_LINES.get_or_init(start_access_lines);
    let writer = access_lines.with_filter(|line| line.target() == ACCESS).or_else(io::stderr);
    let lines = tracing_subscriber::fmt().with_writer(writer).with_ansi(use_colour);
    match format {
        LogFormat::Text if is_terminal => lines.event_format(TerminalLines).finish().with(levels).init(),
        LogFormat::Text => lines.with_target(false).map_event_format(TextLines).finish().with(levels).init(),
        LogFormat::Json => lines.json().flatten_event(true).finish().with(levels).init(),
    }
    LastLines
}

/// Logs the number of lost lines about requests whenever it has grown, forever.
pub(crate) async fn report_lost() {
    let mut num_reported = 0;
    loop {
        tokio::time::sleep(LOSS_INTERVAL).await;
        let num_lost = ACCESS_LINES.get().map_or(0, AccessLines::num_lost);
        if num_lost > num_reported {
            tracing::warn!(target: ACCESS, "{num_lost} lines about requests were lost: standard error is read too slowly");
            num_reported = num_lost;
        }
    }
}

/// Reports the failure of the process: as a plain line, or as a JSON object if the log is JSON, so
/// that its reader can parse every line.
pub(crate) fn last_error(message: impl fmt::Display) {
    match FORMAT.get() {
        Some(LogFormat::Json) => tracing::error!("{message}"),
        Some(LogFormat::Text) | None => {
            // If standard error cannot be written, this cannot be reported anywhere.
            let _ = writeln!(io::stderr(), "mgdex: {message}");
        }
    }
}
