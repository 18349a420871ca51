//! Where the resources of a listing are.

use super::columns::Coordinates;
use super::key::ascending_bits;
use super::{Listing, Place};

/// Returns the places of the resources of a listing; see [`crate::CatalogueGeneration::places`].
pub(super) fn places(coordinates: &Coordinates, listing: &Listing) -> Vec<Place> {
    let mut located: Vec<(f64, f64)> = listing
        .ordinals(0..listing.len())
        .into_iter()
        .map(|ordinal| (coordinates.longitudes[ordinal as usize], coordinates.latitudes[ordinal as usize]))
        .filter(|(longitude, latitude)| !longitude.is_nan() && !latitude.is_nan())
        .collect();
    located.sort_unstable_by_key(|&(longitude, latitude)| (ascending_bits(longitude), ascending_bits(latitude)));
    let groups = located.chunk_by(|left, right| left == right);
    groups
        .map(|group| {
            let (longitude, latitude) = group[0];
            Place { longitude, latitude, num_resources: group.len() as u64 }
        })
        .collect()
}
