//! The columns of the index. Each is read as a whole when it is first needed, and cached.

use std::sync::OnceLock;

use store::{Error, Result};

use super::key::ascending_bits;
use super::reader::CatalogueIndex;
use super::schema::{LATITUDE, LONGITUDE, SAMPLE_ORDINALS};
use crate::{Listing, Ordinal, Place};

#[derive(Default)]
pub(crate) struct Columns {
    coordinates: OnceLock<Coordinates>,
    sample_links: OnceLock<SampleLinks>,
}

/// Degrees north and east by ordinal, NaN for null: 16 bytes a resource.
pub(crate) struct Coordinates {
    pub(crate) latitudes: Vec<f64>,
    pub(crate) longitudes: Vec<f64>,
}

/// The samples that each resource names: 4 bytes a resource, and 4 for each of its samples.
pub(crate) struct SampleLinks {
    /// The ends of the samples of each resource, by ordinal.
    ends: Vec<u32>,
    samples: Vec<Ordinal>,
}

impl Columns {
    pub(crate) fn coordinates(&self, index: &CatalogueIndex) -> Result<&Coordinates> {
        get_or_read(&self.coordinates, || Coordinates::read(index))
    }

    pub(crate) fn sample_links(&self, index: &CatalogueIndex) -> Result<&SampleLinks> {
        get_or_read(&self.sample_links, || SampleLinks::read(index))
    }
}

impl Coordinates {
    fn read(index: &CatalogueIndex) -> Result<Self> {
        Ok(Self { latitudes: read_degrees(index, LATITUDE)?, longitudes: read_degrees(index, LONGITUDE)? })
    }

    /// See [`crate::CatalogueGeneration::coordinates`].
    pub(crate) fn of(&self, ordinal: Ordinal) -> Option<(f64, f64)> {
        let (longitude, latitude) = (self.longitudes[ordinal as usize], self.latitudes[ordinal as usize]);
        (!longitude.is_nan() && !latitude.is_nan()).then_some((longitude, latitude))
    }

    /// See [`crate::CatalogueGeneration::places`].
    pub(crate) fn places(&self, listing: &Listing) -> Vec<Place> {
        let ordinals = listing.ordinals(0..listing.len()).into_iter();
        let mut located: Vec<(f64, f64)> = ordinals.filter_map(|ordinal| self.of(ordinal)).collect();
        located.sort_unstable_by_key(|&(longitude, latitude)| (ascending_bits(longitude), ascending_bits(latitude)));
        let place = |group: &[(f64, f64)]| {
            let (longitude, latitude) = group[0];
            Place { longitude, latitude, num_resources: group.len() as u64 }
        };
        located.chunk_by(|left, right| left == right).map(place).collect()
    }
}

impl SampleLinks {
    fn read(index: &CatalogueIndex) -> Result<Self> {
        let altered = |_| Error::altered(&index.path, "a link to a sample is damaged");
        let (mut ends, mut samples) = (Vec::new(), Vec::new());
        for segment in &index.segments {
            let column = segment.reader.fast_fields().u64(SAMPLE_ORDINALS).map_err(Error::index(&index.path))?;
            for doc in 0..segment.reader.max_doc() {
                for sample in column.values_for_doc(doc) {
                    samples.push(Ordinal::try_from(sample).map_err(altered)?);
                }
                ends.push(u32::try_from(samples.len()).map_err(altered)?);
            }
        }
        Ok(Self { ends, samples })
    }

    pub(crate) fn of(&self, ordinal: Ordinal) -> &[Ordinal] {
        let row = ordinal as usize;
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.samples[start as usize..self.ends[row] as usize]
    }
}

fn get_or_read<T>(kept: &OnceLock<T>, read: impl FnOnce() -> Result<T>) -> Result<&T> {
    if let Some(column) = kept.get() {
        return Ok(column);
    }
    let column = read()?;
    Ok(kept.get_or_init(|| column))
}

fn read_degrees(index: &CatalogueIndex, name: &str) -> Result<Vec<f64>> {
    let mut degrees = Vec::new();
    for segment in &index.segments {
        let column = segment.reader.fast_fields().f64(name).map_err(Error::index(&index.path))?;
        degrees.extend((0..segment.reader.max_doc()).map(|doc| column.first(doc).unwrap_or(f64::NAN)));
    }
    Ok(degrees)
}
