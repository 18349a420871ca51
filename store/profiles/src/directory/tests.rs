use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use store::{Draft, Error, GenerationName, Generations, Origin, Result};
use tempfile::TempDir;
use uuid::Uuid;

use super::key::key_and_flags;
use super::*;

/// A folder of generations.
struct Folder {
    generations: Generations,
    _folder: TempDir,
}

impl Folder {
    fn new() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        Self { generations: Generations::new(folder.path().join("directory")), _folder: folder }
    }

    fn publish(&self, entries: &[DirectoryEntry]) -> GenerationName {
        let draft = self.generations.begin().expect("free");
        let contents = build(&draft, entries).expect("in order");
        let origin = Origin {
            written_by: "test".to_owned(),
            finished_unix_s: 0,
            inputs: Vec::new(),
            report: serde_json::Value::Null,
        };
        draft.publish(origin, contents, Vec::new()).expect("room")
    }

    fn open(&self) -> Result<DirectoryGeneration> {
        Ok(DirectoryGeneration::open_current(&self.generations)?.expect("published"))
    }

    fn keys(&self, name: GenerationName) -> PathBuf {
        self.generations.path(name).join(KEYS)
    }
}

fn build(draft: &Draft, entries: &[DirectoryEntry]) -> Result<DirectoryContents> {
    let mut builder = DirectoryBuilder::create(draft)?;
    entries.iter().try_for_each(|entry| builder.add(entry))?;
    builder.finish()
}

/// Returns one of a few users. Some of them differ in one bit.
fn user(number: u8) -> UserReference {
    UserReference::new(Uuid::from_u128(u128::from(number / 4) << 124 | u128::from(number % 4)))
}

/// Returns one of a few domains. Some are prefixes of others.
fn domain(number: u8) -> DomainReference {
    let id = ["a", "a-", "a.b", "A", "ab", "a0", "_", "b38d6175-61e8-4d40-98da-df9188d91c82"][usize::from(number % 8)];
    format!("dom-{id}").parse().expect("a reference")
}

