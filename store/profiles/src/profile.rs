//! A profile.

use serde::{Deserialize, Serialize};
use store::{Owner, ProfileReference};

use super::Attributes;

/// The attributes of a user or a domain. In JSON, a line of an export:
/// `{"reference":"prf-…","user":"usr-…","version":3,"attributes":{…}}`, with `domain` in place of
/// `user`, and `schema`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// Its reference.
    pub reference: ProfileReference,
    /// The user or domain that it describes. An owner has at most one profile.
    #[serde(flatten)]
    pub owner: Owner,
    /// 1 for a new profile. Each change adds one.
    pub version: u64,
    /// The schema of its attributes, which never changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<ProfileSchema>,
    /// The attributes.
    pub attributes: Attributes,
}

/// The schema of a profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileSchema {
    /// The schema that the client sent: a JSON Schema of Draft 4, or the URL of one.
    pub given: String,
    /// The text at the URL when the profile was created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fetched: Option<String>,
}

impl ProfileSchema {
    /// Returns the text of the JSON Schema.
    pub fn text(&self) -> &str {
        self.fetched.as_deref().unwrap_or(&self.given)
    }
}
