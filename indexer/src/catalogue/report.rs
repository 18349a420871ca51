//! What a load has done.

use std::collections::BTreeMap;

use serde::Serialize;

use super::winners::Losers;
use crate::report::{FileReport, Report, StageReport};
use crate::{Error, Result};

/// The report of a load. It adds up: for every file, and so in all, the rows read are those accepted and rejected; and the rows accepted
/// and the resources derived are those stored, replaced, passed over in `included`, and private.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CatalogueReport {
    /// Rows that were read: resources, and what should have been some.
    pub num_read: u64,
    /// Rows that were accepted.
    pub num_accepted: u64,
    /// Rows that are in the rejects file.
    pub num_rejected: u64,
    /// Resources in the generation.
    pub num_stored: u64,
    /// The same by type.
    pub stored: BTreeMap<String, u64>,
    /// Rows that a later one of the same type and id (and version, for tools) replaced.
    pub num_replaced: u64,
    /// Rows in `included`, of resources that came otherwise too or in `included` again.
    pub num_included_passed_over: u64,
    /// Resources that are private in the end, and so neither stored nor named.
    pub num_private: u64,
    /// Resources that no input had: the root of the biomes.
    pub num_derived: u64,
    /// The rows of each input.
    pub files: Vec<FileReport>,
    /// How long each stage took.
    pub stages: Vec<StageReport>,
    /// The most memory that the process has had resident until the report was written, where the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
}

impl CatalogueReport {
    /// Makes the report of the rows of some inputs.
    ///
    /// # Errors
    ///
    /// * They do not add up.
    pub(super) fn of_files(files: Vec<FileReport>) -> Result<Self> {
        let mut sums = Report::default();
        files.into_iter().try_for_each(|file| sums.add_file(file))?;
        let Report { num_read, num_accepted, num_rejected, files, .. } = sums;
        Ok(Self { num_read, num_accepted, num_rejected, files, ..Self::default() })
    }

    /// Adds what became of the accepted rows.
    ///
    /// # Errors
    ///
    /// * They do not add up.
    pub(super) fn account(
        &mut self,
        stored: BTreeMap<String, u64>,
        losers: Losers,
        num_private: u64,
        num_derived: u64,
    ) -> Result<()> {
        self.num_stored = stored.values().sum();
        self.stored = stored;
        self.num_replaced = losers.num_replaced;
        self.num_included_passed_over = losers.num_included;
        self.num_private = num_private;
        self.num_derived = num_derived;
        let accepted = self.num_accepted + num_derived;
        let accounted = self.num_stored + losers.num_replaced + losers.num_included + num_private;
        if accepted == accounted { Ok(()) } else { Err(Error::UnbalancedCatalogue { accepted, accounted }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_accepted_is_accounted_for_or_it_is_an_error() {
        let file = FileReport {
            name: "page.json".into(),
            num_read: 10,
            num_accepted: 9,
            passed_over: BTreeMap::new(),
            rejected: BTreeMap::from([("bad_id", 1)]),
        };
        let mut report = CatalogueReport::of_files(vec![file.clone(), file]).expect("9 + 1 = 10");
        let stored = BTreeMap::from([("biomes".to_owned(), 4), ("samples".to_owned(), 10)]);
        let losers = Losers { num_replaced: 2, num_included: 1 };
        report.account(stored.clone(), losers, 2, 1).expect("14 + 2 + 1 + 2 = 18 + 1");
        assert_eq!((report.num_read, report.num_accepted, report.num_rejected, report.num_stored), (20, 18, 2, 14));
        assert!(matches!(report.account(stored, losers, 1, 1), Err(Error::UnbalancedCatalogue { .. })));
    }
}
