//! Resources as points on a map: a `FeatureCollection` of `GeoJSON` (RFC 7946).

use api_http::SourceError;
use store_catalogue::{Ordinal, ResourceBody};

use super::stream::Writer;
use crate::snapshot::Snapshot;

/// Writes the properties of a point.
pub(crate) trait Properties: Send + 'static {
    /// Appends a JSON object.
    fn write(&self, ordinal: Ordinal, body: &ResourceBody, json: &mut Vec<u8>) -> Result<(), SourceError>;
}

/// Writes each resource that has both coordinates as a point with its id. Others are left out. So
/// are coordinates that are not on earth: real data have a latitude of 156 degrees.
pub(crate) struct Features<P> {
    snapshot: Snapshot,
    properties: P,
    is_begun: bool,
}

impl<P: Properties> Features<P> {
    pub(crate) fn new(snapshot: &Snapshot, properties: P) -> Self {
        Self { snapshot: snapshot.clone(), properties, is_begun: false }
    }
}

impl<P: Properties> Writer for Features<P> {
    fn head(&self) -> Vec<u8> {
        br#"{"type":"FeatureCollection","features":["#.to_vec()
    }

    fn write(&mut self, ordinal: Ordinal, body: &ResourceBody, chunk: &mut Vec<u8>) -> Result<(), SourceError> {
        let is_on_earth = |(longitude, latitude): &(f64, f64)| longitude.abs() <= 180.0 && latitude.abs() <= 90.0;
        let Some(coordinates) = self.snapshot.coordinates(ordinal)?.filter(is_on_earth) else { return Ok(()) };
        let id = body.key().map(|(_, id)| id);
        chunk.extend_from_slice(if std::mem::replace(&mut self.is_begun, true) { b",\n" } else { b"\n" });
        chunk.extend_from_slice(br#"{"type":"Feature","id":"#);
        serde_json::to_writer(&mut *chunk, &id).map_err(Box::from)?;
        chunk.extend_from_slice(br#","geometry":{"type":"Point","coordinates":"#);
        serde_json::to_writer(&mut *chunk, &coordinates).map_err(Box::from)?;
        chunk.extend_from_slice(br#"},"properties":"#);
        self.properties.write(ordinal, body, chunk)?;
        chunk.push(b'}');
        Ok(())
    }

    fn finish(&mut self) -> Result<Vec<u8>, SourceError> {
        Ok(b"\n]}\n".to_vec())
    }
}
