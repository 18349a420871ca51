//! Reports of runs.

use std::fs;
use std::time::Duration;

use serde::Serialize;
use store::{BiomeTable, FamilyTable};

use super::file_report::FileReport;
use super::{Acceptance, Changes, ContigsReport, Notes, ReplacedReport};
use crate::{Error, Result};

/// The report of a run that builds an index of proteins. It adds up: for every file, and therefore
/// in total, the rows read are those accepted, passed over and rejected.
///
/// ```
/// let file = indexer::FileReport { name: "rows.csv".to_owned(), num_read: 2, num_accepted: 2, ..Default::default() };
/// assert_eq!(file.to_string(), "rows.csv: 2 rows read, 2 accepted, 0 rejected");
/// ```
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// Rows that were read.
    pub num_read: u64,
    /// Rows that are in the index.
    pub num_accepted: u64,
    /// Rows that are in the rejects file.
    pub num_rejected: u64,
    /// Good rows that are not in the index.
    pub num_passed_over: u64,
    /// The same numbers for each input with rows.
    pub files: Vec<FileReport>,
    /// Biomes of the table, with the ancestors that it lacks.
    pub num_biomes: u64,
    /// Families of the clans table.
    pub num_families: u64,
    /// Notes on accepted rows.
    pub notes: Notes,
    /// Sentences about problems of the inputs as a whole.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The comparison of the replaced accessions with the index, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced: Option<ReplacedReport>,
    /// The contigs of the release or source, if they were indexed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contigs: Option<ContigsReport>,
    /// The duration of each stage.
    pub stages: Vec<StageReport>,
    /// The part for runs over releases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release: Option<ReleaseReport>,
}

/// The report of a load of a catalogue or a directory. It adds up: for every file, and therefore in
/// total, the rows read are those accepted and rejected; and the rows accepted are those stored,
/// replaced and left out.
#[derive(Clone, Debug, Serialize)]
pub struct LoadReport<S> {
    /// Rows that were read: resources or lines, including malformed ones. Blank lines are not
    /// counted.
    pub num_read: u64,
    /// Rows that were accepted.
    pub num_accepted: u64,
    /// Rows that are in the rejects file.
    pub num_rejected: u64,
    /// The outcome of the accepted rows.
    #[serde(flatten)]
    pub stored: S,
    /// The rows of each input.
    pub files: Vec<FileReport>,
    /// The numbers, and those of the generation that was current.
    pub changes: Changes,
    /// Sentences about suspicious properties of the inputs as a whole.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The duration of each stage.
    pub stages: Vec<StageReport>,
    /// The peak resident memory of the process until the report was written, if the system reports
    /// it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
}

/// The part of a report for runs over releases.
#[derive(Clone, Debug, Serialize)]
pub struct ReleaseReport {
    /// The form of the files: `parquet` or `flat`.
    pub layout: &'static str,
    /// The use of each file, and the effects of missing files.
    pub notes: Vec<String>,
    /// True if all proteins are indexed, and not only cluster representatives.
    pub all_proteins: bool,
    /// Tables whose rows were not in order.
    pub out_of_order: Vec<&'static str>,
    /// Key ranges that an earlier run had indexed before it was killed.
    pub num_ranges_continued: u64,
    /// Proteins in the index.
    pub num_proteins: u64,
    /// Segments of the index.
    pub num_segments: u64,
    /// The bytes of all records on disk.
    pub record_bytes: u64,
    /// The bytes of all segments on disk, records included.
    pub index_bytes: u64,
    /// The bytes of a record on disk, on average.
    pub bytes_per_record: f64,
    /// The peak resident memory of the process until the index was written, if the system reports
    /// it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
}

/// A stage of the run.
#[derive(Clone, Debug, Serialize)]
pub struct StageReport {
    /// The work that was done.
    pub name: String,
    /// The duration.
    pub duration_ms: u64,
}

