//! Listings: the answers to selections.

use std::ops::Range;
use std::sync::Arc;

use super::ordinal_set::OrdinalSet;
use super::permutation::Permutation;
use super::ranked_bits::RankedBits;
use crate::{Ordinal, TypeContents};

/// If at most one of this number of resources matches, ordinals take less memory than a bit for
/// each resource.
const BITS_PER_ORDINAL: usize = Ordinal::BITS as usize;

/// The number of ordinals that are compared with another one at once.
const POSITIONS_AT_ONCE: usize = 1 << 12;

/// The ordinals of the resources that a selection matches, in its order. Each part is equally quick
/// to read.
#[derive(Debug)]
pub struct Listing(Positions);

#[derive(Debug)]
enum Positions {
    Range(Range<Ordinal>),
    Permutation(Arc<Permutation>),
    Few(Box<[Ordinal]>),
    /// Many resources of a type in its default order: bits by ordinal minus the first of the type.
    Many(Ordinal, RankedBits),
    /// Many resources of a type in another order: bits by position in the permutation.
    ManyPermuted(RankedBits, Arc<Permutation>),
}

impl Listing {
    /// Returns an empty listing.
    pub fn none() -> Self {
        Self(Positions::Range(0..0))
    }

    /// Returns the listing of resources in an order of their own.
    pub fn in_this_order(ordinals: Vec<Ordinal>) -> Self {
        Self(Positions::Few(ordinals.into()))
    }

    /// Makes the listing of the resources of a type in a set (or all), in an order (or the default
    /// one).
    pub(crate) fn of(contents: &TypeContents, set: Option<OrdinalSet>, order: Option<Arc<Permutation>>) -> Self {
        let first = contents.first;
        let Some(set) = set else {
            let all = first..first + contents.num_resources;
            return Self(order.map_or(Positions::Range(all), Positions::Permutation));
        };
        let num_found = set.len();
        let is_few = num_found <= contents.num_resources as usize / BITS_PER_ORDINAL;
        Self(match order {
            None if is_few => Positions::Few(set.iter().collect()),
            None => Positions::Many(first, RankedBits::new(set.into_bits())),
            Some(order) if is_few => {
                let found = order.ordinals().filter(|&ordinal| set.contains(ordinal));
                Positions::Few(found.take(num_found).collect())
            }
            Some(order) => Positions::ManyPermuted(RankedBits::new(set.bits_of(order.ordinals())), order),
        })
    }

    /// Returns the number of resources.
    pub fn len(&self) -> usize {
        match &self.0 {
            Positions::Range(range) => range.len(),
            Positions::Permutation(permutation) => permutation.len(),
            Positions::Few(ordinals) => ordinals.len(),
            Positions::Many(_, bits) | Positions::ManyPermuted(bits, _) => bits.num_ones(),
        }
    }

    /// Returns whether the listing is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the ordinals at these positions, 0-based. Positions after the end are ignored.
    pub fn ordinals(&self, positions: Range<usize>) -> Vec<Ordinal> {
        let end = positions.end.min(self.len());
        let positions = positions.start.min(end)..end;
        match &self.0 {
            Positions::Range(range) => {
                (range.start + ordinal_of(positions.start)..range.start + ordinal_of(positions.end)).collect()
            }
            Positions::Permutation(permutation) => positions.map(|position| permutation.ordinal(position)).collect(),
            Positions::Few(ordinals) => ordinals[positions].to_vec(),
            Positions::Many(first, bits) => bits.ones(positions).map(|row| first + ordinal_of(row)).collect(),
            Positions::ManyPermuted(bits, order) => {
                bits.ones(positions).map(|position| order.ordinal(position)).collect()
            }
        }
    }

    /// Returns the position of a resource, 0-based, or `None` if it is not in the listing. It reads
    /// the whole listing.
    pub fn position(&self, ordinal: Ordinal) -> Option<usize> {
        (0..self.len()).step_by(POSITIONS_AT_ONCE).find_map(|start| {
            let ordinals = self.ordinals(start..start + POSITIONS_AT_ONCE);
            ordinals.iter().position(|&other| other == ordinal).map(|position| start + position)
        })
    }

    /// Returns the listing of the first `num_resources` resources, or of all if there are fewer.
    #[must_use]
    pub fn first(&self, num_resources: usize) -> Self {
        Self(Positions::Few(self.ordinals(0..num_resources).into()))
    }

    /// Returns the approximate memory, without shared permutations.
    pub(crate) fn size_bytes(&self) -> usize {
        size_of::<Self>()
            + match &self.0 {
                Positions::Range(_) | Positions::Permutation(_) => 0,
                Positions::Few(ordinals) => size_of_val::<[Ordinal]>(ordinals),
                Positions::Many(_, bits) | Positions::ManyPermuted(bits, _) => bits.size_bytes(),
            }
    }
}

/// A type has no more resources than there are ordinals.
fn ordinal_of(row: usize) -> Ordinal {
    Ordinal::try_from(row).expect("a row of a type")
}
