//! Engines that hang, lie, write too much, die, or leave processes behind: each ends with a
//! message, and everything is removed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use similarity::{Engine, EngineError, Found, Hit, Limits, Query, Search, SearchError, Targets};
use support::TestFolder;
use tempfile::TempDir;

use support::similarity::command::{selection, similar};
use support::similarity::engine::{HEAD, assert_gone, kill, noting, programs};
use support::similarity::proteins::{QUERY, data};

/// The hits of a search or its error, and the processes of its engine.
type RunResult = (Result<(Found, Vec<Hit>), SearchError>, Vec<String>);

/// Runs a script in place of the engine over [`data`], with limits.
fn run(data: &TestFolder, script: &str, limits: &Limits) -> RunResult {
    let notes = TempDir::new().expect("a temporary folder");
    let pids = notes.path().join("pids");
    let programs = programs(&noting(&pids, script));
    let engine = Engine::find_in(programs.path().as_os_str(), None).expect("it says a good version");
    let query = Query::fasta(QUERY).expect("a sequence").0;
    let search = Search { engine: &engine, query: &query, evalue: 1.0, space: None, hits_max: 10, limits };
    let folder = TempDir::new().expect("a temporary folder");
    let mut hits = Vec::new();
    let found = search.run(folder.path(), &Targets::Selection(&selection(data)), &|_| (), &|_| true, |hit| {
        hits.push(hit);
        Ok(())
    });
    let pids = fs::read_to_string(pids).expect("readable");
    // Incomplete results are not passed on.
    assert!(found.is_ok() || hits.is_empty());
    (found.map(|found| (found, hits)), pids.split_whitespace().map(str::to_owned).collect())
}

#[test]
fn misbehaving_engines_are_detected() {
    let data = data();
    let quick = Limits { time: Some(Duration::from_millis(200)), ..Limits::default() };
    let small = Limits { output_bytes: 1 << 20, ..Limits::default() };
    // The end of an engine and the messages to clients are tested in `served/failing.rs`.
    let cases: [(&str, &str, &Limits, &str); 7] = [
        ("hangs without reading", "sleep 1000 & echo $! >> PIDS; wait", &quick, "longer than"),
        (
            "ignores what asks it to end",
            "trap '' TERM HUP INT; sleep 1000 & echo $! >> PIDS; wait; wait",
            &quick,
            "longer than",
        ),
        (
            "uses the processor",
            "while :; do :; done",
            &Limits { cpu_time: Some(Duration::from_secs(1)), ..Limits::default() },
            "longer than",
        ),
        ("closes its input", "exec <&-; sleep 0.2; exit 0", &Limits::default(), "cannot be read"),
        ("floods standard output", "exec yes", &small, "more than 1 MiB"),
        ("floods standard error", "exec yes >&2", &small, "more than 1 MiB"),
        ("floods its result", "exec yes > hits", &small, "more than 1 MiB"),
    ];
    for (what, script, limits, expected) in cases {
        let (found, pids) = run(&data, script, limits);
        let message = found.err().unwrap_or_else(|| panic!("{what}")).to_string();
        assert!(message.contains(expected), "{what}: {message}");
        assert_gone(&pids);
    }
}

#[test]
fn leftover_processes_of_engines_are_killed() {
    let data = data();
    let (found, pids) = run(&data, "sleep 1000 & echo $! >> PIDS; REAL \"$@\"", &Limits::default());
    let (found, hits) = found.expect("hits");
    assert_eq!((found.num_hits, found.num_targets, found.num_skipped, hits.len()), (300, 300, 0, 10));
    assert_eq!(pids.len(), 2);
    assert_gone(&pids);
    // A process that has left the group holds the pipe, and nobody waits for it.
    let (found, pids) = run(&data, "setsid sleep 1000 <&0 & echo $! >> PIDS; exit 0", &Limits::default());
    assert!(matches!(found, Err(SearchError::Broken { .. })), "{found:?}");
    kill(&pids);
}

#[test]
fn unusable_engines_are_named() {
    let find = |script: Option<&str>| {
        let folder = programs(script.unwrap_or_default());
        if script.is_none() {
            fs::remove_file(folder.path().join("phmmer")).expect("a file");
        }
        Engine::find_in(folder.path().as_os_str(), None).expect_err("no engine")
    };
    assert_eq!(find(None), EngineError::Missing { program: "phmmer" });
    for (script, expected) in [
        ("#!/bin/sh\nexit 1\n", "does not print its version"),
        ("#!/bin/sh\necho '# HMMER 2.3.2 (Oct 2003)'\n", "HMMER 3.3 or later"),
        ("#!/bin/sh\necho '# HMMER 3.1b2 (February 2015)'\n", "HMMER 3.3 or later"),
        ("#!/bin/sh\necho '# HMMER 3.99 (Nov 2099)'\n", "and phmmer is HMMER 3.99"),
        ("\u{7f}ELF no program\n", "does not print its version"),
    ] {
        let problem = find(Some(script)).to_string();
        assert!(problem.contains(expected), "{script}: {problem}");
    }
    let folder = programs(HEAD);
    fs::set_permissions(folder.path().join("phmmer"), fs::Permissions::from_mode(0o644)).expect("permissions");
    assert_eq!(Engine::find_in(folder.path().as_os_str(), None), Err(EngineError::Missing { program: "phmmer" }));
    let (data, fasta) = (data(), folder.path().join("query"));
    fs::write(&fasta, QUERY).expect("written");
    let output = similar(data.path(), &fasta, &[]).env("PATH", folder.path()).output().expect("the program starts");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && message.contains("apt-get install hmmer"), "{message}");
}
