//! The list of rejected rows.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use indexer::Report;

/// A rejected row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Reject {
    /// The file, without its folder.
    pub(crate) file: String,
    pub(crate) row: u64,
    pub(crate) reason: String,
    pub(crate) detail: String,
    pub(crate) text: String,
}

/// Returns the last part of a path.
pub(crate) fn file_name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or_default().to_owned()
}

/// Reads a list of rejected rows, sorted.
pub(crate) fn read(path: &Path) -> Vec<Reject> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let rows = text.lines().skip(1).map(|line| {
        let [file, row, reason, detail, text] = line.split('\t').collect::<Vec<_>>().try_into().expect(line);
        let row = row.parse().expect("a number");
        let [reason, detail, text] = [reason, detail, text].map(str::to_owned);
        Reject { file: file_name(file), row, reason, detail, text }
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort();
    rows
}

/// Returns the number of rejected rows by file and reason.
pub(crate) fn count(rejects: &[Reject]) -> BTreeMap<(String, String), u64> {
    let mut counts = BTreeMap::new();
    for Reject { file, reason, .. } in rejects {
        *counts.entry((file.clone(), reason.clone())).or_default() += 1;
    }
    counts
}

/// Checks that a report adds up for every file and in total, and agrees with the list of rejected
/// rows.
pub(crate) fn assert_adds_up(report: &Report, rejects: &[Reject], context: &str) {
    let mut by_report = BTreeMap::new();
    let (mut num_read, mut num_accepted, mut num_passed_over, mut num_rejected) = (0, 0, 0, 0);
    for file in &report.files {
        let sum = file.num_accepted + file.num_passed_over() + file.num_rejected();
        assert_eq!(file.num_read, sum, "{context}: {}", file.name);
        num_read += file.num_read;
        num_accepted += file.num_accepted;
        num_passed_over += file.num_passed_over();
        num_rejected += file.num_rejected();
        for (&reason, &num) in &file.rejected {
            by_report.insert((file_name(&file.name), reason.to_owned()), num);
        }
    }
    let reported = (report.num_read, report.num_accepted, report.num_passed_over, report.num_rejected);
    assert_eq!(reported, (num_read, num_accepted, num_passed_over, num_rejected), "{context}");
    assert_eq!(by_report, count(rejects), "{context}");
}
