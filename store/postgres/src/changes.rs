//! Changes of profiles that are committed together.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use deadpool_postgres::Object;
use store_profiles::{Permission, Refusal, is_permitted};
use uuid::Uuid;

use crate::batcher::BatchQuery;
use crate::connections::{Connections, Parameters};
use crate::fault::Fault;
use crate::row::{Columns, UPDATE_ALL};

/// The new state of a profile, with its line of the audit log.
pub(crate) struct Change {
    pub(crate) columns: Columns,
    pub(crate) audit: Option<String>,
    pub(crate) permission: Permission,
}

/// Commits changes, those of several tasks with one statement.
pub(crate) struct Changes {
    pub(crate) connections: Arc<Connections>,
}

impl BatchQuery for Changes {
    type Query = Change;

    /// `true` if it was written. Otherwise it may be tried again, alone.
    type Answer = Result<bool, Refusal>;

    async fn run(&self, changes: Vec<Change>) -> Vec<Result<Self::Answer, Fault>> {
        let connection = match self.connections.get().await {
            Ok(connection) => connection,
            Err(fault) => return changes.iter().map(|_| Err(fault.clone())).collect(),
        };
        let mut answers = Vec::with_capacity(changes.len());
        // The first of several changes of a profile is tried. Changes are sorted, so that all
        // servers write in the same order.
        let mut tried = BTreeMap::new();
        for (index, change) in changes.iter().enumerate() {
            let is_permitted = is_permitted(&change.permission);
            if is_permitted {
                tried.entry(change.columns.reference).or_insert(index);
            }
            answers.push(Ok(if is_permitted { Ok(false) } else { Err(Refusal::NotPermitted) }));
        }
        let committed = self.commit(connection, tried.values().map(|index| &changes[*index])).await;
        for (reference, index) in tried {
            answers[index] = match &committed {
                Ok(written) => Ok(Ok(written.contains(&reference))),
                Err(fault) => Err(fault.clone()),
            };
        }
        answers
    }
}

impl Changes {
    /// Returns the references of the written profiles.
    async fn commit(
        &self,
        connection: Object,
        changes: impl ExactSizeIterator<Item = &Change> + Clone,
    ) -> Result<HashSet<Uuid>, Fault> {
        let num_changes = changes.len();
        if num_changes == 0 {
            return Ok(HashSet::new());
        }
        let references: Vec<_> = changes.clone().map(|change| change.columns.reference).collect();
        let audits: Vec<_> = changes.clone().map(|change| &change.audit).collect();
        let versions: Vec<_> = changes.clone().map(|change| change.columns.version).collect();
        let lines: Vec<_> = changes.clone().map(|change| &change.columns.line).collect();
        let emails: Vec<_> = changes.clone().map(|change| &change.columns.email).collect();
        let names: Vec<_> = changes.map(|change| &change.columns.name).collect();
        let parameters: Parameters<'_> = &[&references, &audits, &versions, &lines, &emails, &names];
        match self.connections.commit(connection, UPDATE_ALL, parameters).await {
            Ok(rows) => Ok(rows.iter().map(|row| row.get(0)).collect()),
            // Nothing was changed. One of them may be the cause: each is tried again, alone.
            Err(Fault::Unavailable(_)) if num_changes > 1 => Ok(HashSet::new()),
            Err(fault) => Err(fault),
        }
    }
}
