//! A hit in one number, so that a search reads one column for each hit.
//!
//! ```text
//! accession number (40 bits) | cluster size (8 bits) | completeness (2 bits)
//! ```
//!
//! The numbers ascend with the accession. The size of a cluster of [`LARGE_CLUSTER`] proteins or
//! more, one in a thousand, is in a second column.

use store::ProteinAccession;

use crate::record::completeness;

const FACT_BITS: u32 = 10;
const COMPLETENESS_BITS: u32 = 2;

/// The lowest cluster size that is stored in the second column. The packed number has this one for
/// all of them.
pub(crate) const LARGE_CLUSTER: u64 = (1 << (FACT_BITS - COMPLETENESS_BITS)) - 1;

/// A protein that a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProteinHit {
    /// The accession.
    pub accession: ProteinAccession,
    /// See [`crate::Record::full_length`].
    pub full_length: Option<bool>,
    /// See [`crate::Record::cluster_size`].
    pub cluster_size: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PackedHit(pub(crate) u64);

impl PackedHit {
    /// Packs a hit. The size of a large cluster is left out.
    pub(crate) fn pack(hit: ProteinHit) -> Self {
        let cluster_size = hit.cluster_size.min(LARGE_CLUSTER);
        let facts = cluster_size << COMPLETENESS_BITS | completeness(hit.full_length);
        Self(hit.accession.number() << FACT_BITS | facts)
    }

    /// Returns the number of the accession.
    pub(crate) const fn number(self) -> u64 {
        self.0 >> FACT_BITS
    }

    /// Returns false only in a damaged file.
    pub(crate) const fn has_accession(self) -> bool {
        ProteinAccession::is_number(self.number())
    }

    const fn cluster_size(self) -> u64 {
        (self.0 >> COMPLETENESS_BITS) & LARGE_CLUSTER
    }

    /// Returns whether the cluster size is in the second column.
    pub(crate) const fn is_large(self) -> bool {
        self.cluster_size() == LARGE_CLUSTER
    }

    /// Unpacks a hit that has an accession. The caller fills in the size of a large cluster.
    #[inline]
    pub(crate) fn unpack(self) -> ProteinHit {
        /// A table, since the processor would mispredict a branch: completeness is random.
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
        fn hits_round_trip(
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
        fn packed_hits_sort_by_accession(low in 1_u64..999_999_999_999, cluster_size: u64) {
            let hit = |number, cluster_size| {
                let accession = ProteinAccession::new(number).expect("in range");
                PackedHit::pack(ProteinHit { accession, full_length: None, cluster_size })
            };
            prop_assert!(hit(low, cluster_size) < hit(low + 1, 0));
        }
    }
}
