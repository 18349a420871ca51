//! Deduplication: the occurrence of each resource that is stored, and the collections that list it.
//!
//! Memory grows with the number of resources: about 50 bytes for each, and about 30 for each
//! related collection in which it was found.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use indexmap::IndexSet;
use serde::{Deserialize, Serialize};

use crate::read::{Identity, Relation};

/// An occurrence of a resource: its rank among all that were accepted, 0-based, and two flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Occurrence(u64);

impl Occurrence {
    pub(crate) fn new(rank: u64, is_included: bool, is_private: bool) -> Self {
        Self(rank << 2 | u64::from(is_included) << 1 | u64::from(is_private))
    }

    pub(crate) const fn is_included(self) -> bool {
        self.0 & 2 != 0
    }

    const fn is_private(self) -> bool {
        self.0 & 1 != 0
    }
}

/// The occurrences that are not stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Superseded {
    pub(crate) num_replaced: u64,
    /// Occurrences in `included`, where resources may be partial, that another occurrence of the
    /// resource replaces.
    pub(crate) num_included: u64,
}

/// The reason why a resource is in a related collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FoundBy {
    /// It was listed there.
    List,
    /// The parent of the collection refers to it without showing it.
    Reference,
}

#[derive(Debug, Default)]
pub(crate) struct Deduplication {
    occurrences: HashMap<Identity, Occurrence>,
    superseded: Superseded,
    /// The related collections in which resources were found, in the order of the input.
    relations: IndexSet<Arc<Relation>>,
    /// The resources that were found, with positions in `relations`, and whether each was listed
    /// there (listed ones first). Sorted once all are known.
    found: Vec<(Identity, usize, FoundBy)>,
    /// The resources that are referred to without being shown: name of the relation, type and id.
    referenced_only: HashMap<Identity, BTreeSet<Relation>>,
    /// The identifiers of private occurrences, each with the identity of its resource.
    names_of_private: Vec<(Identity, Identity)>,
    /// The identifiers of the resources whose kept occurrence is private.
    private_names: HashSet<Identity>,
}

impl Deduplication {
    /// Adds an occurrence, and returns whether it is kept for now. The latest one is kept, except
    /// that an occurrence in `included` never replaces one outside of it.
    pub(crate) fn insert(&mut self, identity: Identity, occurrence: Occurrence) -> bool {
        let Some(known) = self.occurrences.get_mut(&identity) else {
            self.occurrences.insert(identity, occurrence);
            return true;
        };
        let is_kept = known.is_included() || !occurrence.is_included();
        let superseded = if is_kept { std::mem::replace(known, occurrence) } else { occurrence };
        let Superseded { num_replaced, num_included } = &mut self.superseded;
        *(if superseded.is_included() { num_included } else { num_replaced }) += 1;
        is_kept
    }

    /// Adds an occurrence that precedes all others of the resource, and returns whether it is kept
    /// for now.
    pub(super) fn insert_earlier(&mut self, identity: Identity, occurrence: Occurrence) -> bool {
        match self.occurrences.get(&identity).copied() {
            None => self.insert(identity, occurrence),
            Some(later) => {
                self.occurrences.insert(identity, occurrence);
                !self.insert(identity, later)
            }
        }
    }

    /// Notes that a resource was found in a related collection.
    pub(super) fn add_relation(&mut self, identity: Identity, relation: Arc<Relation>, found_by: FoundBy) {
        self.found.push((identity, self.relations.insert_full(relation).0, found_by));
    }

    /// Notes that a resource refers to another one without showing it. `named` has the name of the
    /// relation, the type and the id.
    pub(super) fn add_referenced_only(&mut self, identity: Identity, named: Relation) {
        self.referenced_only.entry(identity).or_default().insert(named);
    }

    /// Notes the identifiers of a private occurrence of a resource.
    pub(super) fn add_private_names(&mut self, identity: Identity, names: Vec<Identity>) {
        self.names_of_private.extend(names.into_iter().map(|name| (name, identity)));
    }

