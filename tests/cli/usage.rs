//! Flags, settings in the environment, help, and errors of usage.

use std::process::Stdio;

use serde_json::Value;

use crate::cli::{index, rows, run, run_on};
use support::TestFolder;
use support::program;

#[test]
fn wrong_usage_exits_with_2_and_a_message_on_stderr() {
    let folder = TestFolder::of_rows(&rows());
    for arguments in [
        &["search"][..],
        &["search", "--pfam", "0"],
        &["search", "--pfam", "CL0023"],
        &["search", "--biome-id", "x"],
        &["search", "--pfam", "5", "--limit", "-1"],
        &["search", "--pfam", "5", "--format", "xml"],
        &["search", "--query", "*", "--fields", "mgyp"],
        &["search", "--query", "*", "--after", "x"],
        &["search", "--query", "*", "--limit", "many"],
        &["show"],
        &["show", "1000000000000"],
        &["show", "x"],
        &["index"],
        &["index", "--portal", "a", "--biomes", "b", "--pfam", "c", "--memory", "63M"],
        &["index", "--portal", "a", "--release", "b", "--biomes", "c", "--pfam", "d"],
        &["index", "--portal", "a", "--all-proteins", "--biomes", "b", "--pfam", "c"],
        &["index", "--portal", "a", "--fresh", "--biomes", "b", "--pfam", "c"],
        &["synth", "--proteins", "0", "--out", "a"],
        &["synth", "--proteins", "5"],
        &["serve", "--listen", "here"],
        &["serve", "--schema-hosts", "ftp://schemas.org"],
        &["serve", "--max-attributes", "0"],
        &["serve", "--jwt-issuer", ""],
        &["serve", "--jwt-audience", ""],
        &["serve", "--jwt-audience", "account,"],
        &["serve", "--listen", "localhost"],
        &["serve", "--base-url", "not a url"],
        &["serve", "--base-url", "https://a.org\r\nX: y"],
        &["serve", "--follow-interval", "0s"],
        &["serve", "--drain", "100000000years"],
        &["serve", "--profiles", "postgres://mgdex:secret@db.test/mgdex?sslmode=prefer"],
        &["profiles", "export", "--profiles", "postgres://mgdex:secret@db.test/mgdex?colour=secret"],
        &["serve", "--jwt-key"],
        &["profiles"],
        &["profiles", "export", "a", "b"],
        &["verify", "now"],
        &["nothing"],
    ] {
        let done = run_on(&folder, arguments);
        assert_eq!((done.code, &*done.stdout), (Some(2), ""), "{arguments:?}");
        assert!(done.stderr.contains("error:"), "{arguments:?}: {}", done.stderr);
        assert!(!done.stderr.contains("secret"), "{}", done.stderr);
    }
    for arguments in [
        &["serve", "--max-requests", "0"][..],
        &["serve", "--max-requests", "18446744073709551615"],
        &["index", "--threads", "0", "--portal", "a", "--biomes", "b", "--pfam", "c"],
        &["index", "--threads", "9223372036854775808", "--portal", "a", "--biomes", "b", "--pfam", "c"],
        &["index", "--portal", "a", "--biomes", "-", "--pfam", "-"],
        &["catalogue"],
        &["catalogue", "load"],
        &["catalogue", "load", "a", "--memory", "63M"],
        &["catalogue", "load", "-", "-"],
        &["catalogue", "load", "-", "--links", "-"],
        &["catalogue", "load", "--links", "a"],
        &["catalogue", "unload", "a"],
        &["catalogue", "add"],
        &["catalogue", "add", "--table", "a"],
        &["catalogue", "add", "--table", "a", "--type", "runs"],
        &["catalogue", "add", "-", "--links", "-"],
        &["catalogue", "remove"],
        &["catalogue", "remove", "--type", "samples"],
        &["catalogue", "remove", "a"],
        &["catalogue", "remove", "--from", "-", "--table", "-", "--type", "samples"],
        &["directory"],
        &["directory", "load"],
        &["directory", "load", "a", "b"],
        &["directory", "load", "a", "--memory", "63M"],
        &["directory", "load", "a", "--max-rejects", "-1"],
        &["directory", "unload", "a"],
    ] {
        let done = run_on(&folder, arguments);
        assert_eq!((done.code, &*done.stdout), (Some(2), ""), "{arguments:?}: {done:?}");
    }
}

#[test]
fn help_has_examples_and_is_printed_to_stdout() {
    let done = run(program().arg("--help"));
    assert_eq!((done.code, &*done.stderr), (Some(0), ""));
    assert!(done.stdout.contains("Examples:"), "{}", done.stdout);
    let short = run(program().arg("-h"));
    assert_eq!((short.code, &*short.stderr), (Some(0), ""));
    assert!(short.stdout.lines().count() <= 24 && !short.stdout.contains("--max-requests"), "{}", short.stdout);
    for command in ["index", "serve", "search", "show", "verify"] {
        assert!(done.stdout.contains(&format!("\n  {command} ")), "{}", done.stdout);
        let help = run(program().args([command, "--help"]));
        assert_eq!((help.code, &*help.stderr), (Some(0), ""), "{command}");
        assert!(help.stdout.contains("MGDEX_DATA"), "{command}: {}", help.stdout);
    }
    let version = run(program().arg("--version"));
    assert_eq!((version.code, version.stdout.starts_with("mgdex ")), (Some(0), true));
}

