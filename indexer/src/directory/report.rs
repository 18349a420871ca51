//! What a load has done.

use serde::Serialize;
use store::DirectoryContents;

use crate::report::{FileReport, Report, StageReport};
use crate::{Error, Result};

/// The report of a load. It adds up: rows read are those accepted and rejected, and rows accepted are the users and domains stored and replaced.
#[derive(Clone, Debug, Default, Serialize)]
pub struct DirectoryReport {
    /// Lines that were read, without blank ones.
    pub num_read: u64,
    /// Lines that were accepted.
    pub num_accepted: u64,
    /// Lines that are in the rejects file.
    pub num_rejected: u64,
    /// Users in the generation.
    pub num_users: u64,
    /// Those of them that are locked.
    pub num_locked: u64,
    /// Domains in the generation.
    pub num_domains: u64,
    /// How many users belong to how many domains, all together.
    pub num_memberships: u64,
    /// Lines that a later one of the same user or domain replaced.
    pub num_replaced: u64,
    /// The rows of each input, of which there is one.
    pub files: Vec<FileReport>,
    /// How long each stage took.
    pub stages: Vec<StageReport>,
    /// The most memory that the process has had resident until the report was written, where the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
}

impl DirectoryReport {
    /// Makes the report of the lines of an input.
    ///
    /// # Errors
    ///
    /// * They do not add up.
    pub(super) fn of_file(file: FileReport) -> Result<Self> {
        let mut sums = Report::default();
        sums.add_file(file)?;
        let Report { num_read, num_accepted, num_rejected, files, .. } = sums;
        Ok(Self { num_read, num_accepted, num_rejected, files, ..Self::default() })
    }

    /// Adds what became of the accepted lines.
    ///
    /// # Errors
    ///
    /// * They do not add up.
    pub(super) fn account(&mut self, stored: &DirectoryContents, num_replaced: u64) -> Result<()> {
        let DirectoryContents { num_users, num_locked, num_domains, num_memberships } = *stored;
        (self.num_users, self.num_locked) = (num_users, num_locked);
        (self.num_domains, self.num_memberships) = (num_domains, num_memberships);
        self.num_replaced = num_replaced;
        let (accepted, accounted) = (self.num_accepted, num_users + num_domains + num_replaced);
        if accepted == accounted { Ok(()) } else { Err(Error::UnbalancedDirectory { accepted, accounted }) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn what_was_accepted_is_accounted_for_or_it_is_an_error() {
        let file = FileReport {
            name: "directory.jsonl".into(),
            num_read: 10,
            num_accepted: 9,
            passed_over: BTreeMap::new(),
            rejected: BTreeMap::from([("bad_reference", 1)]),
        };
        let mut report = DirectoryReport::of_file(file).expect("9 + 1 = 10");
        let stored = DirectoryContents { num_users: 5, num_locked: 1, num_domains: 2, num_memberships: 30 };
        report.account(&stored, 2).expect("5 + 2 + 2 = 9");
        assert_eq!((report.num_users, report.num_domains, report.num_memberships), (5, 2, 30));
        assert!(matches!(report.account(&stored, 1), Err(Error::UnbalancedDirectory { accepted: 9, accounted: 8 })));
    }
}
