//! The audit log: who wrote or searched what, one JSON line each. Names of keys only: neither values nor tokens.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use time::OffsetDateTime;
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;

/// Who may read a file that is made: its owner.
const FILE_MODE: u32 = 0o600;

/// RFC 3339 in UTC, to the millisecond.
const TIME_FORMAT: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");

/// A line of the log.
#[derive(Debug, Serialize)]
pub(crate) struct AuditLine<'a> {
    /// When it was answered: RFC 3339, UTC, to the millisecond; see [`now`].
    pub(crate) time: String,
    /// Who asked: `usr-…`.
    pub(crate) actor: String,
    /// What was asked for.
    pub(crate) action: Action,
    /// The profile, as far as it is known.
    pub(crate) profile: Option<String>,
    /// Whom it belongs to, as far as it is known.
    pub(crate) owner: Option<String>,
    /// The keys that were written, removed or searched by.
    pub(crate) keys: &'a [String],
    /// The status of the answer.
    pub(crate) outcome: u16,
    /// The id of the request.
    pub(crate) request: &'a str,
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

/// Returns the time of a line that is written now.
pub(crate) fn now() -> String {
    format(OffsetDateTime::now_utc())
}

/// Returns a time as it is written.
fn format(time: OffsetDateTime) -> String {
    time.format(TIME_FORMAT).expect("a time has all parts of the format")
}

/// Where the lines go.
pub struct AuditLog {
    /// The file; without one it is standard output.
    path: Option<PathBuf>,
    /// What is known of the lines before.
    state: Mutex<State>,
}

/// Where the next line goes.
struct State {
    /// The opened file, or standard output.
    output: Box<dyn Write + Send>,
    /// Whether the last line could not be written.
    is_failing: bool,
    /// Whether a part of a line may be at the end of the output.
    is_torn: bool,
}

impl AuditLog {
    /// Appends to a file, which is made if need be.
    ///
    /// # Errors
    ///
    /// * It cannot be written.
    pub fn to_file(path: PathBuf) -> io::Result<Self> {
        let (file, is_torn) = open(&path)?;
        Ok(Self::new(Some(path), file, is_torn))
    }

    /// Writes to standard output.
    pub fn to_stdout() -> Self {
        Self::new(None, io::stdout(), false)
    }

    /// Writes to an output.
    fn new(path: Option<PathBuf>, output: impl Write + Send + 'static, is_torn: bool) -> Self {
        Self { path, state: Mutex::new(State { output: Box::new(output), is_failing: false, is_torn }) }
    }

    /// Opens the file again, after somebody has moved it away.
    ///
    /// # Errors
    ///
    /// * It cannot be written. Lines go where they went.
    pub fn reopen(&self) -> io::Result<()> {
        if let Some(path) = &self.path {
            let (file, is_torn) = open(path)?;
            let mut state = self.lock();
            state.output = Box::new(file);
            state.is_torn = is_torn;
        }
        Ok(())
    }

    /// Writes a line. A line that cannot be written is logged: the answer must not wait for it.
    pub(crate) fn write(&self, line: &AuditLine<'_>) {
        let mut text = serde_json::to_vec(line).expect("a line consists of texts and numbers");
        text.push(b'\n');
        let mut state = self.lock();
        let written = state.append(&text);
        let was_failing = std::mem::replace(&mut state.is_failing, written.is_err());
        match written {
            Ok(()) if was_failing => tracing::info!("the audit log is written again"),
            Err(error) if !was_failing => {
                tracing::error!(%error, "the audit log cannot be written: lines are lost until it can");
            }
            _ => {}
        }
    }

    /// Waits until no other line is being written.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Appends a line in one write, where the system does not split it. What a full disk has cut off ends before the next line.
    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        let was_torn = std::mem::replace(&mut self.is_torn, true);
        if was_torn {
            self.output.write_all(&[b"\n", line].concat())?;
        } else {
            self.output.write_all(line)?;
        }
        self.output.flush()?;
        self.is_torn = false;
        Ok(())
    }
}

