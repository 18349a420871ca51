//! Words for missing values.

/// The words of R, Python and databases, and those that archives require for missing values.
const MISSING: [&str; 14] = [
    "-",
    "na",
    "n/a",
    "nan",
    "none",
    "null",
    "missing",
    "not applicable",
    "not available",
    "not collected",
    "not provided",
    "not recorded",
    "restricted access",
    "<na>",
];

/// Returns whether a text means a missing value: it is blank, or one of the words `NA`, `nan`,
/// `None`, `NULL` and the like, in any letter case, or one of INSDC's terms for missing values,
/// such as `not collected` or `missing: control sample`.
pub fn is_missing_value(text: &str) -> bool {
    let text = text.trim().to_ascii_lowercase();
    let has_reason = |term| text.strip_prefix(term).is_some_and(|rest: &str| rest.starts_with(": "));
    text.is_empty() || MISSING.contains(&&*text) || ["missing", "not available"].into_iter().any(has_reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_missing_values_are_recognized() {
        for text in [
            "",
            " \r",
            "NA",
            "n/a",
            "NaN",
            "Not Collected",
            "missing: control sample",
            "not available: to be reported later",
        ] {
            assert!(is_missing_value(text), "{text}");
        }
        for text in ["0", "nothing", "Namibia", "missing link", "none of these"] {
            assert!(!is_missing_value(text), "{text}");
        }
    }
}
