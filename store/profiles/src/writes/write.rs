//! Writes, and the reasons to reject them.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use store::{Owner, ProfileReference};

use crate::{Attributes, Profile, ProfileFault, ProfileSchema};

use crate::Violations;

/// A profile that is about to be created.
#[derive(Clone, Debug)]
pub struct NewProfile {
    /// The user or domain that it describes.
    pub owner: Owner,
    /// The schema of its attributes.
    pub schema: Option<ProfileSchema>,
    /// Its attributes.
    pub attributes: Attributes,
}

/// A change of attributes.
#[derive(Clone, Debug)]
pub enum AttributeChange {
    /// Replaces all attributes.
    Replace(Attributes),
    /// Adds attributes, or replaces those with the same keys.
    Merge(Attributes),
    /// Removes the attribute with this key.
    Remove(String),
}

/// The versions of a profile that a change or an erasure may be applied to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Precondition {
    /// Any version.
    None,
    /// One of these versions.
    IsOneOf(Vec<u64>),
    /// Any version except these.
    IsNoneOf(Vec<u64>),
}

/// The reason why a write was rejected. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The owner already has a profile.
    #[error("the owner already has the profile {0}")]
    Exists(ProfileReference),
    /// The profile does not exist.
    #[error("no such profile")]
    NoProfile,
    /// The profile does not have the attribute that was to be removed.
    #[error("no such attribute")]
    NoAttribute,
    /// The precondition does not hold for the version of the profile.
    #[error("the profile has version {0}")]
    Precondition(u64),
    /// The profile would have more attributes than this.
    #[error("the profile would have more than {0} attributes")]
    TooManyAttributes(usize),
    /// The profile would take more bytes than this.
    #[error("the profile would have more than {0} bytes")]
    TooLarge(usize),
    /// The attributes would not conform to the schema.
    #[error("the attributes would not conform to the schema")]
    Invalid(Violations),
    /// The caller may no longer write.
    #[error("the caller may no longer write")]
    NotPermitted,
}

/// The authority behind a write. Stores query it right before the commit, so answers must be quick.
pub trait Authority: Send + Sync {
    /// Returns whether the write is still permitted.
    fn permits(&self) -> bool;

    /// Returns the line of the audit log for the write, for stores that commit both together.
    /// `profile` is the profile that is written or erased.
    fn audit_line(&self, profile: &Profile) -> Option<String>;
}

/// Permits the writes that the function permits, and writes no line.
impl<F: Fn() -> bool + Send + Sync> Authority for F {
    fn permits(&self) -> bool {
        self()
    }

    fn audit_line(&self, _: &Profile) -> Option<String> {
        None
    }
}

/// A shared [`Authority`].
pub type Permission = Arc<dyn Authority>;

/// The profile after the write, or the reason why it was not written.
pub type WriteResult = Result<Profile, ProfileFault>;

/// A write of a profile.
#[derive(Clone, Debug)]
pub enum ProfileWrite {
    /// Creates a profile, for an owner who has none as far as the caller knows; see
    /// [`NewProfile::into_profile`].
    Create(Profile),
    /// Changes the attributes of a profile.
    Change(ProfileReference, AttributeChange, Precondition),
    /// Erases a profile with its search entries. An export in progress omits it from then on.
    Erase(ProfileReference, Precondition),
}

/// Returns whether a write is permitted. A panic of the caller's code counts as `false`, so that it
/// cannot fail a store.
pub fn is_permitted(permission: &Permission) -> bool {
    panic::catch_unwind(AssertUnwindSafe(|| permission.permits())).unwrap_or(false)
}

impl NewProfile {
    /// Returns the profile, with a new reference and its first version.
    pub fn into_profile(self) -> Profile {
        let Self { owner, schema, attributes } = self;
        Profile { reference: ProfileReference::random(), owner, version: 1, schema, attributes }
    }
}

impl AttributeChange {
    /// Returns the profile after the change. The precondition is checked first.
    pub(crate) fn apply(self, mut profile: Profile, precondition: &Precondition) -> Result<Profile, Refusal> {
        precondition.check(profile.version)?;
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

impl Precondition {
    /// Rejects versions for which the precondition does not hold.
    ///
    /// # Errors
    ///
    /// * The precondition does not hold.
    pub fn check(&self, version: u64) -> Result<(), Refusal> {
        let holds = match self {
            Self::None => true,
            Self::IsOneOf(versions) => versions.contains(&version),
            Self::IsNoneOf(versions) => !versions.contains(&version),
        };
        if holds { Ok(()) } else { Err(Refusal::Precondition(version)) }
    }
}
