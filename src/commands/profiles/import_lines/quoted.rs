//! Keys in messages.

/// The most characters of a key that are told.
const CHARS_MAX: usize = 100;

/// Returns a key in quotes, with escapes for what would disturb a terminal, and cut if it is long.
pub(super) fn quoted(key: &str) -> String {
    match key.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => format!("{:?}…", &key[..end]),
        None => format!("{key:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_keys_are_cut_and_control_characters_escaped() {
        assert_eq!(quoted("a\u{1b}\""), r#""a\u{1b}\"""#);
        let longest = "ü".repeat(CHARS_MAX);
        assert_eq!(quoted(&longest), format!("\"{longest}\""));
        assert_eq!(quoted(&(longest.clone() + "x")), format!("\"{longest}\"…"));
    }
}