    /// Completes the tables. Call it after the last occurrence and before any query.
    pub(crate) fn finish(&mut self) {
        self.found.sort_unstable();
        self.found.dedup_by_key(|&mut (identity, position, _)| (identity, position));
        let names = std::mem::take(&mut self.names_of_private);
        self.private_names =
            names.into_iter().filter(|&(_, owner)| self.is_private(owner)).map(|(name, _)| name).collect();
    }

    pub(crate) fn has(&self, identity: Identity) -> bool {
        self.occurrences.contains_key(&identity)
    }

    pub(crate) fn is_kept(&self, identity: Identity, occurrence: Occurrence) -> bool {
        self.occurrences.get(&identity) == Some(&occurrence)
    }

    /// Returns whether the kept occurrence of a resource is private. For a resource that is not in
    /// the input, returns whether it is another name of a private one.
    pub(crate) fn is_private(&self, identity: Identity) -> bool {
        match self.occurrences.get(&identity) {
            Some(occurrence) => occurrence.is_private(),
            None => self.private_names.contains(&identity),
        }
    }

    /// Returns the related collections in which a resource was found, each once, in the order of
    /// the input.
    pub(crate) fn relations_of(&self, identity: Identity) -> impl Iterator<Item = (&Relation, FoundBy)> {
        let start = self.found.partition_point(|&(known, ..)| known < identity);
        let found = self.found[start..].iter().take_while(move |&&(known, ..)| known == identity);
        found.map(|&(_, position, found_by)| (&*self.relations[position], found_by))
    }

    /// Returns the references of a resource that it does not show: name of the relation, type and
    /// id.
    pub(crate) fn referenced_only_by(&self, identity: Identity) -> impl Iterator<Item = &Relation> {
        self.referenced_only.get(&identity).into_iter().flatten()
    }

    /// Returns the number of private resources and the number of public ones.
    pub(crate) fn num_private_and_public(&self) -> (u64, u64) {
        let num_private = self.occurrences.values().filter(|occurrence| occurrence.is_private()).count() as u64;
        (num_private, self.occurrences.len() as u64 - num_private)
    }

    pub(crate) const fn superseded(&self) -> Superseded {
        self.superseded
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::Identifier;

    #[test]
    fn later_occurrences_win_but_included_ones_never_replace_others() {
        let identity = Identifier::default().identify("samples", "ERS1", None);
        let mut deduplication = Deduplication::default();
        let mut insert = |rank, is_included, is_private| {
            let occurrence = Occurrence::new(rank, is_included, is_private);
            (
                deduplication.insert(identity, occurrence),
                deduplication.is_kept(identity, occurrence),
                deduplication.superseded(),
            )
        };
        let superseded = |num_replaced, num_included| Superseded { num_replaced, num_included };
        assert_eq!(insert(0, true, false), (true, true, superseded(0, 0)));
        assert_eq!(insert(1, true, false), (true, true, superseded(0, 1)));
        assert_eq!(insert(2, false, true), (true, true, superseded(0, 2)));
        assert_eq!(insert(3, true, false), (false, false, superseded(0, 3)));
        assert_eq!(insert(4, false, false), (true, true, superseded(1, 3)));
        assert_eq!(insert(5, false, true), (true, true, superseded(2, 3)));
        assert!(deduplication.is_private(identity));
        assert_eq!(deduplication.num_private_and_public(), (1, 0));
    }

    #[test]
    fn relations_are_kept_once_and_in_order() {
        let identifier = Identifier::default();
        let [one, other] = ["1", "2"].map(|id| identifier.identify("samples", id, None));
        let [a, b] = ["a", "b"].map(|id| Arc::new(("studies".to_owned(), id.to_owned(), "samples".to_owned())));
        let mut deduplication = Deduplication::default();
        let again = Arc::new((*a).clone());
        for (identity, relation) in [(one, &b), (other, &b), (one, &a), (one, &b), (one, &b), (one, &again)] {
            deduplication.add_relation(identity, Arc::clone(relation), FoundBy::Reference);
        }
        deduplication.finish();
        let relations = |identity| deduplication.relations_of(identity).map(|(found, _)| found).collect::<Vec<_>>();
        assert_eq!(relations(one), [&*b, &*a]);
        assert_eq!(relations(other), [&*b]);
        assert_eq!(relations(identifier.identify("samples", "3", None)), [&*a; 0]);
    }
}
