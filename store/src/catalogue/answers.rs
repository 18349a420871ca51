//! Answers that are kept for a while.

use std::sync::{Arc, Mutex, PoisonError};

use lru::LruCache;

use super::{Listing, Selection};

/// How much memory the answers take that are kept.
const KEPT_BYTES_MAX: usize = 64 << 20;

/// What an answer takes beside its listing and its key, about.
const ENTRY_BYTES: usize = 256;

/// The answers that were used last.
pub(super) struct Answers(Mutex<Kept>);

/// What tells selections apart: all of it as text. Unlike the selection, it keeps no compiled patterns, which would take far more room
/// than the listing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct AnswerKey(String);

impl AnswerKey {
    /// Makes the key of a selection.
    pub(super) fn new(selection: &Selection) -> Self {
        Self(format!("{selection:?}"))
    }
}

/// What is kept.
struct Kept {
    /// The answers; none is ever dropped by number.
    listings: LruCache<AnswerKey, Arc<Listing>>,
    /// How much memory they take.
    size_bytes: usize,
}

impl Default for Answers {
    fn default() -> Self {
        Self(Mutex::new(Kept { listings: LruCache::unbounded(), size_bytes: 0 }))
    }
}

impl Answers {
    /// Returns the answer of a selection, if it is kept.
    pub(super) fn get(&self, key: &AnswerKey) -> Option<Arc<Listing>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).listings.get(key).cloned()
    }

    /// Keeps an answer, in place of those that were not used for longest.
    pub(super) fn put(&self, key: AnswerKey, listing: &Arc<Listing>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.size_bytes += size_bytes(&key, listing);
        if let Some((old, listing)) = kept.listings.push(key, Arc::clone(listing)) {
            kept.size_bytes -= size_bytes(&old, &listing);
        }
        while kept.size_bytes > KEPT_BYTES_MAX {
            let Some((old, listing)) = kept.listings.pop_lru() else { break };
            kept.size_bytes -= size_bytes(&old, &listing);
        }
    }
}

/// Returns how much memory an answer takes, about.
fn size_bytes(key: &AnswerKey, listing: &Listing) -> usize {
    ENTRY_BYTES + key.0.len() + listing.size_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Bounds, Condition, Pattern};

    fn key(number: usize) -> AnswerKey {
        let conditions = vec![Condition::Identified(vec![format!("{number}"), "x".repeat(1 << 20)])];
        AnswerKey::new(&Selection { resource_type: "samples".into(), conditions, orders: Vec::new() })
    }

    #[test]
    fn what_was_not_used_goes() {
        let answers = Answers::default();
        let listing = Arc::new(Listing::none());
        for number in 0..100 {
            answers.put(key(number), &listing);
            answers.put(key(number), &listing);
            assert!(answers.get(&key(0)).is_some(), "it is used all the time");
        }
        assert!(answers.get(&key(1)).is_none() && answers.get(&key(99)).is_some());
        let kept = answers.0.lock().expect("no panic");
        assert!(kept.listings.len() > 50 && kept.size_bytes <= KEPT_BYTES_MAX && kept.size_bytes > KEPT_BYTES_MAX / 2);
        let sum: usize = kept.listings.iter().map(|(key, listing)| size_bytes(key, listing)).sum();
        assert_eq!(sum, kept.size_bytes);
    }

    #[test]
    fn keys_are_equal_where_selections_are() {
        let pattern = |text| Pattern::parse(text).expect("valid");
        let metadata = |value: &str, min| Condition::Metadata {
            key: None,
            value: Some(value.into()),
            bounds: Bounds { min, max: None },
        };
        let conditions = [
            vec![],
            vec![Condition::Lineage("a\", \"b".into())],
            vec![Condition::Identified(vec!["a".into(), "b".into()])],
            vec![Condition::Identified(vec!["a\", \"b".into()])],
            vec![Condition::LineagePattern(pattern("a"))],
            vec![Condition::LineagePattern(pattern("A"))],
            vec![metadata("1", Some(0.1))],
            vec![metadata("1", Some(0.1 + f64::EPSILON))],
            vec![metadata("1", None)],
            vec![Condition::Text("a".into()), Condition::Text("b".into())],
            vec![Condition::AnyOf(vec![Condition::Text("a".into()), Condition::Text("b".into())])],
        ];
        let selections =
            conditions.map(|conditions| Selection { resource_type: "x".into(), conditions, orders: Vec::new() });
        for left in &selections {
            for right in &selections {
                assert_eq!(left == right, AnswerKey::new(left) == AnswerKey::new(right), "{left:?} {right:?}");
            }
        }
    }
}
