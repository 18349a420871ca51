//! Erasing profiles: nothing of them is left anywhere.

use super::*;

/// Returns all keys and values of the database in which a text occurs.
fn entries_with(store: &Profiles, text: &str) -> usize {
    let mut num_entries = 0;
    let visit = |key: &[u8], value: &[u8]| {
        let has_text = |bytes: &[u8]| bytes.windows(text.len()).any(|part| part == text.as_bytes());
        num_entries += usize::from(has_text(key) || has_text(value));
        Ok(())
    };
    store.shared.database.walk(b"", visit).expect("read");
    num_entries
}

#[test]
fn snapshots_leave_it_out_and_lose_their_copies() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let made: Vec<Profile> =
        (0..250).map(|number| create(&store, user(number), &[("a", "secret")]).expect("made")).collect();
    let mut early = store.snapshot().expect("a snapshot");
    let first = early.next().expect("one").expect("a line");
    for profile in &made {
        change(&store, profile.reference, merge(&[("a", "changed")])).expect("changed");
    }
    let later = store.snapshot().expect("a snapshot");
    for profile in &made {
        erase_if(&store, profile.reference, Precondition::None).expect("erased");
    }
    // Entries that were read ahead are not shown, either.
    assert!(!first.is_empty());
    assert_eq!((lines(early).len(), lines(later).len()), (0, 0));
    assert_eq!((entries_with(&store, "secret"), entries_with(&store, "changed")), (0, 0));
}

#[test]
fn each_write_of_a_commit_sees_the_previous_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let made = create(&store, user(1), &[("name", "Ada"), ("email", "a@x.org")]).expect("made");
    let snapshot = store.snapshot().expect("a snapshot");
    let new = |name: &str| NewProfile { owner: user(1), schema: None, attributes: attributes(&[("name", name)]) };
    let (second, third) = (new("Ada").into_profile(), new("Eve").into_profile());
    let (answer, answers) = mpsc::sync_channel(9);
    for write in [
        ProfileWrite::Change(made.reference, merge(&[("a", "1")]), Precondition::None),
        ProfileWrite::Erase(made.reference, Precondition::IsOneOf(vec![2])),
        ProfileWrite::Change(made.reference, merge(&[("a", "2")]), Precondition::None),
        ProfileWrite::Create(second.clone()),
        ProfileWrite::Create(third.clone()),
        ProfileWrite::Erase(second.reference, Precondition::None),
        ProfileWrite::Create(third.clone()),
    ] {
        let submission = Submission { write, checked: None, permission: anybody(), answer: answer.clone() };
        store.committer.send(Message::Write(Box::new(submission))).expect("it runs");
    }
    drop(answer);
    let answers: Vec<_> = answers
        .iter()
        .map(|answered| match answered {
            Ok(WriteOutcome::Written(profile)) => Ok(profile.reference),
            Err(ProfileFault::Refused(refusal)) => Err(refusal),
            other => panic!("{other:?}"),
        })
        .collect();
    let expected = [
        Ok(made.reference),
        Ok(made.reference),
        Err(Refusal::NoProfile),
        Ok(second.reference),
        Err(Refusal::Exists(second.reference)),
        Ok(second.reference),
        Ok(third.reference),
    ];
    assert_eq!(answers, expected);
    assert_eq!(lines(snapshot), []);
    assert_eq!(store.find(&user(1)).expect("read"), Some(third));
    assert_eq!(store.search(SearchKey::Name, "Ada", 9).expect("read"), []);
    assert_eq!(store.search(SearchKey::Name, "Eve", 9).expect("read"), [user_reference(1)]);
    drop(store);
    assert_eq!(Profiles::verify(folder.path()).expect("sound"), 1);
}
