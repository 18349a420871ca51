//! The rows that come to a present generation.

use std::sync::Arc;

use super::pipelines::NamedVersions;
use crate::read::identity::Identity;
use crate::read::resource::{Relation, Resource};

/// What matters of a row that comes to a present generation.
#[derive(Default)]
pub(crate) struct Arrival {
    pub(crate) kind: String,
    pub(crate) id: String,
    /// The main one first.
    pub(crate) identifiers: Vec<String>,
    /// Type and id of what it refers to without showing it.
    pub(crate) linked: Vec<(String, String)>,
    pub(crate) names_versions: bool,
}

impl Arrival {
    pub(crate) fn of(resource: &Resource, linked: &[(Identity, Arc<Relation>, Relation)]) -> Self {
        Self {
            kind: resource.kind.clone(),
            id: resource.id.clone(),
            identifiers: resource.identifiers(),
            linked: linked.iter().map(|(.., (_, kind, id))| (kind.clone(), id.clone())).collect(),
            names_versions: NamedVersions::from_resource(resource).has_any(),
        }
    }
}

/// The rows that come, unless they are too many or private.
pub(super) struct Arrivals {
    rows: Option<Vec<(Identity, Arrival)>>,
    num_max: usize,
}

impl Arrivals {
    pub(crate) const fn new(num_max: usize) -> Self {
        Self { rows: Some(Vec::new()), num_max }
    }

    pub(crate) fn add(&mut self, identity: Identity, is_private: bool, arrival: &mut Arrival) {
        match &mut self.rows {
            Some(rows) if rows.len() < self.num_max && !is_private => rows.push((identity, std::mem::take(arrival))),
            rows => *rows = None,
        }
    }

    pub(super) fn take(&mut self) -> Option<Vec<(Identity, Arrival)>> {
        self.rows.take()
    }
}
