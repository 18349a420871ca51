//! What the facts of a directory are sorted by, and what stands behind a key.

use store::{DomainReference, UserReference};

/// The bytes of a uuid.
const UUID_BYTES: usize = 16;

/// What a fact is about. In ascending order come all users, all domains, and once more each domain, now before those who belong to it: which
/// of its lines counts must be known then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// A user.
    User(UserReference),
    /// A domain.
    Domain(DomainReference),
    /// The users of a domain.
    UsersOf(DomainReference),
    /// One of the users of a domain.
    UserOf(DomainReference, UserReference),
}

impl Subject {
    /// Returns the key: bytes that compare as the subjects should stand. The 0 behind the reference of a domain is less than all letters of one.
    pub(super) fn to_key(&self) -> Box<[u8]> {
        match self {
            Self::User(user) => [&[0], &user.as_bytes()[..]].concat(),
            Self::Domain(domain) => [&[1], domain.as_str().as_bytes()].concat(),
            Self::UsersOf(domain) => [&[2], domain.as_str().as_bytes(), &[0]].concat(),
            Self::UserOf(domain, user) => [&[2], domain.as_str().as_bytes(), &[0], user.as_bytes()].concat(),
        }
        .into()
    }

    /// Reads a key, or returns `None` if it is none.
    pub(super) fn from_key(key: &[u8]) -> Option<Self> {
        let (kind, rest) = key.split_first()?;
        match kind {
            0 => Some(Self::User(user(rest)?)),
            1 => Some(Self::Domain(domain(rest)?)),
            2 => {
                let end = rest.iter().position(|&byte| byte == 0)?;
                let (of, who) = (domain(&rest[..end])?, &rest[end + 1..]);
                if who.is_empty() { Some(Self::UsersOf(of)) } else { Some(Self::UserOf(of, user(who)?)) }
            }
            _ => None,
        }
    }
}

/// Reads the bytes of a user.
fn user(bytes: &[u8]) -> Option<UserReference> {
    <[u8; UUID_BYTES]>::try_from(bytes).ok().map(UserReference::from_bytes)
}

/// Reads the text of a domain.
fn domain(bytes: &[u8]) -> Option<DomainReference> {
    str::from_utf8(bytes).ok()?.parse().ok()
}

/// Where a fact comes from, and what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    /// The line, 1-based.
    pub(super) line: u64,
    /// What it says: one or more of the flags below, or nothing.
    pub(super) flags: u8,
}

/// The flag of a locked user.
pub(super) const IS_LOCKED: u8 = 1;

/// The flag of a member of a domain.
pub(super) const IS_MEMBER: u8 = 1;

/// The flag of a manager of a domain.
pub(super) const IS_MANAGER: u8 = 2;

impl Fact {
    /// Returns the bytes behind the key.
    pub(super) fn to_bytes(self) -> [u8; 9] {
        let mut bytes = [self.flags; 9];
        bytes[..8].copy_from_slice(&self.line.to_le_bytes());
        bytes
    }

    /// Reads these bytes.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (line, &[flags]) = bytes.split_first_chunk()? else { return None };
        Some(Self { line: u64::from_le_bytes(*line), flags })
    }

    /// Takes in the next fact of the same subject, from the same line or a later one. What a line says twice adds up; what a later
    /// line says replaces it. Returns whether it does.
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
    fn keys_are_read_back_and_ascend_as_subjects_should_stand() {
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
    fn what_a_line_says_twice_adds_up_and_a_later_line_replaces_it() {
        let mut fact = Fact { line: 7, flags: IS_MEMBER };
        assert_eq!(Fact::from_bytes(&fact.to_bytes()), Some(fact));
        assert_eq!(Fact::from_bytes(b"short"), None);
        assert!(!fact.add(Fact { line: 7, flags: IS_MANAGER }));
        assert_eq!(fact, Fact { line: 7, flags: IS_MEMBER | IS_MANAGER });
        assert!(fact.add(Fact { line: 9, flags: IS_MANAGER }));
        assert_eq!(fact, Fact { line: 9, flags: IS_MANAGER });
    }
}
