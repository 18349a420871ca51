//! Protein accessions.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The accession of a metagenomic protein, such as `MGYP000261684433`.
///
/// Holds the number, which is in `1..10^12`. [`fmt::Display`] writes the canonical form: `MGYP` and
/// the number, zero-padded to 12 digits.
///
/// # Examples
///
/// ```
/// use store::ProteinAccession;
///
/// let accession: ProteinAccession = "mgyp261684433".parse()?;
/// assert_eq!(accession.to_string(), "MGYP000261684433");
/// assert_eq!("261684433".parse(), Ok(accession));
/// # Ok::<(), store::AccessionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ProteinAccession(u64);

/// The quotes that may surround an accession in a list.
const MARKS: [char; 3] = ['"', '\'', '`'];

/// Accessions have at most 12 significant digits.
const NUMBER_END: u64 = 1_000_000_000_000;

/// The lowest accession of own data.
const FIRST_OWN: ProteinAccession = ProteinAccession(900_000_000_000);

/// The error for a text or number that is not a protein accession.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a protein accession: expected MGYP and 1 to 12 significant digits")]
pub struct AccessionError;

impl ProteinAccession {
    /// The lowest accession.
    pub const MIN: Self = Self(1);

    /// The highest accession.
    pub const MAX: Self = Self(NUMBER_END - 1);

    /// Creates an accession from its number.
    ///
    /// # Errors
    ///
    /// * `number` is 0 or has more than 12 digits.
    #[inline]
    pub fn new(number: u64) -> Result<Self, AccessionError> {
        if Self::is_number(number) { Ok(Self(number)) } else { Err(AccessionError) }
    }

    /// Reads an accession as tools write it, of a part of the protein, or of a version or file of
    /// it: `MGYP000000000012/1-58`, `MGYP000000000012.1`, `MGYP000000000012.pdb.gz`.
    ///
    /// # Errors
    ///
    /// * The text is not an accession.
    pub fn parse_as_written(text: &str) -> Result<Self, AccessionError> {
        text.parse().or_else(|_| {
            let (name, part) = text.split_once(['/', ':']).map_or((text, None), |(name, part)| (name, Some(part)));
            let (accession, suffix) = name.split_once('.').map_or((name, None), |(name, rest)| (name, Some(rest)));
            let is_all = |text: &str, is: fn(&u8) -> bool| !text.is_empty() && text.bytes().all(|byte| is(&byte));
            let is_part = |part: &str| {
                let digits = |text| is_all(text, u8::is_ascii_digit);
                part.split_once('-').is_some_and(|(from, to)| digits(from) && digits(to))
            };
            let is_suffix = |suffix: &str| suffix.split('.').all(|word| is_all(word, u8::is_ascii_alphanumeric));
            let has_prefix = accession.get(..4).is_some_and(|prefix| prefix.eq_ignore_ascii_case("MGYP"));
            if has_prefix && part.is_none_or(is_part) && suffix.is_none_or(is_suffix) {
                accession.parse()
            } else {
                Err(AccessionError)
            }
        })
    }

    /// Returns the accessions and names of a text, as people keep them: separated by white space,
    /// commas or semicolons, in quotes or after a `>`. A row with tabs gives its first cell, or all
    /// of its cells if these are accessions.
    pub fn listed(text: &str) -> impl Iterator<Item = &str> {
        text.trim_start_matches('\u{feff}').split(['\n', '\r']).flat_map(|line| {
            let is_accession = |cell: &str| Self::parse_as_written(cell.trim_matches(MARKS)).is_ok();
            let is_table = line.contains('\t')
                && !line.split('\t').map(str::trim).all(|cell| cell.is_empty() || is_accession(cell));
            let first = line.trim().split('\t').next().filter(|_| is_table);
            let words =
                first.unwrap_or(line).split(|letter: char| letter.is_whitespace() || [',', ';'].contains(&letter));
            words.map(|word| word.trim_start_matches('>').trim_matches(MARKS)).filter(|word| !word.is_empty())
        })
    }

    /// Returns whether a protein can have the number.
    pub const fn is_number(number: u64) -> bool {
        0 < number && number < NUMBER_END
    }

    /// Returns the accession with the number. The caller checks the number with
    /// [`ProteinAccession::is_number`].
    pub const fn of_number(number: u64) -> Self {
        Self(number)
    }

    /// Returns whether this is an accession of own data, from `MGYP900000000000` on. A release has
    /// none of these.
    pub fn is_own(self) -> bool {
        self >= FIRST_OWN
    }

    /// Returns the accessions that own data may have.
    pub fn of_own() -> RangeInclusive<Self> {
        FIRST_OWN..=Self::MAX
    }

    /// Returns the accessions that a release may have.
    pub fn of_releases() -> RangeInclusive<Self> {
        Self::MIN..=Self::of_number(FIRST_OWN.number() - 1)
    }

    /// Returns the next accession, unless this is the highest.
    pub fn next(self) -> Option<Self> {
        Self::new(self.0 + 1).ok()
    }

