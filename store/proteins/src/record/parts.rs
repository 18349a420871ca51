//! The parts of a record that are decoded.

use std::ops::BitOr;

/// Parts of a [`crate::Record`]. Name, description, completeness and cluster size belong to none:
/// they are always decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordParts(u8);

impl RecordParts {
    /// No part.
    pub const NONE: Self = Self(0);
    /// The biomes.
    pub const BIOMES: Self = Self(1);
    /// The matches of Pfam families.
    pub const PFAM_HITS: Self = Self(1 << 1);
    /// The sequence.
    pub const SEQUENCE: Self = Self(1 << 2);
    /// The occurrences.
    pub const OCCURRENCES: Self = Self(1 << 3);
    /// The name and the description.
    pub const NAME: Self = Self(1 << 4);
    /// The whole record.
    pub const ALL: Self = Self((1 << 5) - 1);

    /// Returns whether any of some parts is among these.
    pub(super) const fn has_any(self, parts: Self) -> bool {
        self.0 & parts.0 != 0
    }
}

impl BitOr for RecordParts {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
