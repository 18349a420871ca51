use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;

use indexer::{Acceptance, Error, Input, LoadReport, Published, Result};
use proptest::prelude::*;
use store::{DomainReference, Generations, UserReference};
use store_profiles::{DirectoryGeneration, Membership};
use tempfile::TempDir;

use super::*;

/// The number of users and domains that the lines are about.
const NUM_SUBJECTS: u8 = 6;

/// A line that can be bad.
#[derive(Clone, Debug)]
enum AnyLine {
    User(u8, bool),
    Domain(u8, Vec<u8>, Vec<u8>),
    Blank,
    Bad(&'static str),
}

fn user(number: u8) -> UserReference {
    UserReference::from_bytes([number; 16])
}

/// Returns a domain; some begin with others.
fn domain(number: u8) -> DomainReference {
    format!("dom-{}", ["a", "a-", "ab", "a0", "A", "_"][usize::from(number)]).parse().expect("a reference")
}

impl AnyLine {
    fn text(&self) -> String {
        let list =
            |users: &[u8]| serde_json::to_string(&users.iter().map(|of| user(*of)).collect::<Vec<_>>()).expect("JSON");
        match self {
            Self::User(of, is_open) => {
                format!(r#"{{"type":"user","accountNonLocked":{is_open},"userReference":"{}"}}"#, user(*of))
            }
            Self::Domain(of, users, managers) => {
                let (users, managers) = (list(users), list(managers));
                format!(
                    r#"{{"users":{users},"managers":{managers},"type":"domain","domainReference":"{}"}}"#,
                    domain(*of)
                )
            }
            Self::Blank => " ".to_owned(),
            Self::Bad(text) => (*text).to_owned(),
        }
    }
}

fn any_line() -> impl Strategy<Value = AnyLine> {
    let users = || prop::collection::vec(0..NUM_SUBJECTS, 0..6);
    prop_oneof![
        4 => (0..NUM_SUBJECTS, any::<bool>()).prop_map(|(of, is_open)| AnyLine::User(of, is_open)),
        4 => (0..NUM_SUBJECTS, users(), users()).prop_map(|(of, users, managers)| AnyLine::Domain(of, users, managers)),
        1 => Just(AnyLine::Blank),
        1 => prop::sample::select(vec!["{", "[]", r#"{"type":"x"}"#, r#"{"type":"user"}"#]).prop_map(AnyLine::Bad),
    ]
}

fn load(
    folder: &TempDir,
    text: &str,
    memory_bytes: usize,
) -> Result<(LoadReport<StoredDirectory>, DirectoryGeneration)> {
    let input = folder.path().join("lines.jsonl");
    fs::write(&input, text).expect("writable");
    let generations = folder.path().join("directory");
    let plan = DirectoryPlan {
        generations: generations.clone(),
        input: Input::Path(input),
        memory_bytes,
        max_rejects: u64::MAX,
        acceptance: Acceptance::default(),
    };
    let Published { generation, report } = plan.run()?;
    let generations = Generations::new(generations);
    DirectoryGeneration::verify_published(&generations, generation)?;
    Ok((report, DirectoryGeneration::open(&generations, generation)?))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn last_lines_decide(
        lines in prop::collection::vec(any_line(), 0..40),
        memory_bytes in prop_oneof![Just(1_usize), 200_usize..5000, Just(1 << 20)],
    ) {
        let (mut users, mut domains, mut num_accepted, mut num_rejected) = (BTreeMap::new(), BTreeMap::new(), 0, 0);
        for line in &lines {
            match line {
                AnyLine::User(of, is_open) => drop(users.insert(*of, !is_open)),
                AnyLine::Domain(of, members, managers) => {
                    let sets = [members, managers].map(|users| users.iter().copied().collect::<BTreeSet<u8>>());
                    domains.insert(*of, sets);
                }
                AnyLine::Blank | AnyLine::Bad(_) => {}
            }
            match line {
                AnyLine::User(..) | AnyLine::Domain(..) => num_accepted += 1,
                AnyLine::Bad(_) => num_rejected += 1,
                AnyLine::Blank => {}
            }
        }
        let text = lines.iter().map(|line| line.text() + "\r\n").collect::<String>();
        let folder = TempDir::new().expect("a temporary folder");
        let loaded = load(&folder, &text, memory_bytes);
        if num_accepted == 0 {
            let is_right = match loaded {
                Err(Error::NothingToLoad) => num_rejected == 0,
                Err(Error::NothingAccepted { num_rejected: num, .. }) => num == num_rejected && num > 0,
                _ => false,
            };
            prop_assert!(is_right);
            return Ok(());
        }
        let (report, directory) = loaded.expect("some are good");
        let num_stored = (users.len() + domains.len()) as u64;
        prop_assert_eq!((report.num_read, report.num_accepted), (num_accepted + num_rejected, num_accepted));
        prop_assert_eq!((report.num_rejected, report.stored.num_replaced), (num_rejected, num_accepted - num_stored));
        prop_assert_eq!((report.stored.num_users, report.stored.num_domains), (users.len() as u64, domains.len() as u64));
        let num_memberships: usize = domains.values().map(|[members, managers]| members.union(managers).count()).sum();
        prop_assert_eq!(directory.contents().num_memberships, num_memberships as u64);
        for who in 0..NUM_SUBJECTS {
            prop_assert_eq!(directory.is_locked(user(who)), users.get(&who) == Some(&true));
            for of in 0..NUM_SUBJECTS {
                prop_assert_eq!(directory.has_domain(&domain(of)), domains.contains_key(&of));
                let has = |which: usize| domains.get(&of).is_some_and(|sets| sets[which].contains(&who));
                let expected = Membership { is_member: has(0), is_manager: has(1) };
                prop_assert_eq!(directory.membership(&domain(of), user(who)), expected);
            }
        }
    }
}

#[test]
fn domains_may_exceed_the_usual_line_length() {
    const NUM_USERS: u32 = 150_000;
    let of = |number: u32| {
        UserReference::from_bytes(u128::from(number.wrapping_mul(0x9e37_79b9)).rotate_right(32).to_be_bytes())
    };
    let mut line = r#"{"type":"domain","domainReference":"dom-a","users":["#.to_owned();
    for number in 0..NUM_USERS {
        write!(line, "{}\"{}\"", if number == 0 { "" } else { "," }, of(number)).expect("memory");
    }
    line.push_str("]}");
    assert!(line.len() > indexer::lines::LINE_BYTES_MAX);
    let folder = TempDir::new().expect("a temporary folder");
    let (report, directory) = load(&folder, &line, 1 << 20).expect("good");
    assert_eq!((report.num_accepted, report.stored.num_memberships), (1, NUM_USERS.into()));
    let domain = "dom-a".parse().expect("a reference");
    let member = Membership { is_member: true, is_manager: false };
    assert!((0..NUM_USERS).all(|number| directory.membership(&domain, of(number)) == member));
    assert_eq!(directory.membership(&domain, of(NUM_USERS)), Membership::default());
}

#[test]
fn too_long_lines_are_rejected_and_byte_order_marks_skipped() {
    let line = AnyLine::User(1, false).text();
    let text = format!("\u{feff}{line}\n{}\n", "x".repeat(gather::LINE_BYTES_MAX + 1));
    let folder = TempDir::new().expect("a temporary folder");
    let (report, directory) = load(&folder, &text, 1 << 20).expect("one is good");
    assert_eq!(report.files[0].rejected, BTreeMap::from([("too_long", 1)]));
    assert!(directory.is_locked(user(1)));
}
