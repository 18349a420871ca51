//! What the handlers know of the engine.

use std::sync::Arc;

use async_trait::async_trait;
use store::{CatalogueContents, Known, Listing, Ordinal, Place, ResourceBody, Selection};

use crate::SourceError;
use crate::limits::Permit;

/// Where the catalogue comes from: an embedded store, or an engine behind a network.
pub trait CatalogueSource: Send + Sync + 'static {
    /// Returns a handle on the state of the data that is served now, or `None` where no data were ever loaded.
    fn snapshot(&self) -> Option<Arc<dyn CatalogueSnapshot>>;

    /// Returns why a newer state than that is not served, if so.
    fn problem(&self) -> Option<String>;
}

/// One state of the data. All answers of a handle are of that state, whatever is published meanwhile.
#[async_trait]
pub trait CatalogueSnapshot: Send + Sync + 'static {
    /// Returns the name of the generation.
    fn generation(&self) -> &str;

    /// Returns what the generation holds.
    fn contents(&self) -> &CatalogueContents;

    /// Returns the resource of a type with an identifier, whichever of its identifiers it is.
    async fn find(&self, resource_type: &str, identifier: &str) -> Result<Option<Ordinal>, SourceError>;

    /// Returns the resources at some ordinals, in the order that is asked for.
    async fn resources(&self, ordinals: Vec<Ordinal>) -> Result<Vec<ResourceBody>, SourceError>;

    /// Returns what a selection matches.
    async fn select(&self, selection: Selection) -> Result<Arc<Listing>, SourceError>;

    /// Tells whether the data have something.
    async fn knows(&self, what: Known) -> Result<bool, SourceError>;

    /// Returns the places of the resources of a listing.
    async fn places(&self, listing: Arc<Listing>) -> Result<Vec<Place>, SourceError>;
}

/// How often the text of a resource is in memory while an answer is made of it: as it was stored, as it is written, and in the answer.
const COPIES: usize = 3;

/// Takes memory for some resources of an answer before they are read, as much as such resources have on average.
///
/// # Errors
///
/// * The answers that are under way leave no room for it.
pub(super) fn take_memory(snapshot: &dyn CatalogueSnapshot, num_resources: usize) -> Result<(), SourceError> {
    let CatalogueContents { resources_file_bytes, num_resources: all, .. } = snapshot.contents();
    let mean_bytes = usize::try_from(resources_file_bytes / u64::from(*all).max(1)).unwrap_or(usize::MAX);
    let num_bytes = num_resources.saturating_mul(mean_bytes).saturating_mul(COPIES);
    Permit::take_memory(num_bytes).then_some(()).ok_or(SourceError::Overloaded)
}
