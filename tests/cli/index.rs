//! Indexing prints the new generation, accepts inputs from several sources, and fails if there are
//! too many bad rows.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Stdio};

use crate::cli::{Done, index, rows, run, run_on, tables};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use support::TestFolder;
use support::generation::current_folder;
use support::machine::{leftovers, wait_for};
use support::program;

#[test]
fn index_prints_the_folder_of_the_generation_and_nothing_else() {
    let folder = TestFolder::empty();
    let portal = folder.path().join("rows.csv");
    fs::write(&portal, rows()).expect("writable");
    let done = run(index(&folder, &portal).args(["--memory", "64M", "--threads", "1"]));
    assert_eq!(done.code, Some(0), "{done:?}");
    assert_eq!(done.stdout, format!("{}\n", current_folder(&folder).display()));
    assert!(done.stderr.contains("3 rows read, 3 accepted, 0 rejected"), "{}", done.stderr);
    assert!(!done.stderr.contains('\u{1b}'), "no colours where nobody looks: {}", done.stderr);
}

#[test]
fn a_dash_reads_standard_input() {
    let folder = TestFolder::empty();
    let mut command = index(&folder, "-");
    command.arg("--quiet").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let compressed = zstd::encode_all(rows().as_bytes(), 1).expect("in memory");
    child.stdin.take().expect("piped").write_all(&compressed).expect("read");
    let output = child.wait_with_output().expect("a child");
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "quiet means quiet");
    let done = run_on(&folder, &["search", "--biome-id", "132", "--format", "tsv"]);
    assert_eq!(done.stdout, "mgyp\tfull_length\tcluster_size\nMGYP000000000012\ttrue\t7\nMGYP000000000014\t\t1\n");
}

#[test]
fn several_inputs_are_accepted_after_one_flag_or_in_the_environment() {
    let folder = TestFolder::empty();
    let paths = [("a.csv", "1,MK,,1,{}\n"), ("b.csv", "2,MK,,1,{}\n")].map(|(name, text)| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("writable");
        path
    });
    let [_, biomes, _, pfam] = tables();
    let by_flags =
        run(program().args(["index", "--portal"]).args(&paths).args(tables()).arg("--data").arg(folder.path()));
    assert_eq!(by_flags.code, Some(0), "{by_flags:?}");
    let by_environment = run(program()
        .arg("index")
        .env("MGDEX_PORTAL", format!("{},{}", paths[0].display(), paths[1].display()))
        .env("MGDEX_BIOMES", biomes)
        .env("MGDEX_PFAM", pfam)
        .env("MGDEX_DATA", folder.path())
        .env("MGDEX_MEMORY", "128M")
        .env("MGDEX_MAX_REJECTS", "3")
        .env("MGDEX_QUIET", "true"));
    assert_eq!((by_environment.code, &*by_environment.stderr), (Some(0), ""));
    assert_eq!(by_environment.stdout, format!("{}\n", current_folder(&folder).display()));
    assert_eq!(run_on(&folder, &["show", "1", "2"]).stdout.lines().count(), 2);
}

