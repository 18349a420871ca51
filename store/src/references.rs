//! References to profiles, users and domains.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The longest part after `dom-`.
const DOMAIN_ID_CHARS_MAX: usize = 128;

/// The error for a text that is not a reference of the expected kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is not a reference of the form {form}")]
pub struct ReferenceError {
    /// The expected form, such as `usr-<uuid>`.
    pub form: &'static str,
}

/// Defines a reference that is a prefix and a uuid in lower case, ordered like the texts.
macro_rules! uuid_reference {
    ($(#[$attribute:meta])* $reference:ident, $prefix:literal) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $reference(Uuid);

        impl $reference {
            /// Creates the reference of a uuid.
            pub const fn new(uuid: Uuid) -> Self {
                Self(uuid)
            }

            /// Creates a reference from the bytes of the uuid.
            pub const fn from_bytes(bytes: [u8; 16]) -> Self {
                Self(Uuid::from_bytes(bytes))
            }

            /// Returns the bytes of the uuid.
            pub fn as_bytes(&self) -> &[u8; 16] {
                self.0.as_bytes()
            }
        }

        impl FromStr for $reference {
            type Err = ReferenceError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let form = concat!($prefix, "<uuid>");
                parse_uuid(text, $prefix).map(Self).ok_or(ReferenceError { form })
            }
        }

        impl fmt::Display for $reference {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}{}", $prefix, self.0)
            }
        }

        serde_as_text!($reference, ReferenceError);
    };
}

uuid_reference! {
    /// The reference of a profile: `prf-` and a uuid in lower case.
    ProfileReference, "prf-"
}

uuid_reference! {
    /// The reference of a user: `usr-` and a uuid in lower case.
    UserReference, "usr-"
}

/// Parses a uuid after a prefix. Only the usual form of a uuid is accepted, so that every reference
/// has one form.
fn parse_uuid(text: &str, prefix: &str) -> Option<Uuid> {
    let digits = text.strip_prefix(prefix)?;
    let uuid = Uuid::parse_str(digits).ok()?;
    (uuid.hyphenated().encode_lower(&mut Uuid::encode_buffer()) == digits).then_some(uuid)
}

impl ProfileReference {
    /// Generates a new reference.
    pub fn random() -> Self {
        Self(Uuid::new_v4())
    }
}

/// The reference of a domain: `dom-` and 1 to 128 ASCII letters, digits, `-`, `_` and `.`; usually
/// a uuid.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DomainReference(String);

impl DomainReference {
    /// Returns the text of the reference.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for DomainReference {
    type Err = ReferenceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_known = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        match text.strip_prefix("dom-") {
            Some(id) if (1..=DOMAIN_ID_CHARS_MAX).contains(&id.len()) && id.bytes().all(is_known) => {
                Ok(Self(text.to_owned()))
            }
            _ => Err(ReferenceError { form: "dom-<id>" }),
        }
    }
}

impl fmt::Display for DomainReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

serde_as_text!(DomainReference, ReferenceError);

/// The owner of a profile.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Owner {
    /// A user.
    User(UserReference),
    /// A domain, which is a group of users.
    Domain(DomainReference),
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User(user) => user.fmt(f),
            Self::Domain(domain) => domain.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_round_trip_and_have_one_form() {
        let text = "prf-6b3c0b7d-1530-445a-859a-94c05b9c0a90";
        assert_eq!(text.parse::<ProfileReference>().expect("a reference").to_string(), text);
        for text in [
            "",
            "prf-",
            "usr-6b3c0b7d-1530-445a-859a-94c05b9c0a90",
            "prf-6B3C0B7D-1530-445A-859A-94C05B9C0A90",
            "prf-6b3c0b7d1530445a859a94c05b9c0a90",
            "prf-{6b3c0b7d-1530-445a-859a-94c05b9c0a90}",
            "prf-6b3c0b7d-1530-445a-859a-94c05b9c0a90 ",
        ] {
            assert_eq!(text.parse::<ProfileReference>(), Err(ReferenceError { form: "prf-<uuid>" }), "{text}");
        }
        for text in ["dom-b38d6175-61e8-4d40-98da-df9188d91c82", "dom-x", "dom-A_1.b"] {
            assert_eq!(text.parse::<DomainReference>().expect("a reference").as_str(), text);
        }
        for text in ["dom-", "dom", "dom-a/b", "dom-a b", "dom-ä", &format!("dom-{}", "a".repeat(129))] {
            assert_eq!(text.parse::<DomainReference>(), Err(ReferenceError { form: "dom-<id>" }), "{text}");
        }
    }

    #[test]
    fn users_sort_like_their_texts() {
        let user = |number| UserReference::new(Uuid::from_u128(number));
        let users = [user(0x0f << 120), user(0x10 << 120), user(0xa0 << 120)];
        assert!(users.is_sorted() && users.map(|user| user.to_string()).is_sorted());
    }
}
