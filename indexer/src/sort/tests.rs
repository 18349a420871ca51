//! Sorting with any memory, and damaged runs.

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
