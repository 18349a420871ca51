//! Reading and checking a whole store.

use store::Result;

use super::opening::OpenedStore;
use crate::database::Database;
use crate::record::{Damaged, Record, Totals};
use crate::{Profile, keys};

/// Checks all records, owners and search entries against each other, and returns the number of
/// profiles.
///
/// Each profile has its own owner entry and search entries. So if the counts agree, no entry is
/// superfluous.
pub(crate) fn verify(store: &OpenedStore) -> Result<u64> {
    let OpenedStore { database, totals, folder } = store;
    let mut num_profiles = 0;
    let mut num_searches = 0;
    database.walk(keys::PROFILE, |key, record| {
        let profile = read(totals, key, record).map_err(|Damaged| folder.damaged_profile(key))?;
        let reference = profile.reference;
        if database.get(&keys::owner(&profile.owner))?.as_deref() != Some(reference.as_bytes()) {
            return Err(folder
                .damaged(format!("the profile {reference} is not the one recorded for its owner {}", profile.owner)));
        }
        for search in keys::searches(&profile) {
            if database.get(&search)?.is_none() {
                return Err(folder.damaged(format!("{} cannot be found by an attribute", profile.owner)));
            }
            num_searches += 1;
        }
        num_profiles += 1;
        Ok(())
    })?;
    let num_owners = count(database, keys::USER)? + count(database, keys::DOMAIN)?;
    let counts = [
        ("profiles", num_profiles, totals.num_profiles),
        ("owners", num_owners, num_profiles),
        ("search entries", count(database, keys::SEARCH)?, num_searches),
    ];
    match counts.into_iter().find(|(_, found, expected)| found != expected) {
        Some((what, found, expected)) => Err(folder.damaged(format!("it has {found} {what} instead of {expected}"))),
        None => Ok(num_profiles),
    }
}

/// Reads a profile, and checks it against its key and the last commit.
fn read(totals: &Totals, key: &[u8], record: &[u8]) -> std::result::Result<Profile, Damaged> {
    let record = Record::read(record)?;
    let profile = record.profile()?;
    let is_right = record.commit <= totals.commit && keys::profile_of(key) == Some(profile.reference);
    if is_right { Ok(profile) } else { Err(Damaged) }
}

fn count(database: &Database, prefix: &[u8]) -> Result<u64> {
    let mut num_entries = 0;
    database.walk(prefix, |_, _| {
        num_entries += 1;
        Ok(())
    })?;
    Ok(num_entries)
}
