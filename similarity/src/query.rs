//! Queries: a sequence, or a profile.

use serde::{Deserialize, Serialize};
use store::{FastaReader, SequenceFault, looks_like_nucleotides};

use crate::profile;

/// The most residues of a sequence, and the most positions of a profile.
pub const RESIDUES_MAX: usize = 10_000;

/// The most bytes of a profile: a position takes about 600.
const PROFILE_BYTES_MAX: usize = 8 << 20;

/// A query, in a canonical form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Query {
    /// The residues of a protein, `A` to `Z`.
    Sequence(String),
    /// The profile of a family, in HMMER's format, without name, accession and description.
    Profile {
        /// The file.
        text: String,
        /// Its number of positions.
        num_positions: usize,
    },
}

/// The kind of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueryKind {
    /// The sequence of a protein.
    Sequence,
    /// A sequence that is most likely of nucleotides, whose residues are not translated.
    Nucleotides,
    /// A profile.
    Profile,
}

/// The reason why a query is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryFault {
    /// The sequence is missing, or has another character than a residue.
    #[error(transparent)]
    Sequence(#[from] SequenceFault),
    /// It has a gap, or a stop before its end.
    #[error("invalid residue {0:?}: a query has letters, and at most one * at its end")]
    NoResidue(char),
    /// It is too long.
    #[error("the query has {length} residues or positions, and may have at most {RESIDUES_MAX}")]
    TooLong {
        /// Its length.
        length: usize,
    },
    /// There are several sequences.
    #[error("there is more than one sequence: search one at a time")]
    Several,
    /// It is not a profile.
    #[error("not a protein profile in HMMER's format 3: {0}")]
    NoProfile(String),
}

impl Query {
    /// Reads a sequence, with or without a header, and returns it with the name in its header.
    ///
    /// # Errors
    ///
    /// * The text has no sequence, or more than one.
    /// * It has other characters than letters and white space, except one `*` at its end, or more
    ///   than [`RESIDUES_MAX`].
    pub fn fasta(text: &str) -> Result<(Self, String), QueryFault> {
        let mut reader = FastaReader::new(text.as_bytes());
        // Reading from memory does not fail.
        let mut next = || reader.next_sequence().ok().flatten();
        let first = next().ok_or(SequenceFault::Empty)?;
        if next().is_some() {
            return Err(QueryFault::Several);
        }
        Ok((Self::sequence(first.sequence?)?, first.name))
    }

    /// Checks the residues of a sequence, in upper case, as [`FastaReader`] reads them.
    ///
    /// # Errors
    ///
    /// * As for [`Query::fasta`].
    pub fn sequence(mut residues: String) -> Result<Self, QueryFault> {
        if residues.ends_with('*') {
            residues.pop();
        }
        if let Some(other) = residues.chars().find(|residue| !residue.is_ascii_uppercase()) {
            return Err(QueryFault::NoResidue(other));
        }
        match residues.len() {
            0 => Err(SequenceFault::Empty.into()),
            length if length > RESIDUES_MAX => Err(QueryFault::TooLong { length }),
            _ => Ok(Self::Sequence(residues)),
        }
    }

    /// Reads a profile, and keeps the parts that a search uses.
    ///
    /// # Errors
    ///
    /// * It is not a profile of proteins in version 3 of HMMER's format, or more than one.
    /// * It has more than [`RESIDUES_MAX`] positions.
    /// * Its probabilities do not sum to 1, or its statistics are impossible for its length.
    pub fn profile(text: &str) -> Result<Self, QueryFault> {
        if text.len() > PROFILE_BYTES_MAX {
            return Err(QueryFault::NoProfile("it is too large".to_owned()));
        }
        let (text, num_positions) = profile::rewritten(text)?;
        Ok(Self::Profile { text, num_positions })
    }

    /// Returns the number of residues or positions.
    pub fn length(&self) -> usize {
        match self {
            Self::Sequence(residues) => residues.len(),
            Self::Profile { num_positions, .. } => *num_positions,
        }
    }

    /// Returns the kind of the query.
    pub fn kind(&self) -> QueryKind {
        let Self::Sequence(residues) = self else { return QueryKind::Profile };
        if looks_like_nucleotides(residues.as_bytes()) { QueryKind::Nucleotides } else { QueryKind::Sequence }
    }

    /// Returns the file that a program reads. Only the query in it is user input.
    pub(crate) fn file(&self) -> String {
        match self {
            Self::Sequence(residues) => format!(">q\n{residues}\n"),
            Self::Profile { text, .. } => text.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_are_read_with_or_without_a_header() {
        let sequence = |residues: &str| Query::Sequence(residues.to_owned());
        for (text, expected, name) in
            [("MKV", "MKV", ""), (">one of them\r\nmk v\r\n\r\nXUBZOJ*\n", "MKVXUBZOJ", "one"), (" \n>\nM", "M", "")]
        {
            assert_eq!(Query::fasta(text), Ok((sequence(expected), name.to_owned())));
        }
        let dash = QueryFault::NoResidue('-');
        for (text, fault) in [
            ("", QueryFault::Sequence(SequenceFault::Empty)),
            (">a\n", QueryFault::Sequence(SequenceFault::Empty)),
            ("*", QueryFault::Sequence(SequenceFault::Empty)),
            ("M7", QueryFault::Sequence(SequenceFault::Letter('7'))),
            ("M-K", dash.clone()),
            ("M*K", QueryFault::NoResidue('*')),
            ("M**", QueryFault::NoResidue('*')),
            (">a\nM\n>b\nM", QueryFault::Several),
            (&*"M".repeat(RESIDUES_MAX + 1), QueryFault::TooLong { length: RESIDUES_MAX + 1 }),
        ] {
            assert_eq!(Query::fasta(text), Err(fault), "{text}");
        }
        assert!(Query::fasta(&"M".repeat(RESIDUES_MAX)).is_ok());
    }

    #[test]
    fn sequences_of_nucleotides_are_recognized() {
        let kind = |text: &str| Query::fasta(text).expect("a sequence").0.kind();
        assert_eq!(kind(&"ATGC".repeat(10)), QueryKind::Nucleotides);
        assert_eq!(kind("ACGTACGTNNACGTACGTAC"), QueryKind::Nucleotides);
        assert_eq!(kind("GATTACA"), QueryKind::Sequence);
        assert_eq!(kind("MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDG"), QueryKind::Sequence);
    }
}
