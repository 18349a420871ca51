//! Loading a directory with the real program: what is stored, what is refused, and what stays when a load does not end.

mod contents;
mod failures;
mod rejects;
mod usage;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use store::{DirectoryGeneration, DomainReference, Generations, UserReference};
use tempfile::TempDir;
use uuid::Uuid;

/// A data folder, and a folder for inputs beside it.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().expect("a temporary folder"))
    }

    fn data(&self) -> PathBuf {
        self.0.path().join("data")
    }

    fn generations(&self) -> Generations {
        Generations::new(self.data().join("directory"))
    }

    /// Writes an input.
    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, content).expect("writable");
        path
    }

    /// Returns the command that loads an input.
    fn load(&self, input: impl AsRef<Path>) -> Command {
        let mut command = mgdex();
        command.args(["directory", "load", "--memory", "64M", "--data"]).arg(self.data()).arg(input.as_ref());
        command
    }

    /// Loads lines, and returns the report.
    fn load_lines(&self, lines: &[String]) -> Value {
        let path = self.write("lines.jsonl", lines.join("\n"));
        self.report_of(&acknowledged(&mut self.load(path)))
    }

    /// Returns the report in the current generation, after checking that it adds up.
    fn report_of(&self, output: &Output) -> Value {
        let folder = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
        let current = self.generations().current().expect("readable").expect("published");
        assert_eq!(folder, self.generations().path(current).display().to_string());
        let bytes = fs::read(Path::new(&folder).join("report.json")).expect("a report");
        let report: Value = serde_json::from_slice(&bytes).expect("JSON");
        let number = |name: &str| report[name].as_u64().expect(name);
        assert_eq!(number("num_read"), number("num_accepted") + number("num_rejected"), "{report}");
        let accounted = number("num_users") + number("num_domains") + number("num_replaced");
        assert_eq!(number("num_accepted"), accounted, "{report}");
        let rejected = report["files"][0]["rejected"].as_object().expect("reasons").values();
        assert_eq!(number("num_rejected"), rejected.map(|num| num.as_u64().expect("a number")).sum::<u64>());
        let listed = fs::read_to_string(Path::new(&folder).join("rejects.tsv")).expect("a rejects file");
        assert_eq!(number("num_rejected"), listed.lines().skip(1).count() as u64);
        report
    }

    /// Opens the current generation.
    fn open(&self) -> DirectoryGeneration {
        DirectoryGeneration::open_current(&self.generations()).expect("whole").expect("published")
    }

    /// Returns what is left of loads that did not end.
    fn rubbish(&self) -> Vec<String> {
        let entries = fs::read_dir(self.generations().root()).into_iter().flatten();
        let names = entries.map(|entry| entry.expect("readable").file_name().into_string().expect("text"));
        names.filter(|name| name.starts_with("building-")).collect()
    }

    /// Runs `mgdex verify`.
    fn verify(&self) -> Output {
        mgdex().args(["verify", "--data"]).arg(self.data()).output().expect("the program")
    }
}

/// Returns the program, with its output kept.
fn mgdex() -> Command {
    let mut command = support::program();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs a load that must succeed.
fn acknowledged(command: &mut Command) -> Output {
    let output = command.output().expect("the program");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    output
}

/// Runs a load that must fail, and returns its last words.
fn refused(command: &mut Command) -> String {
    let output = command.output().expect("the program");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{output:?}");
    String::from_utf8(output.stderr).expect("text")
}

/// Returns a user by number.
fn user(number: u32) -> UserReference {
    UserReference::new(Uuid::from_u128(u128::from(number) << 96 | u128::from(number)))
}

/// Returns a domain by name.
fn domain(name: &str) -> DomainReference {
    format!("dom-{name}").parse().expect("a reference")
}

/// Returns the line of a user as the real service shows one.
fn user_line(number: u32, is_locked: bool) -> String {
    json!({
        "type": "user", "userName": format!("login-{number}"), "email": format!("{number}@example.org"),
        "userReference": user(number), "fullName": null, "domains": null, "accountNonLocked": !is_locked,
    })
    .to_string()
}

/// Returns the line of a domain as the real service shows one.
fn domain_line(name: &str, users: &[u32], managers: &[u32]) -> String {
    let all = |users: &[u32]| users.iter().map(|number| user(*number)).collect::<Vec<_>>();
    json!({
        "type": "domain", "domainName": format!("name-of-{name}"), "domainDesc": "a description",
        "domainReference": domain(name), "users": all(users), "managers": all(managers), "authority": "ROLE_x",
    })
    .to_string()
}
