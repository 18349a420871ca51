//! The origin of a resource: the facts that a load knows in addition to its text.

use serde::{Deserialize, Serialize};

/// The facts that a load knows about a resource in addition to the shown text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default, deny_unknown_fields)]
pub struct ResourceOrigin {
    /// The related collections in which it was listed: type and id of the parent, name of the
    /// relation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub found_in: Vec<(String, String, String)>,
    /// The members of relationships that it shows only as links: name of the relation, type and id
    /// of the member.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub linked: Vec<(String, String, String)>,
    /// It was part of `included`, where resources may be partial.
    #[serde(rename = "included", skip_serializing_if = "is_false")]
    pub is_included: bool,
    /// It was not loaded but made.
    #[serde(rename = "derived", skip_serializing_if = "is_false")]
    pub is_derived: bool,
}

impl ResourceOrigin {
    pub(super) fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("texts and flags are JSON")
    }

    /// Returns the part that is valid for any load: the relations. The way in which the resource
    /// was loaded is omitted.
    #[must_use]
    pub fn of_any_load(self) -> Self {
        Self { is_included: false, is_derived: false, ..self }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}
