//! Large numbers for people.

/// Returns a number with a comma between each three digits.
///
/// ```
/// assert_eq!([0, 999, 1_000, 1_234_567].map(store::grouped), ["0", "999", "1,000", "1,234,567"]);
/// ```
pub fn grouped(number: u64) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", grouped(number / 1000), number % 1000) }
}
