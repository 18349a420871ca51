//! A profile.

use serde::{Deserialize, Serialize};

use super::Attributes;
use crate::{Owner, ProfileReference};

/// The attributes of a user or a domain. In JSON, a line of an export:
/// `{"reference":"prf-…","user":"usr-…","version":3,"attributes":{…}}`, with `domain` in place of `user`, and `schema`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// Its reference.
    pub reference: ProfileReference,
    /// Whom it belongs to. Nobody else's profile has the same owner.
    #[serde(flatten)]
    pub owner: Owner,
    /// How often it was written: 1 when it is made, and one more with every change.
    pub version: u64,
    /// What its attributes must conform to; it never changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<ProfileSchema>,
    /// The attributes.
    pub attributes: Attributes,
}

/// The schema of a profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileSchema {
    /// As it was given: a JSON Schema of Draft 4, or the URL of one.
    pub given: String,
    /// What was at the URL when the profile was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fetched: Option<String>,
}

impl ProfileSchema {
    /// Returns the JSON Schema.
    pub fn text(&self) -> &str {
        self.fetched.as_deref().unwrap_or(&self.given)
    }
}
