//! The store through its public interface.

mod damage;
mod erasing;
mod failing;
mod importing;
mod model;
mod schemas;
mod snapshots;

use std::path::Path;
use std::sync::{Arc, mpsc};

use store::{Owner, ProfileReference, UserReference};
use uuid::Uuid;

use super::commits::batch::Answered;
use super::commits::committer::{Message, Submission};
use super::*;

/// The settings of all stores in the tests.
const CONFIG: ProfilesConfig = ProfilesConfig { attributes_max: 4 };

fn open(folder: &Path) -> Profiles {
    Profiles::open(folder, CONFIG).expect("a store")
}

/// Returns the profile after a write.
fn written(evaluated: Answered) -> Profile {
    match evaluated {
        Ok(WriteOutcome::Written(profile)) => profile,
        other => panic!("it should be written: {other:?}"),
    }
}

fn user(number: u128) -> Owner {
    Owner::User(user_reference(number))
}

fn user_reference(number: u128) -> UserReference {
    UserReference::new(Uuid::from_u128(number))
}

fn domain(id: &str) -> Owner {
    Owner::Domain(format!("dom-{id}").parse().expect("a reference"))
}

fn attributes(pairs: &[(&str, &str)]) -> Attributes {
    pairs.iter().copied().collect()
}

fn create_with(store: &Profiles, owner: Owner, schema: Option<&str>, pairs: &[(&str, &str)]) -> WriteResult {
    let schema = schema.map(|given| ProfileSchema { given: given.to_owned(), fetched: None });
    store.create(NewProfile { owner, schema, attributes: attributes(pairs) }, &anybody())
}

fn anybody() -> Permission {
    Arc::new(|| true)
}

fn create(store: &Profiles, owner: Owner, pairs: &[(&str, &str)]) -> WriteResult {
    create_with(store, owner, None, pairs)
}

fn change_if(
    store: &Profiles,
    reference: ProfileReference,
    change: AttributeChange,
    when: Precondition,
) -> WriteResult {
    store.change(reference, change, when, &anybody())
}

fn change(store: &Profiles, reference: ProfileReference, change: AttributeChange) -> WriteResult {
    change_if(store, reference, change, Precondition::None)
}

fn erase_if(store: &Profiles, reference: ProfileReference, when: Precondition) -> WriteResult {
    store.erase(reference, when, &anybody())
}

fn merge(pairs: &[(&str, &str)]) -> AttributeChange {
    AttributeChange::Merge(attributes(pairs))
}

fn refusal<T: std::fmt::Debug>(result: Result<T, ProfileFault>) -> Refusal {
    match result {
        Err(ProfileFault::Refused(refusal)) => refusal,
        other => panic!("it should have been refused: {other:?}"),
    }
}

/// Returns the number of keys of copies, at most 1000.
fn num_copies(store: &Profiles) -> usize {
    store.shared.database.keys(keys::COPY, 1000).expect("read").len()
}

fn lines(snapshot: ProfileSnapshot) -> Vec<Profile> {
    snapshot.map(|line| serde_json::from_slice(&line.expect("a line")).expect("a profile")).collect()
}

#[test]
fn refused_writes_change_nothing_and_say_why_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let pairs = [("a", "1"), ("b", "2"), ("c", "3"), ("d", "4")];
    let made = create(&store, user(1), &pairs).expect("made");
    let exists = Refusal::Exists(made.reference);
    let large = "x".repeat(PROFILE_BYTES_MAX);
    assert_eq!(refusal(create(&store, user(1), &[("a", &large)])), exists);
    assert_eq!(refusal(create(&store, user(2), &[("a", &large)])), Refusal::TooLarge(PROFILE_BYTES_MAX));
    let five = [("a", &*large), ("b", ""), ("c", ""), ("d", ""), ("e", "")];
    assert_eq!(refusal(create(&store, user(2), &five)), Refusal::TooManyAttributes(4));

    let of = |order, when| refusal(change_if(&store, made.reference, order, when));
    let other = Precondition::IsOneOf(vec![0, 2]);
    assert_eq!(refusal(change(&store, ProfileReference::random(), merge(&[]))), Refusal::NoProfile);
    assert_eq!(of(AttributeChange::Remove("z".into()), other), Refusal::Precondition(1));
    assert_eq!(of(merge(&[]), Precondition::IsNoneOf(vec![1])), Refusal::Precondition(1));
    assert_eq!(of(AttributeChange::Remove("z".into()), Precondition::IsOneOf(vec![1])), Refusal::NoAttribute);
    assert_eq!(of(merge(&five), Precondition::None), Refusal::TooManyAttributes(4));
    assert_eq!(of(merge(&five[..1]), Precondition::None), Refusal::TooLarge(PROFILE_BYTES_MAX));
    assert_eq!(store.get(made.reference).expect("read"), Some(made));
    assert_eq!(store.state().num_writes, 1);
    drop(store);

    // If the limit was lowered, a profile may stay unchanged or shrink.
    let store = Profiles::open(folder.path(), ProfilesConfig { attributes_max: 1 }).expect("a store");
    let reference = store.find(&user(1)).expect("read").expect("there").reference;
    change(&store, reference, merge(&[("a", "9")])).expect("as many");
    change(&store, reference, AttributeChange::Remove("a".into())).expect("fewer");
    assert_eq!(refusal(change(&store, reference, merge(&[("a", "9")]))), Refusal::TooManyAttributes(1));
}

#[test]
fn the_largest_profile_fits_to_the_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let made = create(&store, domain("x"), &[("a", "")]).expect("made");
    let room = PROFILE_BYTES_MAX - record::line(&made).len();
    let reference = made.reference;
    let large = "x".repeat(room);
    assert_eq!(change(&store, reference, merge(&[("a", &large)])).expect("changed").version, 2);
    assert_eq!(
        refusal(change(&store, reference, merge(&[("a", &format!("{large}x"))]))),
        Refusal::TooLarge(PROFILE_BYTES_MAX)
    );
    drop(store);
    let stored = open(folder.path()).get(reference).expect("read").expect("there");
    assert_eq!(stored.attributes.get("a"), Some(&*large));
}

#[test]
fn waiting_writes_are_answered_in_order_before_the_store_closes() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let made = create(&store, user(1), &[]).expect("made");
    let (answer, answers) = mpsc::sync_channel(500);
    for _ in 0..500 {
        let write = ProfileWrite::Change(made.reference, merge(&[("a", "1")]), Precondition::None);
        let submission = Submission { write, checked: None, permission: anybody(), answer: answer.clone() };
        store.committer.send(Message::Write(Box::new(submission))).expect("it runs");
    }
    drop((store, answer));
    assert_eq!(
        answers.iter().map(|evaluated| written(evaluated).version).collect::<Vec<_>>(),
        (2..502).collect::<Vec<_>>()
    );
    assert_eq!(open(folder.path()).get(made.reference).expect("read").expect("there").version, 501);
}
