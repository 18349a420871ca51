//! Settings of several machines: passwords are not shown, and the doctor checks the database and
//! the store.

use std::fs;

use support::{TestFolder, program};

#[test]
fn passwords_are_not_shown() {
    let folder = TestFolder::empty();
    let file = folder.path().join("mgdex.toml");
    fs::write(&file, "profiles = \"postgres://mgdex:secret@db.test/mgdex\"\n").expect("writable");
    let mut show = program();
    show.args(["config", "show", "--config"]).arg(&file).env("MGDEX_FOLLOW", "s3://secret@bucket/x");
    let output = show.output().expect("the program");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && shown.contains("profiles = \"…\""), "{output:?}");
    assert!(!shown.contains("secret"), "{shown}");
}

#[test]
fn the_doctor_checks_the_database_and_the_store() {
    let folder = TestFolder::empty();
    let mut doctor = program();
    doctor.args(["doctor", "--profiles", "postgres://mgdex@127.0.0.1:1/mgdex", "--data"]).arg(folder.path());
    let output = doctor.arg("--to").arg(folder.path().join("nowhere")).output().expect("the program");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(shown.contains("BROKEN  database: ") && shown.contains("store published to"), "{shown}");
}
