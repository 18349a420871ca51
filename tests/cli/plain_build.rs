//! A build without the feature `distributed` knows the options of several machines, and refuses
//! them in words.
#![cfg(not(feature = "distributed"))]

use std::fs;

use support::{TestFolder, program};

use crate::cli::{Done, rows, run};

/// The text printed after the name of each missing option.
const NEEDS: &str = "needs a build with the feature `distributed`: packages and the image have it; \
                     `cargo build --release --features distributed` makes one";

fn assert_refused(done: &Done, name: &str) {
    assert_eq!((done.code, &*done.stdout), (Some(2), ""), "{name}: {done:?}");
    assert!(done.stderr.contains(&format!("{name} {NEEDS}")) && !done.stderr.contains("secret"), "{name}: {done:?}");
}

#[test]
fn options_and_variables_of_several_machines_are_rejected() {
    let folder = TestFolder::of_rows(&rows());
    let database = "postgres://mgdex:secret@127.0.0.1:1/mgdex";
    for (arguments, name) in [
        (&["serve", "--follow", "file:///nowhere"][..], "--follow"),
        (&["serve", "--otlp", "http://127.0.0.1:1"], "--otlp"),
        (&["serve", "--profiles", database], "--profiles"),
        (&["serve", "--profiles-connections", "3"], "--profiles-connections"),
        (&["--profiles-audit-days", "3"], "--profiles-audit-days"),
        (&["profiles", "export", "--profiles", database], "--profiles"),
        (&["doctor", "--to", "/nowhere"], "--to"),
        (&["doctor", "--follow", "/nowhere"], "--follow"),
        (&["publish", "--to", "/nowhere"], "publish"),
    ] {
        assert_refused(&run(program().args(arguments).env("MGDEX_DATA", folder.path())), name);
    }
    for (variable, command) in [("MGDEX_FOLLOW", "serve"), ("MGDEX_OTLP", "serve"), ("MGDEX_PROFILES", "doctor")] {
        assert_refused(&run(program().arg(command).env("MGDEX_DATA", folder.path()).env(variable, database)), variable);
    }
    // A command without the option has nothing to do with the variable.
    let done = run(program().arg("generations").env("MGDEX_DATA", folder.path()).env("MGDEX_FOLLOW", database));
    assert_eq!(done.code, Some(0), "{done:?}");
}

#[test]
fn settings_of_several_machines_in_the_file_are_rejected() {
    let folder = TestFolder::empty();
    let file = folder.path().join("mgdex.toml");
    for (text, name) in [
        ("profiles = \"postgres://mgdex:secret@db.test/mgdex\"\n", "profiles"),
        ("[serve]\nfollow = \"s3://secret@bucket/x\"\n", "follow"),
        ("[publish]\nto = \"s3://secret@bucket/x\"\n", "publish"),
    ] {
        fs::write(&file, text).expect("writable");
        for command in [&["config", "check"][..], &["config", "show"], &["serve"]] {
            assert_refused(&run(program().args(command).arg("--config").arg(&file)), name);
        }
    }
}

#[test]
fn help_marks_options_that_the_build_lacks() {
    let mark = "[only in a build with `distributed`]";
    let words = |help: &str| help.split_whitespace().collect::<Vec<_>>().join(" ");
    let help = words(&run(program().args(["serve", "--help"])).stdout);
    let (_, follow) = help.split_once("--follow <URL>").expect("the option");
    let (follow, _) = follow.split_once("--verify-key").expect("the option after it");
    assert!(follow.contains(mark), "{follow}");
    let help = words(&run(program().arg("--help")).stdout);
    let (_, publish) = help.split_once(" publish ").expect("the command");
    assert!(publish.split(" search ").next().expect("text").contains(mark), "{publish}");
}
