//! The columns of the index, read whole when they are first needed and kept.

use std::sync::OnceLock;

use super::Ordinal;
use super::index::CatalogueIndex;
use super::schema::{LATITUDE, LONGITUDE, SAMPLE_ORDINALS};
use crate::{Error, Result};

/// The columns that were needed so far.
#[derive(Default)]
pub(super) struct Columns {
    /// See [`Coordinates`].
    coordinates: OnceLock<Coordinates>,
    /// See [`SampleLinks`].
    sample_links: OnceLock<SampleLinks>,
}

/// Where the resources are, by ordinal: 16 bytes each. What is null is no number.
pub(super) struct Coordinates {
    /// Degrees north.
    pub(super) latitudes: Vec<f64>,
    /// Degrees east.
    pub(super) longitudes: Vec<f64>,
}

/// Which samples the resources name: 4 bytes a resource, and 4 a sample that it names.
pub(super) struct SampleLinks {
    /// Where the samples of each resource end, by ordinal.
    ends: Vec<u32>,
    /// The ordinals of the samples.
    samples: Vec<Ordinal>,
}

impl Columns {
    /// Returns the coordinates.
    pub(super) fn coordinates(&self, index: &CatalogueIndex) -> Result<&Coordinates> {
        if let Some(kept) = self.coordinates.get() {
            return Ok(kept);
        }
        let coordinates =
            Coordinates { latitudes: read_degrees(index, LATITUDE)?, longitudes: read_degrees(index, LONGITUDE)? };
        Ok(self.coordinates.get_or_init(|| coordinates))
    }

    /// Returns which samples the resources name.
    pub(super) fn sample_links(&self, index: &CatalogueIndex) -> Result<&SampleLinks> {
        if let Some(kept) = self.sample_links.get() {
            return Ok(kept);
        }
        let links = SampleLinks::read(index)?;
        Ok(self.sample_links.get_or_init(|| links))
    }
}

impl SampleLinks {
    /// Reads them.
    fn read(index: &CatalogueIndex) -> Result<Self> {
        let altered =
            || Error::Altered { path: index.path.clone(), problem: "a link to a sample is damaged".to_owned() };
        let (mut ends, mut samples) = (Vec::new(), Vec::new());
        for segment in &index.segments {
            let fast_fields = segment.reader.fast_fields();
            let column = fast_fields.u64(SAMPLE_ORDINALS).map_err(Error::index(&index.path))?;
            for doc in 0..segment.reader.max_doc() {
                for sample in column.values_for_doc(doc) {
                    samples.push(Ordinal::try_from(sample).map_err(|_| altered())?);
                }
                ends.push(u32::try_from(samples.len()).map_err(|_| altered())?);
            }
        }
        Ok(Self { ends, samples })
    }

    /// Returns the ordinals of the samples that a resource names.
    pub(super) fn of(&self, ordinal: Ordinal) -> &[Ordinal] {
        let position = ordinal as usize;
        let start = position.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.samples[start as usize..self.ends[position] as usize]
    }
}

/// Reads a column of degrees.
fn read_degrees(index: &CatalogueIndex, name: &str) -> Result<Vec<f64>> {
    let mut degrees = Vec::new();
    for segment in &index.segments {
        let column = segment.reader.fast_fields().f64(name).map_err(Error::index(&index.path))?;
        degrees.extend((0..segment.reader.max_doc()).map(|doc| column.first(doc).unwrap_or(f64::NAN)));
    }
    Ok(degrees)
}
