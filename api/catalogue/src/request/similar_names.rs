//! Advice for those who ask for an unknown name.

use std::borrow::Borrow;

use super::query::bracketed;

/// Returns the end of a message about an unknown name: similar names, and all possible ones.
pub(crate) fn advice<S: Borrow<str>>(name: &str, possible: &[S]) -> String {
    let name = bracketed(name).unwrap_or_else(|| name.replace('-', "_").into());
    format!(".{} Choose from: {}.", did_you_mean(possible.iter().map(S::borrow), &name), possible.join(", "))
}

/// Returns a question with the names that are similar to an unknown one, or nothing.
pub(crate) fn did_you_mean<'a>(known: impl Iterator<Item = &'a str>, name: &str) -> String {
    let similar = store::near_names(known, name);
    if similar.is_empty() { String::new() } else { format!(" Did you mean {}?", similar.join(" or ")) }
}
