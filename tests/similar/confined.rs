//! Restrictions of an engine. `mgdex doctor` says which ones hold on a machine, and why the others
//! do not; these tests check that it is right.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;

use serde_json::json;
use support::machine::wait_for;
use support::program;

use support::similarity::client::{Client, order};
use support::similarity::engine::{HEAD, noting, programs, replace};
use support::similarity::proteins::data;
use support::similarity::site::Site;

/// A script that lists the files that it can use, and fails.
const TRIES: &str = "
report() { reported=\"$reported $1\"; }
( : > inside ) 2> /dev/null && report inside
( : > FOLDER/outside ) 2> /dev/null && report outside
( : < DATA/proteins/CURRENT ) 2> /dev/null && report data
( : < /etc/passwd ) 2> /dev/null && report passwd
/bin/ln -s inside link 2> /dev/null && report link
echo \"$reported\" >&2
exit 1
";

/// Makes a site with an engine that everybody may execute.
fn site(script: &str) -> Site {
    let mut site = Site::with_installed(data());
    let programs = programs(&format!("{HEAD}{}", script_of(&site, script)));
    fs::set_permissions(programs.path(), fs::Permissions::from_mode(0o755)).expect("permissions");
    fs::remove_file(programs.path().join("hmmsearch")).expect("a link");
    symlink("phmmer", programs.path().join("hmmsearch")).expect("a link");
    site.programs = Some(programs);
    site
}

fn script_of(site: &Site, script: &str) -> String {
    let path = |path: &Path| path.display().to_string();
    script.replace("FOLDER", &path(site.folder.path())).replace("DATA", &path(site.data.path()))
}

/// Returns the report of the doctor about an installed engine: the restrictions that hold, and the
/// missing ones.
fn report(site: &Site, more: &[&str]) -> (String, String) {
    let mut doctor = program();
    doctor.arg("doctor").args(more).arg("--data").arg(site.data.path());
    let output = site.with_programs(doctor).output().expect("the program starts");
    let text = String::from_utf8(output.stdout).expect("text");
    let report = text.lines().find_map(|line| line.strip_prefix("ok      similarity: HMMER 3.3.2, "));
    let report = report.unwrap_or_else(|| panic!("{text} {}", String::from_utf8_lossy(&output.stderr)));
    let (holds, missing) = report.split_once("; ").unwrap_or((report, ""));
    (holds.to_owned(), missing.to_owned())
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0)
}

#[test]
fn engines_use_only_the_files_of_their_folder() {
    let site = site(TRIES);
    let (holds, missing) = report(&site, &[]);
    assert_eq!(
        holds.contains("other files"),
        !missing.contains("it can use all files that its user can use: "),
        "{missing}"
    );
    let server = site.serve(&[]);
    let client = Client::new(&server);
    let state = client.wait(&client.begin(&order(0)));
    assert_eq!(state["state"], "failed", "{state}");
    if holds.contains("other files") {
        assert_eq!(state["problem"], "The search has no result: phmmer rejects the query: inside.", "{state}");
        assert!(!site.folder.path().join("outside").is_file());
    }
    assert!(server.log().contains(&format!("similar proteins are found by HMMER 3.3.2, {holds}")), "{}", server.log());
}

#[test]
fn engines_have_only_the_rights_of_their_user() {
    let site = site("exec /bin/sleep 1000\n");
    let (holds, missing) = report(&site, &[]);
    assert!(holds.contains("without new privileges, capabilities"), "{holds}");
    let server = site.serve(&[]);
    let client = Client::new(&server);
    let id = client.begin(&order(0));
    let of_engine = |path: &Path| {
        let status = fs::read_to_string(path.join("status")).ok()?;
        let is_child = status.lines().any(|line| line == format!("PPid:\t{}", server.id()));
        (is_child && status.starts_with("Name:\tsleep\n")).then_some((path.to_owned(), status))
    };
    let (process, status) = wait_for("the engine", || {
        let processes = fs::read_dir("/proc").expect("processes");
        processes.flatten().find_map(|process| of_engine(&process.path()))
    });
    let value = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(":"));
        line.unwrap_or_else(|| panic!("{name}: {status}")).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(value("NoNewPrivs"), "1");
    for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
        assert_eq!(value(set), "0000000000000000", "{set}");
    }
    let user = value("Uid").split(' ').next().expect("a number").to_owned();
    assert!(holds.starts_with(&format!("as user {user},")), "{holds}");
    if is_root() {
        assert_eq!(value("CapBnd"), "0000000000000000");
        assert_eq!(user == "65534", !missing.contains("it has the rights of the user who runs mgdex: "), "{missing}");
        assert!(user == "0" || value("Groups").is_empty(), "{status}");
    }
    let network = |process: &Path| fs::read_link(process.join("ns/net")).expect("a namespace");
    assert_eq!(network(&process) != network(Path::new("/proc/self")), holds.contains("network"));
    assert_eq!(holds.contains("network"), !missing.contains("it can use the network: "), "{missing}");
    assert_eq!(client.remove(&id).status.as_u16(), 204);
    wait_for("the end of the engine", || of_engine(&process).is_none().then_some(()));
}

#[test]
fn engines_run_as_the_owner_of_the_data_or_the_configured_user() {
    let site = site(TRIES);
    let of_user = |more: &[&str]| {
        let (holds, missing) = report(&site, more);
        let user = holds.strip_prefix("as user ").and_then(|rest| rest.split(',').next()).expect("a user").to_owned();
        (user, missing)
    };
    if is_root() {
        chown(site.data.path(), Some(12345), Some(12346)).expect("root may");
        assert_eq!(of_user(&[]).0, "12345");
        assert_eq!(of_user(&["--engine-user", "54321"]).0, "54321");
        assert_eq!(of_user(&["--engine-user", "nobody"]).0, "65534");
        assert_eq!(of_user(&["--engine-user", "root"]).0, "0");
        let server = site.serve(&["--engine-user", "54321"]);
        let client = Client::new(&server);
        let problem = client.wait(&client.begin(&order(0)))["problem"].clone();
        assert!(
            problem.as_str().is_some_and(|report| report.contains("inside") && !report.contains("data")),
            "{problem}"
        );
    } else {
        let (_, missing) = of_user(&["--engine-user", "12345"]);
        assert!(missing.contains("it has the rights of the user who runs mgdex: "), "{missing}");
    }
    let output =
        program().args(["doctor", "--engine-user", "nobody-of-this-name"]).output().expect("the program starts");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && message.contains("no such user"), "{message}");
}

#[test]
fn engines_that_cannot_be_confined_still_search_and_it_is_reported() {
    let site = site(TRIES);
    let programs = site.programs.as_ref().expect("its own").path();
    replace(programs, &noting(&site.folder.path().join("pids"), "exit 1"));
    let (holds, missing) = report(&site, &[]);
    assert!(
        !holds.contains("other files") && missing.contains("it can use all files that its user can use: "),
        "{missing}"
    );
    let server = site.serve(&[]);
    let warning = "HMMER 3.3.2 is not fully confined: it can use all files";
    assert!(server.log().contains(warning), "{}", server.log());
    let client = Client::new(&server);
    let state = client.wait(&client.begin(&json!({ "sequence": "MKVAILGAGSVG", "E": 1 })));
    assert_eq!(state["problem"], "The search has no result: phmmer rejects the query: it gives no reason.");
}
