//! Profiles with schemas.

use std::thread;

use super::*;
use crate::Violations;

/// A schema with a required attribute that has a form.
const ADDRESS: &str = r#"{"title":"address","type":"object","required":["zip"],
    "properties":{"zip":{"type":"string","pattern":"^[0-9]{5}$"}},"additionalProperties":true}"#;

/// A schema that two changes violate together, although each of them conforms.
const ONE_OR_TWO: &str = r#"{"minProperties":1,"maxProperties":2}"#;

/// Passes a change to the committer, checked or not.
fn submit(
    store: &Profiles,
    reference: ProfileReference,
    change: &AttributeChange,
    checked: Option<Profile>,
) -> Answered {
    store.submit(ProfileWrite::Change(reference, change.clone(), Precondition::None), checked, &anybody())
}

/// Returns a profile after a write, checked against its schema.
fn check_write(store: &Profiles, write: ProfileWrite) -> WriteResult {
    match store.submit(write, None, &anybody())? {
        WriteOutcome::Unchecked(outcome) => Ok(store.checks.check(&outcome).map(|()| outcome)?),
        written => panic!("nobody has checked it: {written:?}"),
    }
}

fn check(store: &Profiles, reference: ProfileReference, change: &AttributeChange) -> WriteResult {
    check_write(store, ProfileWrite::Change(reference, change.clone(), Precondition::None))
}

/// Returns the differences between attributes and their schema.
fn violations<T: std::fmt::Debug>(result: Result<T, ProfileFault>) -> Violations {
    match result {
        Err(ProfileFault::Refused(Refusal::Invalid(violations))) => violations,
        other => panic!("it should not conform: {other:?}"),
    }
}

fn assert_unchecked(result: &Answered) {
    assert!(matches!(result, Ok(WriteOutcome::Unchecked(_))), "{result:?}");
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
    let change = |store: &Profiles, change| self::change(store, made.reference, change);
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
fn unchecked_outcomes_are_not_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let schema = Some(ProfileSchema { given: ADDRESS.to_owned(), fetched: None });
    let new = |owner: &str, zip: &str| {
        let attributes = attributes(&[("zip", zip)]);
        NewProfile { owner: domain(owner), schema: schema.clone(), attributes }.into_profile()
    };
    let create = |profile: &Profile, checked| store.submit(ProfileWrite::Create(profile.clone()), checked, &anybody());
    let x = new("x", "12345");
    let with_zip = |zip: &str| Profile { attributes: attributes(&[("zip", zip)]), ..x.clone() };
    let good = check_write(&store, ProfileWrite::Create(x.clone())).expect("it conforms");
    assert_unchecked(&create(&x, None));
    assert_unchecked(&create(&with_zip("1234"), Some(good.clone())));
    assert_unchecked(&create(&new("y", "12345"), Some(good.clone())));
    let strict = ProfileSchema { given: r#"{"maxProperties":0}"#.to_owned(), fetched: None };
    assert_unchecked(&create(&Profile { schema: Some(strict), ..x.clone() }, Some(good.clone())));
    assert_eq!(store.state().num_commits, 0);
    let made = written(create(&x, Some(good.clone())));
    assert_eq!(refusal(create(&x, Some(good))), Refusal::Exists(made.reference));
    let exists = check_write(&store, ProfileWrite::Create(with_zip("1234")));
    assert_eq!(refusal(exists), Refusal::Exists(made.reference), "before the schema");

    let change = |change: &AttributeChange, checked| submit(&store, made.reference, change, checked);
    let moves = merge(&[("zip", "54321")]);
    let checked = check(&store, made.reference, &moves).expect("it conforms");
    assert_unchecked(&change(&moves, None));
    assert_unchecked(&change(&merge(&[("zip", "1234")]), Some(checked.clone())));
    assert_unchecked(&change(&AttributeChange::Remove("zip".into()), Some(checked.clone())));
    assert_eq!(store.get(made.reference).expect("read").as_ref(), Some(&made));
    // A rejected change need not be checked.
    let other = Precondition::IsOneOf(vec![7]);
    assert_eq!(refusal(change_if(&store, made.reference, moves.clone(), other)), Refusal::Precondition(1));
    assert_eq!(refusal(change(&AttributeChange::Remove("a".into()), None)), Refusal::NoAttribute);
    assert_eq!(store.state().num_commits, 1);
    assert_eq!(written(change(&moves, Some(checked.clone()))).version, 2);
    assert_unchecked(&change(&moves, Some(checked)));
    assert_eq!((store.state().num_writes, store.state().num_commits), (2, 2));
}

#[test]
fn a_change_between_check_and_submission_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let made = create_with(&store, domain("x"), Some(ONE_OR_TWO), &[("a", "1"), ("b", "2")]).expect("made");
    let (without_a, without_b) = (AttributeChange::Remove("a".into()), AttributeChange::Remove("b".into()));
    let stale = check(&store, made.reference, &without_a).expect("it conforms");
    assert_eq!(change(&store, made.reference, without_b).expect("changed").version, 2);
    assert_unchecked(&submit(&store, made.reference, &without_a, Some(stale)));
    let found = violations(change(&store, made.reference, without_a));
    assert_eq!(found.details, ["$: should have a minimum of 1 properties"]);
    let stored = store.get(made.reference).expect("read").expect("there");
    assert_eq!((stored.version, stored.attributes), (2, attributes(&[("a", "1")])));
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
            match self::change(&store, made.reference, change) {
                Ok(profile) => {
                    assert!((1..=2).contains(&profile.attributes.len()), "{profile:?}");
                    num_written += 1;
                }
                Err(ProfileFault::Refused(Refusal::Invalid(_) | Refusal::NoAttribute)) => {}
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

#[test]
fn all_conforming_concurrent_changes_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Profiles::open(folder.path(), ProfilesConfig { attributes_max: 200 }).expect("a store");
    let made = create_with(&store, domain("x"), Some(r#"{"maxProperties":11}"#), &[("a", "1")]).expect("made");
    let add = |number: usize| change(&store, made.reference, merge(&[(&format!("k{number}"), "1")]));
    let results: Vec<WriteResult> = thread::scope(|scope| {
        let add = &add;
        let threads: Vec<_> = (0..30).map(|number| scope.spawn(move || add(number))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    let (written, refused): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    assert_eq!((written.len(), refused.len()), (10, 20));
    for refused in refused {
        violations(refused);
    }
    let stored = store.get(made.reference).expect("read").expect("there");
    assert_eq!((stored.version, stored.attributes.len()), (11, 11));
}

#[test]
fn a_caller_has_one_schema_read_at_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let limits = crate::SchemaLimits { bytes_max: 100, properties_max: 2 };
    let caller = user_reference(1);
    assert_eq!(store.read_schema(caller, "{}", limits), Some(Ok(())));
    assert!(store.read_schema(caller, "[]", limits).expect("nobody else").is_err());
}
