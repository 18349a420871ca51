//! Settings of the store, which every write keeps to.

use super::record::{self, PROFILE_BYTES_MAX};
use super::{Profile, Refusal};

/// Settings of the store.
#[derive(Clone, Copy, Debug)]
pub struct ProfilesConfig {
    /// The most attributes that a profile may have.
    pub attributes_max: usize,
}

impl ProfilesConfig {
    /// Checks the size of a profile after a write, and returns its export line. Lowering the limit locks no profile: one with too many
    /// attributes can still be changed as long as it does not get more.
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
