//! The report of an input: rows read, accepted, passed over and rejected.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use store::grouped;

use crate::words::{counted, in_parentheses};

/// The most lines of rows with the same note that are listed.
const LINES_NOTED_MAX: usize = 10;

/// The reason why a good row is not in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PassedOver {
    /// The protein is not a cluster representative.
    NoRepresentative,
    /// ProtENN names a clan instead of a family.
    Clan,
    /// The contig has no protein in the release.
    UnusedName,
    /// The model of the hit is not from Pfam.
    OtherModel,
    /// The feature is not a coding sequence.
    OtherFeature,
    /// The feature does not code for a protein of the run.
    NoProtein,
    /// The feature is another gene of a protein that already has one.
    OtherGene,
}

impl PassedOver {
    /// Returns the reason as summaries name it.
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

/// An unusual property of an accepted row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Noted {
    /// The description was too long, or had characters that are not allowed in texts.
    #[serde(rename = "mended_text")]
    FixedText,
    /// The sequence had gaps.
    Gaps,
    /// The sequence has a stop before its end.
    InnerStop,
    /// A cell has a placeholder for a missing value.
    Nothing,
    /// The name is an accession or another part of an address.
    ShadowedName,
    /// A cell is not a number, date or place as its column requires.
    OtherForm,
}

/// Rows with the same note.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NotedRows {
    /// Their number.
    pub num: u64,
    /// The first lines, 1-based.
    pub lines: Vec<u64>,
}

impl Noted {
    /// Returns the note as summaries name it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FixedText => "with a description that was fixed",
            Self::Gaps => "with gaps, which were removed",
            Self::InnerStop => "with a stop inside, which is kept",
            Self::Nothing => "with a word for a missing value, which is read as missing",
            Self::OtherForm => "with a cell that is not a number, date or place, which is kept as text",
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
    /// Accepted rows with notes.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub noted: BTreeMap<Noted, NotedRows>,
}

impl FileReport {
    /// Returns the number of rejected rows.
    pub fn num_rejected(&self) -> u64 {
        self.rejected.values().sum()
    }

    /// Adds a note about a row.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_reports_are_sentences() {
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
                        12 with gaps, which were removed (lines 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, …)";
        assert_eq!(file.to_string(), expected);
    }
}
