//! Profiles with schemas.

use std::sync::{Arc, Barrier};
use std::thread;

use super::*;
use crate::Violations;

/// A schema with a required attribute that has a form.
const ADDRESS: &str = r#"{"title":"address","type":"object","required":["zip"],
    "properties":{"zip":{"type":"string","pattern":"^[0-9]{5}$"}},"additionalProperties":true}"#;

/// A schema that two changes can violate together of which each conforms.
const ONE_OR_TWO: &str = r#"{"minProperties":1,"maxProperties":2}"#;

/// Checks a change and submits it.
fn check_and_change(store: &Profiles, reference: ProfileReference, change: &AttributeChange) -> WriteResult {
    let checked = store.check(reference, change, &Precondition::None)?;
    change_checked(store, reference, change.clone(), Precondition::None, Some(checked))
}

/// Returns how attributes differ from their schema.
fn violations<T: std::fmt::Debug>(result: Result<T, WriteError>) -> Violations {
    match result {
        Err(WriteError::Refused(Refusal::Invalid(violations))) => violations,
        other => panic!("it should not conform: {other:?}"),
    }
}

fn assert_unchecked(result: &WriteResult) {
    assert!(matches!(result, Err(WriteError::Unchecked)), "{result:?}");
}

#[test]
fn every_result_conforms_to_the_schema() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let found = violations(create_with(&store, domain("x"), Some(ADDRESS), &[]));
    assert_eq!(found.title.as_deref(), Some("address"));
    assert_eq!(found.details, ["$.zip: is missing but it is required"]);
    assert_eq!(store.find(&domain("x")).expect("read"), None);
    let made = create_with(&store, domain("x"), Some(ADDRESS), &[("zip", "12345")]).expect("made");
    let change = |store: &Profiles, change| check_and_change(store, made.reference, &change);
    violations(change(&store, merge(&[("zip", "1234")])));
    violations(change(&store, AttributeChange::Remove("zip".into())));
    violations(change(&store, AttributeChange::Replace(Attributes::default())));
    drop(store);
    let store = open(folder.path());
    violations(change(&store, AttributeChange::Remove("zip".into())));
    assert_eq!(change(&store, merge(&[("zip", "54321")])).expect("changed").version, 2);
    let details = violations(create_with(&store, domain("y"), Some("no schema"), &[])).details;
    assert!(!details.is_empty(), "nothing conforms to what cannot be read");
}

#[test]
fn what_was_not_checked_is_not_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let schema = Some(ProfileSchema { given: ADDRESS.to_owned(), fetched: None });
    let address = |owner: &str, zip: &str| NewProfile {
        owner: domain(owner),
        schema: schema.clone(),
        attributes: attributes(&[("zip", zip)]),
    };
    let create = |profile: &NewProfile, checked| {
        let (answer, answered) = mpsc::channel();
        store.create(profile.clone(), checked, Arc::new(|| true), move |result| {
            answer.send(result).expect("somebody waits");
        });
        answered.recv().expect("an answer")
    };
    let good = store.check_new(&address("x", "12345")).expect("it conforms");
    assert_unchecked(&create(&address("x", "12345"), None));
    assert_unchecked(&create(&address("x", "1234"), Some(good.clone())));
    assert_unchecked(&create(&address("y", "12345"), Some(good.clone())));
    let strict = NewProfile {
        schema: Some(ProfileSchema { given: r#"{"maxProperties":0}"#.to_owned(), fetched: None }),
        ..address("x", "12345")
    };
    assert_unchecked(&create(&strict, Some(good.clone())));
    assert_eq!(store.state().num_commits, 0);
    let made = create(&address("x", "12345"), Some(good.clone())).expect("made");
    assert_eq!(refusal(create(&address("x", "12345"), Some(good))), Refusal::Exists(made.reference));
    let exists = store.check_new(&address("x", "1234")).map(|_| made.clone());
    assert_eq!(refusal(exists), Refusal::Exists(made.reference), "before the schema");

    let change = |change: &AttributeChange, checked| {
        change_checked(&store, made.reference, change.clone(), Precondition::None, checked)
    };
    let moves = merge(&[("zip", "54321")]);
    let checked = store.check(made.reference, &moves, &Precondition::None).expect("it conforms");
    assert_unchecked(&change(&moves, None));
    assert_unchecked(&change(&merge(&[("zip", "1234")]), Some(checked.clone())));
    assert_unchecked(&change(&AttributeChange::Remove("zip".into()), Some(checked.clone())));
    assert_eq!(store.get(made.reference).expect("read").as_ref(), Some(&made));
    // What is refused anyway need not be checked.
    let other = Precondition::IsOneOf(vec![7]);
    assert_eq!(refusal(change_if(&store, made.reference, moves.clone(), other)), Refusal::Precondition(1));
    assert_eq!(refusal(change(&AttributeChange::Remove("a".into()), None)), Refusal::NoAttribute);
    assert_eq!(store.state().num_commits, 1);
    assert_eq!(change(&moves, Some(checked.clone())).expect("changed").version, 2);
    assert_unchecked(&change(&moves, Some(checked)));
    assert_eq!((store.state().num_writes, store.state().num_commits), (2, 2));
}

#[test]
fn a_change_between_check_and_submission_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let made = create_with(&store, domain("x"), Some(ONE_OR_TWO), &[("a", "1"), ("b", "2")]).expect("made");
    let (without_a, without_b) = (AttributeChange::Remove("a".into()), AttributeChange::Remove("b".into()));
    let stale = store.check(made.reference, &without_a, &Precondition::None).expect("it conforms");
    assert_eq!(check_and_change(&store, made.reference, &without_b).expect("changed").version, 2);
    assert_unchecked(&change_checked(&store, made.reference, without_a.clone(), Precondition::None, Some(stale)));
    let found = violations(check_and_change(&store, made.reference, &without_a));
    assert_eq!(found.details, ["$: should have a minimum of 1 properties"]);
    let stored = store.get(made.reference).expect("read").expect("there");
    assert_eq!((stored.version, stored.attributes), (2, attributes(&[("a", "1")])));
}

