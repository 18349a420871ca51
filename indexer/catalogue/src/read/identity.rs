//! Identities of resources.

use std::hash::{BuildHasher, RandomState};

use serde::{Deserialize, Serialize};

/// Identifies a resource by two hashes of its type, id and version. No two resources share them as
/// long as nobody can guess the seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct Identity([u64; 2]);

#[derive(Clone, Debug, Default)]
pub(crate) struct Identifier([RandomState; 2]);

impl Identifier {
    pub(crate) fn identify(&self, resource_type: &str, id: &str, version: Option<&str>) -> Identity {
        Identity([0, 1].map(|seed: usize| self.0[seed].hash_one((resource_type, id, version))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_differ_by_type_id_and_version() {
        let identifier = Identifier::default();
        assert_ne!(
            identifier.identify("pipeline-tools", "a", Some("1")),
            identifier.identify("pipeline-tools", "a", Some("2"))
        );
        assert_ne!(identifier.identify("ab", "c", None), identifier.identify("a", "bc", None));
    }
}
