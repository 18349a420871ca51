//! An input that holds nothing, or much less than the index that is served, replaces nothing.

use std::fmt::Write;

use crate::loading::rows::{HEADER, TWO_ROWS, entries, failure, gzip, plan_of};
use indexer::Acceptance;
use indexer_release::PortalPlan;
use support::TestFolder;
use support::generation::current_name;

/// Returns rows with that many proteins.
pub(crate) fn rows(number: u64) -> String {
    (1..=number).fold(String::new(), |mut text, accession| {
        writeln!(text, "{accession},MKVL,true,1,{{}}").expect("in memory");
        text
    })
}

#[test]
fn inputs_without_good_rows_publish_nothing() {
    let folder = TestFolder::of_rows(TWO_ROWS);
    let before = (entries(&folder), current_name(&folder));
    let picture = [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice(), &[0x9c, 0, b'\n'].repeat(40)].concat();
    for (name, content, message) in [
        ("empty.csv", Vec::new(), "nothing to load: the inputs are empty"),
        ("empty.csv.gz", gzip(b""), "nothing to load: the inputs are empty"),
        ("header.csv", HEADER.into(), "nothing to load: the inputs are empty"),
        ("blank.csv", b"\n\r\n\n".to_vec(), "nothing to load: the inputs are empty"),
        ("picture.png", picture, "bad rows and no good row; the first is"),
        ("one.csv", b"1,mk,,1,{}\n".to_vec(), "nothing to load: 1 bad row and no good row; the first is"),
    ] {
        let plan = PortalPlan { max_rejects: u64::MAX, ..plan_of(&folder, vec![folder.input(name, content)]) };
        let problem = failure(&plan);
        assert!(problem.contains(message), "{name}: {problem}");
        let mut left = entries(&folder);
        assert_eq!(left.remove("rejects-of-last-failed-run.tsv"), problem.contains("no good row"), "{name}");
        assert_eq!((left, current_name(&folder)), before, "{name}");
        let _ = std::fs::remove_file(folder.generations().root().join("rejects-of-last-failed-run.tsv"));
    }
}

#[test]
fn indexes_of_less_than_half_are_published_only_if_allowed() {
    let folder = TestFolder::of_rows(&rows(7));
    let before = (entries(&folder), current_name(&folder));
    let plan = plan_of(&folder, vec![folder.input("rows.csv", rows(3))]);
    let message = failure(&plan);
    for part in ["the new index has 3 proteins", "has 7", &current_name(&folder).to_string(), "--allow-shrink"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert_eq!((entries(&folder), current_name(&folder)), before);
    let allowed = Acceptance { allow_shrink: true, ..Acceptance::default() };
    PortalPlan { acceptance: allowed, ..plan.clone() }.run().expect("that is allowed");
    assert_ne!(current_name(&folder), before.1);

    // Half is enough, and so is any index where the present one cannot be read.
    plan_of(&folder, vec![folder.input("rows.csv", rows(2))]).run().expect("more than half");
    folder.publish_rows(&rows(4));
    plan_of(&folder, vec![folder.input("rows.csv", rows(2))]).run().expect("half");
    folder.publish_rows(&rows(9));
    std::fs::write(folder.generations().path(current_name(&folder)).join("manifest.json"), "{}").expect("writable");
    plan_of(&folder, vec![folder.input("rows.csv", rows(1))]).run().expect("a damaged index is replaced");
    folder.publish_rows(&rows(9));
    std::fs::write(folder.generations().root().join("CURRENT"), "nonsense").expect("writable");
    plan_of(&folder, vec![folder.input("rows.csv", rows(1))]).run().expect("nobody knows what is served");
}

#[test]
fn empty_inputs_among_several_are_reported_and_fail_a_strict_run() {
    let folder = TestFolder::empty();
    let (good, empty) = (folder.input("good.csv", TWO_ROWS), folder.input("empty.csv.gz", gzip(b"")));
    let plan = plan_of(&folder, vec![good, empty.clone()]);
    let strict = Acceptance { strict: true, ..Acceptance::default() };
    let message = failure(&PortalPlan { acceptance: strict, ..plan.clone() });
    let warning = format!("{} has no good row", empty.name());
    assert!(message.starts_with(&warning) && message.contains("--strict"), "{message}");
    assert_eq!(folder.generations().current().expect("readable"), None);
    assert_eq!(plan.run().expect("a good row").report.warnings, [warning]);
}
