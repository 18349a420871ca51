//! The rules of writing: the result of a write, or the reason why it is rejected. They do not
//! depend on an engine, so that all engines have the same rules.

use store::ProfileReference;

use crate::record::{self, PROFILE_BYTES_MAX};
use crate::{AttributeChange, Precondition, Profile, ProfilesConfig, Refusal};

/// The outcome of a write that was not rejected.
#[derive(Clone, Debug)]
pub enum Evaluated {
    /// The profile is to be stored.
    Accepted {
        /// The profile after the write.
        profile: Profile,
        /// The profile as a line of an export, without a line feed.
        line: Vec<u8>,
    },
    /// The profile has a schema, and exactly this outcome was not checked against it yet.
    Unchecked(Profile),
}

impl ProfilesConfig {
    /// Evaluates the creation of a profile. `existing` is the present profile of its owner, and
    /// `checked` the outcome that was checked against the schema.
    ///
    /// # Errors
    ///
    /// * The owner has a profile, or a limit would be exceeded, in this order.
    pub fn evaluate_creation(
        self,
        profile: Profile,
        existing: Option<ProfileReference>,
        checked: Option<&Profile>,
    ) -> Result<Evaluated, Refusal> {
        match existing {
            Some(existing) => Err(Refusal::Exists(existing)),
            None => self.evaluate(0, profile, checked),
        }
    }

    /// Evaluates a change of the stored profile. `checked` is the outcome that was checked against
    /// the schema.
    ///
    /// # Errors
    ///
    /// * The profile does not exist, the precondition does not hold, the attribute does not exist,
    ///   or a limit would be exceeded, in this order.
    pub fn evaluate_change(
        self,
        stored: Option<Profile>,
        change: AttributeChange,
        precondition: &Precondition,
        checked: Option<&Profile>,
    ) -> Result<Evaluated, Refusal> {
        let stored = stored.ok_or(Refusal::NoProfile)?;
        let num_attributes = stored.attributes.len();
        self.evaluate(num_attributes, change.apply(stored, precondition)?, checked)
    }

    fn evaluate(
        self,
        num_attributes_before: usize,
        profile: Profile,
        checked: Option<&Profile>,
    ) -> Result<Evaluated, Refusal> {
        let num_attributes = profile.attributes.len();
        if num_attributes > self.attributes_max && num_attributes > num_attributes_before {
            return Err(Refusal::TooManyAttributes(self.attributes_max));
        }
        let line = record::line(&profile);
        if line.len() > PROFILE_BYTES_MAX {
            return Err(Refusal::TooLarge(PROFILE_BYTES_MAX));
        }
        if profile.schema.is_some() && checked != Some(&profile) {
            return Ok(Evaluated::Unchecked(profile));
        }
        Ok(Evaluated::Accepted { profile, line })
    }
}
