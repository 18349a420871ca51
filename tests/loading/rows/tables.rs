//! Tables that lack many names used in rows were probably truncated.

use crate::loading::rows::failure;
use support::{SAMPLE, TestFolder, data_text};

#[test]
fn truncated_pfam_tables_are_warnings_and_fail_a_strict_run() {
    let folder = TestFolder::empty();
    let rows: String = data_text(SAMPLE).split_inclusive('\n').take(1000).collect();
    let mut plan = folder.plan(vec![folder.input("rows.csv", rows)]);
    plan.acceptance.strict = true;
    let whole = plan.run().expect("the sample is well formed").report;
    assert_eq!(whole.warnings, [""; 0]);
    let text = data_text("proteins/Pfam-A.clans.tsv.gz");
    let cut: String = text.lines().take(1000).fold(String::new(), |cut, line| cut + line + "\n");
    plan.pfam = folder.input("cut.tsv", cut);
    let message = failure(&plan);
    let all =
        format!(" of {} Pfam hits are of families that are not in the clans table, such as PF", whole.notes.pfam_hits);
    assert!(
        message.contains(&all) && message.contains("is --pfam complete") && message.contains("--strict"),
        "{message}"
    );
    plan.acceptance.strict = false;
    let warnings = plan.run().expect("it is only suspicious").report.warnings;
    assert!(matches!(&*warnings, [warning] if warning.contains(&all)), "{warnings:?}");
}
