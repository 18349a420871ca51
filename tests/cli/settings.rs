//! A settings file applies unless an option or the environment overrides it, and its errors are
//! listed.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use store::Generations;
use store_profiles::{Profiles, ProfilesConfig};
use support::machine::{Server, wait_for};
use support::{TestFolder, program};

use crate::cli::{rows, run, run_on};

#[test]
fn options_override_the_environment_which_overrides_the_file() {
    let data = TestFolder::of_rows(&rows());
    let folder = TestFolder::empty();
    let file = folder.path().join("mgdex.toml");
    let text = format!("data = {:?}\n[search]\nlimit = 2\nformat = \"tsv\"\n", data.path());
    fs::write(&file, text).expect("writable");
    let search = |more: &[&str], variable: Option<&str>| {
        let mut command = program();
        command.args(["search", "--lineage", "root"]).args(more).env("MGDEX_CONFIG", &file);
        let done = run(command.envs(variable.map(|limit| ("MGDEX_LIMIT", limit))));
        assert_eq!(done.code, Some(0), "{done:?}");
        done.stdout.lines().count() - 1
    };
    assert_eq!([search(&[], None), search(&[], Some("1")), search(&["--limit", "3"], Some("1"))], [2, 1, 3]);
    let done = run(program().args(["--config"]).arg(&file).args(["show", "12"]));
    assert_eq!(done.code, Some(0), "a setting at the top is that of every command: {done:?}");

    let mut show = program();
    show.args(["config", "show", "search", "--config"]).arg(&file).env("MGDEX_LIMIT", "1").env_remove("MGDEX_DATA");
    let done = run(&mut show);
    let source = |start: &str| {
        let line = done.stdout.lines().find(|line| line.starts_with(start)).expect(start);
        line.split_once(" # ").expect(line).1.to_owned()
    };
    let from_file = format!("from {}", file.display());
    assert_eq!(
        ["data = ", "limit = 1", "format = \"tsv\"", "seed = 0", "# after", "quiet = false"].map(source),
        [&*from_file, "from MGDEX_LIMIT", &from_file, "default", "not set", "default"]
    );
    let shown = folder.path().join("shown.toml");
    fs::write(&shown, &done.stdout).expect("writable");
    let checked = run(program().args(["config", "check", "--config"]).arg(&shown));
    assert_eq!(checked.code, Some(0), "what is shown can be a file: {checked:?}");
}

#[test]
fn faults_of_a_settings_file_are_listed_by_line_without_passwords() {
    let folder = TestFolder::empty();
    let file = folder.path().join("mgdex.toml");
    let text = "dat = \"x\"\nlisten = [1, [2]]\n\n[serve]\nmax-requests = 0\ntrust-proxy = \"maybe\"\n\
        profiles = \"mysql://mgdex:secret@db.test\"\n\n[searve]\nlimit = 1\n\n[search]\nquery = \"*\"\nlisten = \"x\"\n";
    fs::write(&file, text).expect("writable");
    for arguments in [&["config", "check"][..], &["verify"], &[]] {
        let done = run(program().args(arguments).arg("--config").arg(&file));
        assert_eq!((done.code, &*done.stdout), (Some(2), ""), "{done:?}");
        let lines: Vec<&str> = done.stderr.lines().collect();
        for (line, number, fault) in [
            (0, 1, "unknown setting dat: did you mean data?"),
            (1, 2, "listen takes"),
            (2, 5, "'--max-requests"),
            (3, 6, "trust-proxy takes true or false"),
            (4, 7, "--profiles"),
            (5, 9, "no such command: searve"),
            (6, 14, "unknown setting listen"),
        ] {
            assert!(
                lines[line].contains(&format!("mgdex.toml:{number}: ")) && lines[line].contains(fault),
                "{}",
                lines[line]
            );
        }
        assert!(lines.len() == 7 && !done.stderr.contains("secret"), "{}", done.stderr);
    }
    for (text, fault) in [("data = \n", "mgdex.toml"), ("data = \"a\"\ndata = \"b\"\n", "duplicate")] {
        fs::write(&file, text).expect("writable");
        let done = run(program().args(["verify", "--config"]).arg(&file));
        assert!(done.code == Some(2) && done.stderr.contains(fault), "{done:?}");
    }
    let done = run(program().args(["verify", "--config=nowhere.toml"]));
    assert!(done.code == Some(2) && done.stderr.contains("nowhere.toml"), "{done:?}");
}

#[test]
fn completions_and_man_pages_are_generated() {
    let folder = TestFolder::empty();
    for (shell, check) in [("bash", "complete -F"), ("zsh", "#compdef mgdex"), ("fish", "complete -c mgdex")] {
        let done = run(program().args(["completions", shell]));
        assert_eq!((done.code, &*done.stderr), (Some(0), ""), "{shell}");
        assert!(done.stdout.contains(check) && done.stdout.contains("answer-memory"), "{shell}");
    }
    let pages = folder.path().join("man");
    let done = run(program().arg("manual").arg(&pages));
    assert_eq!((done.code, &*done.stdout), (Some(0), ""), "{done:?}");
    for page in ["mgdex.1", "mgdex-serve.1", "mgdex-catalogue-load.1"] {
        let text = fs::read_to_string(pages.join(page)).expect(page);
        assert!(text.contains(".SH NAME") && text.contains("MGDEX_DATA"), "{text}");
    }
}

