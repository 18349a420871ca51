//! Numbers with nouns.

/// Returns a number with its noun, in the plural unless the number is 1.
///
/// ```
/// assert_eq!(indexer::counted(1, "bad row"), "1 bad row");
/// assert_eq!(indexer::counted(0, "bad row"), "0 bad rows");
/// ```
pub fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", plural_ending(number))
}

pub(crate) const fn plural_ending(number: u64) -> &'static str {
    if number == 1 { "" } else { "s" }
}

/// Returns numbers with names in parentheses, such as ` (2 bad_row, 1 orphan)`, or nothing if there are none.
pub(crate) fn in_parentheses<'a>(counts: impl IntoIterator<Item = (&'a str, u64)>) -> String {
    let counts: Vec<String> = counts.into_iter().map(|(name, number)| format!("{number} {name}")).collect();
    if counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) }
}
