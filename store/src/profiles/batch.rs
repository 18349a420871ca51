//! Evaluating writes one after the other, each on what the ones before it leave, and making one batch of them.

use std::collections::{HashMap, HashSet};

use sled::{Batch, IVec};

use super::change::WriteResult;
use super::database::Database;
use super::limits::Limits;
use super::record::{Damaged, Record, Totals};
use super::{AttributeChange, Checked, NewProfile, Precondition, Profile, Refusal, WriteError, keys};
use crate::{Error, Owner, ProfileReference, Result};

/// What is to be written.
#[derive(Debug)]
pub(super) enum Order {
    /// A new profile. One with a schema was checked.
    Create(NewProfile, Option<Checked>),
    /// A change of a profile, if a precondition holds. Of a profile with a schema it was checked.
    Change(ProfileReference, AttributeChange, Precondition, Option<Checked>),
}

/// A profile as it is on the disk.
struct Stored {
    /// Its record.
    record: IVec,
    /// The commit that wrote it.
    commit: u64,
    /// The keys by which its owner is found.
    searches: Vec<Vec<u8>>,
}

/// A profile that is written.
struct Written {
    /// As it is on the disk, if it is not new.
    stored: Option<Stored>,
    /// As it will be.
    profile: Profile,
    /// The line of an export.
    line: Vec<u8>,
}

/// Writes that become one batch.
pub(super) struct Evaluation<'a> {
    /// What is there.
    database: &'a Database,
    /// What all must keep to.
    limits: Limits,
    /// How many snapshots may get a copy of what is changed.
    num_snapshots: usize,
    /// What was accepted so far.
    written: HashMap<ProfileReference, Written>,
    /// The owners of new profiles.
    owners: HashMap<Owner, ProfileReference>,
    /// How many writes were accepted.
    num_accepted: u64,
    /// The most bytes that the batch can have.
    size_bytes: usize,
}

impl<'a> Evaluation<'a> {
    /// Starts with what is in a database.
    pub(super) fn new(database: &'a Database, limits: Limits, num_snapshots: usize) -> Self {
        let (written, owners) = (HashMap::new(), HashMap::new());
        Self { database, limits, num_snapshots, written, owners, num_accepted: 0, size_bytes: 0 }
    }

    /// Returns how many writes were accepted.
    pub(super) fn num_accepted(&self) -> u64 {
        self.num_accepted
    }

    /// Returns the most bytes that the batch can have, copies for snapshots included.
    pub(super) fn size_bytes(&self) -> usize {
        self.size_bytes
    }

    /// Returns how many of the profiles are new.
    pub(super) fn num_created(&self) -> u64 {
        self.owners.len() as u64
    }

    /// Evaluates a write.
    pub(super) fn add(&mut self, order: Order) -> WriteResult {
        match order {
            Order::Create(profile, checked) => self.create(profile, checked.as_ref()),
            Order::Change(reference, change, precondition, checked) => {
                self.change(reference, change, &precondition, checked.as_ref())
            }
        }
    }

    /// Makes a profile.
    fn create(&mut self, profile: NewProfile, checked: Option<&Checked>) -> WriteResult {
        if let Some(reference) = self.find(&profile.owner)? {
            return Err(Refusal::Exists(reference).into());
        }
        let profile = profile.make();
        expect_checked(&profile, checked)?;
        let line = self.limits.check(0, &profile)?;
        self.owners.insert(profile.owner.clone(), profile.reference);
        Ok(self.accept(None, profile, line))
    }

    /// Changes a profile.
    fn change(
        &mut self,
        reference: ProfileReference,
        change: AttributeChange,
        precondition: &Precondition,
        checked: Option<&Checked>,
    ) -> WriteResult {
        let (profile, stored) = match self.written.get(&reference) {
            Some(written) => (written.profile.clone(), None),
            None => match self.load(reference)? {
                Some((profile, stored)) => (profile, Some(stored)),
                None => return Err(Refusal::NoProfile.into()),
            },
        };
        let num_attributes = profile.attributes.len();
        let profile = change.apply(profile, precondition)?;
        expect_checked(&profile, checked)?;
        let line = self.limits.check(num_attributes, &profile)?;
        Ok(self.accept(stored, profile, line))
    }

