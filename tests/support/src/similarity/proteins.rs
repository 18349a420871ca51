//! Proteins among which is searched.

use crate::TestFolder;

/// The sequence that all proteins of [`data`] have.
pub const QUERY: &str = "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVKALPDAQFEVVHSLAKWKRQTLGQHDFSAGEGLYTHMKALRPDEDRLSPLHSVYVDQWDWE";

/// Makes a folder with proteins that all have [`QUERY`], and are of several lengths.
pub fn data() -> TestFolder {
    let rows = (1..=300).map(|number| row(number, &format!("{QUERY}{}", "MKVL".repeat(number as usize % 7))));
    TestFolder::of_rows(&rows.collect::<String>())
}

/// Returns the row of a protein.
pub fn row(number: u32, sequence: &str) -> String {
    format!("{number},{sequence},true,1,\"{{\"\"b\"\":[[62,1]]}}\"\n")
}

/// Returns residues that are not similar to any others.
pub fn residues(mut seed: u64, length: usize) -> String {
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        char::from(b"ACDEFGHIKLMNPQRSTVWY"[usize::try_from(seed % 20).expect("small")])
    };
    (0..length).map(|_| next()).collect()
}
