//! Alternatives of which those on resources of one type that a resource is linked with are one: links take longest.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::catalogue::Condition;

/// Returns alternatives that are satisfied where any of these is, with one at most for each type of linked resources.
pub(super) fn merged(alternatives: &[Condition]) -> Vec<Cow<'_, Condition>> {
    let (mut merged, mut linked) = (Vec::new(), BTreeMap::<&str, Vec<(&Condition, &Condition)>>::new());
    let mut left: Vec<&Condition> = alternatives.iter().collect();
    while let Some(condition) = left.pop() {
        match condition {
            Condition::AnyOf(conditions) => left.extend(conditions),
            Condition::LinkedWith(resource_type, inner) => {
                linked.entry(resource_type).or_default().push((condition, inner));
            }
            _ => merged.push(Cow::Borrowed(condition)),
        }
    }
    merged.extend(linked.into_iter().map(|(resource_type, links)| match *links {
        [(only, _)] => Cow::Borrowed(only),
        _ => {
            let any = Condition::AnyOf(links.into_iter().map(|(_, inner)| inner.clone()).collect());
            Cow::Owned(Condition::LinkedWith(resource_type.to_owned(), Box::new(any)))
        }
    }));
    merged
}
