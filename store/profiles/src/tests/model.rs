//! Random writes are compared with a plain map.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::select;

use super::*;

/// The number of owners.
const OWNERS: u8 = 5;

/// A step that is applied to both.
#[derive(Clone, Debug)]
enum Step {
    Create(u8, Vec<(&'static str, &'static str)>),
    Replace(u8, Vec<(&'static str, &'static str)>, When),
    Merge(u8, Vec<(&'static str, &'static str)>, When),
    Remove(u8, &'static str, When),
    Erase(u8, When),
    Search(&'static str),
    Restart,
}

/// A precondition: any version, the present one, another one, or any except the present one.
#[derive(Clone, Copy, Debug)]
enum When {
    Always,
    IsPresent,
    IsOther,
    IsNotPresent,
}

impl When {
    fn of(self, version: u64) -> Precondition {
        match self {
            Self::Always => Precondition::None,
            Self::IsPresent => Precondition::IsOneOf(vec![version + 7, version]),
            Self::IsOther => Precondition::IsOneOf(vec![version + 1, version - 1]),
            Self::IsNotPresent => Precondition::IsNoneOf(vec![version]),
        }
    }

    fn holds(self) -> bool {
        matches!(self, Self::Always | Self::IsPresent)
    }
}

fn step() -> impl Strategy<Value = Step> {
    let key = || select(vec!["email", "name", "a", "b", "c", "d"]);
    let value = || select(vec!["", "Ada", "ada", "ADA", "Äda"]);
    let pairs = move || prop::collection::vec((key(), value()), 0..6);
    let when = || select(vec![When::Always, When::Always, When::IsPresent, When::IsOther, When::IsNotPresent]);
    prop_oneof![
        4 => (0..OWNERS, pairs()).prop_map(|(owner, pairs)| Step::Create(owner, pairs)),
        2 => (0..OWNERS, pairs(), when()).prop_map(|(owner, pairs, when)| Step::Replace(owner, pairs, when)),
        6 => (0..OWNERS, pairs(), when()).prop_map(|(owner, pairs, when)| Step::Merge(owner, pairs, when)),
        4 => (0..OWNERS, key(), when()).prop_map(|(owner, key, when)| Step::Remove(owner, key, when)),
        1 => (0..OWNERS, when()).prop_map(|(owner, when)| Step::Erase(owner, when)),
        3 => value().prop_map(Step::Search),
        1 => Just(Step::Restart),
    ]
}

/// The owners: users, and a domain.
fn owner(number: u8) -> Owner {
    if number == 0 { domain("x") } else { user(number.into()) }
}

/// The expected profiles, by owner.
type Model = BTreeMap<u8, Profile>;

/// Applies a change to both, and compares the results.
fn change_both(store: &Profiles, model: &mut Model, number: u8, order: AttributeChange, when: When) {
    let Some(profile) = model.get_mut(&number) else {
        assert_eq!(refusal(change(store, ProfileReference::random(), order)), Refusal::NoProfile);
        return;
    };
    let result = change_if(store, profile.reference, order.clone(), when.of(profile.version));
    if !when.holds() {
        assert_eq!(refusal(result), Refusal::Precondition(profile.version));
        return;
    }
    let mut expected = profile.clone();
    expected.version += 1;
    match order {
        AttributeChange::Replace(attributes) => expected.attributes = attributes,
        AttributeChange::Merge(attributes) => expected.attributes.merge(attributes),
        AttributeChange::Remove(key) => {
            if expected.attributes.remove(&key).is_none() {
                assert_eq!(refusal(result), Refusal::NoAttribute);
                return;
            }
        }
    }
    if expected.attributes.len() > 4 && expected.attributes.len() > profile.attributes.len() {
        assert_eq!(refusal(result), Refusal::TooManyAttributes(4));
        return;
    }
    assert_eq!(result.expect("changed"), expected);
    *profile = expected;
}

/// Compares everything.
fn check(store: &Profiles, model: &Model) {
    for number in 0..OWNERS {
        let expected = model.get(&number);
        assert_eq!(store.find(&owner(number)).expect("read").as_ref(), expected);
        if let Some(expected) = expected {
            assert_eq!(store.get(expected.reference).expect("read").as_ref(), Some(expected));
        }
    }
    let mut expected: Vec<Profile> = model.values().cloned().collect();
    expected.sort_unstable_by_key(|profile| profile.reference);
    assert_eq!(lines(store.snapshot().expect("a snapshot")), expected);
    assert_eq!(store.state().num_profiles, model.len() as u64);
}

/// Returns the users that should be found.
fn found(model: &Model, is_found: impl Fn(&Attributes) -> bool) -> Vec<UserReference> {
    let users = model.values().filter(|profile| is_found(&profile.attributes));
    let users = users.filter_map(|profile| match profile.owner {
        Owner::User(user) => Some(user),
        Owner::Domain(_) => None,
    });
    users.collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_store_matches_a_map(steps in prop::collection::vec(step(), 1..60)) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = open(folder.path());
        let mut model = Model::new();
        for step in steps {
            match step {
                Step::Create(number, pairs) => {
                    let result = create(&store, owner(number), &pairs);
                    if let Some(there) = model.get(&number) {
                        prop_assert_eq!(refusal(result), Refusal::Exists(there.reference));
                    } else if attributes(&pairs).len() > 4 {
                        prop_assert_eq!(refusal(result), Refusal::TooManyAttributes(4));
                    } else {
                        let made = result.expect("made");
                        prop_assert_eq!(&made, &Profile {
                            reference: made.reference,
                            owner: owner(number),
                            version: 1,
                            schema: None,
                            attributes: attributes(&pairs),
                        });
                        model.insert(number, made);
                    }
                }
                Step::Replace(number, pairs, when) => {
                    change_both(&store, &mut model, number, AttributeChange::Replace(attributes(&pairs)), when);
                }
                Step::Merge(number, pairs, when) => change_both(&store, &mut model, number, merge(&pairs), when),
                Step::Remove(number, key, when) => {
                    change_both(&store, &mut model, number, AttributeChange::Remove(key.into()), when);
                }
                Step::Erase(number, when) => {
                    if let Some(there) = model.get(&number) {
                        let result = erase_if(&store, there.reference, when.of(there.version));
                        if when.holds() {
                            prop_assert_eq!(Some(&result.expect("erased")), model.get(&number));
                            model.remove(&number);
                        } else {
                            prop_assert_eq!(refusal(result), Refusal::Precondition(there.version));
                        }
                    } else {
                        let result = erase_if(&store, ProfileReference::random(), Precondition::None);
                        prop_assert_eq!(refusal(result), Refusal::NoProfile);
                    }
                }
                Step::Search(value) => {
                    let name = found(&model, |attributes| attributes.get("name") == Some(value));
                    prop_assert_eq!(store.search(SearchKey::Name, value, 9).expect("read"), name.clone());
                    prop_assert_eq!(store.search(SearchKey::Name, value, 1).expect("read"), &name[..name.len().min(1)]);
                    let is_equal = |email: &str| email.eq_ignore_ascii_case(value);
                    let email = found(&model, |attributes| attributes.get("email").is_some_and(is_equal));
                    prop_assert_eq!(store.search(SearchKey::Email, value, 9).expect("read"), email);
                }
                Step::Restart => {
                    drop(store);
                    store = open(folder.path());
                    check(&store, &model);
                }
            }
        }
        check(&store, &model);
        drop(store);
        prop_assert_eq!(Profiles::verify(folder.path()).expect("sound"), model.len() as u64);
    }
}
