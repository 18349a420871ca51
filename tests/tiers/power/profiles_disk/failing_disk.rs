//! Disks that fail: system calls of a real server that return errors.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use support::machine::{Inputs, Server, acknowledged, is_thorough, or_skip, seeded};
use support::profile_writers::outcomes::{refusal, write_for};
use support::profile_writers::{
    Access, Answer, Call, Connection, Contents, Mix, Strace, Writer, calls, check_over_http, exported, profiles,
    settle, write_until_failure,
};

/// The time before the disk fails.
const WRITING_TIME: Duration = Duration::from_millis(200);

/// The time after which a writer during the failure, or a server that is stopping, counts as stuck.
const ANSWER_TIME_MAX: Duration = Duration::from_mins(5);

/// Faults of the file that holds the profiles, without the number of the call, `#`. Each thread
/// counts its own.
const FAULTS: [&str; 5] = [
    "fdatasync:error=EIO:when=#",
    "pwrite64:error=EIO:when=#",
    "pwrite64:error=ENOSPC:when=#",
    "pwrite64:error=EIO:when=#+",
    "sync_file_range:error=EIO:when=#",
];

/// The calls that fail in a thorough test, one after another: those of some tens of writes.
const FAILING_MAX: usize = 40;

/// The message about a failed store.
const RESTART_HINT: &str = "must be restarted";

/// Checks an answer of a store that has failed.
fn check_failed(answer: &Answer, context: &str) {
    assert_eq!(answer.status, 503, "{answer:?}; {context}");
    let body = answer.json();
    assert_eq!(body["status"], "SERVICE_UNAVAILABLE", "{answer:?}; {context}");
    assert!(body["message"].as_str().is_some_and(|text| text.contains(RESTART_HINT)), "{answer:?}; {context}");
}

