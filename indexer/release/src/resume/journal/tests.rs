use std::fs;

use super::*;
use crate::join::range::KEYS_END;

fn lineage(text: &str) -> Event {
    Event::Lineage { lineage: text.to_owned() }
}

#[test]
fn events_are_read_up_to_the_first_torn_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (journal, done) = Journal::open(folder.path()).expect("new");
    assert!(done.started.is_none() && done.lineages.is_empty());
    for text in ["root:A", "root:B", "root:C"] {
        journal.write(&lineage(text)).expect("writable");
    }
    let path = folder.path().join(JOURNAL);
    let whole = fs::read(&path).expect("there");
    for cut in 1..40 {
        fs::write(&path, &whole[..whole.len() - cut]).expect("writable");
        let (journal, done) = Journal::open(folder.path()).expect("readable");
        assert_eq!(done.lineages, ["root:A", "root:B"], "{cut} bytes cut");
        journal.write(&lineage("root:D")).expect("writable");
        assert_eq!(Journal::open(folder.path()).expect("readable").1.lineages, ["root:A", "root:B", "root:D"]);
    }
    let mut altered = whole.clone();
    altered[12] ^= 1;
    fs::write(&path, altered).expect("writable");
    assert!(Journal::open(folder.path()).expect("readable").1.lineages.is_empty());
}

#[test]
fn events_round_trip() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (journal, _) = Journal::open(folder.path()).expect("new");
    let mut tally = Tally::default();
    tally.reject(1, indexer::run::Reason::Orphan);
    tally.pass_over(0, indexer::run::PassedOver::Clan);
    let segment = store_proteins::SegmentEntry {
        folder: "part-000000".into(),
        num_docs: 1,
        first: store::ProteinAccession::new(1).expect("valid"),
        last: store::ProteinAccession::new(9).expect("valid"),
    };
    let files = vec![FileEntry { path: "part-000000/a".into(), size_bytes: 7, crc32: 9 }];
    let sorted = SortedRows { name: "biomes".into(), runs: vec!["run".into()], tally: tally.clone() };
    let range = FinishedRange {
        number: 0,
        keys: 0..10,
        segment: Some(segment.clone()),
        files: files.clone(),
        tally: tally.clone(),
    };
    let merged = MergedRanges { last_range: 0, segment, files };
    let inputs = Fingerprint::default();
    for event in [
        Event::Started { version: VERSION, inputs: inputs.clone(), range_proteins: 5 },
        Event::OutOfOrder { table: Table::Biomes },
        Event::Sorted(sorted),
        Event::Range(range.clone()),
        Event::Merged(merged),
        Event::Range(FinishedRange { number: 1, keys: 10..KEYS_END, ..range }),
        lineage("root:A"),
        Event::Refused,
    ] {
        journal.write(&event).expect("writable");
    }
    let mut done = Journal::open(folder.path()).expect("readable").1;
    assert_eq!(done.started, Some((inputs, 5)));
    assert_eq!((done.sorted["biomes"].runs.len(), done.ranges.len(), done.merged.len()), (1, 1, 1));
    assert_eq!((&done.ranges[&1].tally, done.ranges[&1].keys.end), (&tally, KEYS_END));
    assert_eq!((&done.merged_tally, done.merged_end), (&tally, 10), "of merged ranges only the sum is kept");
    assert_eq!((done.first_unmerged(), done.num_ranges()), (1, 2));
    assert_eq!(done.lineages, ["root:A"]);
    assert!(done.is_refused);
    done.add(lineage("root:B"));
    assert!(!done.is_refused, "it continues");
}

fn finished(number: u32, keys: Range<u64>) -> Event {
    let (segment, files, tally) = (None, Vec::new(), Tally::default());
    Event::Range(FinishedRange { number, keys, segment, files, tally })
}

fn merged(last_range: u32) -> Event {
    let accession = store::ProteinAccession::new(1).expect("valid");
    let segment = SegmentEntry { folder: "segment".into(), num_docs: 1, first: accession, last: accession };
    Event::Merged(MergedRanges { last_range, segment, files: Vec::new() })
}

#[test]
fn unfinished_ranges_are_not_skipped() {
    let mut done = Done::default();
    assert_eq!(done.first_key(), 0);
    // Ranges end in any order: those after an unfinished one do not count.
    for (event, expected) in [
        (finished(1, 10..20), 0),
        (finished(0, 0..10), 20),
        (merged(0), 20),
        (merged(1), 20),
        (finished(3, 30..KEYS_END), 20),
        (finished(2, 20..30), KEYS_END),
    ] {
        done.add(event);
        assert_eq!(done.first_key(), expected);
    }
}

#[test]
fn tables_out_of_order_void_the_ranges() {
    let mut done = Done::default();
    for event in
        [finished(0, 0..5), finished(1, 5..9), Event::OutOfOrder { table: Table::Pfam }, finished(0, 0..KEYS_END)]
    {
        done.add(event);
    }
    assert_eq!(done.ranges.keys().collect::<Vec<_>>(), [&0]);
    assert!(done.out_of_order.contains(&Table::Pfam));
}
