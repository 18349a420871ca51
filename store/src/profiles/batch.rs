//! Evaluating writes one after the other, each on what the previous ones left, and collecting them into one batch.

use std::collections::{HashMap, HashSet};

use sled::Batch;

use super::record::{Record, Totals};
use super::rules::Evaluated;
use super::shared::{Shared, Stored};
use super::write::Write;
use super::{Profile, ProfilesConfig, WriteError, keys};
use crate::{Owner, ProfileReference};

#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Written(Profile),
    /// Nothing was written: the profile has a schema, and exactly this outcome was not checked against it.
    Unchecked(Profile),
}

pub(super) type Answered = Result<Outcome, WriteError>;

struct Written {
    /// `None` for a new profile.
    before: Option<Stored>,
    profile: Profile,
    line: Vec<u8>,
}

pub(super) struct Evaluation<'a> {
    shared: &'a Shared,
    config: ProfilesConfig,
    /// How many snapshots may get a copy of each profile that changes.
    num_snapshots: usize,
    written: HashMap<ProfileReference, Written>,
    /// Of new profiles.
    pub(super) owners: HashMap<Owner, ProfileReference>,
    pub(super) num_accepted: u64,
    /// An upper bound for the size of the batch, copies for snapshots included.
    pub(super) size_bytes: usize,
}

impl<'a> Evaluation<'a> {
    pub(super) fn new(shared: &'a Shared, config: ProfilesConfig, num_snapshots: usize) -> Self {
        let (written, owners) = (HashMap::new(), HashMap::new());
        Self { shared, config, num_snapshots, written, owners, num_accepted: 0, size_bytes: 0 }
    }

    /// Evaluates a write, and accepts it unless it is refused or must be checked first.
    pub(super) fn add(&mut self, write: Write, checked: Option<&Profile>) -> Answered {
        match write {
            Write::Create(profile) => {
                let created = self.owners.get(&profile.owner).copied();
                let existing =
                    created.map_or_else(|| self.shared.reference_of(&profile.owner), |found| Ok(Some(found)))?;
                Ok(self.accept(None, self.config.evaluate_creation(profile, existing, checked)?))
            }
            Write::Change(reference, change, precondition) => {
                let (profile, before) = if let Some(written) = self.written.get(&reference) {
                    (Some(written.profile.clone()), None)
                } else {
                    let stored = self.shared.load(reference)?;
                    (stored.as_ref().map(|stored| stored.profile.clone()), stored)
                };
                Ok(self.accept(before, self.config.evaluate_change(profile, change, &precondition, checked)?))
            }
        }
    }

    /// Takes a profile into the batch. `before` is given when a stored profile is taken in for the first time. The committing thread checks no
    /// schemas: all other writes would wait.
    fn accept(&mut self, before: Option<Stored>, evaluated: Evaluated) -> Outcome {
        let (profile, line) = match evaluated {
            Evaluated::Accepted { profile, line } => (profile, line),
            Evaluated::Unchecked(profile) => return Outcome::Unchecked(profile),
        };
        self.num_accepted += 1;
        self.size_bytes += line.len() + before.as_ref().map_or(0, |before| before.record.len() * self.num_snapshots);
        let reference = profile.reference;
        let accepted = profile.clone();
        if let Some(written) = self.written.get_mut(&reference) {
            (written.profile, written.line) = (profile, line);
        } else {
            if before.is_none() {
                self.owners.insert(profile.owner.clone(), reference);
            }
            self.written.insert(reference, Written { before, profile, line });
        }
        Outcome::Written(accepted)
    }

    /// Makes the batch. `snapshots` has the number of each snapshot and the last commit that it shows; each gets a copy of the profiles that it
    /// shows and that change now.
    pub(super) fn into_batch(self, totals: Totals, snapshots: &[(u64, u64)]) -> Batch {
        let mut batch = Batch::default();
        batch.insert(keys::TOTALS, totals.to_bytes());
        for (reference, Written { before, profile, line }) in self.written {
            let mut search_keys: HashSet<Vec<u8>> = keys::searches(&profile).into_iter().collect();
            if let Some(Stored { record, commit, profile: previous }) = before {
                for &(snapshot, _) in snapshots.iter().filter(|&&(_, shown)| commit <= shown) {
                    batch.insert(keys::copy(snapshot, reference), record.clone());
                }
                for key in keys::searches(&previous) {
                    // Keys that stay are not written again.
                    if !search_keys.remove(&key) {
                        batch.remove(key);
                    }
                }
            } else {
                batch.insert(keys::owner(&profile.owner), reference.as_bytes());
            }
            for key in search_keys {
                batch.insert(key, b"");
            }
            batch.insert(keys::profile(reference), Record { commit: totals.commit, line: &line }.to_bytes());
        }
        batch
    }
}
