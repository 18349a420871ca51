//! The system calls of a real server: each write is acknowledged after a sync that follows its
//! data.

use std::collections::{HashMap, HashSet};
use std::thread;
use std::time::{Duration, Instant};

use support::machine::{or_skip, seeded};
use support::profile_writers::{Access, Call, Connection, Mix, Strace, Writer, calls, print_to_stderr};
use tempfile::TempDir;

/// The name of the file with all profiles in a trace.
const DATABASE: &str = "/profiles/db/db>";

/// The calls that matter.
const TRACED: &str = "trace=pwrite64,pwritev,fdatasync,fsync,write,writev,sendto,sendmsg";

/// The calls that may write to the database.
const WRITES: [&str; 4] = ["pwrite64", "pwritev", "write", "writev"];

/// The calls that may answer.
const ANSWERS: [&str; 4] = ["write", "writev", "sendto", "sendmsg"];

/// The shortest time of writing.
const WRITING_TIME: Duration = Duration::from_secs(1);

/// The fewest writes of each client.
const WRITES_MIN: usize = 11;

/// The calls of a trace.
#[derive(Debug, PartialEq, Eq)]
struct Evidence {
    num_acknowledged: usize,
    num_syncs: usize,
}

/// Returns the calls of some names on the database.
fn on_database<'a>(calls: &'a [Call<'a>], names: &'a [&str]) -> impl Iterator<Item = &'a Call<'a>> {
    calls.iter().filter(|call| {
        let file = call.arguments.split([',', ')', ' ']).next().unwrap_or_default();
        names.contains(&call.name) && file.ends_with(DATABASE)
    })
}

/// Returns the first of some calls that shows each marker.
fn first_with_marker<'a>(
    calls: impl Iterator<Item = &'a Call<'a>>,
    markers: &[String],
) -> HashMap<&'a str, &'a Call<'a>> {
    let wanted: HashSet<&str> = markers.iter().map(String::as_str).collect();
    let mut first = HashMap::new();
    for call in calls {
        let words = call.arguments.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
        for word in words.filter(|word| wanted.contains(word)) {
            first.entry(word).or_insert(call);
        }
    }
    first
}

/// Checks that the answer with each marker was sent after a sync that started after the data with
/// that marker were written, and that succeeded. If one client writes at a time, the sync must also
/// follow all other writes before the answer.
fn check(trace: &str, markers: &[String], has_one_writer: bool) -> Result<Evidence, String> {
    let calls = calls(trace);
    let syncs: Vec<_> = on_database(&calls, &["fdatasync", "fsync"]).filter(|sync| sync.result == Some(0)).collect();
    // Later, the engine writes the same data again with the neighbouring entries.
    let writes = first_with_marker(on_database(&calls, &WRITES), markers);
    let is_success = |call: &&Call| ANSWERS.contains(&call.name) && call.arguments.contains("HTTP/1.1 2");
    let answers = first_with_marker(calls.iter().filter(is_success), markers);
    for marker in markers.iter().map(String::as_str) {
        let answer = answers.get(marker).ok_or_else(|| format!("{marker}: the answer is not in the trace"))?;
        let data = writes.get(marker).and_then(|call| call.end.filter(|_| call.result > Some(0)));
        let data = data.ok_or_else(|| format!("{marker}: it was not written"))?;
        let written = if has_one_writer {
            // Only data of this write, in any number of pieces.
            let before = on_database(&calls, &WRITES).filter(|call| call.begin < answer.begin);
            before.map(|call| call.end.unwrap_or(usize::MAX)).max().unwrap_or(data)
        } else {
            data
        };
        let is_between = |sync: &&Call| sync.begin > written && sync.end.is_some_and(|end| end < answer.begin);
        if !syncs.iter().any(is_between) {
            return Err(format!("{marker}: written at line {written}, answered at {} without a sync", answer.begin));
        }
    }
    Ok(Evidence { num_acknowledged: markers.len(), num_syncs: syncs.len() })
}

