use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use time::macros::datetime;

use super::*;

fn write(log: &AuditLog, request: &str) {
    let keys = ["email".to_owned(), "a \"b\"\n".to_owned()];
    log.begin();
    let line = AuditLine {
        time: datetime!(2026-01-02 03:04:05.0067 UTC),
        actor: Some("usr-e8c1d6d5-6bf4-4636-a70e-41b8f32c70b4".parse().expect("a reference")),
        action: Action::Merge,
        profile: Some("prf-6b3c0b7d-1530-445a-859a-94c05b9c0a90".parse().expect("a reference")),
        owner: None,
        keys: &keys,
        more_keys: None,
        outcome: Some(200),
        request,
    };
    log.end(line.text());
}

#[test]
fn lines_name_as_many_keys_as_fit() {
    let keys: Vec<String> = (0..200).map(|number| format!("{number:03}{}", "\u{1}".repeat(252))).collect();
    let (shown, more) = shown_keys(&keys);
    assert_eq!((shown.len(), more.map(NonZeroUsize::get)), (2, Some(198)));
    assert!(serde_json::to_string(shown).expect("JSON").len() <= KEYS_BYTES_MAX + 1);
    assert_eq!(shown_keys(&keys[..1]), (&keys[..1], None));
}

/// Waits until all lines are written.
fn settle(log: &AuditLog) {
    assert!(log.drain(Duration::from_mins(1)));
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("text");
    assert!(text.is_empty() || text.ends_with('\n'));
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn lines_are_appended_and_readable_by_the_owner_only() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("audit.jsonl");
    for request in ["1", "2"] {
        let log = AuditLog::to_file(path.clone(), AuditLimits::default()).expect("writable");
        write(&log, request);
        settle(&log);
    }
    let line = json!({
        "time": "2026-01-02T03:04:05.006Z", "actor": "usr-e8c1d6d5-6bf4-4636-a70e-41b8f32c70b4", "action": "merge",
        "profile": "prf-6b3c0b7d-1530-445a-859a-94c05b9c0a90", "owner": null,
        "keys": ["email", "a \"b\"\n"], "outcome": 200, "request": "1"
    });
    let lines = lines(&path);
    assert_eq!((lines.len(), &lines[0], &lines[1]["request"]), (2, &line, &json!("2")));
    assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
    assert!(AuditLog::to_file(folder.path().join("missing/audit.jsonl"), AuditLimits::default()).is_err());
}

#[test]
fn concurrent_lines_stay_whole() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("audit.jsonl");
    let log = AuditLog::to_file(path.clone(), AuditLimits::default()).expect("writable");
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let log = &log;
            scope.spawn(move || (0..100).for_each(|number| write(log, &format!("{thread}-{number}"))));
        }
    });
    settle(&log);
    assert_eq!(lines(&path).len(), 800);
}

#[test]
fn moved_files_are_created_again_on_request() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [path, moved] = ["audit.jsonl", "audit.jsonl.1"].map(|name| folder.path().join(name));
    let log = AuditLog::to_file(path.clone(), AuditLimits::default()).expect("writable");
    write(&log, "1");
    fs::rename(&path, &moved).expect("there");
    write(&log, "2");
    log.reopen().expect("writable");
    write(&log, "3");
    settle(&log);
    assert_eq!((lines(&moved).len(), lines(&path).len()), (2, 1));
    fs::remove_file(&path).expect("there");
    fs::create_dir(&path).expect("a name that is taken");
    assert!(log.reopen().is_err());
    write(&log, "4");
    settle(&log);
    assert_eq!(lines(&moved).len(), 2);
    assert!(AuditLog::to_stdout().expect("a thread").reopen().is_ok());
}

/// A disk that accepts a limited number of bytes.
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
fn cut_off_lines_do_not_damage_the_next_line() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("audit.jsonl");
    let written = Arc::new(Mutex::new(Vec::new()));
    let output = Output::new(SmallDisk { room: 450, written: Arc::clone(&written) });
    let log = AuditLog::start(Some((path.clone(), AuditLimits::default())), output).expect("a thread");
    for request in ["1", "2", "3"] {
        write(&log, request);
    }
    settle(&log);
    // Now there is room on the same disk.
    fs::write(&path, &*written.lock().expect("whole")).expect("writable");
    log.reopen().expect("writable");
    write(&log, "4");
    settle(&log);
    let text = fs::read_to_string(&path).expect("text");
    let whole: Vec<&str> = text.lines().filter(|line| serde_json::from_str::<Value>(line).is_ok()).collect();
    assert_eq!((text.lines().count(), whole.len()), (3, 2), "{text}");
}

#[tokio::test]
async fn unfinished_operations_are_awaited() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = AuditLog::to_file(folder.path().join("audit.jsonl"), AuditLimits::default()).expect("writable");
    log.begin();
    assert!(!log.wait_for_operations(Duration::from_millis(10)).await);
    write(&log, "1");
    assert!(!log.wait_for_operations(Duration::from_millis(10)).await);
    let (ended, ()) = tokio::join!(log.wait_for_operations(Duration::from_mins(1)), async {
        tokio::time::sleep(Duration::from_millis(10)).await;
        log.num_open.send_modify(|num_open| *num_open -= 1);
    });
    assert!(ended);
}
