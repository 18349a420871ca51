//! A dry run over rows fails where the run would fail at once.

use std::fs;

use crate::loading::rows::nothing::rows;
use crate::loading::rows::{TWO_ROWS, entries, failure, plan_of};
use indexer::{Input, Survey};
use support::TestFolder;

/// Returns the problems that a dry run has found.
fn problems(survey: &Survey) -> Vec<String> {
    survey.checks.iter().filter_map(|check| check.found.clone().err()).collect()
}

#[test]
fn dry_runs_fail_if_the_run_would_fail_at_once() {
    let folder = TestFolder::of_rows(&rows(7));
    let before = entries(&folder);
    for (input, message) in [
        (Input::Path(folder.path().to_owned()), "it is a folder"),
        (folder.input("proteins.parquet", b"PAR1PAR1"), "this is a Parquet file"),
        (folder.input("columns.csv", "mgyp,sequence\n1,MK\n"), "the header has no column full_length"),
        (folder.input("cut.csv.gz", [0x1f, 0x8b, 8]), "it is cut off"),
    ] {
        let plan = plan_of(&folder, vec![input]);
        let found = problems(&plan.survey());
        assert!(found.iter().any(|problem| problem.contains(message)), "{message}: {found:?}");
        failure(&plan);
        let _ = fs::remove_file(folder.generations().root().join("rejects-of-last-failed-run.tsv"));
        assert_eq!(entries(&folder), before, "{message}");
    }
    assert_eq!(problems(&plan_of(&folder, vec![folder.input("few.csv", TWO_ROWS)]).survey()), [""; 0]);
    assert_eq!(entries(&folder), before, "nothing was written");
}

#[test]
fn dry_runs_do_not_read_streams() {
    let folder = TestFolder::of_rows(&rows(7));
    let mut plan = plan_of(&folder, vec![folder.input("few.csv", TWO_ROWS), Input::Stdin]);
    plan.acceptance.strict = true;
    let survey = plan.survey();
    assert!(survey.is_good() && survey.warnings.is_empty() && survey.index_bytes == 0, "{survey:?}");
}
