//! Keys and values that no server takes, whatever its limits.

use store::Attributes;

use super::quoted::quoted;

/// Checks keys and values.
///
/// # Errors
///
/// * A key is empty or has control characters, or a value has some other than tab, line feed and carriage return: the reason.
pub(super) fn check(attributes: &Attributes) -> Result<(), String> {
    for (key, value) in attributes.iter() {
        if key.is_empty() {
            return Err("the key of an attribute is empty".to_owned());
        }
        if key.contains(char::is_control) {
            return Err(format!("the key {} has control characters", quoted(key)));
        }
        if value.contains(|letter: char| letter.is_control() && !matches!(letter, '\t' | '\n' | '\r')) {
            return Err(format!("the value of {} has control characters", quoted(key)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(key: &str, value: &str) -> Result<(), String> {
        check(&[("first", ""), (key, value)].into_iter().collect())
    }

    #[test]
    fn keys_and_values_that_a_server_takes_are_taken() {
        for (key, value) in [("a", ""), ("centre name", "ü \t\r\n"), ("a/%2F\"", "\u{2028}\u{200b}\u{feff}")] {
            assert_eq!(checked(key, value), Ok(()), "{key:?}");
        }
    }

    #[test]
    fn empty_keys_and_control_characters_are_refused() {
        for (key, value, reason) in [
            ("", "", "the key of an attribute is empty"),
            ("a\n", "", r#"the key "a\n" has control characters"#),
            ("\u{7f}", "", r#"the key "\u{7f}" has control characters"#),
            ("a", "\u{0}", r#"the value of "a" has control characters"#),
            ("a", "x\u{1b}[2J", r#"the value of "a" has control characters"#),
            ("a", "\u{85}", r#"the value of "a" has control characters"#),
        ] {
            assert_eq!(checked(key, value), Err(reason.to_owned()), "{key:?} {value:?}");
        }
    }
}
