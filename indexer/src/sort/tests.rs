//! Sorting with any memory, and damaged runs.

use std::io::{self, Read, Write};

use proptest::prelude::*;

use super::*;

fn sorted<K: SortKey + Clone>(entries: &[(K, Vec<u8>)], memory_bytes: usize) -> Vec<(K, Vec<u8>)> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut sorter = Sorter::new(folder.path(), memory_bytes);
    for (key, payload) in entries {
        sorter.push(key.clone(), payload).expect("room");
    }
    let mut entries = sorter.finish().expect("room");
    let mut taken = Vec::new();
    let mut payload = Vec::new();
    while let Some(key) = entries.next(&mut payload).expect("readable") {
        taken.push((key, payload.clone()));
    }
    taken
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn sorting_is_stable_with_any_memory(
        keys in prop::collection::vec(0_u64..40, 0..300),
        memory_bytes in prop_oneof![Just(1_usize), 100_usize..5000, Just(1 << 20)],
    ) {
        let entries: Vec<_> = keys.iter().zip(0_u32..).map(|(&key, rank)| (key, rank.to_le_bytes().to_vec())).collect();
        let mut expected = entries.clone();
        expected.sort_by_key(|&(key, _)| key);
        prop_assert_eq!(sorted(&entries, memory_bytes), expected);
    }

    #[test]
    fn bytes_sort_like_numbers(
        keys in prop::collection::vec(prop::collection::vec(0_u8..3, 0..4), 0..300),
        memory_bytes in prop_oneof![Just(1_usize), 100_usize..5000, Just(1 << 20)],
    ) {
        let entries: Vec<(Box<[u8]>, _)> =
            keys.into_iter().zip(0_u32..).map(|(key, rank)| (key.into(), rank.to_le_bytes().to_vec())).collect();
        let mut expected = entries.clone();
        expected.sort_by(|(one, _), (other, _)| one.cmp(other));
        prop_assert_eq!(sorted(&entries, memory_bytes), expected);
    }
}

/// The number of a label, and another number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Labelled(Pair);

impl SortKey for Labelled {
    fn relabel(&mut self, others: &[u32]) {
        if let Some(other) = usize::try_from(self.0.0).ok().and_then(|number| others.get(number)) {
            self.0.0 = u64::from(*other);
        }
    }

    fn write(&self, run: &mut impl Write) -> io::Result<()> {
        self.0.write(run)
    }

    fn read(run: &mut impl Read) -> io::Result<Option<Self>> {
        Ok(SortKey::read(run)?.map(Self))
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn labels_sort_as_texts(
        entries in prop::collection::vec(("([ab]{0,2}|a{15}|a{16}|b{17})", 0_u64..9), 0..300),
        memory_bytes in prop_oneof![Just(1_usize), 100_usize..5000, Just(1 << 20)],
    ) {
        // The bytes of all texts that are possible.
        const MEMORY: usize = 10 * 64 + 2 * (2 + 8 + 15 + 16 + 17);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut sorter = Sorter::new(folder.path(), memory_bytes);
        for (text, number) in &entries {
            let label = sorter.labels.number(text, MEMORY).expect("few");
            sorter.push(Labelled(Pair(label.into(), *number)), text.as_bytes()).expect("room");
        }
        if sorter.labels.sorted().len() == 10 {
            prop_assert_eq!(sorter.labels.number("c", MEMORY), None);
        }
        let texts = sorter.labels.sorted();
        let (mut sorted, mut payload, mut taken) = (sorter.finish().expect("room"), Vec::new(), Vec::new());
        while let Some(Labelled(Pair(rank, number))) = sorted.next(&mut payload).expect("readable") {
            let text = &texts[usize::try_from(rank).expect("small")];
            prop_assert_eq!(text.as_bytes(), &payload);
            taken.push((text.to_string(), number));
        }
        let mut expected = entries;
        expected.sort_unstable();
        prop_assert_eq!(taken, expected);
    }
}

#[test]
fn damaged_runs_are_errors() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut sorter = Sorter::new(folder.path(), 1000);
    for key in 0..200 {
        sorter.push(key, b"some payload").expect("room");
    }
    let run = folder.path().join("run-000001.zst");
    let mut bytes = fs::read(&run).expect("spilled");
    bytes.truncate(bytes.len() / 2);
    fs::write(&run, bytes).expect("writable");
    let read_all = || {
        let mut entries = sorter.finish()?;
        let mut payload = Vec::new();
        while entries.next(&mut payload)?.is_some() {}
        Ok(())
    };
    let error: Error = read_all().expect_err("the run is cut");
    assert!(error.to_string().contains("run-000001.zst"), "{error}");
}
