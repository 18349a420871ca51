//! A hit in one number, so that a search reads one column for each hit.
//!
//! ```text
//! accession number (40 bits) | cluster size (8 bits) | completeness (2 bits)
//! ```
//!
//! The numbers ascend with the accession. A cluster of [`LARGE_CLUSTER`] proteins or more, as one in a thousand is, has its size
//! in a second column.

use crate::accession::ProteinAccession;

use super::ProteinHit;

/// How many bits stand below the accession.
const FACT_BITS: u32 = 10;

/// How many bits stand below the cluster size.
const COMPLETENESS_BITS: u32 = 2;

/// The least cluster size that stands in the second column; in the number it means just that.
pub(super) const LARGE_CLUSTER: u64 = (1 << (FACT_BITS - COMPLETENESS_BITS)) - 1;

/// A hit in one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PackedHit(pub(super) u64);

impl PackedHit {
    /// Packs a hit; a large cluster size is left out.
    pub(super) fn pack(hit: ProteinHit) -> Self {
        let completeness = match hit.full_length {
            None => 0,
            Some(false) => 1,
            Some(true) => 2,
        };
        let cluster_size = hit.cluster_size.min(LARGE_CLUSTER);
        Self(hit.accession.number() << FACT_BITS | cluster_size << COMPLETENESS_BITS | completeness)
    }

    /// Returns the number of the accession.
    pub(super) const fn number(self) -> u64 {
        self.0 >> FACT_BITS
    }

    /// Tells whether the hit has an accession. Only a damaged file has numbers that are none.
    pub(super) const fn has_accession(self) -> bool {
        ProteinAccession::is_number(self.number())
    }

    /// Returns the cluster size, or [`LARGE_CLUSTER`] where it stands in the second column.
    const fn cluster_size(self) -> u64 {
        (self.0 >> COMPLETENESS_BITS) & LARGE_CLUSTER
    }

    /// Tells whether the cluster size stands in the second column.
    pub(super) const fn is_large(self) -> bool {
        self.cluster_size() == LARGE_CLUSTER
    }

    /// Unpacks a hit that has an accession; a large cluster size is for the caller to fill in.
    #[inline]
    pub(super) fn unpack(self) -> ProteinHit {
        /// Looked up rather than decided: whether a gene is complete is chance, which a branch would guess wrong too often.
        const FULL_LENGTH: [Option<bool>; 4] = [None, Some(false), Some(true), None];
        let full_length = FULL_LENGTH[(self.0 & 3) as usize];
        let accession = ProteinAccession::of_number(self.number());
        ProteinHit { accession, full_length, cluster_size: self.cluster_size() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn hits_come_back(
            number in 1_u64..1_000_000_000_000,
            full_length: Option<bool>,
            cluster_size in prop_oneof![0_u64..520, any::<u64>()],
        ) {
            let accession = ProteinAccession::new(number).expect("in range");
            let hit = ProteinHit { accession, full_length, cluster_size };
            let packed = PackedHit::pack(hit);
            prop_assert_eq!(packed.number(), number);
            prop_assert!(packed.has_accession());
            prop_assert_eq!(packed.is_large(), cluster_size >= LARGE_CLUSTER);
            prop_assert_eq!(packed.unpack(), ProteinHit { cluster_size: cluster_size.min(LARGE_CLUSTER), ..hit });
        }

        #[test]
        fn the_order_is_that_of_the_accessions(low in 1_u64..999_999_999_999, cluster_size: u64) {
            let hit = |number, cluster_size| {
                let accession = ProteinAccession::new(number).expect("in range");
                PackedHit::pack(ProteinHit { accession, full_length: None, cluster_size })
            };
            prop_assert!(hit(low, cluster_size) < hit(low + 1, 0));
        }
    }
}
