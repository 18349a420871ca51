//! Outcomes of servers and commands over a damaged folder of profiles.

use std::path::Path;
use std::process::Output;
use std::thread;
use std::time::{Duration, Instant};

use crate::machine::Server;
use crate::profile_writers::{Access, Connection, Mix, Writer};

/// Lets clients write for some time, each once at least. Nothing may fail.
pub fn write_for(server: &Server, access: &Access, writers: &mut [Writer], time: Duration) {
    let started = Instant::now();
    thread::scope(|scope| {
        for writer in writers {
            scope.spawn(|| {
                let mut connection = Connection::open(server.address()).expect("the server accepts");
                loop {
                    let answer = writer.write(&mut connection, access).expect("an answer");
                    assert!(answer.status < 300, "{answer:?}");
                    if started.elapsed() >= time {
                        break;
                    }
                }
            });
        }
    });
}

/// Returns the message of a command that must have failed over a folder without a crash.
pub fn refusal(output: &Output, folder: &Path, context: &str) -> String {
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{message}; {context}");
    check_refusal(&message, folder, context);
    message
}

/// Returns why a server has not opened its store of profiles, if so. It answers all the rest, and
/// says why.
pub fn opening_failure(server: &Server, access: &Access, folder: &Path, context: &str) -> Option<String> {
    let (status, body) = server.get("/readyz");
    let ready: serde_json::Value = serde_json::from_str(&body).expect("JSON");
    if status == 200 {
        return None;
    }
    assert!(status == 503 && ready["profiles"]["status"] == "failed", "{status} {body}; {context}");
    let kind = ready["profiles"]["problem"].as_str().expect("a text");
    assert!(!kind.contains('/'), "{kind}; {context}");
    let log = server.log();
    let problem = log.split("profiles are not served: ").nth(1).and_then(|rest| rest.lines().next());
    let problem = problem.unwrap_or_else(|| panic!("{log}; {context}")).to_owned();
    check_refusal(&problem, folder, context);
    let mut connection = Connection::open(server.address()).expect("the server accepts");
    let answer = Writer::new(0, 1, Mix::SMALL).write(&mut connection, access).expect("an answer");
    assert_eq!(answer.status, 503, "{answer:?}; {context}");
    let (status, body) = server.get("/metagenomics/api/v1/studies");
    assert!(status == 503 && body.contains("mgdex catalogue load"), "{status} {body}; {context}");
    Some(problem)
}

/// Checks the error message of a command that has failed.
pub fn check_refusal(message: &str, folder: &Path, context: &str) {
    for crash in ["panicked", "stack backtrace", "RUST_BACKTRACE"] {
        assert!(!message.contains(crash), "{message}; {context}");
    }
    assert!(message.contains(&folder.display().to_string()), "no path: {message}; {context}");
}
