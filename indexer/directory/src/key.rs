//! The facts of a directory, and the keys that they are sorted by.

use serde::{Deserialize, Serialize};
use store::{DomainReference, UserReference};

const UUID_BYTES: usize = 16;

/// The subject of a fact. In ascending order: all users, all domains, and each domain again before
/// its users, since its last line must be known by then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    User(UserReference),
    Domain(DomainReference),
    UsersOf(DomainReference),
    UserOf(DomainReference, UserReference),
}

impl Subject {
    /// Returns bytes that compare as the subjects do. The 0 after the reference of a domain is less
    /// than all characters of one.
    pub(super) fn to_key(&self) -> Box<[u8]> {
        match self {
            Self::User(user) => [&[0], &user.as_bytes()[..]].concat(),
            Self::Domain(domain) => [&[1], domain.as_str().as_bytes()].concat(),
            Self::UsersOf(domain) => [&[2], domain.as_str().as_bytes(), &[0]].concat(),
            Self::UserOf(domain, user) => [&[2], domain.as_str().as_bytes(), &[0], user.as_bytes()].concat(),
        }
        .into()
    }

    pub(super) fn from_key(key: &[u8]) -> Option<Self> {
        let (kind, rest) = key.split_first()?;
        match kind {
            0 => Some(Self::User(user(rest)?)),
            1 => Some(Self::Domain(domain(rest)?)),
            2 => {
                let end = rest.iter().position(|&byte| byte == 0)?;
                let (domain, rest) = (domain(&rest[..end])?, &rest[end + 1..]);
                if rest.is_empty() { Some(Self::UsersOf(domain)) } else { Some(Self::UserOf(domain, user(rest)?)) }
            }
            _ => None,
        }
    }
}

fn user(bytes: &[u8]) -> Option<UserReference> {
    <[u8; UUID_BYTES]>::try_from(bytes).ok().map(UserReference::from_bytes)
}

fn domain(bytes: &[u8]) -> Option<DomainReference> {
    str::from_utf8(bytes).ok()?.parse().ok()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Fact {
    /// 1-based.
    pub(super) line: u64,
    /// Any of the flags below.
    pub(super) flags: u8,
}

/// The flag of a locked user.
pub(super) const IS_LOCKED: u8 = 1;

/// The flag of a member of a domain.
pub(super) const IS_MEMBER: u8 = 1;

/// The flag of a manager of a domain.
pub(super) const IS_MANAGER: u8 = 2;

impl Fact {
    /// Adds the next fact about the same subject. Facts from one line are combined; a later line
    /// replaces them. Returns whether the fact replaced the earlier ones.
    pub(super) fn add(&mut self, next: Self) -> bool {
        let is_replaced = next.line > self.line;
        *self = if is_replaced { next } else { Self { flags: self.flags | next.flags, ..*self } };
        is_replaced
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_round_trip_and_sort_like_their_subjects() {
        let users = [0, 1, 0x80].map(|byte| UserReference::from_bytes([byte; UUID_BYTES]));
        let domains: [DomainReference; 3] =
            ["dom-a", "dom-a-", "dom-ab"].map(|text| text.parse().expect("a reference"));
        let mut subjects: Vec<_> = users.map(Subject::User).into();
        subjects.extend(domains.iter().cloned().map(Subject::Domain));
        for domain in domains {
            subjects.push(Subject::UsersOf(domain.clone()));
            subjects.extend(users.map(|user| Subject::UserOf(domain.clone(), user)));
        }
        let keys: Vec<_> = subjects.iter().map(Subject::to_key).collect();
        assert!(keys.is_sorted_by(|one, other| one < other), "{keys:?}");
        for (subject, key) in subjects.into_iter().zip(&keys) {
            assert_eq!(Subject::from_key(key), Some(subject));
        }
        for key in [&b""[..], b"\x03", b"\x00short", b"\x01x", b"\x02dom-a", b"\x02dom-a\0short"] {
            assert_eq!(Subject::from_key(key), None, "{key:?}");
        }
    }

    #[test]
    fn facts_of_a_line_add_up_and_later_lines_replace_them() {
        let mut fact = Fact { line: 7, flags: IS_MEMBER };
        assert!(!fact.add(Fact { line: 7, flags: IS_MANAGER }));
        assert_eq!(fact, Fact { line: 7, flags: IS_MEMBER | IS_MANAGER });
        assert!(fact.add(Fact { line: 9, flags: IS_MANAGER }));
        assert_eq!(fact, Fact { line: 9, flags: IS_MANAGER });
    }
}
