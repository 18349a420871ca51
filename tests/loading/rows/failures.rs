//! A run that fails names the cause, and leaves the index unchanged.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use crate::loading::rows::{TWO_ROWS, entries, failure, plan_of, zstd};
use indexer::Input;
use indexer_release::PortalPlan;
use support::generation::current_name;
use support::{SAMPLE, TestFolder, data, data_text};

/// Runs a plan that must fail, and checks that the index of the folder is untouched.
fn check_failure_leaves_index(folder: &TestFolder, plan: &PortalPlan) -> String {
    let before = entries(folder);
    let message = failure(plan);
    assert_eq!(entries(folder), before, "{message}");
    assert!(before.contains(&current_name(folder).to_string()));
    message
}

#[test]
fn truncated_inputs_end_the_run_and_are_named() {
    let folder = TestFolder::of_rows(TWO_ROWS);
    let sample = fs::read(data(SAMPLE)).expect("bundled");
    let text = data_text(SAMPLE);
    let zstd = zstd(text.as_bytes());
    for (file_name, content) in [
        ("cut-by-half.csv.gz", &sample[..sample.len() / 2]),
        ("cut-in-the-trailer.csv.gz", &sample[..sample.len() - 4]),
        ("cut.csv.zst", &zstd[..zstd.len() - 9]),
    ] {
        let good = folder.input("good.csv", "50,MK,,1,{}\n");
        let cut = folder.input(file_name, content);
        let message = check_failure_leaves_index(&folder, &plan_of(&folder, vec![good, cut.clone()]));
        assert!(message.contains(&format!("{}: it is cut off after line ", cut.name())), "{message}");
        assert!(message.ends_with(": get the file again"), "{message}");
    }
}

#[test]
fn files_of_another_kind_are_named_with_their_kind() {
    let folder = TestFolder::of_rows(TWO_ROWS);
    for (name, content, message) in [
        ("proteins.parquet", &b"PAR1\x15\x04\x15PAR1"[..], "this is a Parquet file: `mgdex index --release` reads"),
        ("rows.csv.bz2", b"BZh91AY&SY", "this is compressed by bzip2"),
        ("rows.zip", b"PK\x03\x04\x14\0", "this is a ZIP archive"),
        ("wide.csv", b"\xff\xfe1\0,\0", "this is UTF-16 text"),
    ] {
        let input = folder.input(name, content);
        let problem = check_failure_leaves_index(&folder, &plan_of(&folder, vec![input.clone()]));
        assert!(problem.contains(&input.name()) && problem.contains(message), "{problem}");
    }
}

#[test]
fn missing_inputs_are_found_before_reading() {
    let folder = TestFolder::of_rows(TWO_ROWS);
    let missing = Input::Path(folder.path().join("missing.csv"));
    let good = folder.input("good.csv", "50,MK,,1,{}\n");
    let plan = plan_of(&folder, vec![good.clone()]);
    for plan in [
        PortalPlan { portal: vec![good, missing.clone()], ..plan.clone() },
        PortalPlan { biomes: missing.clone(), ..plan.clone() },
        PortalPlan { pfam: missing.clone(), ..plan.clone() },
        PortalPlan { superseded: Some(missing.clone()), ..plan },
    ] {
        let message = check_failure_leaves_index(&folder, &plan);
        assert!(message.contains(&missing.name()), "{message}");
    }
}

/// Returns plans whose folder cannot be made or written.
fn plans_without_room(folder: &TestFolder) -> Vec<(PathBuf, PortalPlan)> {
    let plan = plan_of(folder, vec![folder.input("rows.csv", TWO_ROWS)]);
    let Input::Path(file) = folder.input("a-file", "") else { unreachable!("it was just written") };
    let read_only = folder.path().join("read-only");
    fs::create_dir(&read_only).expect("new");
    fs::set_permissions(&read_only, Permissions::from_mode(0o555)).expect("ours");
    // Some users, such as root, ignore permissions: then there is nothing to test.
    let is_bound = fs::write(read_only.join("probe"), "").is_err();
    let in_file = file.join("proteins");
    let mut plans = vec![(in_file.clone(), PortalPlan { generations: in_file, ..plan.clone() })];
    if is_bound {
        plans.push((read_only.clone(), PortalPlan { generations: read_only, ..plan }));
    }
    plans
}

#[test]
fn unwritable_folders_are_named() {
    let folder = TestFolder::empty();
    for (path, plan) in plans_without_room(&folder) {
        let message = failure(&plan);
        assert!(message.contains(&path.display().to_string()), "{message}");
    }
}
