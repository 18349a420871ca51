//! Engines that hang, lie, flood, die, or leave something behind: each ends with a sentence, and nothing of it is left.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use similarity::{Engine, Found, Hit, Limits, NoEngine, Query, Search, SearchError, Targets};
use support::TestFolder;
use support::machine::wait_for;
use tempfile::TempDir;

use support::similarity::command::{selection, similar};
use support::similarity::engine::{HEAD, assert_gone, kill, noting, programs};
use support::similarity::proteins::{QUERY, data};

/// What a search found, or why it did not, and the processes of its engine.
type Ran = (Result<(Found, Vec<Hit>), SearchError>, Vec<String>);

/// Runs a script in place of the engine over [`data`], with limits.
fn run(data: &TestFolder, script: &str, limits: &Limits) -> Ran {
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
    // Nothing is handed on of what is not whole.
    assert!(found.is_ok() || hits.is_empty());
    (found.map(|found| (found, hits)), pids.split_whitespace().map(str::to_owned).collect())
}

#[test]
fn an_engine_that_pretends_is_found_out() {
    let data = data();
    let quick = Limits { time: Some(Duration::from_millis(200)), ..Limits::default() };
    let small = Limits { output_bytes: 1 << 20, ..Limits::default() };
    let cases: [(&str, &str, &Limits, &str); 16] = [
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
        (
            "has a cut table of hits",
            "REAL \"$@\" && sed -i '$d' hits",
            &Limits::default(),
            "the file of hits has no end",
        ),
        (
            "has a cut table of domains",
            "REAL \"$@\" && sed -i '$d' domains",
            &Limits::default(),
            "the file of domains has no end",
        ),
        (
            "has cut alignments",
            "REAL \"$@\" && sed -i '$d' alignments",
            &Limits::default(),
            "the file of alignments has no end",
        ),
        ("has searched fewer", "head -c 5000 | REAL \"$@\"", &Limits::default(), "of 300 proteins"),
        ("writes nothing", "cat > /dev/null", &Limits::default(), "cannot be read"),
        ("closes its input", "exec <&-; sleep 0.2; exit 0", &Limits::default(), "cannot be read"),
        ("floods standard output", "exec yes", &small, "more than 1 MiB"),
        ("floods standard error", "exec yes >&2", &small, "more than 1 MiB"),
        ("floods its result", "exec yes > hits", &small, "more than 1 MiB"),
        ("aborts", "kill -ABRT $$", &Limits::default(), "lack of memory"),
        ("crashes", "kill -SEGV $$", &Limits::default(), "has crashed (signal 11)"),
        ("is ended", "kill -TERM $$", &Limits::default(), "signal 15"),
        (
            "refuses",
            "echo; echo ' Error: no such thing' >&2; exit 1",
            &Limits::default(),
            "refuses the query: Error: no such thing",
        ),
    ];
    for (what, script, limits, expected) in cases {
        let (found, pids) = run(&data, script, limits);
        let message = found.err().unwrap_or_else(|| panic!("{what}")).to_string();
        assert!(message.contains(expected), "{what}: {message}");
        assert_gone(&pids);
    }
}

#[test]
fn what_an_engine_leaves_behind_is_killed() {
    let data = data();
    let (found, pids) = run(&data, "sleep 1000 & echo $! >> PIDS; REAL \"$@\"", &Limits::default());
    let (found, hits) = found.expect("hits");
    assert_eq!((found.num_hits, found.num_targets, found.num_skipped, hits.len()), (300, 300, 0, 10));
    assert_eq!(pids.len(), 2);
    assert_gone(&pids);
    // One that has left the group holds the pipe, and nobody waits for it.
    let (found, pids) = run(&data, "setsid sleep 1000 <&0 & echo $! >> PIDS; exit 0", &Limits::default());
    assert!(matches!(found, Err(SearchError::Broken { .. })), "{found:?}");
    kill(&pids);
}

#[test]
fn a_search_is_cancelled_at_once() {
    let programs = programs(&format!("{HEAD}exec /bin/sleep 1000\n"));
    let engine = Engine::find_in(programs.path().as_os_str(), None).expect("it says a good version");
    let (data, query) = (data(), Query::fasta(QUERY).expect("a sequence").0);
    let limits = Limits { time: None, ..Limits::default() };
    let search = Search { engine: &engine, query: &query, evalue: 1.0, space: Some(7), hits_max: 10, limits: &limits };
    let folder = TempDir::new().expect("a temporary folder");
    let is_cancelled = AtomicBool::new(false);
    let goes_on = |_| !is_cancelled.load(Ordering::Acquire);
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(200));
            is_cancelled.store(true, Ordering::Release);
        });
        let found = search.run(folder.path(), &Targets::Selection(&selection(&data)), &|_| (), &goes_on, |_| Ok(()));
        assert!(matches!(found, Err(SearchError::Cancelled)), "{found:?}");
    });
}

#[test]
fn an_engine_ends_with_the_program_that_has_started_it() {
    let folder = TempDir::new().expect("a temporary folder");
    let pids = folder.path().join("pids");
    let programs = programs(
        &format!(
            "#!/bin/sh\n: > {}.new || exit\n{HEAD}echo $$ > {0}.new\nmv {0}.new {0}\nexec /bin/sleep 1000\n",
            pids.display()
        )
        .replace("mv ", "/bin/mv "),
    );
    let fasta = folder.path().join("query");
    fs::write(&fasta, QUERY).expect("written");
    let data = data();
    let mut child = similar(data.path(), &fasta, &[]).env("PATH", programs.path()).spawn().expect("the program starts");
    let pid = wait_for("the engine", || fs::read_to_string(&pids).ok());
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert_gone(&[pid.trim().to_owned()]);
}

#[test]
fn engines_that_cannot_be_used_are_named() {
    let find = |script: Option<&str>| {
        let folder = programs(script.unwrap_or_default());
        if script.is_none() {
            fs::remove_file(folder.path().join("phmmer")).expect("a file");
        }
        Engine::find_in(folder.path().as_os_str(), None).expect_err("no engine")
    };
    assert_eq!(find(None), NoEngine::Missing { program: "phmmer" });
    for (script, expected) in [
        ("#!/bin/sh\nexit 1\n", "does not tell its version"),
        ("#!/bin/sh\necho '# HMMER 2.3.2 (Oct 2003)'\n", "HMMER 3.3 or later"),
        ("#!/bin/sh\necho '# HMMER 3.1b2 (February 2015)'\n", "HMMER 3.3 or later"),
        ("#!/bin/sh\necho '# HMMER 3.99 (Nov 2099)'\n", "and phmmer is HMMER 3.99"),
        ("\u{7f}ELF no program\n", "does not tell its version"),
    ] {
        let problem = find(Some(script)).to_string();
        assert!(problem.contains(expected), "{script}: {problem}");
    }
    let folder = programs(HEAD);
    fs::set_permissions(folder.path().join("phmmer"), fs::Permissions::from_mode(0o644)).expect("permissions");
    assert_eq!(Engine::find_in(folder.path().as_os_str(), None), Err(NoEngine::Missing { program: "phmmer" }));
    let (data, fasta) = (data(), folder.path().join("query"));
    fs::write(&fasta, QUERY).expect("written");
    let output = similar(data.path(), &fasta, &[]).env("PATH", folder.path()).output().expect("the program starts");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && message.contains("apt-get install hmmer"), "{message}");
}
