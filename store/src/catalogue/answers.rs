//! The answers that are kept.

use std::sync::{Arc, Mutex, PoisonError};

use lru::LruCache;

use super::{Listing, Selection};

const KEPT_BYTES_MAX: usize = 64 << 20;

/// The approximate overhead of an answer, beside its listing and its key.
const ENTRY_BYTES: usize = 256;

/// The most recently used answers, of any number.
pub(super) struct Answers(Mutex<Kept>);

struct Kept {
    /// By the text of the selection, which keeps no compiled patterns: they would take far more memory than the listing.
    listings: LruCache<String, Arc<Listing>>,
    size_bytes: usize,
}

impl Default for Answers {
    fn default() -> Self {
        Self(Mutex::new(Kept { listings: LruCache::unbounded(), size_bytes: 0 }))
    }
}

impl Answers {
    pub(super) fn get(&self, key: &str) -> Option<Arc<Listing>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).listings.get(key).cloned()
    }

    /// Keeps an answer, and drops the least recently used ones if the memory is full.
    pub(super) fn put(&self, key: String, listing: &Arc<Listing>) {
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

/// Returns the same text for equal selections only.
pub(super) fn answer_key(selection: &Selection) -> String {
    format!("{selection:?}")
}

fn size_bytes(key: &str, listing: &Listing) -> usize {
    ENTRY_BYTES + key.len() + listing.size_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Bounds, Condition, Pattern};

    fn key(number: usize) -> String {
        let conditions = vec![Condition::Identified(vec![format!("{number}"), "x".repeat(1 << 20)])];
        answer_key(&Selection { resource_type: "samples".into(), conditions, orders: Vec::new() })
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
                assert_eq!(left == right, answer_key(left) == answer_key(right), "{left:?} {right:?}");
            }
        }
    }
}
