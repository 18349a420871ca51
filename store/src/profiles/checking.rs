//! Checking writes against schemas, before the thread that writes gets them.

use super::limits::Limits;
use super::schemas::Schemas;
use super::{AttributeChange, NewProfile, Precondition, Profile, Refusal};

/// That a profile conforms to its schema after a certain write to a certain version. See [`Profiles::check`](super::Profiles::check).
#[derive(Clone, Debug)]
pub struct Checked {
    /// What the profile becomes. The reference of a new one is not yet the one that it gets.
    outcome: Box<Profile>,
}

impl Checked {
    /// Tells whether it was checked that a profile may become just this. The owner stands for the reference: nobody else's profile has
    /// the same one.
    pub(super) fn is_for(&self, profile: &Profile) -> bool {
        let Profile { reference: _, owner, version, schema, attributes } = &*self.outcome;
        *version == profile.version
            && *owner == profile.owner
            && *schema == profile.schema
            && *attributes == profile.attributes
    }
}

/// Checks writes in the threads of those who ask.
pub(super) struct Checker {
    /// How large a profile may become.
    pub(super) limits: Limits,
    /// The compiled schemas.
    pub(super) schemas: Schemas,
}

impl Checker {
    /// Checks a change of a profile.
    pub(super) fn change(
        &self,
        profile: Profile,
        change: AttributeChange,
        precondition: &Precondition,
    ) -> Result<Checked, Refusal> {
        let num_attributes = profile.attributes.len();
        self.outcome(num_attributes, change.apply(profile, precondition)?)
    }

    /// Checks a new profile.
    pub(super) fn new_profile(&self, profile: NewProfile) -> Result<Checked, Refusal> {
        self.outcome(0, profile.make())
    }

    /// Checks what a profile would become.
    fn outcome(&self, num_attributes_before: usize, outcome: Profile) -> Result<Checked, Refusal> {
        self.limits.check(num_attributes_before, &outcome)?;
        self.schemas.check(&outcome)?;
        Ok(Checked { outcome: Box::new(outcome) })
    }
}
