//! How large a profile may become.

use super::{PROFILE_BYTES_MAX, Profile, Refusal, record};

/// The limits that every write keeps to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// See [`super::ProfilesConfig::attributes_max`].
    pub(super) attributes_max: usize,
}

impl Limits {
    /// Checks what a profile would become, and returns the line of an export. A profile with too many attributes, after the limit was
    /// lowered, can be changed as long as it does not get more.
    pub(super) fn check(self, num_attributes_before: usize, profile: &Profile) -> Result<Vec<u8>, Refusal> {
        let num_attributes = profile.attributes.len();
        if num_attributes > self.attributes_max && num_attributes > num_attributes_before {
            return Err(Refusal::TooManyAttributes(self.attributes_max));
        }
        let line = record::line(profile);
        if line.len() > PROFILE_BYTES_MAX {
            return Err(Refusal::TooLarge(PROFILE_BYTES_MAX));
        }
        Ok(line)
    }
}
