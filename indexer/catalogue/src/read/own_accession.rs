//! Accessions of one's own samples and studies, which no public accession can equal.

use indexer::run::{Reason, Rejection};
use store_catalogue::model::FORMAT_SUFFIXES;

const BYTES_MAX: usize = 100;

/// The beginnings of accessions of the archives and of `MGnify`; digits follow. `?` is any letter.
const PUBLIC: [&str; 9] = ["MGY?", "ER?", "SR?", "DR?", "SAME?", "SAMN", "SAMD", "PRJ??", "GC?_"];

/// Checks that an accession can be part of an address, and that no public resource has it or could
/// get it.
pub(super) fn checked_accession(accession: &str) -> Result<&str, Rejection> {
    let bad = |problem: &str| Err(Rejection::new(Reason::BadAccession, format!("{accession:?} {problem}")));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    if accession.is_empty() || accession.len() > BYTES_MAX || !accession.bytes().all(is_plain) {
        return bad("is not 1 to 100 letters, digits, dots, dashes and underscores");
    }
    if !accession.starts_with(|first: char| first.is_ascii_alphanumeric()) {
        return bad("begins with neither a letter nor a digit");
    }
    if !accession.contains(|character: char| character.is_ascii_alphabetic()) {
        return bad("has no letter: numbers stand for public studies");
    }
    if PUBLIC.iter().any(|form| is_of_form(accession, form)) {
        return bad("has the form of a public accession");
    }
    if FORMAT_SUFFIXES.iter().any(|suffix| accession.rsplit_once('.').is_some_and(|(_, last)| last == *suffix)) {
        return bad("ends like the address of a format");
    }
    Ok(accession)
}

fn is_of_form(accession: &str, form: &str) -> bool {
    let (Some(start), Some(rest)) = (accession.get(..form.len()), accession.get(form.len()..)) else { return false };
    let is_alike = |(found, expected): (char, char)| match expected {
        '?' => found.is_ascii_alphabetic(),
        _ => found.eq_ignore_ascii_case(&expected),
    };
    // Assemblies have versions.
    let mut rest = rest.bytes();
    start.chars().zip(form.chars()).all(is_alike)
        && rest.next().is_some_and(|first| first.is_ascii_digit())
        && rest.all(|byte| byte.is_ascii_digit() || byte == b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_and_unsafe_accessions_are_rejected() {
        for accession in ["soilA_1", "S1", "2026.soil-7", "ERSoil1", "ERS", "ERS12x", "MGYS_1", "lake.v1", "SAMPLE1"] {
            assert_eq!(checked_accession(accession), Ok(accession));
        }
        let long = "a".repeat(101);
        for accession in [
            "",
            &long,
            "257",
            "a b",
            "a/b",
            "a,b",
            "-a",
            "\u{e9}",
            "ERS1474505",
            "ers1",
            "SAMEA27292918",
            "SAMN1",
            "MGYS00000257",
            "PRJEB17696",
            "GCA_000001405.15",
            "SRR1",
            "DRZ1",
            "a.json",
            "a.ndjson",
        ] {
            assert_eq!(checked_accession(accession).expect_err(accession).reason, Reason::BadAccession, "{accession}");
        }
    }
}