/// Makes any entry.
fn entry() -> impl Strategy<Value = DirectoryEntry> {
    prop_oneof![
        (0..24_u8, any::<bool>()).prop_map(|(of, is_locked)| DirectoryEntry::User(user(of), is_locked)),
        (0..8_u8).prop_map(|of| DirectoryEntry::Domain(domain(of))),
        (0..8_u8, 0..24_u8, 1..4_u8).prop_map(|(of, who, flags)| {
            DirectoryEntry::Membership(domain(of), user(who), flags & 1 != 0, flags & 2 != 0)
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn keys_ascend_as_entries_do(one in entry(), other in entry()) {
        let [one_key, other_key] = [&one, &other].map(|entry| key_and_flags(entry).0);
        if one_key != other_key {
            prop_assert_eq!(one_key < other_key, one < other, "{:?} {:?}", one, other);
        } else if one != other {
            prop_assert_ne!(key_and_flags(&one).1, key_and_flags(&other).1);
        }
    }

    #[test]
    fn every_query_matches_a_plain_map(
        users in prop::collection::btree_map(0..24_u8, any::<bool>(), 0..16),
        domains in prop::collection::btree_set(0..8_u8, 0..8),
        memberships in prop::collection::btree_map((0..8_u8, 0..24_u8), 1..4_u8, 0..60),
    ) {
        let of_users = users.iter().map(|(&of, &is_locked)| DirectoryEntry::User(user(of), is_locked));
        let of_domains = domains.iter().map(|&of| DirectoryEntry::Domain(domain(of)));
        let of_memberships = memberships.iter().map(|(&(of, who), flags)| {
            DirectoryEntry::Membership(domain(of), user(who), flags & 1 != 0, flags & 2 != 0)
        });
        let mut entries: Vec<_> = of_users.chain(of_domains).chain(of_memberships).collect();
        entries.sort();

        let folder = Folder::new();
        let name = folder.publish(&entries);
        let directory = folder.open().expect("whole");
        let expected = DirectoryContents {
            num_users: users.len() as u64,
            num_locked: users.values().filter(|is_locked| **is_locked).count() as u64,
            num_domains: domains.len() as u64,
            num_memberships: memberships.len() as u64,
        };
        prop_assert_eq!(directory.name(), name);
        prop_assert_eq!(directory.contents(), &expected);
        let verified = DirectoryGeneration::verify_published(&folder.generations, name).expect("whole");
        prop_assert_eq!(verified, expected);
        for who in 0..24 {
            prop_assert_eq!(directory.is_locked(user(who)), users.get(&who) == Some(&true));
        }
        for of in 0..8 {
            prop_assert_eq!(directory.has_domain(&domain(of)), domains.contains(&of));
            for who in 0..24 {
                let flags = memberships.get(&(of, who)).copied().unwrap_or_default();
                let expected = Membership { is_member: flags & 1 != 0, is_manager: flags & 2 != 0 };
                prop_assert_eq!(directory.membership(&domain(of), user(who)), expected);
            }
        }
    }
}

/// Some entries in order.
fn some() -> Vec<DirectoryEntry> {
    let mut entries: Vec<_> = (0..24).map(|of| DirectoryEntry::User(user(of), of % 3 == 0)).collect();
    entries.push(DirectoryEntry::Domain(domain(0)));
    entries.extend((0..24).map(|who| DirectoryEntry::Membership(domain(0), user(who), true, who % 5 == 0)));
    assert!(entries.is_sorted());
    entries
}

#[test]
fn entries_out_of_order_and_duplicates_are_rejected() {
    let folder = Folder::new();
    let draft = || folder.generations.begin().expect("free");
    let entries = some();
    for (one, other) in [(1, 0), (25, 24), (40, 3), (7, 7)] {
        let error = build(&draft(), &[entries[one].clone(), entries[other].clone()]).expect_err("not in order");
        assert!(matches!(error, Error::Directory(_)), "{error}");
    }
    let unlocked = [DirectoryEntry::User(user(1), false), DirectoryEntry::User(user(1), true)];
    assert!(build(&draft(), &unlocked).is_err(), "a user is locked or not");
    assert!(build(&draft(), &[DirectoryEntry::Membership(domain(0), user(0), false, false)]).is_err());
    assert!(build(&draft(), &entries).is_ok());
}

#[test]
fn every_flipped_byte_is_found_when_it_is_opened() {
    let folder = Folder::new();
    let name = folder.publish(&some());
    let path = folder.keys(name);
    let whole = fs::read(&path).expect("readable");
    for position in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[position] ^= 0x10;
        fs::write(&path, bytes).expect("writable");
        let error = folder.open().err().expect("damaged").to_string();
        assert!(error.contains(KEYS), "{position}: {error}");
        assert!(DirectoryGeneration::verify_published(&folder.generations, name).is_err(), "{position}");
    }
    fs::write(&path, &whole[..whole.len() - 1]).expect("writable");
    let error = folder.open().err().expect("torn").to_string();
    assert!(error.contains("is torn") && error.contains("mgdex directory load"), "{error}");
    fs::write(&path, whole).expect("writable");
    assert_eq!(folder.open().expect("whole").contents().num_memberships, 24);
}

#[test]
fn manifests_with_other_counts_are_found() {
    let folder = Folder::new();
    let draft = folder.generations.begin().expect("free");
    let contents = build(&draft, &some()).expect("in order");
    let origin = Origin {
        written_by: "test".to_owned(),
        finished_unix_s: 0,
        inputs: Vec::new(),
        report: serde_json::Value::Null,
    };
    let wrong = DirectoryContents { num_locked: contents.num_locked + 1, ..contents };
    let name = draft.publish(origin, wrong, Vec::new()).expect("room");
    let error = DirectoryGeneration::verify_published(&folder.generations, name).expect_err("not what was published");
    assert!(matches!(error, Error::Altered { .. }), "{error}");
}

#[test]
fn without_a_publication_nothing_is_opened() {
    assert!(DirectoryGeneration::open_current(&Folder::new().generations).expect("readable").is_none());
}

#[test]
fn a_user_takes_few_bytes() {
    const NUM_USERS: u128 = 20_000;
    // Spread like random ones, in ascending order.
    let users = (0..NUM_USERS).map(|number| {
        let spread =
            (number * (u128::MAX / NUM_USERS)) ^ (number.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) >> 24);
        DirectoryEntry::User(UserReference::new(Uuid::from_u128(spread)), number % 100 == 0)
    });
    let folder = Folder::new();
    let by_key: BTreeMap<_, _> = users.map(|entry| (key_and_flags(&entry).0, entry)).collect();
    let name = folder.publish(&by_key.into_values().collect::<Vec<_>>());
    let size_bytes = fs::metadata(folder.keys(name)).expect("there").len();
    assert!(u128::from(size_bytes) < NUM_USERS * 40, "{size_bytes} bytes for {NUM_USERS} users");
}
