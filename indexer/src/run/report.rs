//! Reports of runs.

use std::collections::BTreeMap;
use std::time::Duration;
use std::{fmt, fs};

use serde::{Deserialize, Serialize};

use super::{Acceptance, Changes, Notes, ReplacedReport};
use crate::words::{counted, grouped, in_parentheses};
use crate::{Error, Result};

/// The most lines of rows with the same peculiarity that are named.
const LINES_NOTED_MAX: usize = 10;

/// The report of a run that builds an index of proteins. It adds up: for every file, and so in all, the rows read are those accepted,
/// passed over and rejected.
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
    /// The same for each input with rows.
    pub files: Vec<FileReport>,
    /// Biomes of the table, with the ancestors that it lacks.
    pub num_biomes: u64,
    /// Families of the clans table.
    pub num_families: u64,
    /// Peculiarities of accepted rows.
    pub notes: Notes,
    /// Sentences about what is wrong with the inputs as a whole.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The comparison of the replaced accessions with the index, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced: Option<ReplacedReport>,
    /// The duration of each stage.
    pub stages: Vec<StageReport>,
    /// The part that only runs over releases have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release: Option<ReleaseReport>,
}

/// The report of a load of a catalogue or a directory. It adds up: for every file, and so in all, the rows read are those accepted and
/// rejected; and the rows accepted are those stored, replaced and left out.
#[derive(Clone, Debug, Serialize)]
pub struct LoadReport<S> {
    /// Rows that were read: resources or lines, and what should have been some. Blank lines are not counted.
    pub num_read: u64,
    /// Rows that were accepted.
    pub num_accepted: u64,
    /// Rows that are in the rejects file.
    pub num_rejected: u64,
    /// The numbers of what the accepted rows became.
    #[serde(flatten)]
    pub stored: S,
    /// The rows of each input.
    pub files: Vec<FileReport>,
    /// The numbers beside those of the generation that was current.
    pub changes: Changes,
    /// Sentences about what is suspicious about the inputs as a whole.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The duration of each stage.
    pub stages: Vec<StageReport>,
    /// The most memory that the process has had resident until the report was written, if the system says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
}

/// The part of a report that only runs over releases have.
#[derive(Clone, Debug, Serialize)]
pub struct ReleaseReport {
    /// The form of the files: `parquet` or `flat`.
    pub layout: &'static str,
    /// Which files were used for what, and what others that are missing mean.
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
    /// The most memory that the process has had resident until the index was written, if the system says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
}

/// Why a good row is not in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PassedOver {
    /// The protein is no cluster representative.
    NoRepresentative,
    /// ProtENN names a clan in place of a family.
    Clan,
    /// The contig has no protein in the release.
    UnusedName,
    /// The model of the hit is not of Pfam.
    OtherModel,
    /// The feature is no coding sequence.
    OtherFeature,
    /// The feature codes for no protein of the run.
    NoProtein,
    /// The feature is another gene of a protein that has one already.
    OtherGene,
}

impl PassedOver {
    /// Returns the reason as summaries put it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoRepresentative => "of no representative",
            Self::Clan => "of a clan",
            Self::UnusedName => "of a contig without proteins",
            Self::OtherModel => "of a model that is not of Pfam",
            Self::OtherFeature => "of another kind than CDS",
            Self::NoProtein => "of no protein",
            Self::OtherGene => "of another gene of a protein",
        }
    }
}

/// A peculiarity of an accepted row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Noted {
    /// The description was too long, or had characters that no text has.
    MendedText,
    /// The sequence had gaps.
    Gaps,
    /// The sequence has a stop before its end.
    InnerStop,
    /// A cell has a word for nothing.
    Nothing,
    /// The name is an accession or another part of an address.
    ShadowedName,
    /// A cell is no number, date or place, as its column says.
    OtherForm,
}

/// Rows with the same peculiarity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NotedRows {
    /// Their number.
    pub num: u64,
    /// The first lines, 1-based.
    pub lines: Vec<u64>,
}

impl Noted {
    /// Returns the peculiarity as summaries put it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MendedText => "with a description that was mended",
            Self::Gaps => "with gaps, which were taken out",
            Self::InnerStop => "with a stop inside, which is kept",
            Self::Nothing => "with a word for nothing, which is read as nothing",
            Self::OtherForm => "with a cell that is no number, date or place, which is kept as a text",
            Self::ShadowedName => {
                "with a name that means something else in addresses, and is found by `name:` in queries"
            }
        }
    }
}

