use std::fs;
use std::sync::atomic::Ordering;

use proptest::collection::btree_set;
use proptest::prelude::*;

use super::*;
use crate::varint::{put_varint, take_varint};

/// A key with bytes that show it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Keyed(Key, usize);

impl Entry for Keyed {
    fn key(&self) -> Key {
        self.0
    }

    fn write(&self, before: Before<'_, Self>, bits: &mut BitWriter) {
        let bytes = bits.bytes();
        put_varint(bytes, self.0.0 - before.key().0);
        put_varint(bytes, self.0.1);
        put_varint(bytes, self.1 as u64);
        bytes.extend(vec![7; self.1]);
    }

    fn read(before: Before<'_, Self>, bits: &mut BitReader<'_>) -> Option<Self> {
        bits.take_bytes(|bytes| {
            let key = (before.key().0 + take_varint(bytes)?, take_varint(bytes)?);
            let length = usize::try_from(take_varint(bytes)?).ok()?;
            bytes.split_off(..length)?.iter().all(|byte| *byte == 7).then_some(Self(key, length))
        })
    }
}

const FILE: &str = "folder/keys.pages";

/// Writes keys, whose entries have a length that follows from the key.
fn written(keys: &[Key], length: impl Fn(Key) -> usize) -> (tempfile::TempDir, PagesEntry, Vec<Keyed>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut writer = PagesWriter::create(folder.path(), FILE.to_owned()).expect("created");
    let entries: Vec<Keyed> = keys.iter().map(|key| Keyed(*key, length(*key))).collect();
    for entry in &entries {
        writer.add(entry.clone()).expect("ascending");
    }
    let entry = writer.finish().expect("read back");
    (folder, entry, entries)
}

fn from(pages: &Pages<Keyed>, key: Key) -> Vec<Keyed> {
    pages.range(key..(u64::MAX, 0), usize::MAX).expect("undamaged")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn entries_are_found_as_in_a_list(
        keys in btree_set((0_u64..40, 0_u64..40), 0..200),
        sought in (0_u64..42, 0_u64..42),
        length in 0_usize..1500, limit in 1_usize..9,
        around in 0_u64..20,
    ) {
        let keys = Vec::from_iter(keys);
        let (folder, entry, entries) = written(&keys, |key| length * usize::from(key.1 % 3 == 0));
        let pages = Pages::open(folder.path(), &entry).expect("just written");
        let place = entries.partition_point(|entry| entry.0 < sought);
        prop_assert_eq!(from(&pages, sought), &entries[place..]);
        let end = (sought.0 + around, sought.1);
        let wanted: Vec<_> = entries[place..].iter().take_while(|entry| entry.0 < end).take(limit).cloned().collect();
        let mut walk = Walk::new(&pages);
        prop_assert_eq!(&walk.range(sought..end, None, limit).expect("undamaged"), &wanted);
        for page in 0..entry.num_pages {
            let Some(first) = walk.page(page).expect("undamaged").map(|page| page.entries[0].0) else { break };
            if sought <= first && first < end {
                prop_assert_eq!(&walk.range(sought..end, Some(page), limit).expect("undamaged"), &wanted);
            }
        }
        prop_assert_eq!(pages.rank(sought).expect("undamaged"), place as u64);
        prop_assert_eq!(pages.num_entries(), keys.len() as u64);
    }
}

#[test]
fn a_look_up_reads_two_pages() {
    // Two groups of pages, in which many numbers begin together with a page.
    let keys: Vec<Key> = (0..3000).map(|number| (number / 7, number)).collect();
    let (folder, entry, _) = written(&keys, |_| 650);
    assert_eq!(entry.num_pages, 1000);
    let pages = Pages::<Keyed>::open(folder.path(), &entry).expect("just written");
    for number in 0..429 {
        pages.num_reads.store(0, Ordering::Relaxed);
        let first = pages.range((number, 0)..(number + 1, 0), 1).expect("undamaged");
        assert_eq!(first[0].0, (number, number * 7));
        assert_eq!(pages.num_reads.load(Ordering::Relaxed), 2, "of {number}");
    }
}

#[test]
fn every_changed_byte_is_found() {
    let keys: Vec<Key> = (0..1100).map(|number| (number, 0)).collect();
    let (folder, entry, _) = written(&keys, |_| 1000);
    let path = folder.path().join(FILE);
    let whole = fs::read(&path).expect("just written");
    for place in (0..whole.len()).step_by(32_771) {
        let mut bytes = whole.clone();
        bytes[place] ^= 1;
        fs::write(&path, bytes).expect("room");
        let verified = Pages::<Keyed>::open(folder.path(), &entry).and_then(|pages| pages.verify(|_| Ok(())));
        let error = verified.expect_err("damaged");
        assert!(error.is_damage() && error.to_string().contains(FILE), "{error}");
    }
    // Two pages change places, and the file is cut.
    let mut bytes = whole.clone();
    bytes[..4096].rotate_left(2048);
    for damaged in [&*bytes, &whole[..whole.len() - 1]] {
        fs::write(&path, damaged).expect("room");
        let verified = Pages::<Keyed>::open(folder.path(), &entry).and_then(|pages| pages.verify(|_| Ok(())));
        assert!(verified.expect_err("damaged").is_damage());
    }
}

#[test]
fn entries_must_ascend_and_fit_into_a_page() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut writer = PagesWriter::create(folder.path(), FILE.to_owned()).expect("created");
    writer.add(Keyed((5, 1), 0)).expect("the first one");
    for key in [(5, 1), (4, 9)] {
        let error = writer.add(Keyed(key, 0)).expect_err("not above").to_string();
        assert!(error.ends_with("is out of order"), "{error}");
    }
    let error = writer.add(Keyed((6, 0), ENTRY_BYTES_MAX)).expect_err("too long").to_string();
    assert!(error.ends_with("does not fit into a page"), "{error}");
}
