//! Numbers with nouns.

use store::grouped;

/// Returns a number with its noun, in the plural unless the number is 1.
///
/// ```
/// assert_eq!(indexer::counted(1, "bad row"), "1 bad row");
/// assert_eq!(indexer::counted(35_167, "bad row"), "35,167 bad rows");
/// ```
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), plural_ending(number))
}

/// Returns a number with the name of a type of resources, which is plural, such as `3 studies`, or
/// `1 study`.
///
/// ```
/// assert_eq!(indexer::counted_type(1, "studies"), "1 study");
/// assert_eq!(indexer::counted_type(1, "analyses"), "1 analysis");
/// assert_eq!(indexer::counted_type(1, "biomes"), "1 biome");
/// assert_eq!(indexer::counted_type(2, "cogs"), "2 cogs");
/// ```
pub fn counted_type(number: u64, plural: &str) -> String {
    let ends = [("ies", "y"), ("yses", "ysis"), ("s", "")];
    let ended = ends.iter().find_map(|(end, one)| Some(format!("{}{one}", plural.strip_suffix(end)?)));
    let name = if number == 1 { ended } else { None };
    format!("{} {}", grouped(number), name.as_deref().unwrap_or(plural))
}

const fn plural_ending(number: u64) -> &'static str {
    if number == 1 { "" } else { "s" }
}

/// Returns numbers with names in parentheses, such as ` (2 bad_row, 1 orphan)`, or nothing if there
/// are none.
pub(crate) fn in_parentheses<'a>(counts: impl IntoIterator<Item = (&'a str, u64)>) -> String {
    let counts: Vec<String> = counts.into_iter().map(|(name, number)| format!("{} {name}", grouped(number))).collect();
    if counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) }
}
