//! What a run has done.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::portal::Notes;
use crate::{Error, Result};

/// The report of a run. It adds up: for every file, and so in all, the rows read are those accepted and those rejected.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// Rows that were read.
    pub num_read: u64,
    /// Rows that are in the index.
    pub num_accepted: u64,
    /// Rows that are in the rejects file.
    pub num_rejected: u64,
    /// The same for each input with rows.
    pub files: Vec<FileReport>,
    /// Biomes of the table, with the ancestors that it lacks.
    pub num_biomes: u64,
    /// Families of the clans table.
    pub num_families: u64,
    /// What is worth telling, though it is no fault.
    pub notes: Notes,
    /// How long each stage took.
    pub stages: Vec<StageReport>,
}

/// The rows of an input.
#[derive(Clone, Debug, Serialize)]
pub struct FileReport {
    /// The input.
    pub name: String,
    /// Rows that were read.
    pub num_read: u64,
    /// Rows that are in the index.
    pub num_accepted: u64,
    /// Rows that are in the rejects file, by reason.
    pub rejected: BTreeMap<&'static str, u64>,
}

/// A stage of the run.
#[derive(Clone, Debug, Serialize)]
pub struct StageReport {
    /// What was done.
    pub name: &'static str,
    /// How long it took.
    pub duration_ms: u64,
}

impl FileReport {
    /// Returns the number of rejected rows.
    pub fn num_rejected(&self) -> u64 {
        self.rejected.values().sum()
    }
}

impl Report {
    /// Takes in the rows of an input.
    ///
    /// # Errors
    ///
    /// * They do not add up.
    pub(crate) fn add_file(&mut self, file: FileReport) -> Result<()> {
        let rejected = file.num_rejected();
        if file.num_read != file.num_accepted + rejected {
            let FileReport { name, num_read: read, num_accepted: accepted, .. } = file;
            return Err(Error::Unbalanced { name, read, accepted, rejected });
        }
        self.num_read += file.num_read;
        self.num_accepted += file.num_accepted;
        self.num_rejected += rejected;
        self.files.push(file);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_adds_up_or_is_an_error() {
        let file = |num_accepted| FileReport {
            name: "rows.csv".into(),
            num_read: 10,
            num_accepted,
            rejected: BTreeMap::from([("bad_row", 1), ("bad_sequence", 2)]),
        };
        let mut report = Report::default();
        report.add_file(file(7)).expect("7 + 3 = 10");
        assert_eq!((report.num_read, report.num_accepted, report.num_rejected), (10, 7, 3));
        assert!(matches!(report.add_file(file(8)), Err(Error::Unbalanced { .. })));
    }
}
