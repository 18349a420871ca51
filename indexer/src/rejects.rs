//! Bad rows: counted by file and reason, listed in a file, and too many of them end the run.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// The rejects file of a generation.
pub(crate) const REJECTS: &str = "rejects.tsv";

/// Where the rejects file is kept when the run fails because of them.
pub(crate) const REJECTS_OF_FAILED_RUN: &str = "rejects-of-last-failed-run.tsv";

/// How much of the raw text of a rejected row is kept.
const EXCERPT_BYTES: usize = 80;

/// Why a row was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The row or document is longer than the limit.
    TooLong,
    /// The row has not as many columns as it should, or is no text.
    BadRow,
    /// The accession is none.
    BadAccession,
    /// The sequence is empty or has letters other than `A` to `Z`, `*` and `-`.
    BadSequence,
    /// `full_length` is neither true nor false nor empty.
    BadFullLength,
    /// The cluster size is no number.
    BadClusterSize,
    /// A count or a position is negative.
    NegativeCount,
    /// The metadata are no JSON of the known form.
    UnreadableMetadata,
    /// A biome id is not in the biome table.
    UnknownBiome,
    /// A lineage has an empty level, or too many.
    BadLineage,
    /// A number is missing, is none, or is out of range.
    BadNumber,
    /// A family is neither a Pfam accession nor a clan.
    BadFamily,
    /// A place on a contig is not of the known form.
    BadPlace,
    /// The accession was there before.
    DuplicateAccession,
    /// The same annotation of the same protein was there before.
    DuplicateAnnotation,
    /// A cluster representative has no sequence in the release.
    MissingSequence,
    /// An annotation of an accession that does not exist in the release.
    Orphan,
    /// A replaced accession leads in a circle.
    ReplacementCycle,
    /// The text is no JSON.
    UnreadableJson,
    /// The JSON is neither a resource nor a document of resources.
    NotAResource,
    /// The document holds errors of the service instead of resources.
    ErrorDocument,
    /// The type of a resource is no text, is empty, or has control characters.
    BadType,
    /// The same of its id.
    BadId,
    /// The attributes are no object.
    BadAttributes,
    /// The relationships are not of the form of JSON:API.
    BadRelationships,
    /// The same of links.
    BadLinks,
    /// The JSON is no object, and so neither a user nor a domain.
    NotAnObject,
    /// A reference is missing, or is not of its form.
    BadReference,
    /// A field is of another kind than it should be, or stands twice.
    BadField,
}

impl Reason {
    /// Returns the name in reports and in the rejects file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TooLong => "too_long",
            Self::BadRow => "bad_row",
            Self::BadAccession => "bad_accession",
            Self::BadSequence => "bad_sequence",
            Self::BadFullLength => "bad_full_length",
            Self::BadClusterSize => "bad_cluster_size",
            Self::NegativeCount => "negative_count",
            Self::UnreadableMetadata => "unreadable_metadata",
            Self::UnknownBiome => "unknown_biome",
            Self::BadLineage => "bad_lineage",
            Self::BadNumber => "bad_number",
            Self::BadFamily => "bad_family",
            Self::BadPlace => "bad_place",
            Self::DuplicateAccession => "duplicate_accession",
            Self::DuplicateAnnotation => "duplicate_annotation",
            Self::MissingSequence => "missing_sequence",
            Self::Orphan => "orphan",
            Self::ReplacementCycle => "replacement_cycle",
            Self::UnreadableJson => "unreadable_json",
            Self::NotAResource => "not_a_resource",
            Self::ErrorDocument => "error_document",
            Self::BadType => "bad_type",
            Self::BadId => "bad_id",
            Self::BadAttributes => "bad_attributes",
            Self::BadRelationships => "bad_relationships",
            Self::BadLinks => "bad_links",
            Self::NotAnObject => "not_an_object",
            Self::BadReference => "bad_reference",
            Self::BadField => "bad_field",
        }
    }

    /// Tells whether `--max-rejects` counts such rows. A circle of replacements, or an annotation of a protein that was withdrawn,
    /// is a fault of the data as a whole, which is reported and dropped.
    pub(crate) const fn counts_towards_limit(self) -> bool {
        !matches!(self, Self::ReplacementCycle | Self::Orphan)
    }
}