/// Opens a file to append to, and tells whether its last line was cut off.
fn open(path: &Path) -> io::Result<(File, bool)> {
    let file = OpenOptions::new().append(true).create(true).mode(FILE_MODE).open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() == 0 {
        return Ok((file, false));
    }
    let mut last = [0];
    File::open(path)?.read_exact_at(&mut last, metadata.len() - 1)?;
    Ok((file, last != *b"\n"))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::sync::Arc;

    use serde_json::{Value, json};
    use time::macros::datetime;

    use super::*;

    fn write(log: &AuditLog, request: &str) {
        let keys = ["email".to_owned(), "a \"b\"\n".to_owned()];
        log.write(&AuditLine {
            time: "2026-11-20T12:00:00.000Z".to_owned(),
            actor: "usr-1".to_owned(),
            action: Action::Merge,
            profile: Some("prf-1".to_owned()),
            owner: None,
            keys: &keys,
            outcome: 200,
            request,
        });
    }

    fn lines(path: &Path) -> Vec<Value> {
        let text = fs::read_to_string(path).expect("text");
        assert!(text.is_empty() || text.ends_with('\n'));
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    #[test]
    fn times_are_rfc_3339() {
        assert_eq!(format(datetime!(2026-01-02 03:04:05.0067 UTC)), "2026-01-02T03:04:05.006Z");
        assert_eq!(now().len(), "2026-01-02T03:04:05.006Z".len());
    }

    #[test]
    fn lines_are_appended_for_the_owner_of_the_file_alone() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("audit.jsonl");
        for request in ["1", "2"] {
            let log = AuditLog::to_file(path.clone()).expect("writable");
            write(&log, request);
        }
        let line = json!({
            "time": "2026-11-20T12:00:00.000Z", "actor": "usr-1", "action": "merge", "profile": "prf-1", "owner": null,
            "keys": ["email", "a \"b\"\n"], "outcome": 200, "request": "1"
        });
        let lines = lines(&path);
        assert_eq!((lines.len(), &lines[0], &lines[1]["request"]), (2, &line, &json!("2")));
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
        assert!(AuditLog::to_file(folder.path().join("missing/audit.jsonl")).is_err());
    }

    #[test]
    fn lines_of_many_at_once_stay_whole() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("audit.jsonl");
        let log = AuditLog::to_file(path.clone()).expect("writable");
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let log = &log;
                scope.spawn(move || (0..100).for_each(|number| write(log, &format!("{thread}-{number}"))));
            }
        });
        assert_eq!(lines(&path).len(), 800);
    }

    #[test]
    fn a_file_that_was_moved_away_is_made_anew_when_asked() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [path, moved] = ["audit.jsonl", "audit.jsonl.1"].map(|name| folder.path().join(name));
        let log = AuditLog::to_file(path.clone()).expect("writable");
        write(&log, "1");
        fs::rename(&path, &moved).expect("there");
        write(&log, "2");
        log.reopen().expect("writable");
        write(&log, "3");
        assert_eq!((lines(&moved).len(), lines(&path).len()), (2, 1));
        fs::remove_file(&path).expect("there");
        fs::create_dir(&path).expect("a name that is taken");
        assert!(log.reopen().is_err());
        write(&log, "4");
        assert_eq!(lines(&moved).len(), 2);
        assert!(AuditLog::to_stdout().reopen().is_ok());
    }

    /// A disk that takes so many bytes.
    struct SmallDisk {
        room: usize,
        written: Arc<Mutex<Vec<u8>>>,
    }

    impl Write for SmallDisk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut written = self.written.lock().expect("whole");
            let length = bytes.len().min(self.room - written.len());
            if length == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            written.extend_from_slice(&bytes[..length]);
            Ok(length)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_line_that_was_cut_off_does_not_spoil_the_next() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("audit.jsonl");
        let written = Arc::new(Mutex::new(Vec::new()));
        let log = AuditLog::new(Some(path.clone()), SmallDisk { room: 250, written: Arc::clone(&written) }, false);
        write(&log, "1");
        write(&log, "2");
        write(&log, "3");
        let state = log.lock();
        assert!(state.is_failing && state.is_torn);
        drop(state);
        // Somebody has made room on the same disk.
        fs::write(&path, &*written.lock().expect("whole")).expect("writable");
        log.reopen().expect("writable");
        write(&log, "4");
        let state = log.lock();
        assert!(!state.is_failing && !state.is_torn);
        let text = fs::read_to_string(&path).expect("text");
        let whole: Vec<&str> = text.lines().filter(|line| serde_json::from_str::<Value>(line).is_ok()).collect();
        assert_eq!((text.lines().count(), whole.len()), (3, 2), "{text}");
    }
}