    /// Returns the number.
    pub const fn number(self) -> u64 {
        self.0
    }

    /// Returns the canonical form, which is ASCII.
    #[inline]
    pub fn to_ascii(self) -> [u8; 16] {
        let mut text = [0; 16];
        self.write_ascii(&mut text);
        text
    }

    /// Writes the canonical form to the beginning of a text, which is faster than copying it there.
    ///
    /// # Panics
    ///
    /// * The text has less than 16 bytes.
    #[inline]
    pub fn write_ascii(self, text: &mut [u8]) {
        let (prefix, digits) = text[..16].split_at_mut(4);
        prefix.copy_from_slice(b"MGYP");
        // Both halves are computed at the same time.
        let halves = [self.0 / 1_000_000, self.0 % 1_000_000];
        for (digits, mut rest) in digits.chunks_exact_mut(6).zip(halves) {
            for pair in digits.rchunks_exact_mut(2) {
                pair.copy_from_slice(&DIGIT_PAIRS[(rest % 100) as usize]);
                rest /= 100;
            }
        }
    }
}

/// The decimal digits of the numbers below 100.
const DIGIT_PAIRS: [[u8; 2]; 100] = {
    let (mut pairs, mut number) = ([[b'0'; 2]; 100], 0);
    while number < 100 {
        pairs[number as usize] = [b'0' + number / 10, b'0' + number % 10];
        number += 1;
    }
    pairs
};

impl fmt::Display for ProteinAccession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.to_ascii()).map_err(|_| fmt::Error)?)
    }
}

/// Accepts the canonical form, any letter case, unpadded numbers and bare numbers.
impl FromStr for ProteinAccession {
    type Err = AccessionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = match text.split_at_checked(4) {
            Some((prefix, digits)) if prefix.eq_ignore_ascii_case("MGYP") => digits,
            _ => text,
        };
        // A number may also begin with a plus sign.
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(AccessionError);
        }
        digits.parse().map_err(|_| AccessionError).and_then(Self::new)
    }
}

serde_as_text!(ProteinAccession, AccessionError);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_tolerated_form() {
        for text in ["MGYP000000000012", "mgyp000000000012", "MgYp12", "12", "0000000000000000012"] {
            let accession: ProteinAccession = text.parse().expect(text);
            assert_eq!(accession.to_string(), "MGYP000000000012", "{text}");
        }
        let widest: ProteinAccession = "999999999999".parse().expect("12 digits");
        assert_eq!(widest.to_string(), "MGYP999999999999");
    }

    #[test]
    fn accessions_written_by_tools_are_read() {
        for text in [
            "MGYP000000000012",
            "12",
            "mgyp12/1-58",
            "MGYP12.1",
            "MGYP000000000012.pdb.gz",
            "MGYP12.1/3-4",
            "MGYP12:5-6",
        ] {
            assert_eq!(ProteinAccession::parse_as_written(text), ProteinAccession::new(12), "{text}");
        }
        for text in [
            "12.0",
            "12/1-2",
            "MGYP12/",
            "MGYP12/1",
            "MGYP12.",
            "MGYP12..gz",
            "MGYP12/1-x",
            "MGYP12.é",
            "soil:12",
            "MGYP",
        ] {
            assert_eq!(ProteinAccession::parse_as_written(text), Err(AccessionError), "{text}");
        }
    }

    #[test]
    fn lists_have_any_usual_separator() {
        for (text, expected) in [
            ("MGYP1\nMGYP2\n", "MGYP1 MGYP2"),
            ("\u{feff}MGYP1\r\n\r\n  MGYP2  \r\n", "MGYP1 MGYP2"),
            ("MGYP1, MGYP2;MGYP3,,", "MGYP1 MGYP2 MGYP3"),
            ("MGYP1\t0.98\t\nMGYP2\t\n\tMGYP3", "MGYP1 MGYP2 MGYP3"),
            ("MGYP1\tMGYP2\t3", "MGYP1 MGYP2 3"),
            ("\"MGYP1\",\"MGYP2\"\n'NODE_1'\n>MGYP3", "MGYP1 MGYP2 NODE_1 MGYP3"),
            ("NODE_1 soil:NODE_2\rsp|P1|A_B\n\n", "NODE_1 soil:NODE_2 sp|P1|A_B"),
            ("\t \n , ;\n\"\"", ""),
        ] {
            assert_eq!(ProteinAccession::listed(text).collect::<Vec<_>>().join(" "), expected, "{text:?}");
        }
    }

    #[test]
    fn other_texts_are_rejected() {
        for text in [
            "",
            "MGYP",
            "0",
            "MGYP000000000000",
            "1000000000000",
            "99999999999999999999999",
            "+12",
            "-12",
            " 12",
            "12 ",
            "MGYC000000000012",
            "12.0",
            "１２",
            "ΜGYP12",
        ] {
            assert_eq!(text.parse::<ProteinAccession>(), Err(AccessionError), "{text}");
        }
    }
}
