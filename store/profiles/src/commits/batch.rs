//! Evaluating writes one after the other, each on the result of the previous ones, and collecting
//! them into one batch.

use std::collections::{HashMap, HashSet};

use sled::Batch;
use store::{Owner, ProfileReference};

use super::shared::{Shared, Stored};
use crate::record::{Record, Totals};
use crate::writes::rules::Evaluated;
use crate::{Profile, ProfileFault, ProfileWrite, ProfilesConfig, Refusal, WriteOutcome, keys};

pub(crate) type Answered = Result<WriteOutcome, ProfileFault>;

struct Written {
    /// `None` for a new profile.
    before: Option<Stored>,
    /// The profile and its line. `None` for an erased profile.
    after: Option<(Profile, Vec<u8>)>,
}

pub(crate) struct Evaluation<'a> {
    shared: &'a Shared,
    config: ProfilesConfig,
    /// The most copies of a profile that changes.
    num_snapshots: usize,
    written: HashMap<ProfileReference, Written>,
    /// The owners of new and erased profiles.
    owners: HashMap<Owner, Option<ProfileReference>>,
    pub(crate) num_accepted: u64,
    pub(crate) num_created: u64,
    pub(crate) num_erased: u64,
    /// An upper bound for the size of the batch, copies for snapshots included.
    pub(crate) size_bytes: usize,
}

impl<'a> Evaluation<'a> {
    pub(crate) fn new(shared: &'a Shared, config: ProfilesConfig, num_snapshots: usize) -> Self {
        Self {
            shared,
            config,
            num_snapshots,
            written: HashMap::new(),
            owners: HashMap::new(),
            num_accepted: 0,
            num_created: 0,
            num_erased: 0,
            size_bytes: 0,
        }
    }

    /// Evaluates a write, and accepts it unless it is rejected or must be checked first.
    pub(crate) fn add(&mut self, write: ProfileWrite, checked: Option<&Profile>) -> Answered {
        match write {
            ProfileWrite::Create(profile) => {
                let existing = match self.owners.get(&profile.owner) {
                    Some(reference) => *reference,
                    None => self.shared.reference_of(&profile.owner)?,
                };
                Ok(self.accept(None, self.config.evaluate_creation(profile, existing, checked)?))
            }
            ProfileWrite::Change(reference, change, precondition) => {
                let (profile, before) = self.current(reference)?;
                Ok(self.accept(before, self.config.evaluate_change(profile, change, &precondition, checked)?))
            }
            ProfileWrite::Erase(reference, precondition) => {
                let (profile, before) = self.current(reference)?;
                let profile = profile.ok_or(Refusal::NoProfile)?;
                precondition.check(profile.version).map_err(ProfileFault::Refused)?;
                self.num_accepted += 1;
                self.num_erased += 1;
                self.owners.insert(profile.owner.clone(), None);
                self.written.entry(reference).or_insert(Written { before, after: None }).after = None;
                Ok(WriteOutcome::Written(profile))
            }
        }
    }

    /// Returns a profile after the previous writes, and its record if none of them has written it.
    fn current(&self, reference: ProfileReference) -> store::Result<(Option<Profile>, Option<Stored>)> {
        if let Some(Written { after, .. }) = self.written.get(&reference) {
            return Ok((after.as_ref().map(|(profile, _)| profile.clone()), None));
        }
        let stored = self.shared.load(reference)?;
        Ok((stored.as_ref().map(|stored| stored.profile.clone()), stored))
    }

    /// Adds a profile to the batch. `before` is set when a stored profile is added for the first
    /// time. The committing thread does not check schemas: all other writes would wait.
    fn accept(&mut self, before: Option<Stored>, evaluated: Evaluated) -> WriteOutcome {
        let (profile, line) = match evaluated {
            Evaluated::Accepted { profile, line } => (profile, line),
            Evaluated::Unchecked(profile) => return WriteOutcome::Unchecked(profile),
        };
        self.num_accepted += 1;
        self.size_bytes += line.len() + before.as_ref().map_or(0, |before| before.record.len() * self.num_snapshots);
        let reference = profile.reference;
        let accepted = profile.clone();
        if let Some(written) = self.written.get_mut(&reference) {
            written.after = Some((profile, line));
        } else {
            if before.is_none() {
                self.num_created += 1;
                self.owners.insert(profile.owner.clone(), Some(reference));
            }
            self.written.insert(reference, Written { before, after: Some((profile, line)) });
        }
        WriteOutcome::Written(accepted)
    }

    /// Makes the batch. `snapshots` has the number of each snapshot and the last commit that it
    /// shows. Each snapshot gets a copy of the profiles that it shows and that change now, and
    /// loses those of erased ones.
    pub(crate) fn into_batch(self, totals: Totals, snapshots: &[(u64, u64)]) -> Batch {
        let mut batch = Batch::default();
        batch.insert(keys::TOTALS, totals.to_bytes());
        for (owner, reference) in self.owners {
            match reference {
                Some(reference) => batch.insert(keys::owner(&owner), reference.as_bytes()),
                None => batch.remove(keys::owner(&owner)),
            }
        }
        let (mut searches_before, mut searches_after) = (HashSet::new(), HashSet::new());
        for (reference, Written { before, after }) in self.written {
            if let Some(Stored { record, commit, profile }) = before {
                for &(snapshot, shown) in snapshots {
                    let copy = keys::copy(snapshot, reference);
                    if after.is_none() {
                        batch.remove(copy);
                    } else if commit <= shown {
                        batch.insert(copy, record.clone());
                    }
                }
                searches_before.extend(keys::searches(&profile));
            }
            if let Some((profile, line)) = after {
                searches_after.extend(keys::searches(&profile));
                batch.insert(keys::profile(reference), Record { commit: totals.commit, line: &line }.to_bytes());
            } else {
                batch.remove(keys::profile(reference));
            }
        }
        // Keys that stay are not written again.
        for key in searches_before.difference(&searches_after) {
            batch.remove(&**key);
        }
        for key in searches_after.difference(&searches_before) {
            batch.insert(&**key, b"");
        }
        batch
    }
}