#[test]
fn options_are_accepted_before_their_command() {
    let folder = TestFolder::of_rows(&rows());
    let data = folder.path().to_str().expect("text");
    for words in [
        &["--data", data, "search", "--pfam", "5"][..],
        &["--log", "json", "--data", data, "-q", "show", "12"],
        &["--data", data, "own", "list"],
        &["own", "--data", data, "list"],
        &["--data", data, "generations"],
    ] {
        let done = run(program().args(words));
        assert_eq!((done.code, done.stdout.is_empty()), (Some(0), words.contains(&"own")), "{words:?}: {done:?}");
    }
    for (words, fault) in [
        (
            &["--data", data, "search", "--pfam", "5", "--data", data][..],
            "'--data <DIR>' cannot be used multiple times",
        ),
        (&["--quiet", "show", "12", "-q"], "'--quiet' cannot be used multiple times"),
        (&["--listen", "127.0.0.1:0", "search", "--pfam", "5"], "unexpected argument '--listen' found"),
        (&["--drain", "1s", "catalogue", "load"], "unexpected argument '--drain' found"),
        (&["--memory", "64M", "index"], "unexpected argument '--memory' found"),
        (&["--data", data, "synth", "--proteins", "5", "--out", "a"], "unexpected argument '--data' found"),
    ] {
        let done = run(program().args(words));
        assert_eq!((done.code, &*done.stdout), (Some(2), ""), "{words:?}: {done:?}");
        let first = done.stderr.lines().next().unwrap_or_default();
        assert!(first.starts_with("error: ") && first.contains(fault), "{words:?}: {first}");
    }
}

#[test]
fn switches_in_the_environment_accept_1() {
    let folder = TestFolder::of_rows(&rows());
    for (value, is_quiet) in [("1", true), ("true", true), ("0", false), ("false", false)] {
        let done = run(index(&folder, folder.path().join("rows.csv")).env("MGDEX_QUIET", value));
        assert_eq!((done.code, done.stderr.is_empty()), (Some(0), is_quiet), "{value}: {}", done.stderr);
    }
}

#[test]
fn log_lines_are_json_on_request() {
    let folder = TestFolder::of_rows(&rows());
    let done = run(index(&folder, folder.path().join("rows.csv")).args(["--log", "json"]));
    assert!(done.code == Some(0) && !done.stderr.is_empty(), "{done:?}");
    for line in done.stderr.lines() {
        let line: Value = serde_json::from_str(line).expect(line);
        assert!(line["message"].is_string() && line["level"].is_string(), "{line}");
    }
}

#[test]
fn closed_output_pipes_are_not_errors() {
    let folder = TestFolder::of_sample();
    for arguments in [
        &["search", "--lineage", "root", "--limit", "10000"][..],
        &["search", "--lineage", "root", "--limit", "10000", "--format", "tsv"],
        &["search", "--query", "*", "--limit", "all"],
        &["search", "--query", "*", "--limit", "all", "--format", "ndjson"],
        &["search", "--query", "*", "--limit", "all", "--format", "tsv"],
        &["search", "--query", "*", "--limit", "all", "--format", "fasta"],
        &["search", "--query", "*", "--count"],
        &["show", "MGYP004580619181"],
        &["verify"],
    ] {
        let mut command = program();
        command.args(arguments).arg("--data").arg(folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("a child");
        assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]), "{arguments:?}");
    }
}

#[test]
fn all_unreadable_inputs_are_named_at_once() {
    let folder = TestFolder::empty();
    let done = run_on(&folder, &["index", "--portal", "nope.csv", "--biomes", "x", "--pfam", "y"]);
    assert_eq!((done.code, &*done.stdout), (Some(1), ""));
    let lines: Vec<&str> = done.stderr.lines().collect();
    assert_eq!(lines[0], "mgdex: 3 inputs cannot be read:", "{}", done.stderr);
    let named: Vec<&str> = lines[1..].iter().filter_map(|line| line.trim_start().split(':').next()).collect();
    assert_eq!(named, ["nope.csv", "x", "y"], "{}", done.stderr);
    let done = run_on(&folder, &["catalogue", "load", "a.jsonl", "b.jsonl", "--links", "c.jsonl"]);
    assert!(
        done.code == Some(1) && done.stderr.starts_with("mgdex: 3 inputs cannot be read:\n  a.jsonl: "),
        "{done:?}"
    );
}

#[test]
fn used_addresses_are_reported_before_data_are_opened() {
    let folder = TestFolder::of_rows(&rows());
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("bound").to_string();
    let done = run_on(&folder, &["serve", "--listen", &address]);
    assert_eq!((done.code, &*done.stdout, done.stderr.lines().count()), (Some(1), "", 1), "{done:?}");
    for part in [&*format!("cannot listen on {address}"), "which is in use", "--listen"] {
        assert!(done.stderr.contains(part), "{part}: {done:?}");
    }
}