/// Traces a server while some clients write, and checks the trace.
fn trace(num_writers: usize) -> Result<Evidence, String> {
    let (folder, access) = (TempDir::new().expect("a temporary folder"), Access::new());
    let mut server = access.start(folder.path());
    let strace = Strace::attach(&server, &["-s", "1000000", "-e", TRACED])?;
    let (_, seed) = seeded();
    let mut writers = Writer::several(num_writers, seed, &[Mix::SMALL]);
    let started = Instant::now();
    thread::scope(|scope| {
        for writer in &mut writers {
            scope.spawn(|| {
                let mut connection = Connection::open(server.address()).expect("the server accepts");
                while started.elapsed() < WRITING_TIME || writer.markers.len() < WRITES_MIN {
                    let answer = writer.write(&mut connection, &access).expect("an answer");
                    assert!(answer.status < 300, "{answer:?}");
                }
            });
        }
    });
    server.kill();
    let markers: Vec<_> = writers.iter().flat_map(|writer| writer.markers.iter().cloned()).collect();
    let trace = strace.finish();
    let evidence = check(&trace, &markers, num_writers == 1).unwrap_or_else(|problem| panic!("{problem}, seed {seed}"));
    print_to_stderr(&format!(
        "{num_writers} traced clients: {} writes were acknowledged, each after one of {} syncs that followed its data",
        evidence.num_acknowledged, evidence.num_syncs
    ));
    Ok(evidence)
}

#[test]
fn acknowledgements_of_one_client_follow_their_own_sync() {
    let Some(evidence) = or_skip(trace(1)) else { return };
    assert!(evidence.num_syncs >= evidence.num_acknowledged, "{evidence:?}");
}

#[test]
fn acknowledgements_of_many_clients_share_syncs() {
    let Some(evidence) = or_skip(trace(16)) else { return };
    assert!(evidence.num_syncs < evidence.num_acknowledged, "{evidence:?}");
}

/// A trace of three threads and one write that is synced and answered.
const GOOD: &str = r#"11 1.0 write(9</data/profiles/db/conf>, "settings", 8) = 8
11 1.1 pwrite64(7</data/profiles/db/db>, "\0\"m-1\"", 6, 512 <unfinished ...>
12 1.2 fdatasync(8</data/profiles/db/db>) = 0
11 1.3 <... pwrite64 resumed>) = 6
12 1.4 fdatasync(8</data/profiles/db/db> <unfinished ...>
13 1.5 sendto(14<socket:[5]>, "HTTP/1.1 201 Created\r\n\r\n{m-0}", 30, MSG_NOSIGNAL, NULL, 0) = 30
12 1.6 <... fdatasync resumed>) = 0
13 1.7 sendto(14<socket:[5]>, "HTTP/1.1 200 OK\r\n\r\n{m-1}", 24, MSG_NOSIGNAL, NULL, 0) = 24
13 1.8 +++ exited with 0 +++
"#;

#[test]
fn the_check_rejects_bad_traces() {
    let check = |trace: &str| check(trace, &["m-1".to_owned()], true);
    assert_eq!(check(GOOD), Ok(Evidence { num_acknowledged: 1, num_syncs: 2 }));
    let faults = [
        ("the sync fails", "fdatasync resumed>) = 0", "fdatasync resumed>) = -1 EIO (Input/output error)"),
        (
            "it is one of another file",
            "12 1.4 fdatasync(8</data/profiles/db/db>",
            "12 1.4 fdatasync(8</data/profiles/db/conf>",
        ),
        ("it never ends", "12 1.6 <... fdatasync resumed>) = 0\n", ""),
        ("it begins before the data are written", "11 1.3 <... pwrite64 resumed>) = 6\n", ""),
        ("the data fail", "pwrite64 resumed>) = 6", "pwrite64 resumed>) = -1 ENOSPC (No space left on device)"),
        ("the data are of another", "\\\"m-1", "\\\"m-2"),
        (
            "a part is written too late",
            "13 1.7",
            "11 1.65 pwrite64(7</data/profiles/db/db>, \"x\", 1, 600) = 1\n13 1.7",
        ),
        ("the answer leaves too early", "{m-0}", "{m-1}"),
    ];
    for (fault, whole, broken) in faults {
        assert!(GOOD.contains(whole), "{fault}");
        let found = check(&GOOD.replacen(whole, broken, 1));
        assert!(found.is_err(), "{fault}: {found:?}");
    }
}