    /// Takes a profile into the batch. What is on the disk is given when it is taken in for the first time.
    fn accept(&mut self, stored: Option<Stored>, profile: Profile, line: Vec<u8>) -> Profile {
        self.num_accepted += 1;
        self.size_bytes += line.len() + stored.as_ref().map_or(0, |stored| stored.record.len() * self.num_snapshots);
        let accepted = profile.clone();
        match self.written.get_mut(&profile.reference) {
            Some(written) => (written.profile, written.line) = (profile, line),
            None => {
                self.written.insert(profile.reference, Written { stored, profile, line });
            }
        }
        accepted
    }

    /// Returns the profile of an owner.
    fn find(&self, owner: &Owner) -> Result<Option<ProfileReference>> {
        if let Some(reference) = self.owners.get(owner) {
            return Ok(Some(*reference));
        }
        let Some(uuid) = self.database.get(&keys::owner(owner))? else { return Ok(None) };
        let reference = keys::reference(&uuid).ok_or_else(|| Error::ProfilesDamaged {
            path: self.database.path().to_owned(),
            problem: format!("what is stored for {owner} is no reference"),
        });
        reference.map(Some)
    }

    /// Reads a profile.
    fn load(&self, reference: ProfileReference) -> Result<Option<(Profile, Stored)>> {
        let Some(record) = self.database.get(&keys::profile(reference))? else { return Ok(None) };
        let read = || {
            let Record { commit, line } = Record::read(&record)?;
            Ok((Record { commit, line }.profile()?, commit))
        };
        let (profile, commit) = read().map_err(|Damaged| Error::ProfilesDamaged {
            path: self.database.path().to_owned(),
            problem: format!("the profile {reference} is damaged"),
        })?;
        let searches = keys::searches(&profile);
        Ok(Some((profile, Stored { record, commit, searches })))
    }

    /// Makes the batch. Snapshots are given by number with the last commit that they show; each gets a copy of the profiles that it shows and
    /// that change now.
    pub(super) fn into_batch(self, totals: Totals, snapshots: &[(u64, u64)]) -> Batch {
        let mut batch = Batch::default();
        batch.insert(keys::TOTALS, totals.to_bytes());
        for (reference, Written { stored, profile, line }) in self.written {
            let mut searches: HashSet<Vec<u8>> = keys::searches(&profile).into_iter().collect();
            if let Some(Stored { record, commit, searches: before }) = stored {
                for &(snapshot, _) in snapshots.iter().filter(|&&(_, shown)| commit <= shown) {
                    batch.insert(keys::copy(snapshot, reference), record.clone());
                }
                for key in before {
                    // What stays is not written again.
                    if !searches.remove(&key) {
                        batch.remove(key);
                    }
                }
            } else {
                batch.insert(keys::owner(&profile.owner), reference.as_bytes());
            }
            for key in searches {
                batch.insert(key, b"");
            }
            batch.insert(keys::profile(reference), Record { commit: totals.commit, line: &line }.to_bytes());
        }
        batch
    }
}

/// Refuses what a profile would become if it has a schema and just this was not checked. Here is not the place to do it: it may take as long
/// as whoever wrote the schema likes, up to a bound, and all other writes would wait for it.
fn expect_checked(profile: &Profile, checked: Option<&Checked>) -> std::result::Result<(), WriteError> {
    let is_good = profile.schema.is_none() || checked.is_some_and(|checked| checked.is_for(profile));
    if is_good { Ok(()) } else { Err(WriteError::Unchecked) }
}
