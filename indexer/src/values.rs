//! The checks of values that rows of the portal and of releases in every format share.

use std::borrow::Cow;

use store::ProteinAccession;
use store_proteins::Record;

use crate::lines::{LINE_BYTES_MAX, Line};
use crate::run::{Reason, Rejection};
use crate::{Error, Result};

const SEQUENCE_BYTES_MAX: usize = LINE_BYTES_MAX;

const SHOWN_CHARS: usize = 60;

/// The problem of an accession that a release must not have.
pub const OWN_ACCESSIONS: &str = "from MGYP900000000000 on, accessions are for own data";

/// Returns the accession with a number that was checked when it was read.
pub fn accession(number: u64) -> Result<ProteinAccession> {
    ProteinAccession::new(number).map_err(|_| Error::Internal("the number of an accession is out of range"))
}

/// Checks that an accession is not reserved for own data.
pub fn of_release(accession: ProteinAccession) -> Result<ProteinAccession, Rejection> {
    let is_own = || Rejection::new(Reason::BadAccession, format!("{accession}: {OWN_ACCESSIONS}"));
    if accession.is_own() { Err(is_own()) } else { Ok(accession) }
}

/// Checks the number of proteins in a cluster.
pub fn cluster_size(size: u64) -> Result<u64, Rejection> {
    match size {
        0 => Err(Rejection::new(Reason::BadClusterSize, "0: a cluster has at least one protein")),
        1..=Record::CLUSTER_SIZE_MAX => Ok(size),
        _ => Err(Rejection::new(Reason::BadClusterSize, format!("{size} is too large"))),
    }
}

/// Checks the number of occurrences of a protein in a biome.
pub fn biome_count(count: u64) -> Result<u64, Rejection> {
    if count > 0 { Ok(count) } else { Err(Rejection::new(Reason::BadNumber, "the count of a biome is 0")) }
}

/// Checks the sequence of a protein, whose accession is named in rejections.
pub fn sequence(protein: u64, residues: &[u8]) -> Result<&[u8], Rejection> {
    self::residues(residues).map_err(|bad| bad.with_protein(protein))
}

/// Checks the sequence of a protein.
pub fn residues(residues: &[u8]) -> Result<&[u8], Rejection> {
    let is_short = residues.len() <= SEQUENCE_BYTES_MAX;
    if is_short && Record::is_sequence(residues) { Ok(residues) } else { Err(bad_residues(residues)) }
}

#[cold]
fn bad_residues(residues: &[u8]) -> Rejection {
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
    Rejection::new(reason, detail)
}

/// Returns a bad value in quotes, shortened if it is long.
#[cold]
pub fn quoted(value: &str) -> String {
    let shown: String = value.chars().take(SHOWN_CHARS).collect();
    if shown.len() < value.len() { format!("{shown:?}…") } else { format!("{shown:?}") }
}

/// Parses a number without a sign.
pub fn whole(text: &str) -> Option<u64> {
    // The standard library would also accept a plus sign.
    text.starts_with(|first: char| first.is_ascii_digit()).then(|| text.parse().ok())?
}

/// Checks a coordinate.
pub fn position(name: &str, value: u64) -> Result<u32, Rejection> {
    u32::try_from(value).map_err(|_| Rejection::new(Reason::BadNumber, format!("{name} {value} is too large")))
}

/// Checks a score or an E-value.
pub fn finite(name: &str, value: f64) -> Result<f64, Rejection> {
    if value.is_finite() { Ok(value) } else { Err(Rejection::new(Reason::BadNumber, format!("{name} is {value}"))) }
}

/// Returns a cell without the quotes that R and spreadsheets put around it, and with doubled quotes
/// inside reduced to one.
pub fn unquoted(cell: &str) -> Cow<'_, str> {
    match cell.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        // A text that only begins and ends with quoted words is not in quotes itself.
        Some(within) if !within.replace("\"\"", "").contains('"') => within.replace("\"\"", "\"").into(),
        _ => cell.into(),
    }
}

/// Reads `true`, `false` (PostgreSQL prints `t` and `f`, others 1 and 0), or nothing.
pub fn full_length(text: &str) -> Result<Option<bool>, Rejection> {
    match text.to_ascii_lowercase().as_str() {
        "" => Ok(None),
        "true" | "t" | "1" => Ok(Some(true)),
        "false" | "f" | "0" => Ok(Some(false)),
        _ => Err(Rejection::new(Reason::BadFullLength, format!("{text:?} is neither true nor false nor empty"))),
    }
}

/// Returns the text of a line.
pub fn line(line: Line<'_>) -> Result<&str, Rejection> {
    if line.is_cut {
        return Err(Rejection::new(Reason::TooLong, format!("longer than {LINE_BYTES_MAX} bytes")));
    }
    utf8(line.bytes)
}

/// Returns the text of a row.
pub fn utf8(bytes: &[u8]) -> Result<&str, Rejection> {
    std::str::from_utf8(bytes).map_err(|error| Rejection::new(Reason::BadRow, format!("not UTF-8 text: {error}")))
}

/// Checks a text of own data, such as the name of a contig.
pub fn text<'a>(name: &str, text: &'a str, bytes_max: usize) -> Result<&'a str, Rejection> {
    let problem = if text.len() > bytes_max {
        format!("has {} bytes, more than {bytes_max}", text.len())
    } else if text.contains(store_proteins::is_control) {
        "has control characters".to_owned()
    } else {
        return Ok(text);
    };
    Err(Rejection::new(Reason::BadText, format!("{name} {} {problem}", quoted(text))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_residues_are_shown_with_the_accession() {
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
    fn cluster_sizes_and_biome_counts_are_positive() {
        assert_eq!((cluster_size(1), biome_count(1)), (Ok(1), Ok(1)));
        let reasons = [cluster_size(0), cluster_size(u64::MAX), biome_count(0)].map(|bad| bad.expect_err("bad").reason);
        assert_eq!(reasons, [Reason::BadClusterSize, Reason::BadClusterSize, Reason::BadNumber]);
    }
}