#[test]
fn of_those_checked_at_one_version_one_is_written() {
    const NUM_THREADS: usize = 8;
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let made = create_with(&store, domain("x"), Some(ONE_OR_TWO), &[("a", "1")]).expect("made");
    let barrier = Barrier::new(NUM_THREADS);
    thread::scope(|scope| {
        let add = |number: usize| {
            let adds = merge(&[(&format!("k{number}"), "1")]);
            let checked = store.check(made.reference, &adds, &Precondition::None).expect("it conforms");
            barrier.wait();
            let result = change_checked(&store, made.reference, adds.clone(), Precondition::None, Some(checked));
            match result {
                Ok(_) => 1,
                Err(WriteError::Unchecked) => {
                    let found = violations(check_and_change(&store, made.reference, &adds));
                    assert_eq!(found.details, ["$: may only have a maximum of 2 properties"]);
                    0
                }
                Err(error) => panic!("{error}"),
            }
        };
        let threads: Vec<_> = (0..NUM_THREADS).map(|number| scope.spawn(move || add(number))).collect();
        assert_eq!(threads.into_iter().map(|thread| thread.join().expect("no panic")).sum::<u32>(), 1);
    });
    let stored = store.get(made.reference).expect("read").expect("there");
    assert_eq!((stored.version, stored.attributes.len()), (2, 2));
}

#[test]
fn whatever_is_written_at_once_conforms() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let made = create_with(&store, domain("x"), Some(ONE_OR_TWO), &[("k0", "1")]).expect("made");
    let write = |number: usize| {
        let key = format!("k{number}");
        let mut num_written = 0;
        for round in 0..40 {
            let change = if round % 2 == 0 { merge(&[(&key, "1")]) } else { AttributeChange::Remove(key.clone()) };
            let result = loop {
                match check_and_change(&store, made.reference, &change) {
                    Err(WriteError::Unchecked) => {}
                    result => break result,
                }
            };
            match result {
                Ok(profile) => {
                    assert!((1..=2).contains(&profile.attributes.len()), "{profile:?}");
                    num_written += 1;
                }
                Err(WriteError::Refused(Refusal::Invalid(_) | Refusal::NoAttribute)) => {}
                Err(error) => panic!("{error}"),
            }
            let stored = store.get(made.reference).expect("read").expect("there");
            assert!((1..=2).contains(&stored.attributes.len()), "{stored:?}");
        }
        num_written
    };
    let num_written: u64 = thread::scope(|scope| {
        let write = &write;
        let threads: Vec<_> = (0..6).map(|number| scope.spawn(move || write(number))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
    });
    assert_eq!(store.get(made.reference).expect("read").expect("there").version, 1 + num_written);
}
