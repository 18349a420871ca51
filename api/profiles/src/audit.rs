//! The audit log: a JSON line for each write, search and export. It names keys, but neither values
//! nor tokens.

pub(super) mod entry;
mod output;
mod queue;

use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use axum::http::StatusCode;
use serde::{Serialize, Serializer};
use store::{ProfileReference, UserReference};
use store_profiles::{Authority, Profile};
use time::OffsetDateTime;
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;
use tokio::sync::watch;

pub use self::output::AuditLimits;
use self::output::Output;
use self::queue::Queue;

/// RFC 3339 in UTC, to the millisecond.
const TIME_FORMAT: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");

#[derive(Debug, Serialize)]
pub(crate) struct AuditLine<'a> {
    /// The time of the answer.
    #[serde(serialize_with = "rfc_3339")]
    pub(crate) time: OffsetDateTime,
    /// `None` for the command line.
    pub(crate) actor: Option<UserReference>,
    pub(crate) action: Action,
    /// If known.
    pub(crate) profile: Option<ProfileReference>,
    /// If known.
    pub(crate) owner: Option<String>,
    pub(crate) keys: &'a [String],
    /// The number of keys for which the line had no room.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) more_keys: Option<NonZeroUsize>,
    /// The status of the answer. Without one the outcome is unknown: it may have been done.
    pub(crate) outcome: Option<u16>,
    pub(crate) request: &'a str,
}

impl AuditLine<'_> {
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("a line consists of texts and numbers")
    }
}

/// The most bytes of the keys of a line, so that a line has at most 4 KiB.
const KEYS_BYTES_MAX: usize = 3 << 10;

pub(crate) fn shown_keys(keys: &[String]) -> (&[String], Option<NonZeroUsize>) {
    let mut left = KEYS_BYTES_MAX;
    let num_shown = keys
        .iter()
        .take_while(|key| {
            // The key in quotes, with a comma and escapes.
            let num_bytes = serde_json::to_string(key).map_or(usize::MAX, |text| text.len() + 1);
            left.checked_sub(num_bytes).map(|rest| left = rest).is_some()
        })
        .count();
    (&keys[..num_shown], NonZeroUsize::new(keys.len() - num_shown))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Action {
    Create,
    /// The creation of a user's own profile when it is first read.
    Provision,
    Replace,
    Merge,
    Remove,
    Erase,
    Search,
    Export,
}

impl Action {
    pub(crate) fn is_write(self) -> bool {
        !matches!(self, Self::Search | Self::Export)
    }

    /// Returns the status of a successful answer.
    pub(crate) fn success(self) -> StatusCode {
        match self {
            Self::Create => StatusCode::CREATED,
            Self::Erase => StatusCode::NO_CONTENT,
            Self::Provision | Self::Replace | Self::Merge | Self::Remove | Self::Search | Self::Export => {
                StatusCode::OK
            }
        }
    }
}

fn rfc_3339<S: Serializer>(time: &OffsetDateTime, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&time.format(TIME_FORMAT).map_err(serde::ser::Error::custom)?)
}

/// The authority of the command line, which erases profiles.
#[derive(Clone, Copy, Debug)]
pub struct ErasureByCommand;

impl Authority for ErasureByCommand {
    fn permits(&self) -> bool {
        true
    }

    fn audit_line(&self, profile: &Profile) -> Option<String> {
        Some(Self::line(profile))
    }
}

impl ErasureByCommand {
    /// Returns the line of the audit log for the erasure of a profile.
    pub fn line(profile: &Profile) -> String {
        let line = AuditLine {
            time: OffsetDateTime::now_utc(),
            actor: None,
            action: Action::Erase,
            profile: Some(profile.reference),
            owner: Some(profile.owner.to_string()),
            keys: &[],
            more_keys: None,
            outcome: Some(Action::Erase.success().as_u16()),
            request: "mgdex profiles erase",
        };
        line.text()
    }
}

/// Takes lines without blocking, and counts those that will follow. A separate thread writes them.
pub struct AuditLog {
    /// `None` for standard output.
    file: Option<(PathBuf, AuditLimits)>,
    queue: Queue,
    /// The number of operations under way, each of which will leave a line.
    num_open: watch::Sender<usize>,
}

impl AuditLog {
    /// Appends to a file, creating it if needed. If the disk is full or read-only, lines are lost
    /// until the file can be opened.
    ///
    /// # Errors
    ///
    /// * The file cannot be written for another reason, or no thread can be started.
    pub fn to_file(path: PathBuf, limits: AuditLimits) -> io::Result<Self> {
        let output = match Output::to_file(&path, limits) {
            Err(error) if is_disk_error(&error) => {
                tracing::error!(%error, "the audit log {} cannot be opened: lines are lost until it can be", path.display());
                Output::unopened(&path, limits)
            }
            opened => opened?,
        };
        Self::start(Some((path, limits)), output)
    }

    /// Writes to standard output.
    ///
    /// # Errors
    ///
    /// * No thread can be started.
    pub fn to_stdout() -> io::Result<Self> {
        Self::start(None, Output::new(io::stdout()))
    }

    fn start(file: Option<(PathBuf, AuditLimits)>, output: Output) -> io::Result<Self> {
        Ok(Self { file, queue: Queue::start(output)?, num_open: watch::Sender::new(0) })
    }

    /// Opens the file again after it was moved away. Earlier lines are still written to the old
    /// file.
    ///
    /// # Errors
    ///
    /// * The file cannot be written. Lines are still written to the old file.
    pub fn reopen(&self) -> io::Result<()> {
        if let Some((path, limits)) = &self.file {
            self.queue.change_output(Output::to_file(path, *limits)?);
        }
        Ok(())
    }

    /// Waits until no operation under way will leave a line, and returns whether that took at most
    /// `patience`.
    pub async fn wait_for_operations(&self, patience: Duration) -> bool {
        let mut num_open = self.num_open.subscribe();
        let ended = num_open.wait_for(|num_open| *num_open == 0);
        matches!(tokio::time::timeout(patience, ended).await, Ok(Ok(_)))
    }

    /// Blocks until all lines so far are written or lost, and returns whether that took at most
    /// `patience`.
    pub fn drain(&self, patience: Duration) -> bool {
        self.queue.drain(patience)
    }

    /// Queues a line.
    pub fn note(&self, line: String) {
        self.queue.push((line + "\n").into_bytes());
    }

    /// Counts an operation that will leave a line.
    pub(crate) fn begin(&self) {
        self.num_open.send_modify(|num_open| *num_open += 1);
    }

    /// Queues the line of an operation that was counted.
    pub(crate) fn end(&self, line: String) {
        self.note(line);
        self.num_open.send_modify(|num_open| *num_open -= 1);
    }
}

/// Returns whether the disk refuses every write, whatever the file: that does not keep a server
/// from starting.
fn is_disk_error(error: &io::Error) -> bool {
    use io::ErrorKind::{QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | ReadOnlyFilesystem)
}

#[cfg(test)]
mod tests;
