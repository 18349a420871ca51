//! Similarity searches by HMMER itself: the same as `phmmer` and `hmmsearch` find by hand, whatever
//! the selection, and real proteins that have changed.

mod by_hand;
mod odd;
mod recall;
mod served;

use std::fs;
use std::process::Command;

use support::{data, needed_program};
use tempfile::TempDir;

/// Returns the profile of a family, as HMMER builds it, or says that the test is skipped.
fn profile() -> Option<String> {
    let hmmbuild = needed_program("hmmbuild", "hmmer")?;
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("profile");
    let built = Command::new(hmmbuild).arg("--amino").arg(&path).arg(data("proteins/own/PF00005.sto")).output();
    assert!(built.expect("a program").status.success());
    Some(fs::read_to_string(&path).expect("written"))
}
