//! Numbers in sentences.

/// Returns a number with its noun, which gets its `s` unless there is just one: `1 bad row`, `2 bad rows`.
///
/// ```
/// assert_eq!(indexer::counted(1, "bad row"), "1 bad row");
/// assert_eq!(indexer::counted(0, "bad row"), "0 bad rows");
/// ```
pub fn counted(number: u64, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{ending}")
}
