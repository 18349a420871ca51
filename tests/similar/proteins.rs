//! Proteins among which is searched.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use indexer::PortalPlan;
use store::Error::Busy;
use support::TestFolder;
use support::machine::wait_for;

/// The sequence that all proteins of [`data`] have.
pub(crate) const QUERY: &str = "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVKALPDAQFEVVHSLAKWKRQTLGQHDFSAGEGLYTHMKALRPDEDRLSPLHSVYVDQWDWE";

/// Makes a folder with proteins that all have [`QUERY`], and are of several lengths.
pub(crate) fn data() -> TestFolder {
    let rows = (1..=300).map(|number| row(number, &format!("{QUERY}{}", "MKVL".repeat(number as usize % 7))));
    folder(&rows.collect::<String>())
}

/// Makes a folder with an index of rows.
pub(crate) fn folder(rows: &str) -> TestFolder {
    let folder = TestFolder::empty();
    publish(&folder, rows);
    folder
}

/// Publishes an index of rows that name no families: those that there are take longer to read than a few rows.
pub(crate) fn publish(folder: &TestFolder, rows: &str) {
    let pfam = folder.input("clans.tsv", "PF00005\tCL0023\tP-loop_NTPase\tABC_tran\tABC transporter\n");
    let plan = PortalPlan { pfam, ..folder.plan(vec![folder.input("rows.csv", rows)]) };
    // A process that another test has just forked also holds the lock of the last run, until it executes its program.
    wait_for("the lock", || match plan.run() {
        Err(indexer::Error::Store(Busy { .. })) => None,
        published => Some(published.expect("well-formed rows")),
    });
}

/// Returns the row of a protein.
pub(crate) fn row(number: u32, sequence: &str) -> String {
    format!("{number},{sequence},true,1,\"{{\"\"b\"\":[[62,1]]}}\"\n")
}

/// Returns residues that look like nothing else.
pub(crate) fn residues(mut seed: u64, length: usize) -> String {
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        char::from(b"ACDEFGHIKLMNPQRSTVWY"[usize::try_from(seed % 20).expect("small")])
    };
    (0..length).map(|_| next()).collect()
}
