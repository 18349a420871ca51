//! Numbers in sentences.

/// Returns a number with its noun, which gets its `s` unless there is just one: `1 bad row`, `2 bad rows`.
///
/// ```
/// assert_eq!(indexer::counted(1, "bad row"), "1 bad row");
/// assert_eq!(indexer::counted(0, "bad row"), "0 bad rows");
/// ```
pub fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", plural_ending(number))
}

/// Returns what is added to a noun behind a number.
pub(crate) const fn plural_ending(number: u64) -> &'static str {
    if number == 1 { "" } else { "s" }
}

/// Returns numbers with their names in parentheses, or nothing where there are none: ` (2 bad_row, 1 orphan)`.
pub(crate) fn in_parentheses<'a>(counts: impl IntoIterator<Item = (&'a str, u64)>) -> String {
    let counts: Vec<String> = counts.into_iter().map(|(name, number)| format!("{number} {name}")).collect();
    if counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) }
}
