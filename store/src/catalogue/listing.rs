//! An answered selection.

use std::ops::Range;
use std::sync::Arc;

use super::Ordinal;
use super::contents::TypeContents;
use super::ordinal_set::OrdinalSet;
use super::permutation::Permutation;
use super::ranked_bits::RankedBits;

/// Up to one resource in so many, their ordinals take less room than a bit for each.
const BITS_PER_ORDINAL: usize = Ordinal::BITS as usize;

/// The ordinals of the resources that a selection matches, in its order. Any part of it is as quick to get as any other.
#[derive(Debug)]
pub struct Listing(Positions);

/// How a listing is kept.
#[derive(Debug)]
enum Positions {
    /// Consecutive ordinals.
    Range(Range<Ordinal>),
    /// All of a type in an order.
    Permutation(Arc<Permutation>),
    /// A few.
    Few(Box<[Ordinal]>),
    /// Many of a type in its default order: bits by ordinal, without that of the first.
    Many(Ordinal, RankedBits),
    /// Many of a type in another order: bits by position in the permutation.
    ManyPermuted(RankedBits, Arc<Permutation>),
}

impl Listing {
    /// Makes a listing without any.
    pub(super) fn none() -> Self {
        Self(Positions::Range(0..0))
    }

    /// Makes the listing of the resources of a type that are in a set, all if there is none, in an order, the default one if there is
    /// none.
    pub(super) fn of(contents: &TypeContents, set: Option<OrdinalSet>, order: Option<Arc<Permutation>>) -> Self {
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
            Some(order) if is_few => Positions::Few(in_order(&set, num_found, &order)),
            Some(order) => Positions::ManyPermuted(RankedBits::new(set.bits_of(order.ordinals())), order),
        })
    }

    /// Returns how many resources there are.
    pub fn len(&self) -> usize {
        match &self.0 {
            Positions::Range(range) => range.len(),
            Positions::Permutation(permutation) => permutation.len(),
            Positions::Few(ordinals) => ordinals.len(),
            Positions::Many(_, bits) | Positions::ManyPermuted(bits, _) => bits.num_ones(),
        }
    }

    /// Tells whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the ordinals at these positions, 0-based; positions behind the end are left out.
    pub fn ordinals(&self, positions: Range<usize>) -> Vec<Ordinal> {
        let end = positions.end.min(self.len());
        let positions = positions.start.min(end)..end;
        match &self.0 {
            Positions::Range(range) => {
                (range.start + ordinal_of(positions.start)..range.start + ordinal_of(positions.end)).collect()
            }
            Positions::Permutation(permutation) => positions.map(|position| permutation.ordinal(position)).collect(),
            Positions::Few(ordinals) => ordinals[positions].to_vec(),
            Positions::Many(first, bits) => bits.ones(positions).map(|offset| first + ordinal_of(offset)).collect(),
            Positions::ManyPermuted(bits, order) => {
                bits.ones(positions).map(|position| order.ordinal(position)).collect()
            }
        }
    }

    /// Returns the listing of its first resources, so many at most.
    #[must_use]
    pub fn first(&self, num_resources: usize) -> Self {
        Self(Positions::Few(self.ordinals(0..num_resources).into()))
    }

    /// Returns how much memory it takes alone, about.
    pub(super) fn size_bytes(&self) -> usize {
        size_of::<Self>()
            + match &self.0 {
                Positions::Range(_) | Positions::Permutation(_) => 0,
                Positions::Few(ordinals) => size_of_val::<[Ordinal]>(ordinals),
                Positions::Many(_, bits) | Positions::ManyPermuted(bits, _) => bits.size_bytes(),
            }
    }
}

/// Returns the members of a set in an order.
fn in_order(set: &OrdinalSet, num_found: usize, order: &Permutation) -> Box<[Ordinal]> {
    order.ordinals().filter(|&ordinal| set.contains(ordinal)).take(num_found).collect()
}

/// Returns the offset of a resource in its type as an ordinal: a type has no more resources than there are ordinals.
fn ordinal_of(offset: usize) -> Ordinal {
    Ordinal::try_from(offset).expect("an offset of an ordinal")
}
