//! The pages with the genes of a protein.

use super::bits::{BitReader, BitWriter, Widths};
use crate::pages::{Before, Entry, Key};

const PROTEIN: Widths = [0, 4, 8, 40];
const PAGE: Widths = [8, 16, 24, 40];

/// Set in the second number of a key if the genes are those of other members of the cluster.
const OF_MEMBERS: u64 = 1 << 63;

/// A page with genes of a protein, or of the other members of its cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The number of the accession.
    pub(super) protein: u64,
    pub(super) is_of_members: bool,
    /// The number of the page.
    pub(super) page: u64,
}

impl Entry for Place {
    fn key(&self) -> Key {
        (self.protein, self.page | if self.is_of_members { OF_MEMBERS } else { 0 })
    }

    fn write(&self, before: Before<'_, Self>, bytes: &mut Vec<u8>) {
        let mut bits = BitWriter::new(bytes);
        bits.put_number(self.protein - before.key().0, PROTEIN);
        bits.put_flag(self.is_of_members);
        bits.put_number(self.page - page_before(before, self.protein, self.is_of_members), PAGE);
    }

    fn read(before: Before<'_, Self>, bytes: &mut &[u8]) -> Option<Self> {
        let mut bits = BitReader::new(bytes);
        let protein = before.key().0.checked_add(bits.take_number(PROTEIN)?)?;
        let is_of_members = bits.take_flag()?;
        let page = page_before(before, protein, is_of_members).checked_add(bits.take_number(PAGE)?)?;
        Some(Self { protein, is_of_members, page })
    }
}

/// Returns the page from which that of a place is stored as a difference.
fn page_before(before: Before<'_, Place>, protein: u64, is_of_members: bool) -> u64 {
    match before {
        Before::Entry(place) if (place.protein, place.is_of_members) == (protein, is_of_members) => place.page,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn place() -> impl Strategy<Value = Place> {
        (0..40_u64, 0..35_u32, any::<bool>(), 0..40_u64, 0..35_u32).prop_map(
            |(protein, shift, is_of_members, page, other)| Place {
                protein: protein << shift,
                is_of_members,
                page: page << other,
            },
        )
    }

    proptest! {
        #[test]
        fn places_round_trip(places in prop::collection::vec(place(), 1..20)) {
            let mut places = places;
            places.sort_by_key(Entry::key);
            places.dedup();
            let start = (places[0].protein, 0);
            let mut bytes = Vec::new();
            for (number, place) in places.iter().enumerate() {
                place.write(number.checked_sub(1).map_or(Before::Page(start), |last| Before::Entry(&places[last])), &mut bytes);
            }
            let mut rest = &*bytes;
            let mut read: Vec<Place> = Vec::new();
            while !rest.is_empty() {
                let before = read.last().map_or(Before::Page(start), Before::Entry);
                read.push(Place::read(before, &mut rest).expect("just written"));
            }
            prop_assert_eq!(read, places);
        }
    }
}
