//! FASTA files of all releases, and bad FASTA files.

use std::fs;

use super::super::tests::{ReadTable, decode, input, lineages, read};
use super::*;
use crate::read::layout::Format;
use crate::table::Table;

/// Reads texts as files of sequences.
fn table(texts: &[&str]) -> ReadTable {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let paths: Vec<_> = (0..texts.len()).map(|index| folder.path().join(index.to_string())).collect();
    for (path, text) in paths.iter().zip(texts) {
        fs::write(path, text).expect("writable");
    }
    let paths: Vec<_> = paths.iter().map(|path| &**path).collect();
    read(&input(Table::Sequences, Format::Fasta, &paths), &lineages()).expect("readable")
}

/// Returns key, file, line, completeness and residues.
fn rows(table: &ReadTable) -> Vec<(u64, u16, u64, Option<bool>, &str)> {
    (table.rows.iter())
        .map(|(key, file, line, payload)| {
            let row = decode::<SequenceRow<'_>>(payload);
            (*key, *file, *line, row.full_length, std::str::from_utf8(row.residues).expect("letters"))
        })
        .collect()
}

#[test]
fn headers_of_all_releases_are_read() {
    let table = table(&[
        ">MGYP000887593774 FL=1 CR=1\nMKV\nLAA*\n\n>MGYP001026457211 PL=10 UP=0 BIOMES=0000000011000 LEN=188 CR=0\r\nMK\r\n>5\nMK",
        ">MGYP11138715\tCR=1 FL=0\nM\n",
    ]);
    let expected = [
        (887_593_774, 7, 1, Some(true), "MKVLAA*"),
        (1_026_457_211, 7, 5, Some(false), "MK"),
        (5, 7, 7, None, "MK"),
        (11_138_715, 8, 1, Some(false), "M"),
    ];
    assert_eq!(rows(&table), expected);
    assert!(table.rejected.is_empty());
}

#[test]
fn each_fault_has_its_reason_and_the_next_record_is_whole() {
    let text = "MKV\nMKV\n>1\n>x FL=1\nMK\n>2\nMkV\n>3 FL=7\nMK\n>4\nM7K\n>5\nM K\n>6\nMK\n";
    let table = table(&[text]);
    assert_eq!(rows(&table), [(5, 7, 12, None, "MK"), (6, 7, 14, None, "MK")]);
    let faults: Vec<_> = table.rejected.iter().map(|(line, reason, _, text)| (*line, *reason, &**text)).collect();
    let expected = [
        (1, Reason::BadRow, "MKV"),
        (3, Reason::BadSequence, ">1"),
        (4, Reason::BadAccession, ">x FL=1"),
        (6, Reason::BadSequence, ">2"),
        (8, Reason::BadFullLength, ">3 FL=7"),
        (10, Reason::BadSequence, ">4"),
    ];
    assert_eq!(faults, expected);
}

#[test]
fn endless_sequences_are_left_out() {
    let one_line = format!(">1\n{}\n>2\nMK\n", "A".repeat(LINE_BYTES_MAX + 1));
    let many_lines = format!(">1\n{}>2\nMK\n", "AAAAAAAAA\n".repeat(LINE_BYTES_MAX / 9 + 1));
    for text in [one_line, many_lines] {
        let table = table(&[&text]);
        assert_eq!(rows(&table).len(), 1);
        assert_eq!((table.rejected[0].0, table.rejected[0].1), (1, Reason::TooLong));
    }
    assert_eq!(table(&[""]).rows.len(), 0);
}
