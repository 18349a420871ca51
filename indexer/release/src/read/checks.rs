//! Checks of values, for every format.

use indexer::run::{Reason, Rejection};
use store::{PfamAccession, ProteinAccession};

use super::batch::Fault;

pub(super) use indexer::values::{finite, of_release, position, quoted, whole};

const ACCESSION_BYTES_MAX: usize = 1000;

const CONTIG_NAME_BYTES_MAX: usize = 60_000;

pub(super) fn protein(number: u64) -> Result<u64, Rejection> {
    let bad = |error| Rejection::new(Reason::BadAccession, format!("{number}: {error}"));
    ProteinAccession::new(number).map_err(bad).and_then(of_release).map(ProteinAccession::number)
}

pub(super) fn protein_text(text: &str) -> Result<u64, Rejection> {
    let bad = |error| Rejection::new(Reason::BadAccession, format!("{}: {error}", quoted(text)));
    text.parse().map_err(bad).and_then(of_release).map(ProteinAccession::number)
}

/// Checks the number of a contig's accession, whose range is that of proteins.
pub(super) fn contig(number: u64) -> Result<u64, Rejection> {
    let bad = |_| Rejection::new(Reason::BadPlace, format!("contig {number} is not between 1 and 10^12"));
    ProteinAccession::new(number).map(ProteinAccession::number).map_err(bad)
}

/// Parses a contig's accession, with or without `MGYC`.
pub(super) fn contig_text(text: &str) -> Result<u64, Rejection> {
    let digits = match text.get(..4) {
        Some(prefix) if prefix.eq_ignore_ascii_case("MGYC") => &text[4..],
        _ => text,
    };
    let bad = || Rejection::new(Reason::BadPlace, format!("{} is not a contig", quoted(text)));
    contig(whole(digits).ok_or_else(bad)?)
}

pub(super) fn assembly(accession: &str) -> Result<&str, Rejection> {
    if accession.is_empty() {
        return Err(Rejection::new(Reason::BadPlace, "the assembly is missing"));
    }
    short_accession("assembly", accession)
}

pub(super) fn study(accession: &str) -> Result<&str, Rejection> {
    short_accession("study", accession)
}

fn short_accession<'a>(what: &str, accession: &'a str) -> Result<&'a str, Rejection> {
    if accession.len() <= ACCESSION_BYTES_MAX {
        Ok(accession)
    } else {
        Err(Rejection::new(Reason::BadPlace, format!("{what} {} is too long", quoted(accession))))
    }
}

pub(super) fn contig_name(name: &str) -> Result<&str, Rejection> {
    if name.len() <= CONTIG_NAME_BYTES_MAX {
        Ok(name)
    } else {
        Err(Rejection::new(Reason::BadPlace, format!("the name of the contig has {} bytes", name.len())))
    }
}

pub(super) fn family(number: u64) -> Result<u64, Rejection> {
    if number > 0 { Ok(number) } else { Err(Rejection::new(Reason::BadFamily, "family 0")) }
}

/// Parses a family with or without `PF`.
pub(super) fn family_text(text: &str) -> Result<u64, Fault> {
    if let Ok(PfamAccession(number)) = text.parse() {
        return Ok(number);
    }
    let is_clan = text.get(..2).is_some_and(|prefix| prefix.eq_ignore_ascii_case("CL")) && whole(&text[2..]).is_some();
    match whole(text) {
        _ if is_clan => Err(Fault::Clan),
        Some(number) => Ok(family(number)?),
        None => {
            Err(Rejection::new(Reason::BadFamily, format!("{} is neither a family nor a clan", quoted(text))).into())
        }
    }
}

/// Parses completeness from a description such as `FL=1 CR=0`, or `PL=10` (the code of partial
/// genes) of the oldest releases.
pub(super) fn completeness(description: &str) -> Result<Option<bool>, Rejection> {
    let mut from_partial_code = None;
    for (key, value) in description.split_ascii_whitespace().filter_map(|field| field.split_once('=')) {
        match (key, value) {
            ("FL", "1") => return Ok(Some(true)),
            ("FL", "0") => return Ok(Some(false)),
            ("PL", "00") => from_partial_code = Some(true),
            ("PL", "01" | "10" | "11") => from_partial_code = Some(false),
            ("FL" | "PL", _) => return Err(bad_completeness(value)),
            _ => {}
        }
    }
    Ok(from_partial_code)
}

/// Parses completeness from a cell that may be a description or a truth value.
pub(super) fn completeness_cell(text: &str) -> Result<Option<bool>, Rejection> {
    if text.contains('=') {
        return completeness(text);
    }
    match text {
        "" => Ok(None),
        "1" => Ok(Some(true)),
        "0" => Ok(Some(false)),
        _ if text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("t") => Ok(Some(true)),
        _ if text.eq_ignore_ascii_case("false") || text.eq_ignore_ascii_case("f") => Ok(Some(false)),
        _ => Err(bad_completeness(text)),
    }
}

#[cold]
fn bad_completeness(text: &str) -> Rejection {
    Rejection::new(Reason::BadFullLength, format!("{} is neither true nor false", quoted(text)))
}

/// Splits a list of accessions at semicolons, commas or white space.
pub(super) fn members(text: &str) -> impl Iterator<Item = &str> {
    text.split([';', ',', ' ', '\t']).filter(|member| !member.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_of_all_releases_are_read() {
        for (text, expected) in [
            ("FL=1 CR=0", Some(Some(true))),
            ("CR=1 FL=0", Some(Some(false))),
            ("PL=00 UP=0 BIOMES=0000000011000 LEN=188 CR=0", Some(Some(true))),
            ("PL=10", Some(Some(false))),
            ("PL=10 FL=1", Some(Some(true))),
            ("CR=1", Some(None)),
            ("", Some(None)),
            ("FL=2", None),
            ("PL=1", None),
        ] {
            assert_eq!(completeness(text).ok(), expected, "{text}");
        }
    }

    #[test]
    fn annotations_are_families_or_clans() {
        for text in ["PF02566", "2566"] {
            assert!(matches!(family_text(text), Ok(2566)), "{text}");
        }
        assert!(matches!(family_text("CL0193"), Err(Fault::Clan)));
        for text in ["", "0", "PF", "PF00000", "CL", "CLX", "+5", "-5", "é"] {
            let is_bad = |fault: &_| matches!(fault, Fault::Rejected(bad) if bad.reason == Reason::BadFamily);
            assert!(family_text(text).is_err_and(|fault| is_bad(&fault)), "{text}");
        }
    }

    #[test]
    fn contigs_are_in_range() {
        assert_eq!(contig_text("MGYC000564781877"), Ok(564_781_877));
        assert_eq!(contig_text("mgyc7"), Ok(7));
        assert_eq!(contig_text("7"), Ok(7));
        for text in ["", "MGYC", "0", "MGYP000000000001", "1000000000000", "+1", "99999999999999999999"] {
            assert_eq!(contig_text(text).map_err(|rejection| rejection.reason), Err(Reason::BadPlace), "{text}");
        }
    }
}
