//! The checks of values that rows of the portal and releases of every format share.

use store::{ProteinAccession, Record};

use crate::lines::LINE_BYTES_MAX;
use crate::run::{Reason, Rejection};
use crate::{Error, Result};

const SEQUENCE_BYTES_MAX: usize = LINE_BYTES_MAX;

/// Returns the accession with a number that was checked when it was read.
pub(crate) fn accession(number: u64) -> Result<ProteinAccession> {
    ProteinAccession::new(number).map_err(|_| Error::Internal("the number of an accession is out of range"))
}

pub(crate) fn cluster_size(size: u64) -> Result<u64, Rejection> {
    match size {
        0 => Err(Rejection::new(Reason::BadClusterSize, "0: a cluster has one protein at least")),
        1..=Record::CLUSTER_SIZE_MAX => Ok(size),
        _ => Err(Rejection::new(Reason::BadClusterSize, format!("{size} is too large"))),
    }
}

pub(crate) fn biome_count(count: u64) -> Result<u64, Rejection> {
    if count > 0 { Ok(count) } else { Err(Rejection::new(Reason::BadNumber, "the count of a biome is 0")) }
}

/// Checks the sequence of a protein, whose accession a rejection names.
pub(crate) fn sequence(protein: u64, residues: &[u8]) -> Result<&[u8], Rejection> {
    let is_short = residues.len() <= SEQUENCE_BYTES_MAX;
    if is_short && Record::is_sequence(residues) { Ok(residues) } else { Err(bad_sequence(protein, residues)) }
}

#[cold]
fn bad_sequence(protein: u64, residues: &[u8]) -> Rejection {
    let bad = residues.iter().position(|&byte| !Record::is_sequence(&[byte]));
    let (reason, detail) = if residues.len() > SEQUENCE_BYTES_MAX {
        (Reason::TooLong, format!("the sequence has {} residues", residues.len()))
    } else if let Some(index) = bad {
        let letters = String::from_utf8_lossy(&residues[index..residues.len().min(index + 4)]);
        let letter = letters.chars().next().unwrap_or_default();
        (Reason::BadSequence, format!("{letter:?} at position {}", index + 1))
    } else {
        (Reason::BadSequence, "the sequence is empty".to_owned())
    };
    Rejection::new(reason, detail).with_protein(protein)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bad_letter_of_a_sequence_is_shown_with_the_accession() {
        assert_eq!(sequence(7, b"MKV*"), Ok(&b"MKV*"[..]));
        for (text, detail) in [
            (&b"MkV"[..], "MGYP000000000007: 'k' at position 2"),
            ("MKé".as_bytes(), "MGYP000000000007: 'é' at position 3"),
            (b"", "MGYP000000000007: the sequence is empty"),
        ] {
            assert_eq!(sequence(7, text).expect_err("bad").detail, detail);
        }
        let long = vec![b'M'; SEQUENCE_BYTES_MAX + 1];
        assert_eq!(sequence(7, &long).expect_err("long").reason, Reason::TooLong);
        assert!(sequence(7, &long[1..]).is_ok());
    }

    #[test]
    fn a_cluster_has_a_protein_and_a_biome_a_count() {
        assert_eq!((cluster_size(1), biome_count(1)), (Ok(1), Ok(1)));
        let reasons = [cluster_size(0), cluster_size(u64::MAX), biome_count(0)].map(|bad| bad.expect_err("bad").reason);
        assert_eq!(reasons, [Reason::BadClusterSize, Reason::BadClusterSize, Reason::BadNumber]);
    }
}