impl Report {
    /// Creates the report of a run with some tables, notes and inputs with rows.
    pub fn new(
        biomes: &BiomeTable,
        families: &FamilyTable,
        notes: Notes,
        files: impl IntoIterator<Item = FileReport>,
    ) -> Result<Self> {
        let (num_biomes, num_families) = (biomes.iter().len() as u64, families.iter().count() as u64);
        let mut report = Self { num_biomes, num_families, notes, ..Self::default() };
        files.into_iter().try_for_each(|file| report.add_file(file)).map(|()| report)
    }

    /// Adds the rows of an input.
    fn add_file(&mut self, file: FileReport) -> Result<()> {
        let (rejected, passed_over) = (file.num_rejected(), file.num_passed_over());
        if file.num_read != file.num_accepted + passed_over + rejected {
            let FileReport { name, num_read, num_accepted, .. } = file;
            let problem = format!(
                "{name}: {num_read} rows read, but {num_accepted} accepted, {passed_over} passed over and {rejected} rejected"
            );
            return Err(Error::Unbalanced { problem });
        }
        self.num_read += file.num_read;
        self.num_accepted += file.num_accepted;
        self.num_rejected += rejected;
        self.num_passed_over += passed_over;
        self.files.push(file);
        Ok(())
    }
}

impl<S> LoadReport<S> {
    /// Sums up the rows, of which `num_derived` more were stored, replaced or passed over than
    /// accepted: `num_accounted` in total.
    pub fn new(
        files: Vec<FileReport>,
        stored: S,
        num_derived: u64,
        num_accounted: u64,
        stages: Vec<StageReport>,
        changes: Changes,
        acceptance: Acceptance,
    ) -> Result<Self> {
        let mut sums = Report::default();
        files.into_iter().try_for_each(|file| sums.add_file(file))?;
        let Report { num_read, num_accepted, num_rejected, files, .. } = sums;
        if num_accepted + num_derived != num_accounted {
            let num_accepted = num_accepted + num_derived;
            let problem = format!("{num_accepted} rows accepted, but {num_accounted} stored, replaced or left out");
            return Err(Error::Unbalanced { problem });
        }
        let mut warnings = inputs_without_good_row(&files);
        if !acceptance.allow_shrink {
            warnings.extend(changes.warnings());
        }
        let peak_memory_bytes = peak_memory_bytes();
        Ok(Self { num_read, num_accepted, num_rejected, stored, files, changes, warnings, stages, peak_memory_bytes })
    }
}

impl StageReport {
    /// Creates the report of a stage.
    pub fn new(name: impl Into<String>, duration: Duration) -> Self {
        Self { name: name.into(), duration_ms: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX) }
    }
}

/// Returns a sentence for each input that has no good row.
pub fn inputs_without_good_row(files: &[FileReport]) -> Vec<String> {
    let without = files.iter().filter(|file| file.num_accepted == 0);
    without.map(|file| format!("{} has no good row", file.name)).collect()
}

/// Returns the peak resident memory of the process, if the system reports it.
pub fn peak_memory_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn reports_must_add_up() {
        let file = |num_accepted| FileReport {
            name: "rows.csv".into(),
            num_read: 10,
            num_accepted,
            rejected: BTreeMap::from([("bad_row", 1), ("bad_sequence", 2)]),
            ..FileReport::default()
        };
        let mut report = Report::default();
        report.add_file(file(7)).expect("7 + 3 = 10");
        assert_eq!((report.num_read, report.num_accepted, report.num_rejected), (10, 7, 3));
        assert!(matches!(report.add_file(file(8)), Err(Error::Unbalanced { .. })));
    }

    #[test]
    fn accepted_rows_must_be_accounted_for() {
        let report = |num_accounted| {
            let file = FileReport { num_read: 9, num_accepted: 9, ..FileReport::default() };
            let changes = Changes { noun: "directory", present: None, numbers: Vec::new() };
            LoadReport::new(vec![file], (), 1, num_accounted, Vec::new(), changes, Acceptance::default())
        };
        assert_eq!(report(10).expect("9 + 1 = 10").num_accepted, 9);
        let error = report(9).expect_err("10 are not 9").to_string();
        assert!(error.starts_with("10 rows accepted, but 9 stored, replaced or left out: "), "{error}");
    }
}