/// What is wrong with a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rejection {
    /// The reason, for counting.
    pub(crate) reason: Reason,
    /// The details, for whoever mends the row.
    pub(crate) detail: String,
}

impl Rejection {
    /// Makes a rejection.
    pub(crate) fn new(reason: Reason, detail: impl Into<String>) -> Self {
        Self { reason, detail: detail.into() }
    }
}

/// A rejected row.
#[derive(Clone, Debug)]
pub(crate) struct RejectedRow {
    /// The line, 1-based.
    pub(crate) line: u64,
    /// What is wrong with it.
    pub(crate) rejection: Rejection,
    /// The start of the raw text.
    pub(crate) excerpt: Vec<u8>,
}

/// The rejected rows of an input.
struct RejectedOfFile {
    /// The name of the input.
    name: String,
    /// How many rows were rejected, by reason.
    by_reason: BTreeMap<&'static str, u64>,
}

/// Returns the start of the raw text of a row, for its place in the rejects file.
pub(crate) fn excerpt(row: &[u8]) -> &[u8] {
    &row[..row.len().min(EXCERPT_BYTES)]
}

/// The rejects file of a run, and how many rows stand in it.
pub(crate) struct Rejects {
    /// The folder of the generations.
    generations: PathBuf,
    /// The rejects file.
    path: PathBuf,
    /// Writes the file.
    writer: BufWriter<File>,
    /// How many bad rows are allowed.
    limit: u64,
    /// How many rows count towards the limit.
    num_towards_limit: u64,
    /// File, line and reason of the first row that counts.
    first: Option<String>,
    /// The inputs.
    files: Vec<RejectedOfFile>,
}

impl Rejects {
    /// Starts the rejects file of some inputs, by name, in the folder of the new generation.
    pub(crate) fn create(generations: &Path, draft: &Path, names: Vec<String>, limit: u64) -> Result<Self> {
        let path = draft.join(REJECTS);
        let file = File::create(&path).map_err(Error::io("cannot create", &path))?;
        let mut writer = BufWriter::new(file);
        write_header(&mut writer).map_err(Error::io("cannot write", &path))?;
        let generations = generations.to_owned();
        let files = names.into_iter().map(|name| RejectedOfFile { name, by_reason: BTreeMap::new() }).collect();
        Ok(Self { generations, path, writer, limit, num_towards_limit: 0, first: None, files })
    }

    /// Lists a rejected row of an input, by position.
    ///
    /// # Errors
    ///
    /// * It is one too many.
    /// * The file cannot be written.
    pub(crate) fn add(&mut self, file: usize, row: &RejectedRow) -> Result<()> {
        let RejectedOfFile { name, by_reason } = &mut self.files[file];
        let RejectedRow { line, rejection: Rejection { reason, detail }, .. } = row;
        write_row(&mut self.writer, name, row).map_err(Error::io("cannot write", &self.path))?;
        *by_reason.entry(reason.name()).or_default() += 1;
        if reason.counts_towards_limit() {
            self.num_towards_limit += 1;
            self.first.get_or_insert_with(|| format!("{name}, line {line}: {} ({detail})", reason.name()));
        }
        if self.num_towards_limit > self.limit { Err(self.too_many()) } else { Ok(()) }
    }

    /// Returns the name of an input.
    pub(crate) fn name(&self, file: usize) -> &str {
        &self.files[file].name
    }

