//! The process that serves profiles: its keys, signals, and a blocked audit log.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::cli::run;
use crate::cli::token::{Keys, USER};
use support::TestFolder;
use support::machine::{Server, read_answer, wait_for};
use support::program;

/// A process that ends with the test.
struct Process(Child);

impl Process {
    /// Starts a server on a free port, with its log in a file.
    fn serve(folder: &TestFolder, more: &[&str]) -> Self {
        let log = File::create(log_path(folder)).expect("writable");
        let mut command = program();
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(folder.path()).args(more);
        Self(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().expect("the binary"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns the file of the log.
fn log_path(folder: &TestFolder) -> PathBuf {
    folder.path().join("log")
}

/// Returns the log.
fn log(folder: &TestFolder) -> String {
    fs::read_to_string(log_path(folder)).expect("text")
}

/// Sends SIGHUP.
fn hang_up(id: u32) {
    let sent = Command::new("sh").args(["-c", "kill -HUP \"$0\"", &id.to_string()]).status();
    assert!(sent.expect("a shell").success());
}

/// Sends SIGHUP, and waits until the log shows the result.
fn hang_up_until(server: &Server, expected: &str) {
    let num_before = server.log().matches(expected).count();
    hang_up(server.id());
    wait_for(expected, || (server.log().matches(expected).count() > num_before).then_some(()));
}

/// Makes a pipe with a name.
fn fifo(folder: &TestFolder, name: &str) -> PathBuf {
    let path = folder.path().join(name);
    assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
    path
}

/// Starts a server with a key.
pub(super) fn serve(folder: &TestFolder, keys: &Keys, more: &[&str]) -> Server {
    let mut command = program();
    command.args(["serve", "--listen", "127.0.0.1:0", "--jwt-key"]).arg(&keys.public).arg("--data").arg(folder.path());
    Server::of_command(command.args(more))
}

/// Sends a request with a token.
pub(super) fn ask(server: &Server, token: &str, method: &str, path: &str, body: &str) -> (u16, String) {
    let length = body.len();
    let mut stream = server.connect();
    write!(
        stream,
        "{method} {path} HTTP/1.0\r\nhost: mgdex.test\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n\r\n{body}"
    )
    .expect("the server reads");
    read_answer(&mut stream)
}

/// A stalled reader of the audit log blocks nothing else, not even the shutdown.
#[test]
fn a_blocked_audit_log_delays_no_requests() {
    let folder = TestFolder::empty();
    let keys = Keys::new(&folder, "a");
    let token = keys.good_token();
    let pipe = fifo(&folder, "audit");
    // Opening for reading and writing gives the pipe a reader that does not read.
    let reader = File::options().read(true).write(true).open(&pipe).expect("a pipe");
    let mut server = serve(&folder, &keys, &["--audit-log", pipe.to_str().expect("text")]);
    let (status, body) = ask(&server, &token, "GET", "/my/profile", "");
    assert_eq!(status, 200, "{body}");
    let profile: Value = serde_json::from_str(&body).expect("JSON");
    let path = format!("/profiles/{}", profile["reference"].as_str().expect("a reference"));
    let attributes: Map<_, _> = (0..100).map(|number| (format!("{number:0200}"), json!("a"))).collect();
    let attributes = Value::Object(attributes).to_string();
    // A pipe has room for 64 KiB, a line has 20.
    let started = Instant::now();
    for _ in 0..20 {
        assert_eq!(ask(&server, &token, "PATCH", &path, &attributes).0, 200);
    }
    assert_eq!(server.get("/healthz").0, 200);
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    server.terminate();
    let signalled = Instant::now();
    assert_eq!(server.wait().code(), Some(0), "{}", server.log());
    assert!(signalled.elapsed() < Duration::from_secs(20), "{:?}", signalled.elapsed());
    assert!(server.log().contains("the audit log took too long"), "{}", server.log());
    drop(reader);
}

/// SIGHUP says that something is to be read again, also before it was read first.
#[test]
fn sighup_while_stores_open_does_not_end_the_server() {
    let folder = TestFolder::empty();
    fs::create_dir_all(folder.path().join("proteins")).expect("writable");
    let current = fifo(&folder, "proteins/CURRENT");
    let mut process = Process::serve(&folder, &[]);
    // It opens as soon as the server reads the current pointer, which it does until this ends.
    let writer = File::options().write(true).open(&current).expect("a pipe");
    for _ in 0..20 {
        hang_up(process.0.id());
        std::thread::sleep(Duration::from_millis(10));
        assert_eq!(process.0.try_wait().expect("a child"), None, "{}", log(&folder));
    }
    // It is not read again.
    fs::remove_file(current).expect("there");
    drop(writer);
    wait_for("the server", || log(&folder).contains("serving on").then_some(()));
}

#[test]
fn rejected_tokens_of_an_issuer_are_explained() {
    let folder = TestFolder::empty();
    let keys = Keys::new(&folder, "a");
    let token = keys.token(&["--sub", USER, "--audience", "account"]).stdout;
    for (audience, status, logged, refused) in [
        (
            &[][..],
            401,
            "1 key: those with `aud` are refused",
            "a token with `aud` \"account\" is rejected: it must have no `aud`, as --jwt-audience is not set",
        ),
        (
            &["--jwt-audience", "portal"],
            401,
            "1 key: those without portal in `aud`",
            "is rejected: it must have a name from --jwt-audience",
        ),
        (&["--jwt-audience", "portal,account"], 200, "1 key: those without portal or account in `aud`", ""),
    ] {
        let server = serve(&folder, &keys, audience);
        assert_eq!(ask(&server, token.trim_end(), "GET", "/my/profile", "").0, status, "{audience:?}");
        let log = server.log();
        assert!(log.contains(logged) && log.contains(refused), "{audience:?}: {log}");
    }
}

#[test]
fn a_missing_key_is_logged_even_with_quiet() {
    let folder = TestFolder::empty();
    let _process = Process::serve(&folder, &["--quiet", "--jwt-issuer", "https://sso.example.org"]);
    wait_for("the warning", || log(&folder).contains("--jwt-key").then_some(()));
    assert!(log(&folder).contains("WARN"), "{}", log(&folder));
}

#[test]
fn without_keys_no_store_is_opened_and_the_log_gives_the_reason() {
    let folder = TestFolder::empty();
    let mut server =
        Server::of_command(program().args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(folder.path()));
    assert!(server.log().contains("401") && server.log().contains("--jwt-key"), "{}", server.log());
    assert_eq!(server.get("/my/profile").0, 401);
    hang_up_until(&server, "SIGHUP");
    assert_eq!(server.get("/healthz").0, 200, "SIGHUP ends nothing");
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0, "nothing is made");
    server.terminate();
    assert_eq!(server.wait().code(), Some(0));
}

#[test]
fn bad_keys_prevent_a_server_from_starting() {
    let folder = TestFolder::empty();
    let keys = Keys::new(&folder, "a");
    let started = |key: &std::path::Path| {
        run(program().args(["serve", "--listen", "127.0.0.1:0", "--jwt-key"]).arg(key).arg("--data").arg(folder.path()))
    };
    for (key, expected) in [(&keys.private, "a private key"), (&folder.path().join("missing.pem"), "cannot read")] {
        let done = started(key);
        assert_eq!((done.code, &*done.stdout), (Some(1), ""), "{done:?}");
        assert!(done.stderr.contains(expected) && done.stderr.contains(key.to_str().expect("text")), "{done:?}");
    }
    assert!(!folder.path().join("profiles").is_dir());
}

#[test]
fn sighup_rereads_keys_and_reopens_the_audit_log() {
    let folder = TestFolder::empty();
    let [old, new] = ["old", "new"].map(|name| Keys::new(&folder, name));
    let (old_token, new_token) = (old.good_token(), new.good_token());
    let server = serve(&folder, &old, &[]);
    let (status, body) = ask(&server, &old_token, "GET", "/my/profile", "");
    let profile: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!((status, &profile["user"]["userReference"]), (200, &USER.into()), "{body}");
    assert_eq!(ask(&server, &new_token, "GET", "/my/profile", "").0, 401);
    let audit = folder.path().join("profiles-audit.jsonl");
    let text = wait_for("the line of the first read, which makes the profile", || {
        fs::read_to_string(&audit).ok().filter(|text| text.ends_with('\n'))
    });
    assert!(text.contains("\"provision\"") && text.contains(USER) && !text.contains("k@example.org"), "{text}");

    let whole = fs::read(&old.public).expect("there");
    fs::write(&old.public, "half").expect("writable");
    hang_up_until(&server, "the previous keys stay in use");
    assert_eq!(ask(&server, &old_token, "GET", "/my/profile", "").0, 200);
    fs::write(&old.public, whole).expect("writable");

    fs::copy(&new.public, &old.public).expect("writable");
    fs::rename(&audit, folder.path().join("moved.jsonl")).expect("there");
    hang_up_until(&server, "the audit log was opened again");
    assert_eq!(ask(&server, &old_token, "GET", "/my/profile", "").0, 401);
    assert_eq!(ask(&server, &new_token, "GET", "/my/profile", "").0, 200);
    assert!(audit.is_file());
}

#[test]
fn the_audit_log_can_be_standard_output_and_tokens_must_name_the_issuer() {
    let folder = TestFolder::empty();
    let keys = Keys::new(&folder, "a");
    let server = serve(&folder, &keys, &["--audit-log", "-", "--jwt-issuer", "https://i"]);
    assert_eq!(ask(&server, &keys.good_token(), "GET", "/my/profile", "").0, 401);
    let token = keys.token(&["--sub", USER, "--issuer", "https://i"]).stdout;
    assert_eq!(ask(&server, token.trim_end(), "GET", "/my/profile", "").0, 200);
    wait_for("the line", || server.stdout().contains("\"provision\"").then_some(()));
    assert!(!folder.path().join("profiles-audit.jsonl").is_file());
}
