//! Reasons of rejected rows, and the line of a rejects file for each row.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use store::ProteinAccession;

/// The number of bytes of the text of a rejected row that are listed.
const EXCERPT_BYTES: usize = 80;

/// The reason why a row was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Reason {
    /// The row or document is longer than the limit.
    TooLong,
    /// The row has the wrong number of columns, or is not UTF-8.
    BadRow,
    /// The accession is malformed.
    BadAccession,
    /// The sequence is empty or has letters other than `A` to `Z`, `*` and `-`.
    BadSequence,
    /// `full_length` is neither true nor false nor empty.
    BadFullLength,
    /// The cluster size is not a number of at least 1.
    BadClusterSize,
    /// A count or a position is negative.
    NegativeCount,
    /// The metadata are not JSON of the known form.
    UnreadableMetadata,
    /// A biome id is not in the biome table.
    UnknownBiome,
    /// A lineage has an empty level, or too many levels.
    BadLineage,
    /// The document of version 2 is not an object.
    BadDocument,
    /// A date is not a day of the calendar.
    BadDate,
    /// A number is missing, malformed or out of range.
    BadNumber,
    /// A family is neither a Pfam accession nor a clan.
    BadFamily,
    /// A locus on a contig is malformed.
    BadPlace,
    /// The name of a protein is empty, too long, or has a `/` or control characters.
    BadName,
    /// A text is too long, or has control characters.
    BadText,
    /// The accession occurred before.
    DuplicateAccession,
    /// The name of the protein occurred before.
    DuplicateName,
    /// The same annotation of the same protein occurred before.
    DuplicateAnnotation,
    /// A cluster representative has no sequence in the release.
    MissingSequence,
    /// The annotated protein does not exist in the release.
    Orphan,
    /// No protein has the name.
    UnknownName,
    /// The chain of a replaced accession leads into a cycle.
    ReplacementCycle,
    /// The text is not JSON.
    UnreadableJson,
    /// The JSON is neither a resource nor a document of resources.
    NotAResource,
    /// The document holds errors of the service instead of resources.
    ErrorDocument,
    /// The type of a resource is not a string, is empty, or has control characters.
    BadType,
    /// The id of a resource is neither a string nor an integer, is empty, or has control
    /// characters.
    BadId,
    /// The attributes are not an object.
    BadAttributes,
    /// The relationships are not of the form of JSON:API.
    BadRelationships,
    /// The links are not of the form of JSON:API.
    BadLinks,
    /// The member `@origin` is not in the form that exports have.
    BadOrigin,
    /// The partial resource has neither relationships nor attributes.
    NothingToMerge,
    /// The JSON is not an object, so that it is neither a user nor a domain.
    NotAnObject,
    /// A reference is missing or malformed.
    BadReference,
    /// A field has the wrong type, or occurs twice.
    BadField,
}

impl Reason {
    /// Returns the name in reports and in the rejects file.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns whether `--max-rejects` counts such rows. A cycle of replacements, or an annotation
    /// of a protein that was withdrawn, is an error of the data as a whole, which is reported and
    /// dropped.
    pub const fn counts_towards_limit(self) -> bool {
        !matches!(self, Self::ReplacementCycle | Self::Orphan)
    }
}

/// The error of a row: a reason by which it is counted, and details for fixing it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The reason, by which it is counted.
    pub reason: Reason,
    /// Details for fixing it.
    pub detail: String,
}

impl Rejection {
    /// Creates a rejection.
    pub fn new(reason: Reason, detail: impl Into<String>) -> Self {
        Self { reason, detail: detail.into() }
    }

    /// Adds the protein of the row to the details.
    #[must_use]
    pub fn with_protein(self, number: u64) -> Self {
        let accession = ProteinAccession::new(number).map_or_else(|_| number.to_string(), |known| known.to_string());
        Self { detail: format!("{accession}: {}", self.detail), ..self }
    }

    /// Adds the line, 1-based, and the start of the text.
    pub fn at_row(self, line: u64, text: &[u8]) -> RejectedRow {
        RejectedRow { line, rejection: self, excerpt: excerpt(text).to_vec() }
    }
}

/// A rejected row.
#[derive(Clone, Debug)]
pub struct RejectedRow {
    /// 1-based.
    pub line: u64,
    /// The reason and the details.
    pub rejection: Rejection,
    /// The start of the text.
    pub excerpt: Vec<u8>,
}

impl RejectedRow {
    /// Writes the first line of a rejects file.
    pub fn write_header(writer: &mut impl Write) -> io::Result<()> {
        writeln!(writer, "file\tline\treason\tdetail\ttext")
    }

    /// Writes the line of a rejects file for this row of an input.
    pub fn write(&self, writer: &mut impl Write, input: &str) -> io::Result<()> {
        let Self { line, rejection: Rejection { reason, detail }, excerpt } = self;
        let text = String::from_utf8_lossy(excerpt);
        let [input, reason, detail, text] = [input, reason.name(), detail, &text].map(one_line);
        writeln!(writer, "{input}\t{line}\t{reason}\t{detail}\t{text}")
    }
}

/// The position of a row, to be reported if the row is rejected later.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RowOrigin {
    /// The input, by position.
    pub file: usize,
    /// 1-based.
    pub line: u64,
    /// The start of the row's text.
    #[serde(with = "serde_bytes")]
    pub excerpt: Vec<u8>,
}

/// Returns the start of the text of a row, as the rejects file shows it.
pub fn excerpt(row: &[u8]) -> &[u8] {
    &row[..row.len().min(EXCERPT_BYTES)]
}

/// Returns a text that fits into one cell of a TSV file: control characters become their escapes.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for letter in text.chars() {
        if store_proteins::is_control(letter) { line.extend(letter.escape_default()) } else { line.push(letter) }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_no_line_breaks() {
        assert_eq!(one_line("a\tb\r\n\u{1b}[31m é"), "a\\tb\\r\\n\\u{1b}[31m é");
    }

    #[test]
    fn names_of_reasons_match_their_serialization() {
        let reason = Reason::NotAResource;
        assert_eq!(serde_json::to_value(reason).expect("a string"), reason.name());
    }
}
