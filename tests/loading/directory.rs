//! Loading a directory with the real program: stored entries, refusals, and interrupted loads.

mod contents;
mod failures;
mod rejects;
mod shrunk;
mod usage;

use std::fs;
use std::ops::Deref;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use store::{DomainReference, UserReference};
use store_profiles::DirectoryGeneration;
use uuid::Uuid;

use crate::loading::load::{LoadFolder, acknowledged, refused};

/// A data folder for directories.
struct Folder(LoadFolder);

impl Deref for Folder {
    type Target = LoadFolder;

    fn deref(&self) -> &LoadFolder {
        &self.0
    }
}

impl Folder {
    fn new() -> Self {
        Self(LoadFolder::new("directory"))
    }

    /// Returns the command that loads an input.
    fn load(&self, input: impl AsRef<Path>) -> Command {
        self.0.load([input])
    }

    /// Loads lines, and returns the report.
    fn load_lines(&self, lines: &[String]) -> Value {
        let path = self.write("lines.jsonl", lines.join("\n"));
        self.report_of(&acknowledged(self.load(path).arg("--allow-shrink")))
    }

    /// Returns the report in the current generation, after checking that it adds up.
    fn report_of(&self, output: &Output) -> Value {
        let (folder, report) = self.published(output);
        let number = |name: &str| report[name].as_u64().expect(name);
        let accounted = number("num_users") + number("num_domains") + number("num_replaced");
        assert_eq!(number("num_accepted"), accounted, "{report}");
        let rejected = report["files"][0]["rejected"].as_object().expect("reasons").values();
        assert_eq!(number("num_rejected"), rejected.map(|num| num.as_u64().expect("a number")).sum::<u64>());
        let listed = fs::read_to_string(folder.join("rejects.tsv")).expect("a rejects file");
        assert_eq!(number("num_rejected"), listed.lines().skip(1).count() as u64);
        report
    }

    /// Opens the current generation.
    fn open(&self) -> DirectoryGeneration {
        DirectoryGeneration::open_current(&self.generations()).expect("whole").expect("published")
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
