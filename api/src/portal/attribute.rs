//! Attributes of resources, and their names for people.

/// An attribute on the page of a resource.
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) value: String,
    /// Where the value leads: it is an address, or the name of a resource.
    pub(super) href: Option<String>,
}

/// Returns the name of an attribute in words: `Sample alias` for `sample-alias`.
pub(super) fn in_words(name: &str) -> String {
    capitalized(&name.replace(['-', '_'], " "))
}

pub(super) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
