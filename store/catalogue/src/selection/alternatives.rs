//! Alternatives of which those on resources of one type that a resource is linked with are one: links take longest.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::Condition;

/// Returns alternatives that are satisfied where any of these is, with one at most for each type of linked resources.
pub(super) fn merged(alternatives: &[Condition]) -> Vec<Cow<'_, Condition>> {
    let (mut merged, mut linked) = (Vec::new(), BTreeMap::<&str, Vec<Condition>>::new());
    let mut left: Vec<&Condition> = alternatives.iter().collect();
    while let Some(condition) = left.pop() {
        match condition {
            Condition::AnyOf(conditions) => left.extend(conditions),
            Condition::LinkedWith(of, inner) => linked.entry(of).or_default().push(Condition::clone(inner)),
            _ => merged.push(Cow::Borrowed(condition)),
        }
    }
    merged.extend(linked.into_iter().map(|(of, mut inner)| {
        // One by itself stays equal to what it is elsewhere.
        let any = if inner.len() == 1 { inner.remove(0) } else { Condition::AnyOf(inner) };
        Cow::Owned(Condition::LinkedWith(of.to_owned(), Box::new(any)))
    }));
    merged
}
