//! The second half of a load: the facts of the lines that count are stored, in order.

use indexer::run::{Progress, StageReport, Unit};
use indexer::sort::SortedEntries;
use indexer::{Error, Result};
use store_profiles::{DirectoryBuilder, DirectoryEntry, DirectoryGeneration};

use super::key::{Fact, IS_LOCKED, IS_MANAGER, IS_MEMBER, Subject};

pub(super) struct Written {
    /// Lines that later ones replaced.
    pub(super) num_replaced: u64,
    /// Users that the present directory locks.
    pub(super) num_locked_before: u64,
    pub(super) stage: StageReport,
}

/// Passes the facts of the last line of each user and of each domain, with its members, to the
/// builder.
pub(super) fn write(
    mut facts: SortedEntries<Box<[u8]>>,
    num_facts: u64,
    builder: &mut DirectoryBuilder,
    present: Option<&DirectoryGeneration>,
) -> Result<Written> {
    let progress = Progress::start("writing", Unit::Facts, num_facts);
    let mut writer = Writer { builder, present, line_of_domain: 0, num_replaced: 0, num_locked_before: 0 };
    let mut payload = Vec::new();
    let mut num_taken = 0;
    let mut group: Option<Group> = None;
    while let Some((key, fact)) = facts.next_value::<Fact>(&mut payload)? {
        match &mut group {
            Some(group) if group.key == key => group.num_replaced += u64::from(group.fact.add(fact)),
            _ => {
                let next = Group { key, fact, num_replaced: 0 };
                group.replace(next).map_or(Ok(()), |group| writer.add(&group))?;
            }
        }
        num_taken += 1;
        progress.set(num_taken);
    }
    group.map_or(Ok(()), |group| writer.add(&group))?;
    let Writer { num_replaced, num_locked_before, .. } = writer;
    Ok(Written { num_replaced, num_locked_before, stage: StageReport::new("writing", progress.finish()) })
}

/// All facts about one subject, combined.
struct Group {
    key: Box<[u8]>,
    /// The fact from the last line of the subject.
    fact: Fact,
    /// The number of earlier lines with the same subject.
    num_replaced: u64,
}

struct Writer<'a> {
    builder: &'a mut DirectoryBuilder,
    present: Option<&'a DirectoryGeneration>,
    /// The last line of the domain whose users follow.
    line_of_domain: u64,
    /// Users and domains that a later line replaced.
    num_replaced: u64,
    num_locked_before: u64,
}

impl Writer<'_> {
    fn add(&mut self, &Group { ref key, fact: Fact { line, flags }, num_replaced }: &Group) -> Result<()> {
        let entry = match Subject::from_key(key).ok_or(Error::CorruptSpill)? {
            Subject::User(user) => {
                self.num_replaced += num_replaced;
                self.num_locked_before += u64::from(self.present.is_some_and(|present| present.is_locked(user)));
                DirectoryEntry::User(user, flags & IS_LOCKED != 0)
            }
            Subject::Domain(domain) => {
                self.num_replaced += num_replaced;
                DirectoryEntry::Domain(domain)
            }
            Subject::UsersOf(_) => {
                self.line_of_domain = line;
                return Ok(());
            }
            // A later line of the domain replaced the one that named this user.
            Subject::UserOf(..) if line != self.line_of_domain => return Ok(()),
            Subject::UserOf(domain, user) => {
                DirectoryEntry::Membership(domain, user, flags & IS_MEMBER != 0, flags & IS_MANAGER != 0)
            }
        };
        Ok(self.builder.add(&entry)?)
    }
}