    /// Returns how many rows of an input were rejected, by reason.
    pub(crate) fn counts(&self, file: usize) -> BTreeMap<&'static str, u64> {
        self.files[file].by_reason.clone()
    }

    /// Puts the rejects file where it outlasts a run that fails for another reason, and returns where that is.
    ///
    /// # Errors
    ///
    /// * It cannot be written.
    pub(crate) fn keep(&mut self) -> Result<PathBuf> {
        let rejects_file = self.generations.join(REJECTS_OF_FAILED_RUN);
        let kept = self.writer.flush().and_then(|()| fs::rename(&self.path, &rejects_file));
        kept.map(|()| rejects_file.clone()).map_err(Error::io("cannot keep", &rejects_file))
    }

    /// Returns the error of a run that has accepted nothing, and keeps the list of what is wrong.
    ///
    /// # Errors
    ///
    /// * The list cannot be kept.
    pub(crate) fn nothing_accepted(&mut self, num_rejected: u64) -> Result<Error> {
        let Some(first) = self.first.clone() else { return Ok(Error::NothingToLoad) };
        Ok(Error::NothingAccepted { num_rejected, first, rejects_file: self.keep()? })
    }

    /// Writes what is still in memory.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.writer.flush().map_err(Error::io("cannot write", &self.path))
    }

    /// Puts the rejects file where it outlasts the failed run, and returns the error that ends it.
    fn too_many(&mut self) -> Error {
        let rejects_file = match self.keep() {
            Ok(rejects_file) => rejects_file,
            Err(error) => return error,
        };
        Error::TooManyRejects {
            num_rejected: self.num_towards_limit,
            max_rejects: self.limit,
            first: self.first.clone().unwrap_or_default(),
            rejects_file,
        }
    }
}

/// Writes the first line of a rejects file.
pub(crate) fn write_header(writer: &mut impl Write) -> io::Result<()> {
    writeln!(writer, "file\tline\treason\tdetail\ttext")
}

/// Writes the line of a rejected row of an input.
pub(crate) fn write_row(writer: &mut impl Write, name: &str, row: &RejectedRow) -> io::Result<()> {
    let RejectedRow { line, rejection: Rejection { reason, detail }, excerpt } = row;
    let text = String::from_utf8_lossy(excerpt);
    let cells = [name, reason.name(), detail, &text].map(one_line);
    writeln!(writer, "{}\t{line}\t{}\t{}\t{}", cells[0], cells[1], cells[2], cells[3])
}

/// Returns a text that stands in one cell of a TSV file: control characters become their escapes.
pub(crate) fn one_line(text: &str) -> String {
    text.chars()
        .flat_map(|letter| {
            let escape = letter.is_control().then(|| letter.escape_default());
            let plain = if letter.is_control() { None } else { Some(letter) };
            escape.into_iter().flatten().chain(plain)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stay_on_their_line() {
        assert_eq!(one_line("a\tb\r\n\u{1b}[31m é"), "a\\tb\\r\\n\\u{1b}[31m é");
    }

    #[test]
    fn circles_do_not_count_towards_the_limit() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let draft = folder.path().join("building");
        fs::create_dir(&draft).expect("new");
        let mut rejects = Rejects::create(folder.path(), &draft, vec!["a".into(), "b".into()], 1).expect("writable");
        let row =
            |line, reason| RejectedRow { line, rejection: Rejection::new(reason, "why"), excerpt: b"text".to_vec() };
        rejects.add(0, &row(3, Reason::ReplacementCycle)).expect("does not count");
        rejects.add(1, &row(5, Reason::BadSequence)).expect("one is allowed");
        let error = rejects.add(1, &row(7, Reason::BadAccession)).expect_err("one too many").to_string();
        assert!(error.contains("b, line 5: bad_sequence (why)"), "{error}");
        let listed = fs::read_to_string(folder.path().join(REJECTS_OF_FAILED_RUN)).expect("kept");
        assert_eq!(listed.lines().count(), 4);
        assert_eq!(rejects.counts(1), BTreeMap::from([("bad_accession", 1), ("bad_sequence", 1)]));
    }
}