/// Sends a signal to a process, and returns its outcome.
fn interrupted(child: Child, signal: Signal) -> Done {
    kill_process(Pid::from_child(&child), signal).expect("it runs");
    let output = child.wait_with_output().expect("a child");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Done { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

#[test]
fn interrupted_runs_report_the_interruption() {
    let folder = TestFolder::of_rows(&rows());
    let before = current_folder(&folder);
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let mut command = index(&folder, "-");
        command.arg("--quiet").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let left = leftovers(folder.path());
        let mut child = command.spawn().expect("the program starts");
        let pipe = child.stdin.take().expect("piped");
        // The next run removes the leftovers of the previous one.
        let has_begun = |leftovers: Vec<String>| !leftovers.is_empty() && leftovers != left;
        wait_for("the start of the run", || has_begun(leftovers(folder.path())).then_some(()));
        let done = interrupted(child, signal);
        drop(pipe);
        assert_eq!((done.code, &*done.stdout), (Some(code), ""), "{done:?}");
        assert_eq!(done.stderr, "mgdex: interrupted: the same command starts again from the beginning\n");
        assert_eq!(current_folder(&folder), before);
    }
}

#[test]
fn errors_are_json_if_log_lines_are() {
    let folder = TestFolder::empty();
    let done = run(index(&folder, folder.path().join("missing.csv")).args(["--quiet", "--log", "json"]));
    assert_eq!((done.code, done.stderr.lines().count()), (Some(1), 1), "{done:?}");
    let line: Value = serde_json::from_str(&done.stderr).expect("JSON");
    assert_eq!(line["level"], "ERROR");
    assert!(line["message"].as_str().is_some_and(|message| message.contains("missing.csv")), "{line}");
}

#[test]
fn messages_use_singular_and_plural_correctly() {
    let folder = TestFolder::empty();
    let portal = folder.path().join("rows.csv");
    fs::write(&portal, "1,MK,,1,\"{\"\"z\"\":0}\"\nx,MK,,1,{}\n").expect("writable");
    let failed = run(&mut index(&folder, &portal));
    assert!(failed.stderr.contains("1 bad row, and --max-rejects allows 0"), "{}", failed.stderr);
    let done = run(index(&folder, &portal).args(["--max-rejects", "1"]));
    for part in [
        "2 rows read, 1 accepted, 1 rejected (1 bad_accession)\n",
        "1 unknown metadata key left out\n",
        "indexing: 1 protein in ",
    ] {
        assert!(done.stderr.contains(part), "{part} is not in {}", done.stderr);
    }
    for debris in ["{", "\"", "Some(", "1 proteins", "1 rows"] {
        assert!(!done.stderr.contains(debris), "{debris} is in {}", done.stderr);
    }
}

#[test]
fn dry_runs_describe_the_run_and_write_nothing() {
    let folder = TestFolder::empty();
    let index = |arguments: &[&str]| {
        let mut index = vec!["index", "--dry-run"];
        index.extend(arguments);
        run_on(&folder, &index)
    };
    let release = folder.path().join("release");
    let made = run(program().args(["synth", "--proteins", "2000", "--out"]).arg(&release));
    assert_eq!(made.code, Some(0), "{made:?}");
    let tables = ["biomes.tsv", "clans.tsv"];
    let contents = [support::states::BIOMES, support::states::CLANS];
    let [biomes, clans] = [0, 1].map(|index| folder.input(tables[index], contents[index]).name());
    let rows = folder.input("rows.csv", rows()).name();
    let release = release.to_str().expect("text");

    let done = index(&["--release", release, "--biomes", &biomes, "--pfam", &clans]);
    assert_eq!((done.code, &*done.stderr), (Some(0), ""), "{done:?}");
    for part in [
        "ok      release: ",
        "ok      sequences: Parquet, 1 file, ",
        " rows\n",
        "ok      room",
        "about   ",
        " MB of index, as a rule of thumb\n",
    ] {
        assert!(done.stdout.contains(part), "{part} in {}", done.stdout);
    }
    let [_, all_biomes, _, all_families] = crate::cli::tables().map(|argument| argument.display().to_string());
    let done = index(&["--portal", &rows, "--biomes", &all_biomes, "--pfam", &all_families]);
    assert!(done.code == Some(0) && done.stdout.contains("ok      rows: 1 file, "), "{done:?}");
    let strict = ["--strict", "--biomes", &biomes, "--pfam", &clans];
    std::fs::remove_file(Path::new(release).join("mgy_biomes.parquet")).expect("there");
    let done = index(&[&["--release", release][..], &strict[1..]].concat());
    let warning = "WARN    mgy_biomes is missing: proteins will have no biomes\n";
    assert!(done.code == Some(0) && done.stdout.contains(warning), "{done:?}");
    let done = index(&[&["--release", release][..], &strict].concat());
    assert!(done.code == Some(1) && done.stdout.contains("BROKEN  --strict: mgy_biomes is missing"), "{done:?}");
    let done = index(&["--portal", release, "--biomes", &biomes, "--pfam", &clans]);
    assert!(done.code == Some(1) && done.stdout.contains("it is a folder, not a file"), "{done:?}");
    let done = index(&["--release", "/missing", "--biomes", &biomes, "--pfam", &rows]);
    assert_eq!(done.code, Some(1), "{done:?}");
    let broken: Vec<&str> = done.stdout.lines().filter(|line| line.starts_with("BROKEN")).collect();
    assert!(broken.len() == 2 && broken[0].contains("/missing") && broken[1].contains("Pfam table"), "{done:?}");
    assert!(!folder.path().join("proteins").is_dir(), "nothing is written");
}
