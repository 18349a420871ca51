//! The progress of a run: a bar on a terminal, log lines otherwise.

use std::fmt::Write;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use store::grouped;

use crate::words::counted;

/// The interval of log lines without a terminal.
const LOG_INTERVAL: Duration = Duration::from_secs(10);

/// The shortest time that is shown in minutes and hours.
const LONG: Duration = Duration::from_mins(2);

/// The unit that a stage counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of input before decompression.
    Bytes,
    /// Proteins.
    Proteins,
    /// Rows of a table.
    Rows,
    /// Resources of a catalogue.
    Resources,
    /// Users and domains of a directory.
    Facts,
    /// Requests to a server.
    Requests,
    /// Sequences that are searched for.
    Sequences,
}

/// The progress of a stage.
pub struct Progress {
    name: &'static str,
    unit: Unit,
    /// Hidden if standard error is not a terminal.
    bar: ProgressBar,
    started: Instant,
    /// The time of the last log line.
    logged: Mutex<Instant>,
}

impl Unit {
    /// Returns the singular noun, or `None` for bytes, which have separate units.
    const fn noun(self) -> Option<&'static str> {
        match self {
            Self::Bytes => None,
            Self::Proteins => Some("protein"),
            Self::Rows => Some("row"),
            Self::Resources => Some("resource"),
            Self::Facts => Some("record"),
            Self::Requests => Some("request"),
            Self::Sequences => Some("sequence"),
        }
    }
}

impl Progress {
    /// Starts a stage that counts up to `total`, or to an unknown number if that is 0.
    pub fn start(name: &'static str, unit: Unit, total: u64) -> Self {
        let template = match (unit.noun(), total) {
            (None, 0) => "{prefix:>10} {spinner} {bytes} ({bytes_per_sec})".to_owned(),
            (None, _) => "{prefix:>10} [{wide_bar}] {bytes}/{total_bytes} ({bytes_per_sec}, {eta} left)".to_owned(),
            (Some(noun), _) => {
                let numbers = "{human_pos}/{human_len}";
                format!("{{prefix:>10}} [{{wide_bar}}] {numbers} {noun}s ({{rate}}/s, {{eta}} left)")
            }
        };
        let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
        // The bar is hidden if log lines are.
        let is_wanted = tracing::enabled!(tracing::Level::INFO);
        let target = if is_wanted { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        let rate = |state: &ProgressState, text: &mut dyn Write| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rate is rough")]
            let _ = text.write_str(&grouped(state.per_sec() as u64));
        };
        bar.set_style(style.progress_chars("=> ").with_key("rate", rate));
        bar.set_prefix(name);
        let now = Instant::now();
        Self { name, unit, bar, started: now, logged: Mutex::new(now) }
    }

    /// Changes the number that the stage counts up to.
    pub fn expect(&self, total: u64) {
        self.bar.set_length(total);
    }

    /// Advances to a position. Several threads may call it.
    pub fn set(&self, position: u64) {
        self.bar.set_position(position);
        self.log();
    }

    /// Advances by a number.
    pub fn add(&self, number: u64) {
        self.bar.inc(number);
        self.log();
    }

    /// Writes a log line if it is due and the bar is hidden.
    fn log(&self) {
        if self.bar.is_hidden()
            && let Ok(mut logged) = self.logged.try_lock()
            && logged.elapsed() >= LOG_INTERVAL
        {
            *logged = Instant::now();
            tracing::info!("{}: {}", self.name, self.describe());
        }
    }

    /// Ends the stage and returns its duration.
    pub fn finish(&self) -> Duration {
        let duration = self.started.elapsed();
        // Finishing moves the bar to its end.
        let position = self.bar.position();
        self.bar.finish_and_clear();
        let seconds = duration.as_secs_f64();
        let time = if seconds < 0.05 { "less than 0.1 s".to_owned() } else { format!("{seconds:.1} s") };
        tracing::info!("{}: {} in {time}", self.name, self.amount(position));
        duration
    }

    fn describe(&self) -> String {
        let position = self.bar.position();
        let total = self.bar.length().unwrap_or(0);
        let seconds = self.started.elapsed().as_secs_f64();
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a rate is rough"
        )]
        let (rate, left) = {
            let left = total.saturating_sub(position) as f64 / (position.max(1) as f64 / seconds);
            ((position as f64 / seconds) as u64, Duration::from_secs(left as u64))
        };
        let (position, rate) = (self.amount(position), self.amount(rate));
        if total == 0 {
            format!("{position}, {rate}/s")
        } else {
            let left = if left < LONG { format!("{} s", left.as_secs()) } else { HumanDuration(left).to_string() };
            format!("{position} of {}, {rate}/s, {left} left", self.amount(total))
        }
    }

    fn amount(&self, number: u64) -> String {
        match self.unit.noun() {
            None => HumanBytes(number).to_string(),
            Some(noun) => counted(number, noun),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_lines_show_rate_and_time_left() {
        let progress = Progress::start("reading", Unit::Bytes, 4 << 20);
        progress.bar.set_position(1 << 20);
        let text = progress.describe();
        assert!(
            text.starts_with("1.00 MiB of 4.00 MiB, ") && text.contains("/s, ") && text.ends_with(" s left"),
            "{text}"
        );

        let stream = Progress::start("reading", Unit::Bytes, 0);
        stream.bar.set_position(1 << 20);
        assert!(stream.describe().starts_with("1.00 MiB, "), "{}", stream.describe());
    }
}
