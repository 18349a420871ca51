//! Log lines in plain text.

use std::fmt::{self, Debug};

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::fmt::format::{Format, Writer};
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use super::ACCESS;

/// Formats lines like the library. Lines about answered requests, which are most frequent, take
/// half the time.
pub(super) struct TextLines(pub(super) Format);

impl<S, N> FormatEvent<S, N> for TextLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut line: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let metadata = event.metadata();
        if metadata.target() != ACCESS || *metadata.level() != Level::INFO || line.has_ansi_escapes() {
            return self.0.format_event(context, line, event);
        }
        SystemTime.format_time(&mut line)?;
        line.write_str("  INFO")?;
        let mut fields = Fields { line, written: Ok(()) };
        event.record(&mut fields);
        fields.written?;
        fields.line.write_char('\n')
    }
}

/// Formats lines for a person at a terminal: the message, with a word before it only for warnings
/// and errors.
pub(super) struct TerminalLines;

impl<S, N> FormatEvent<S, N> for TerminalLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, _context: &FmtContext<'_, S, N>, mut line: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let (colour, word) = match *event.metadata().level() {
            Level::ERROR => ("\x1b[31m", "error:"),
            Level::WARN => ("\x1b[33m", "warning:"),
            _ => ("", ""),
        };
        match (word.is_empty(), line.has_ansi_escapes()) {
            (true, _) => {}
            (false, true) => write!(line, "{colour}{word}\x1b[0m ")?,
            (false, false) => write!(line, "{word} ")?,
        }
        let mut text = String::new();
        let mut fields = Fields { line: Writer::new(&mut text), written: Ok(()) };
        event.record(&mut fields);
        fields.written?;
        writeln!(line, "{}", text.trim_start())
    }
}

struct Fields<'a> {
    line: Writer<'a>,
    written: fmt::Result,
}

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let written = match field.name() {
            "message" => write!(self.line, " {value:?}"),
            name => write!(self.line, " {name}={value:?}"),
        };
        self.written = self.written.and(written);
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use tracing::subscriber::with_default;

    use super::*;

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Lines {
        fn write(&mut self, line: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("whole").write(line)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Lines {
        /// Returns the lines without their times, which all have the same length.
        fn without_times(&self) -> Vec<String> {
            let lines = String::from_utf8(self.0.lock().expect("whole").clone()).expect("text");
            lines.lines().map(|line| line["2026-11-22T20:43:52.188932Z".len()..].to_owned()).collect()
        }
    }

    fn log() {
        let (id, uri, status, duration_us) = ("3b1f", "/p?q=\"a\"&b='c'", 404_u16, u64::MAX);
        tracing::info!(target: ACCESS, id, %uri, status, duration_us, is_it = true, error = ?Some("x"), "answered");
        tracing::warn!(target: ACCESS, "3 lines were lost");
        tracing::info!(uri, "another line about {id}");
    }

    #[test]
    fn lines_equal_those_of_the_library() {
        let [own, theirs] = [(); 2].map(|()| Lines::default());
        let format = |lines: &Lines| {
            let lines = lines.clone();
            tracing_subscriber::fmt().with_writer(move || lines.clone()).with_ansi(false).with_target(false)
        };
        with_default(format(&own).map_event_format(TextLines).finish(), log);
        with_default(format(&theirs).finish(), log);
        assert_eq!(own.without_times(), theirs.without_times());
        assert_eq!(own.without_times().len(), 3);
    }
}
