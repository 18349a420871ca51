//! Hits of a search, and their alignments.

use serde::{Deserialize, Serialize};
use store::ProteinAccession;

/// A protein that is similar to the query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// The protein.
    pub accession: ProteinAccession,
    /// The expected number of proteins that score as well by chance, among as many as were
    /// searched.
    pub evalue: f64,
    /// The score of the whole sequence in bits.
    pub score: f64,
    /// The correction of the score for a biased composition, in bits.
    pub bias: f64,
    /// The number of residues of the protein.
    pub length: u64,
    /// The parts that align with the query, by their positions; empty if no single one is
    /// significant.
    pub domains: Vec<Domain>,
}

/// A part of a protein that aligns with the query. Positions are 1-based and inclusive.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Domain {
    /// The expectation value of the part as if it were the only one (independent E-value).
    pub ievalue: f64,
    /// The expectation value of the part given that the protein is a hit (conditional E-value).
    pub cevalue: f64,
    /// The score in bits.
    pub score: f64,
    /// The correction of the score for a biased composition, in bits.
    pub bias: f64,
    /// The first position of the query.
    pub query_from: u64,
    /// The last position of the query.
    pub query_to: u64,
    /// The first residue of the protein.
    pub from: u64,
    /// The last residue of the protein.
    pub to: u64,
    /// The first residue of the envelope, in which the part most likely lies.
    pub envelope_from: u64,
    /// The last residue of the envelope.
    pub envelope_to: u64,
    /// The mean probability of the aligned residues, 0 to 1.
    pub accuracy: f64,
    /// The row of the query in the alignment: lower case, and `.` where the protein has additional
    /// residues.
    pub query: String,
    /// The row between the others: the letter where both are the same, `+` where they are similar.
    #[serde(rename = "match")]
    pub middle: String,
    /// The row of the protein: upper case, lower case where it has additional residues, and `-`
    /// where it has fewer.
    pub target: String,
    /// The probability of each column, in tenths: `0` to `9`, `*`, and `.` where the protein has no
    /// residue.
    pub posterior: String,
}

/// Columns of an alignment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// All columns.
    pub num: usize,
    /// Those with the same residue in both rows.
    pub num_identical: usize,
    /// Those with different residues.
    pub num_mismatches: usize,
    /// Neighbouring columns without a residue of the same row, counted as one.
    pub num_gaps: usize,
}

impl Domain {
    /// Counts the columns of the alignment.
    pub fn columns(&self) -> Columns {
        let mut columns = Columns::default();
        let mut previous = None;
        for (query, target) in self.query.bytes().zip(self.target.bytes()) {
            columns.num += 1;
            let gap = match (query, target) {
                (b'.', _) => Some(true),
                (_, b'-') => Some(false),
                _ => None,
            };
            if gap.is_none() {
                let is_identical = query.eq_ignore_ascii_case(&target);
                *(if is_identical { &mut columns.num_identical } else { &mut columns.num_mismatches }) += 1;
            } else if gap != previous {
                columns.num_gaps += 1;
            }
            previous = gap;
        }
        columns
    }

    /// Returns the share of identical residues in all columns, 0 to 1.
    pub fn identity(&self) -> f64 {
        let Columns { num, num_identical, .. } = self.columns();
        #[expect(clippy::cast_precision_loss, reason = "alignments are short")]
        let identity = num_identical as f64 / num.max(1) as f64;
        identity
    }

    /// Returns the row of the protein in A3M: a column for each of `query_length` positions of the
    /// query, `-` where the protein has no residue, and its additional residues in lower case in
    /// between. A stop becomes the letter for any residue: A3M has no stops, and the case of a stop
    /// would not show whether it is an additional residue.
    pub fn a3m_row(&self, query_length: usize) -> String {
        let gaps = |num: u64| "-".repeat(usize::try_from(num).unwrap_or(0));
        let after = (query_length as u64).saturating_sub(self.query_to);
        let residue = |(query, target)| match (query, target) {
            ('.', '*') => 'x',
            (_, '*') => 'X',
            _ => target,
        };
        let aligned: String = self.query.chars().zip(self.target.chars()).map(residue).collect();
        gaps(self.query_from.saturating_sub(1)) + &aligned + &gaps(after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_alignments_are_counted() {
        let domain = Domain {
            ievalue: 0.0,
            cevalue: 0.0,
            score: 0.0,
            bias: 0.0,
            query_from: 3,
            query_to: 9,
            from: 1,
            to: 8,
            envelope_from: 1,
            envelope_to: 8,
            accuracy: 1.0,
            query: "mkv..lawk".to_owned(),
            middle: "mk   la k".to_owned(),
            target: "MKIggLA-K".to_owned(),
            posterior: "99988765.".to_owned(),
        };
        let expected = Columns { num: 9, num_identical: 5, num_mismatches: 1, num_gaps: 2 };
        assert_eq!(domain.columns(), expected);
        assert_eq!(domain.a3m_row(12), "--MKIggLA-K---");
        let stops = Domain { target: "M*I*gLA-K".to_owned(), ..domain };
        assert_eq!(stops.a3m_row(12), "--MXIxgLA-K---");
    }
}
