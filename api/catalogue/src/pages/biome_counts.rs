//! Numbers of samples and studies in biomes and below them.

use api_http::SourceError;
use store_catalogue::Condition;
use store_catalogue::model::{BIOMES, SAMPLES, STUDIES};

use crate::render::resource::Resource;
use crate::request::fields::SparseFields;
use crate::snapshot::Snapshot;

/// Attributes that are counted, and only if they are named in `fields`, with the type of the
/// counted resources.
const COUNTS: [(&str, &str); 2] = [("lineage-samples-count", SAMPLES), ("lineage-studies-count", STUDIES)];

pub(crate) fn add(fields: &SparseFields, snapshot: &Snapshot, biomes: &mut [Resource]) -> Result<(), SourceError> {
    for (attribute, resource_type) in COUNTS.into_iter().filter(|(attribute, _)| fields.names(BIOMES, attribute)) {
        for biome in &mut *biomes {
            let count = in_lineage(snapshot, resource_type, biome.id())?;
            biome.add_attribute(attribute, &count).map_err(|error| SourceError::Fault(error.into()))?;
        }
    }
    Ok(())
}

/// Returns the number of resources of a type in a biome or below it.
pub(crate) fn in_lineage(snapshot: &Snapshot, resource_type: &str, lineage: &str) -> Result<usize, SourceError> {
    Ok(snapshot.select(resource_type, vec![Condition::Lineage(lineage.to_owned())], Vec::new())?.len())
}
