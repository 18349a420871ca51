//! Writing, the same for every engine: turns, checks against schemas, and trying again.
//!
//! Checking attributes against a schema may take tenths of a second, during which other writes must
//! not be delayed. So a backend returns the outcome of a write unchecked, and accepts exactly this
//! outcome once it is checked.

use store::{Owner, ProfileReference};

use super::turns::TurnsByKey;
use super::write::{Permission, ProfileWrite, WriteResult};
use crate::{Profile, ProfileFault};

/// The most attempts of a write that others overtake.
const ATTEMPTS_MAX: usize = 100;

/// An engine that stores profiles.
pub trait ProfileBackend: Sync {
    /// Returns the queues of its writes.
    fn turns(&self) -> &WriteTurns;

    /// Evaluates a write on the stored data, by the rules of
    /// [`ProfilesConfig`](crate::ProfilesConfig), and commits it if it is permitted.
    fn attempt(&self, attempt: Attempt<'_>) -> impl Future<Output = Result<WriteOutcome, ProfileFault>> + Send;

    /// Checks a profile against its schema on a thread on which that may take long, and returns it.
    fn check(&self, profile: Profile) -> impl Future<Output = WriteResult> + Send;

    /// Writes a profile if that is permitted and conforms to its schema. `seen` is the stored
    /// profile that the caller has just read. It need not be the newest, but a backend that begins
    /// with it saves a query.
    ///
    /// A write takes turns with others of the same profile once one of them overtook it, or if they
    /// take turns already.
    fn write(
        &self,
        write: &ProfileWrite,
        seen: Option<&Profile>,
        permission: &Permission,
    ) -> impl Future<Output = WriteResult> + Send {
        async move {
            let mut checked = None;
            let mut turn = None;
            for _ in 0..ATTEMPTS_MAX {
                let was_checked = checked.is_some();
                let seen = seen.filter(|_| turn.is_none());
                let attempt = Attempt { write, seen, checked: checked.take(), permission, has_turn: turn.is_some() };
                let unchecked = match self.attempt(attempt).await? {
                    WriteOutcome::Written(profile) => return Ok(profile),
                    WriteOutcome::Unchecked(outcome) => Some(outcome),
                    WriteOutcome::Overtaken => None,
                };
                let subject = write.subject();
                let is_overtaken = was_checked || unchecked.is_none();
                if turn.is_none() && (is_overtaken || self.turns().0.are_taken(&subject)) {
                    // The outcome may differ when it is this caller's turn.
                    turn = Some(self.turns().0.wait(subject).await);
                } else if let Some(outcome) = unchecked {
                    checked = Some(self.check(outcome).await?);
                }
            }
            Err(ProfileFault::Overloaded)
        }
    }
}

/// One attempt to evaluate and commit a write.
pub struct Attempt<'a> {
    /// The write.
    pub write: &'a ProfileWrite,
    /// The stored profile that the caller has just read. `None` once the write was overtaken.
    pub seen: Option<&'a Profile>,
    /// The outcome that was checked against the schema.
    pub checked: Option<Profile>,
    /// Checked right before the commit.
    pub permission: &'a Permission,
    /// `true` if this write is the first in the queue of its profile.
    pub has_turn: bool,
}

/// The outcome of an attempt that was not rejected.
#[derive(Clone, Debug)]
pub enum WriteOutcome {
    /// The profile as it was written, or erased.
    Written(Profile),
    /// Nothing was written: the profile has a schema, and exactly this outcome was not checked
    /// against it.
    Unchecked(Profile),
    /// Nothing was written: another write was faster.
    Overtaken,
}

/// The queues of conflicting writes.
#[derive(Default)]
pub struct WriteTurns(TurnsByKey<Subject>);

/// The profile that a write changes.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Subject {
    Profile(ProfileReference),
    NewProfileOf(Owner),
}

impl ProfileWrite {
    fn subject(&self) -> Subject {
        match self {
            Self::Create(profile) => Subject::NewProfileOf(profile.owner.clone()),
            Self::Change(reference, ..) | Self::Erase(reference, _) => Subject::Profile(*reference),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::ready;
    use std::pin::pin;
    use std::sync::{Arc, Mutex};
    use std::task::{Context, Poll, Waker};

    use super::*;
    use crate::NewProfile;
    use crate::writes::waiting::wait_for;

    /// Has an outcome for each attempt: `w`ritten, `u`nchecked, `o`vertaken. Notes `a`ttempts,
    /// `A`ttempts with a turn, and `c`hecks.
    struct Scripted {
        turns: WriteTurns,
        outcomes: Mutex<Vec<u8>>,
        calls: Mutex<String>,
    }

    impl Scripted {
        fn new(outcomes: &str) -> Self {
            let outcomes = Mutex::new(outcomes.bytes().rev().collect());
            Self { turns: WriteTurns::default(), outcomes, calls: Mutex::default() }
        }

        fn calls(&self) -> String {
            self.calls.lock().expect("whole").clone()
        }
    }

    impl ProfileBackend for Scripted {
        fn turns(&self) -> &WriteTurns {
            &self.turns
        }

        fn attempt(&self, attempt: Attempt<'_>) -> impl Future<Output = Result<WriteOutcome, ProfileFault>> {
            let call = if attempt.has_turn { 'A' } else { 'a' };
            assert_eq!(attempt.seen.is_some(), !attempt.has_turn, "what was seen is outdated then");
            self.calls.lock().expect("whole").push(call);
            let profile = profile();
            ready(Ok(match self.outcomes.lock().expect("whole").pop() {
                Some(b'w') => WriteOutcome::Written(profile),
                Some(b'u') => WriteOutcome::Unchecked(profile),
                _ => WriteOutcome::Overtaken,
            }))
        }

        fn check(&self, profile: Profile) -> impl Future<Output = WriteResult> {
            self.calls.lock().expect("whole").push('c');
            ready(Ok(profile))
        }
    }

    fn profile() -> Profile {
        let owner = Owner::Domain("dom-x".parse().expect("a domain"));
        NewProfile { owner, schema: None, attributes: [("a", "1")].into_iter().collect() }.into_profile()
    }

    #[test]
    fn only_overtaken_writes_take_turns() {
        let permission: Permission = Arc::new(|| true);
        for (outcomes, calls) in
            [("w", "a"), ("uw", "aca"), ("ow", "aA"), ("uouw", "acaAcA"), ("uuuw", "acaAcA"), ("oouuow", "aAAcAcAA")]
        {
            let backend = Scripted::new(outcomes);
            let written = wait_for(backend.write(&ProfileWrite::Create(profile()), Some(&profile()), &permission));
            assert!(written.is_ok(), "{outcomes}: {written:?}");
            assert_eq!(backend.calls(), calls, "{outcomes}");
        }
        let endless = Scripted::new("");
        let overtaken = wait_for(endless.write(&ProfileWrite::Create(profile()), Some(&profile()), &permission));
        assert!(matches!(overtaken, Err(ProfileFault::Overloaded)));
        assert_eq!(endless.calls().len(), ATTEMPTS_MAX);
    }

    #[test]
    fn a_check_waits_while_other_writes_take_turns() {
        let (permission, write): (Permission, _) = (Arc::new(|| true), ProfileWrite::Create(profile()));
        let (backend, seen) = (Scripted::new("uuw"), profile());
        let other = wait_for(backend.turns.0.wait(write.subject()));
        let mut writing = pin!(backend.write(&write, Some(&seen), &permission));
        assert!(writing.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        drop(other);
        let written = writing.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(matches!(written, Poll::Ready(Ok(_))));
        assert_eq!(backend.calls(), "aAcA");
    }
}