/// The rows of an input.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FileReport {
    /// The input.
    pub name: String,
    /// The kind of its rows, if the run has inputs of several kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// Rows that were read.
    pub num_read: u64,
    /// Rows that are in the index.
    pub num_accepted: u64,
    /// Good rows that are not in the index, by reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub passed_over: BTreeMap<PassedOver, u64>,
    /// Rows that are in the rejects file, by reason.
    pub rejected: BTreeMap<&'static str, u64>,
    /// Accepted rows that are peculiar.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub noted: BTreeMap<Noted, NotedRows>,
}

/// A stage of the run.
#[derive(Clone, Debug, Serialize)]
pub struct StageReport {
    /// The work that was done.
    pub name: String,
    /// The duration.
    pub duration_ms: u64,
}

impl FileReport {
    /// Returns the number of rejected rows.
    pub fn num_rejected(&self) -> u64 {
        self.rejected.values().sum()
    }

    /// Notes a peculiarity of a row.
    pub fn note(&mut self, noted: Noted, line: u64) {
        let NotedRows { num, lines } = self.noted.entry(noted).or_default();
        *num += 1;
        if lines.len() < LINES_NOTED_MAX {
            lines.push(line);
        }
    }

    /// Returns the number of rows that were passed over.
    pub fn num_passed_over(&self) -> u64 {
        self.passed_over.values().sum()
    }
}

impl fmt::Display for FileReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, kind, num_read, num_accepted, passed_over, rejected, noted } = self;
        let kind = kind.map(|kind| format!(" ({kind})")).unwrap_or_default();
        let reasons = in_parentheses(rejected.iter().map(|(&reason, &number)| (reason, number)));
        let rows = counted(*num_read, "row");
        let (accepted, rejected) = (grouped(*num_accepted), grouped(self.num_rejected()));
        write!(f, "{name}{kind}: {rows} read, {accepted} accepted, {rejected} rejected{reasons}")?;
        if !passed_over.is_empty() {
            let why = in_parentheses(passed_over.iter().map(|(why, &number)| (why.name(), number)));
            write!(f, ", {} passed over{why}", grouped(self.num_passed_over()))?;
        }
        for (noted, NotedRows { num, lines }) in noted {
            let lines: Vec<_> = lines.iter().map(u64::to_string).collect();
            let word = if lines.len() == 1 { "line" } else { "lines" };
            let more = if *num > lines.len() as u64 { ", …" } else { "" };
            write!(f, "; {} {} ({word} {}{more})", grouped(*num), noted.name(), lines.join(", "))?;
        }
        Ok(())
    }
}

impl Report {
    /// Adds the rows of an input.
    pub fn add_file(&mut self, file: FileReport) -> Result<()> {
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
    /// Sums up the rows, of which `num_derived` more were stored, replaced or passed over than accepted: `num_accounted` in all.
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
    /// Tells of a stage that took so long.
    pub fn new(name: impl Into<String>, duration: Duration) -> Self {
        Self { name: name.into(), duration_ms: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX) }
    }
}

/// Returns a sentence for each input that has added nothing.
pub fn inputs_without_good_row(files: &[FileReport]) -> Vec<String> {
    let without = files.iter().filter(|file| file.num_accepted == 0);
    without.map(|file| no_good_row(&file.name)).collect()
}

/// Returns the sentence about an input that has added nothing.
pub fn no_good_row(name: &str) -> String {
    format!("{name} has no good row")
}

/// Returns the most memory that the process has had resident, if the system says so.
pub fn peak_memory_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_summed_up_in_words() {
        let mut file = FileReport { name: "rows.csv".into(), num_read: 1, num_accepted: 1, ..FileReport::default() };
        assert_eq!(file.to_string(), "rows.csv: 1 row read, 1 accepted, 0 rejected");
        file.kind = Some("links");
        assert_eq!(file.to_string(), "rows.csv (links): 1 row read, 1 accepted, 0 rejected");
        file.kind = None;
        file.num_read = 9;
        file.passed_over = BTreeMap::from([(PassedOver::NoRepresentative, 4), (PassedOver::Clan, 1)]);
        file.rejected = BTreeMap::from([("bad_row", 1), ("orphan", 2)]);
        let expected = "rows.csv: 9 rows read, 1 accepted, 3 rejected (1 bad_row, 2 orphan), \
                        5 passed over (4 of no representative, 1 of a clan)";
        assert_eq!(file.to_string(), expected);
        file.passed_over.clear();
        (3..15).for_each(|line| file.note(Noted::Gaps, line));
        let expected = "rows.csv: 9 rows read, 1 accepted, 3 rejected (1 bad_row, 2 orphan); \
                        12 with gaps, which were taken out (lines 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, …)";
        assert_eq!(file.to_string(), expected);
    }

    #[test]
    fn a_report_adds_up_or_is_an_error() {
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
    fn what_was_accepted_is_accounted_for_or_it_is_an_error() {
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