#[test]
fn the_doctor_reports_problems() {
    let folder = TestFolder::of_rows(&rows());
    let done = run_on(&folder, &["doctor"]);
    assert_eq!((done.code, &*done.stderr), (Some(0), ""), "{done:?}");
    for part in [
        "proteins: gen-",
        "3 proteins",
        "catalogue: nothing is loaded",
        "stores in use: none",
        "free room: ",
        "tokens: those with `aud` are refused, since no --jwt-audience is given",
        "clock: 20",
    ] {
        assert!(done.stdout.contains(part), "{part}: {}", done.stdout);
    }
    let named = run(program().args(["doctor", "--data"]).arg(folder.path()).env("MGDEX_JWT_AUDIENCE", "a,b"));
    assert!(named.stdout.contains("tokens: those without a or b in `aud` are refused"), "{named:?}");
    let server = Server::start(folder.path());
    let lock = fs::File::create(folder.path().join("proteins/LOCK")).expect("writable");
    lock.lock().expect("free");
    let done = run_on(&folder, &["doctor"]);
    assert!(done.stdout.contains(&format!("proteins by process {} (", std::process::id())), "{done:?}");
    drop(server);

    fs::remove_file(folder.path().join("proteins/CURRENT")).expect("there");
    let done = run_on(&folder, &["doctor"]);
    assert!(done.code == Some(1) && done.stdout.contains("BROKEN  proteins: CURRENT is missing"), "{done:?}");
    let done = run(program().args(["doctor", "--data"]).arg(folder.path().join("nowhere")));
    assert!(done.code == Some(1) && done.stdout.contains("BROKEN  data folder"), "{done:?}");
}

/// Starts the program without the rights of root, since root may write anywhere.
fn without_rights() -> Command {
    let program = program();
    if fs::metadata("/proc/self").is_ok_and(|own| own.uid() != 0) {
        return program;
    }
    let mut command = Command::new("setpriv");
    command.args(["--bounding-set=-all", "--inh-caps=-all"]).arg(program.get_program());
    command
}

/// Returns everything below a folder, with sizes and times.
fn state(folder: &Path) -> Vec<(PathBuf, u64, SystemTime)> {
    let mut all = Vec::new();
    for entry in folder.read_dir().expect("readable").flatten() {
        let metadata = entry.metadata().expect("there");
        all.push((entry.path(), metadata.len(), metadata.modified().expect("a time")));
        if metadata.is_dir() {
            all.extend(state(&entry.path()));
        }
    }
    all.sort();
    all
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("ours");
}

#[test]
fn unwritable_files_are_reported_by_the_doctor_and_the_server() {
    let folder = TestFolder::empty();
    folder.publish_catalogue(vec![folder.input("studies.jsonl", r#"{"type": "studies", "id": "MGYS1"}"#)]);
    Profiles::open(&folder.path().join("profiles"), ProfilesConfig { attributes_max: 1 }).expect("room");
    let doctor = || run(without_rights().args(["doctor", "--data"]).arg(folder.path()));
    let before = state(folder.path());
    let done = doctor();
    assert!(done.code == Some(0) && done.stdout.contains("profiles: the store can be written"), "{done:?}");
    assert_eq!(state(folder.path()), before, "nothing is left behind");

    let generations = Generations::new(folder.path().join("catalogue"));
    let database = generations.path(generations.current().expect("readable").expect("one")).join("resources");
    let file = database.join("db");
    let profiles = folder.path().join("profiles");
    for (kind, path, usual) in
        [("catalogue", &database, 0o755), ("catalogue", &file, 0o644), ("profiles", &profiles, 0o755)]
    {
        set_mode(path, usual & 0o555);
        let done = doctor();
        let fault = format!("BROKEN  {kind}: {} cannot be written by this user", path.display());
        assert!(done.code == Some(1) && done.stdout.contains(&fault), "{done:?}");
        set_mode(path, usual);
    }

    set_mode(&file, 0o444);
    let server =
        Server::of_command(without_rights().args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(folder.path()));
    let (status, body) = server.get("/metagenomics/api/v1/studies");
    assert!(status == 503 && body.contains("no permission to read and write the catalogue"), "{status} {body}");
    assert!(!body.contains("mgdex catalogue load") && !body.contains("gen-"), "{body}");
    let (status, body) = server.get("/readyz");
    assert!(status == 503 && body.contains("no permission"), "{status} {body}");
    assert!(server.log().contains(": mgdex must be able to read and write there"), "{}", server.log());
    set_mode(&file, 0o644);
    wait_for("the catalogue", || (server.get("/metagenomics/api/v1/studies").0 == 200).then_some(()));
    let done = doctor();
    assert!(done.code == Some(0) && server.get("/metagenomics/api/v1/studies").0 == 200, "both at once: {done:?}");
}
