//! Loading a catalogue: resources of JSON:API, one a line or in documents, become a generation.

mod body;
mod check;
mod document;
mod entry;
mod files;
mod gather;
mod key;
mod line_places;
mod orders;
mod own_link;
mod passing;
mod plan;
mod prepare;
mod read;
mod report;
mod resource;
mod winners;
mod write;

pub use plan::{CataloguePlan, PublishedCatalogue};
pub use report::CatalogueReport;

/// The type of biomes.
const BIOMES: &str = "biomes";

/// The type of studies.
const STUDIES: &str = "studies";

/// The type of samples.
const SAMPLES: &str = "samples";

/// The type of assemblies.
const ASSEMBLIES: &str = "assemblies";

/// The type of pipeline tools. Of these, one id has many versions.
const PIPELINE_TOOLS: &str = "pipeline-tools";

/// The type of functional categories.
const COG_CATS: &str = "cog-cats";

/// The lineage that all others are below.
const ROOT: &str = "root";

/// A related collection in which a resource was found: type and id of the parent, and the name of the relation.
type FoundIn = (String, String, String);
