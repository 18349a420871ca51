//! What can be written, and why it is not.

use std::sync::Arc;

use super::{Attributes, Profile, ProfileSchema};
use crate::{Error, Owner, ProfileReference, Violations};

/// A profile that is to be made.
#[derive(Clone, Debug)]
pub struct NewProfile {
    /// Whom it belongs to.
    pub owner: Owner,
    /// What its attributes must conform to, now and ever after.
    pub schema: Option<ProfileSchema>,
    /// Its attributes.
    pub attributes: Attributes,
}

impl NewProfile {
    /// Returns the profile as it is first written.
    pub(super) fn make(self) -> Profile {
        let Self { owner, schema, attributes } = self;
        Profile { reference: ProfileReference::random(), owner, version: 1, schema, attributes }
    }
}

/// A change of attributes.
#[derive(Clone, Debug)]
pub enum AttributeChange {
    /// These take the place of all.
    Replace(Attributes),
    /// These are added, or take the place of those with the same keys.
    Merge(Attributes),
    /// The one with this key goes away.
    Remove(String),
}

impl AttributeChange {
    /// Returns what it makes of a profile. The precondition is looked at first.
    pub(super) fn apply(self, mut profile: Profile, precondition: &Precondition) -> Result<Profile, Refusal> {
        if !precondition.holds(profile.version) {
            return Err(Refusal::Precondition(profile.version));
        }
        match self {
            Self::Replace(attributes) => profile.attributes = attributes,
            Self::Merge(attributes) => profile.attributes.merge(attributes),
            Self::Remove(key) => {
                profile.attributes.remove(&key).ok_or(Refusal::NoAttribute)?;
            }
        }
        profile.version += 1;
        Ok(profile)
    }
}

/// Which versions a change may be applied to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Precondition {
    /// Any.
    None,
    /// One of these.
    IsOneOf(Vec<u64>),
    /// Any but these.
    IsNoneOf(Vec<u64>),
}

impl Precondition {
    /// Tells whether a version may be changed.
    fn holds(&self, version: u64) -> bool {
        match self {
            Self::None => true,
            Self::IsOneOf(versions) => versions.contains(&version),
            Self::IsNoneOf(versions) => !versions.contains(&version),
        }
    }
}

/// Why a write is refused. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The owner has a profile already.
    #[error("the owner has the profile {0}")]
    Exists(ProfileReference),
    /// There is no such profile.
    #[error("there is no such profile")]
    NoProfile,
    /// The profile does not have the attribute that was to be removed.
    #[error("there is no such attribute")]
    NoAttribute,
    /// The precondition does not hold.
    #[error("the profile has version {0}")]
    Precondition(u64),
    /// It would have more attributes than this.
    #[error("it would have more than {0} attributes")]
    TooManyAttributes(usize),
    /// It would take more bytes than this.
    #[error("it would have more than {0} bytes")]
    TooLarge(usize),
    /// The attributes would not conform to the schema.
    #[error("the attributes would not conform to the schema")]
    Invalid(Violations),
    /// Whoever asks for it may not do so any more.
    #[error("it is not permitted any more")]
    NotPermitted,
}

/// Returns whether a write is still permitted. The thread that commits calls it right before the write is committed, so it must be quick. A
/// panic counts as no.
pub type Permission = Arc<dyn Fn() -> bool + Send + Sync>;

/// Why nothing was acknowledged.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The write is refused.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The profile has a schema, and this write to this version of it was not checked. Nothing was changed.
    #[error("the write must be checked against the schema of the profile first, or again")]
    Unchecked,
    /// The store failed; see [`Error::ProfilesFailed`] and [`Error::NoRoom`].
    #[error(transparent)]
    Failed(#[from] Error),
}

/// What a write comes to.
pub type WriteResult = std::result::Result<Profile, WriteError>;
