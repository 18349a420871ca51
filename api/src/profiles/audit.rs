//! The audit log: who wrote or searched what, one JSON line each. Names of keys only: neither values nor tokens.

mod output;
mod queue;

use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Serialize, Serializer};
use store::{Owner, ProfileReference, UserReference};
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

/// A line of the log.
#[derive(Debug, Serialize)]
pub(crate) struct AuditLine<'a> {
    /// When it was answered: RFC 3339, UTC, to the millisecond.
    #[serde(serialize_with = "rfc_3339")]
    pub(crate) time: OffsetDateTime,
    /// Who asked.
    pub(crate) actor: UserReference,
    /// What was asked for.
    pub(crate) action: Action,
    /// The profile, as far as it is known.
    pub(crate) profile: Option<ProfileReference>,
    /// Whom it belongs to, as far as it is known.
    pub(crate) owner: Option<OwnerReference<'a>>,
    /// The keys that were written, removed or searched by; none of a write that was refused.
    pub(crate) keys: &'a [String],
    /// How many further keys did not fit into the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) more_keys: Option<NonZeroUsize>,
    /// The status of the answer. Without one it is not known what became of it, and it may have been done.
    pub(crate) outcome: Option<u16>,
    /// The id of the request.
    pub(crate) request: &'a str,
}

/// How many bytes the keys of a line may have, so that the line has 4 KiB at most.
const KEYS_BYTES_MAX: usize = 3 << 10;

/// Returns the keys that fit into a line, and how many do not.
pub(crate) fn shown_keys(keys: &[String]) -> (&[String], Option<NonZeroUsize>) {
    let mut left = KEYS_BYTES_MAX;
    let num_shown = keys
        .iter()
        .take_while(|key| {
            // With quotes and a comma; what is escaped takes more.
            let num_bytes = serde_json::to_string(key).map_or(usize::MAX, |text| text.len() + 1);
            left.checked_sub(num_bytes).map(|rest| left = rest).is_some()
        })
        .count();
    (&keys[..num_shown], NonZeroUsize::new(keys.len() - num_shown))
}

/// What can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Action {
    /// A profile is made.
    Create,
    /// A user's own profile is made when it is first read.
    Provision,
    /// All attributes are replaced.
    Replace,
    /// Attributes are added or changed.
    Merge,
    /// An attribute is removed.
    Remove,
    /// Users are searched for.
    Search,
    /// All profiles are read.
    Export,
}

impl Action {
    /// Tells whether it changes something.
    pub(crate) fn is_write(self) -> bool {
        !matches!(self, Self::Search | Self::Export)
    }
}

/// The reference of an owner, whatever it is of.
#[derive(Debug)]
pub(crate) struct OwnerReference<'a>(pub(crate) &'a Owner);

impl Serialize for OwnerReference<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self.0)
    }
}

/// Writes a time.
fn rfc_3339<S: Serializer>(time: &OffsetDateTime, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&time.format(TIME_FORMAT).map_err(serde::ser::Error::custom)?)
}

/// Takes the lines, and knows how many are still to come. Nobody waits until a line is written: a thread of the log's own does that.
pub struct AuditLog {
    /// The file and its limits; without one it is standard output.
    file: Option<(PathBuf, AuditLimits)>,
    /// The lines on their way to the thread.
    queue: Arc<Queue>,
    /// How many operations are under way that will leave a line.
    num_open: watch::Sender<usize>,
}

impl AuditLog {
    /// Appends to a file, which is made if need be.
    ///
    /// # Errors
    ///
    /// * It cannot be written, or no thread can be started.
    pub fn to_file(path: PathBuf, limits: AuditLimits) -> io::Result<Self> {
        let output = Output::to_file(&path, limits)?;
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

    /// Starts the thread that writes.
    fn start(file: Option<(PathBuf, AuditLimits)>, output: Output) -> io::Result<Self> {
        let queue = Arc::new(Queue::default());
        let of_thread = Arc::clone(&queue);
        // It is never joined: an output that takes no more must not keep the process from ending.
        std::thread::Builder::new().name("audit".to_owned()).spawn(move || of_thread.write_to(output))?;
        Ok(Self { file, queue, num_open: watch::Sender::new(0) })
    }

    /// Opens the file again, after somebody has moved it away. Lines of before still go where they went.
    ///
    /// # Errors
    ///
    /// * It cannot be written. Lines go where they went.
    pub fn reopen(&self) -> io::Result<()> {
        if let Some((path, limits)) = &self.file {
            self.queue.change_output(Output::to_file(path, *limits)?);
        }
        Ok(())
    }

    /// Waits until nothing is under way any more that will leave a line, but no longer than that. Tells whether it was so.
    pub async fn wait_for_operations(&self, patience: Duration) -> bool {
        let mut num_open = self.num_open.subscribe();
        let ended = num_open.wait_for(|num_open| *num_open == 0);
        matches!(tokio::time::timeout(patience, ended).await, Ok(Ok(_)))
    }

    /// Waits, and blocks the thread, until all lines so far are written or lost, but no longer than that. Tells whether it was so.
    pub fn drain(&self, patience: Duration) -> bool {
        self.queue.drain(patience)
    }

    /// Notes that an operation has begun that will leave a line.
    pub(crate) fn begin(&self) {
        self.num_open.send_modify(|num_open| *num_open += 1);
    }

    /// Takes the line of an operation that had begun.
    pub(crate) fn end(&self, line: &AuditLine<'_>) {
        let mut text = serde_json::to_vec(line).expect("a line consists of texts and numbers");
        text.push(b'\n');
        self.queue.push(text);
        self.num_open.send_modify(|num_open| *num_open -= 1);
    }
}

impl Drop for AuditLog {
    fn drop(&mut self) {
        self.queue.close();
    }
}

#[cfg(test)]
mod tests;
