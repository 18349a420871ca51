//! A dry run over rows fails where the run would fail at once, and knows about how large the index becomes.

use std::fs;
use std::path::Path;

use crate::loading::rows::nothing::rows;
use crate::loading::rows::{HEADER, TWO_ROWS, entries, failure, plan_of};
use indexer::{Input, Survey};
use indexer_release::PortalPlan;
use support::generation::current_folder;
use support::{SAMPLE, TestFolder, data, data_text};

/// Returns the problems that a dry run has found.
fn problems(survey: &Survey) -> Vec<String> {
    survey.checks.iter().filter_map(|check| check.found.clone().err()).collect()
}

/// Returns the bytes of all files in a folder and below.
pub(crate) fn folder_bytes(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).expect("readable").map(|entry| entry.expect("readable"));
    let bytes = |entry: fs::DirEntry| {
        let metadata = entry.metadata().expect("there");
        if metadata.is_dir() { folder_bytes(&entry.path()) } else { metadata.len() }
    };
    entries.map(bytes).sum()
}

/// Checks that a dry run knew the size of an index within a factor of 1.5.
pub(crate) fn assert_estimated(survey: &Survey, built: &Path, context: &str) {
    let (told, built) = (survey.index_bytes, folder_bytes(built));
    assert!(told * 2 <= built * 3 && built * 2 <= told * 3, "{context}: {told} bytes were told, {built} are there");
}

#[test]
fn a_dry_run_fails_where_the_run_would_fail_at_once() {
    let folder = TestFolder::of_rows(&rows(7));
    let before = entries(&folder);
    let sample = fs::read(data(SAMPLE)).expect("bundled");
    for (input, told) in [
        (Input::Path(folder.path().to_owned()), "it is a folder"),
        (folder.input("proteins.parquet", b"PAR1PAR1"), "this is a Parquet file"),
        (folder.input("header.csv", HEADER), "nothing to load"),
        (folder.input("empty.csv", ""), "nothing to load"),
        (folder.input("columns.csv", "mgyp,sequence\n1,MK\n"), "the header has no column full_length"),
        (folder.input("bad.csv", "1,MK,,1,{}\n2,mk,,1,{}\n"), "1 bad row in a sample, and --max-rejects allows 0"),
        (folder.input("cut.csv.gz", &sample[..sample.len() / 2]), "it is cut off behind line "),
        (folder.input("few.csv", TWO_ROWS), "less than half"),
    ] {
        let plan = plan_of(&folder, vec![input]);
        let found = problems(&plan.survey());
        assert!(found.iter().any(|problem| problem.contains(told)), "{told}: {found:?}");
        failure(&plan);
        let _ = fs::remove_file(folder.generations().root().join("rejects-of-last-failed-run.tsv"));
        assert_eq!(entries(&folder), before, "{told}");
    }
    let mut plan = plan_of(&folder, vec![folder.input("few.csv", TWO_ROWS)]);
    plan.acceptance.allow_shrink = true;
    assert_eq!(problems(&plan.survey()), [""; 0]);
    let plan = PortalPlan { max_rejects: 1, ..plan_of(&folder, vec![folder.input("bad.csv", "2,mk,,1,{}\n")]) };
    assert!(problems(&plan.survey()).iter().any(|problem| problem.contains("no file has a good row")));
    assert_eq!(entries(&folder), before, "nothing was written");
}

#[test]
fn the_size_of_the_index_is_known_before_it_is_built() {
    let folder = TestFolder::empty();
    let sample = data_text(SAMPLE);
    let start: String = sample.lines().take(300).fold(String::new(), |start, line| start + line + "\n");
    for input in [Input::Path(data(SAMPLE)), folder.input("rows.csv", sample), folder.input("start.csv", start)] {
        let mut plan = plan_of(&folder, vec![input.clone()]);
        plan.acceptance.allow_shrink = true;
        let survey = plan.survey();
        plan.run().expect("well formed");
        assert_estimated(&survey, &current_folder(&folder), &input.name());
    }
}

#[test]
fn of_a_stream_nothing_is_read_and_nothing_is_told() {
    let folder = TestFolder::of_rows(&rows(7));
    let mut plan = plan_of(&folder, vec![folder.input("few.csv", TWO_ROWS), Input::Stdin]);
    plan.acceptance.strict = true;
    let survey = plan.survey();
    assert!(survey.is_good() && survey.warnings.is_empty() && survey.index_bytes == 0, "{survey:?}");
}