/// Checks that a server whose store has failed reports the failure, and answers all other requests
/// as before.
fn check_service(server: &Server, access: &Access, writer: &mut Writer, context: &str) {
    let mut connection = Connection::open(server.address()).expect("the server accepts");
    let known = writer.profiles.iter().find_map(|known| Some((&known.user, known.reference.as_ref()?)));
    let (user, reference) = known.expect("some were written");
    for path in [format!("/users/{user}/profile"), format!("/profiles/{reference}"), "/profiles/export".to_owned()] {
        check_failed(&connection.get(&path, &access.administrator).expect("an answer"), &format!("{path}, {context}"));
    }
    let search = "/users/profile/name?value=Ada";
    check_failed(&connection.get(search, &access.searcher).expect("an answer"), &format!("{search}, {context}"));
    let body = format!(r#"{{"user": {{"userReference": "{user}"}}}}"#);
    let created = connection.send("POST /profiles", &access.administrator, "", Some(&body)).expect("an answer");
    check_failed(&created, context);
    let changed = connection.send(&format!("PATCH /profiles/{reference}"), &access.administrator, "", Some("{}"));
    check_failed(&changed.expect("an answer"), context);

    let (status, body) = server.get("/readyz");
    assert!(status == 503 && body.contains("failed"), "{status} {body}; {context}");
    assert_eq!(server.get("/healthz").0, 200, "{context}");
    assert_eq!(server.get_protein("/protein/1").0, 200, "{context}");
    let (status, body) = server.get("/metagenomics/api/v1/studies");
    assert!(status == 503 && body.contains("mgdex catalogue load"), "{status} {body}; {context}");
}

/// Lets the disk fail while clients write.
fn fail(fault: &str, num_writers: usize) -> Result<(), String> {
    let (inputs, folder, access) = (Inputs::new(), TempDir::new().expect("a temporary folder"), Access::new());
    let data = folder.path();
    acknowledged(&inputs.index(data, 1).output().expect("the binary"));
    let (mut random, seed) = seeded();
    let context = format!("{fault}, {num_writers} writers, seed {seed}");
    let mut writers = Writer::several(num_writers, seed, &[Mix::SMALL]);
    let mut server = access.start(data);
    write_for(&server, &access, &mut writers, WRITING_TIME);

    let database = data.join("profiles/db/db").display().to_string();
    let (traced, injected) = ("trace=pwrite64,fdatasync,sync_file_range", format!("inject={fault}"));
    let strace = Strace::attach(&server, &["-P", &database, "-e", traced, "-e", &injected])?;
    let (started, may_fail, address) = (Instant::now(), AtomicBool::new(true), server.address().to_owned());
    let answers: Vec<_> = thread::scope(|scope| {
        let write = |writer| scope.spawn(|| write_until_failure(writer, &address, &access, &may_fail));
        let threads: Vec<_> = writers.iter_mut().map(write).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    for answer in answers {
        check_failed(&answer.unwrap_or_else(|| panic!("cut off; {context}")), &context);
    }
    assert!(started.elapsed() < ANSWER_TIME_MAX, "{:?}; {context}", started.elapsed());
    check_service(&server, &access, &mut writers[0], &context);

    let started = Instant::now();
    server.terminate();
    assert!(server.wait().code().is_some(), "{context}");
    assert!(started.elapsed() < ANSWER_TIME_MAX, "{:?}; {context}", started.elapsed());
    assert!(!server.log().contains("panicked"), "{}; {context}", server.log());

    let trace = strace.finish();
    let calls = calls(&trace);
    let failed = calls.iter().position(|call| call.result == Some(-1));
    let failed = failed.unwrap_or_else(|| panic!("nothing failed; {context}"));
    let is_sync = |call: &&Call<'_>| call.name == "fdatasync";
    assert_eq!(calls[failed + 1..].iter().filter(is_sync).count(), 0, "synced after the failure; {context}");

    let server = access.start(data);
    check_over_http(&server, &access, &mut writers, &mut random, &context);
    write_for(&server, &access, &mut writers, WRITING_TIME);
    check_over_http(&server, &access, &mut writers, &mut random, &context);
    Ok(())
}

#[test]
fn failed_writes_and_syncs_are_final_until_a_restart() {
    for (index, fault) in FAULTS.iter().enumerate() {
        let numbers = if is_thorough() { 1..=FAILING_MAX } else { index + 1..=index + 1 };
        for (number, num_writers) in numbers.flat_map(|number| [(number, 1), (number, 4)]) {
            let fault = fault.replace('#', &number.to_string());
            let Some(()) = or_skip(fail(&fault, num_writers)) else { return };
        }
    }
}

/// The number of the last call of a kind that is made to fail.
const CALLS_MAX: usize = 12;

/// The number of seconds after which a command whose calls fail counts as stuck.
const RUN_SECONDS_MAX: &str = "300";

/// The exit code of `timeout` when it cannot run a command.
const NOT_FOUND: i32 = 127;

/// Runs a command of which calls fail, such as the third, `3`, or that and all after it, `3+`. It
/// must end by itself, and must not crash.
fn run_with_failing_call(
    command: &Command,
    data: &Path,
    call: &str,
    when: &str,
    file: Option<&Path>,
) -> Result<Done, String> {
    let folder = TempDir::new().expect("a temporary folder");
    let trace = folder.path().join("trace");
    let mut traced = Command::new("timeout");
    traced.args([RUN_SECONDS_MAX, "strace", "-f", "-o"]).arg(&trace).args(["-e", &format!("trace={call}")]);
    traced.args(["-e", &format!("inject={call}:error=EIO:when={when}")]);
    if let Some(file) = file {
        traced.arg("-P").arg(file);
    }
    let output = traced.arg(command.get_program()).args(command.get_args()).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("timeout: {error}"))?;
    if output.status.code() == Some(NOT_FOUND) {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let has_failed = String::from_utf8_lossy(&fs::read(&trace).expect("readable")).contains("INJECTED");
    let context = format!("{call} {when}");
    if output.status.success() {
        return Ok(Done { stdout: Some(output.stdout), has_failed });
    }
    let message = refusal(&output, data, &context);
    assert!(has_failed, "{message}; {context}");
    Ok(Done { stdout: None, has_failed })
}

/// The outcome of a command.
struct Done {
    /// The output, if it succeeded.
    stdout: Option<Vec<u8>>,
    /// `true` if some of its calls were made to fail.
    has_failed: bool,
}

/// Calls that may fail while a store is opened.
const OPENING_CALLS: [&str; 4] = ["pwrite64", "fsync", "fdatasync", "rename"];

/// The call by which the engine syncs its writes to the disk.
const ENGINE_SYNC: &str = "sync_file_range";

/// Opens the store of a killed server while calls fail, for any file once or for its largest one
/// from then on, and checks the profiles afterwards.
fn open_with_failing_calls(calls: &[&str], is_of_database: bool) {
    let (folder, access) = (TempDir::new().expect("a temporary folder"), Access::new());
    let data = folder.path();
    let (_, seed) = seeded();
    let mut writers = Writer::several(2, seed, &[Mix::SMALL]);
    let database = data.join("profiles/db/db");
    for call in calls {
        for number in 1..=CALLS_MAX {
            // Killed, so that there is something to recover.
            let mut server = access.start(data);
            write_for(&server, &access, &mut writers, Duration::from_millis(20));
            server.kill();
            let (when, file) =
                if is_of_database { (format!("{number}+"), Some(&*database)) } else { (number.to_string(), None) };
            let done = run_with_failing_call(&profiles("export", data), data, call, &when, file);
            let Some(Done { stdout, has_failed }) = or_skip(done) else { return };
            let context = format!("{call} {number}, seed {seed}");
            let whole = exported(data, &context);
            if let Some(stdout) = stdout {
                let found = Contents::of_export(std::str::from_utf8(&stdout).expect("text"), &context);
                assert!(found == whole, "{context}");
            }
            settle(&mut writers, whole, &context);
            if !has_failed {
                // The engine has seldom something to write then.
                assert!(number > 1 || *call == ENGINE_SYNC, "{call} was never called");
                break;
            }
        }
    }
}

#[test]
fn failed_calls_while_a_store_opens_fail_only_the_opening() {
    open_with_failing_calls(&OPENING_CALLS, false);
}

#[test]
fn failed_engine_writes_while_a_store_opens_fail_the_opening() {
    open_with_failing_calls(&[ENGINE_SYNC], false);
}

#[test]
fn files_unreadable_while_a_store_opens_are_left_unchanged() {
    open_with_failing_calls(&["read,pread64"], true);
}

/// Calls that may fail while a store is made.
const IMPORTING_CALLS: [&str; 6] = ["mkdir", "pwrite64", "fsync", "fdatasync", "rename", "sync_file_range"];

#[test]
fn failed_calls_during_an_import_leave_nothing_or_all() {
    let lines_folder = TempDir::new().expect("a temporary folder");
    let lines = lines_folder.path().join("profiles.jsonl");
    let contents = Writer::new(0, 1, Mix::SMALL).generate(50);
    fs::write(&lines, contents.lines()).expect("writable");
    for call in IMPORTING_CALLS {
        for number in 1..=CALLS_MAX {
            let folder = TempDir::new().expect("a temporary folder");
            let data = folder.path();
            let context = format!("{call} {number}");
            let mut import = profiles("import", data);
            import.arg(&lines);
            let Some(done) = or_skip(run_with_failing_call(&import, data, call, &number.to_string(), None)) else {
                return;
            };
            if done.stdout.is_none() {
                let again = import.output().expect("the binary");
                if !again.status.success() {
                    assert!(refusal(&again, data, &context).contains("holds 50 profiles already"), "{context}");
                }
            }
            assert!(exported(data, &context) == contents, "{context}");
            if !done.has_failed {
                assert!(number > 1, "{call} was never called");
                break;
            }
        }
    }
}
