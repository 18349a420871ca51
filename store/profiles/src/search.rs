//! Attributes by which users are found.

use sha2::{Digest, Sha256};
use store::Owner;

use super::Profile;

/// An attribute by which users can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchKey {
    /// `email`, ignoring the case of ASCII letters.
    Email,
    /// `name`, exactly.
    Name,
}

impl SearchKey {
    /// All search attributes.
    pub const ALL: [Self; 2] = [Self::Email, Self::Name];

    /// Returns the SHA-256 of a value, with the ASCII letters of an email in lower case: values
    /// with the same digest are found together.
    pub fn digest(self, value: &str) -> [u8; 32] {
        match self {
            Self::Email => Sha256::digest(value.to_ascii_lowercase()),
            Self::Name => Sha256::digest(value),
        }
        .into()
    }

    fn attribute(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Name => "name",
        }
    }
}

impl Profile {
    /// Returns the value by which its owner is found. Domains are not found by values.
    pub fn searched_by(&self, key: SearchKey) -> Option<&str> {
        match self.owner {
            Owner::User(_) => self.attributes.get(key.attribute()),
            Owner::Domain(_) => None,
        }
    }
}
