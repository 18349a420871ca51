//! Bad rows, read back.

use std::collections::BTreeSet;
use std::fs;

use crate::faults::FAULTS_FILE;
use crate::tests::read::rows;
use crate::tests::{plan, write};
use crate::{SynthLayout, SynthPlan};

#[test]
fn faults_are_extra_rows_at_the_listed_positions() {
    for layout in [SynthLayout::Parquet, SynthLayout::Flat] {
        let good = write(&SynthPlan { layout, ..plan(3000) });
        let bad = write(&SynthPlan { layout, faults: true, ..plan(3000) });
        let reasons: BTreeSet<_> = bad.report.faults.iter().map(|fault| fault.reason).collect();
        let num_expected = if layout == SynthLayout::Parquet { 9 } else { 12 };
        assert_eq!(reasons.len(), num_expected, "{reasons:?}");

        for file in bad.report.files.iter().filter(|file| !file.path.ends_with(FAULTS_FILE)) {
            let name = file.path.file_name().and_then(|name| name.to_str()).expect("text");
            let table = name.trim_end_matches(".gz").trim_end_matches(".parquet");
            let mut left = rows(&bad.folder, table);
            let is_fasta = left[0].starts_with('>');
            let faults: Vec<_> = bad.report.faults.iter().filter(|fault| fault.file == name).collect();
            for fault in faults.iter().rev() {
                let first = usize::try_from(fault.row.expect("in order")).expect("few") - 1;
                let digits: String = fault.accession.trim_start_matches("MGYP").trim_start_matches('0').to_owned();
                assert!(left[first].contains(&digits), "{fault:?}: {}", left[first]);
                // The header of a sequence and its lines up to the next header.
                let mut num_lines = 1;
                while is_fasta && left.get(first + num_lines).is_some_and(|line| !line.starts_with('>')) {
                    num_lines += 1;
                }
                left.drain(first..first + num_lines);
            }
            assert_eq!(left, rows(&good.folder, table), "{table}");
            assert!(faults.is_empty() || !table.contains("counts"));
        }
        let list = fs::read_to_string(bad.folder.join(FAULTS_FILE)).expect("a list");
        assert_eq!(list.lines().count(), bad.report.faults.len() + 1);
    }
}
