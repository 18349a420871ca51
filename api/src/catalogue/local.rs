//! The catalogue from the embedded store.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use store::{
    CatalogueContents, CatalogueGeneration, GenerationName, Generations, Known, Listing, Ordinal, Place, ResourceBody,
    Selection,
};
use tokio::sync::Semaphore;

use super::source::{CatalogueSnapshot, CatalogueSource};
use crate::SourceError;
use crate::blocking::blocking;
use crate::following::{Following, Served};

/// How many selections may be under way for each core.
const SELECTIONS_PER_CORE: usize = 2;

/// How many selections may be under way at least.
const SELECTIONS_MIN: usize = 4;

/// How long a selection waits for others to end.
const SELECTION_WAIT_MAX: Duration = Duration::from_secs(5);

/// The current catalogue generation of a folder, and the newer ones as they are published.
pub type LocalCatalogue = Following<LocalSnapshot>;

/// An opened generation.
pub struct LocalSnapshot {
    /// The generation.
    data: Arc<CatalogueGeneration>,
    /// Its name as text.
    name: String,
    /// A permit for each selection that may be under way: they alone can take long.
    selections: Arc<Semaphore>,
}

/// Cancels a selection when it is dropped, with the future that waited for the answer.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Served for LocalSnapshot {
    const WHAT: &'static str = "the catalogue";

    fn open(generations: &Generations, name: GenerationName) -> store::Result<Self> {
        let data = CatalogueGeneration::open(generations, name)?;
        let num_cores = std::thread::available_parallelism().map_or(1, usize::from);
        let num_selections = (num_cores * SELECTIONS_PER_CORE).max(SELECTIONS_MIN);
        Ok(Self { name: name.to_string(), data: Arc::new(data), selections: Arc::new(Semaphore::new(num_selections)) })
    }

    fn name(&self) -> GenerationName {
        self.data.name()
    }
}

impl LocalSnapshot {
    /// Runs a query where it may wait for the disk.
    async fn query<T: Send + 'static>(
        &self,
        query: impl FnOnce(&CatalogueGeneration) -> store::Result<T> + Send + 'static,
    ) -> Result<T, SourceError> {
        let data = Arc::clone(&self.data);
        blocking(move || query(&data)).await.map_err(|error| SourceError::from(Box::from(error)))
    }

    /// Runs a query that can take long, of which there are few at a time. Its place is free when it ends, whether or not anybody still
    /// waits for it.
    async fn selecting_query<T: Send + 'static>(
        &self,
        query: impl FnOnce(&CatalogueGeneration) -> store::Result<T> + Send + 'static,
    ) -> Result<T, SourceError> {
        let place = Arc::clone(&self.selections).acquire_owned();
        let Ok(Ok(place)) = tokio::time::timeout(SELECTION_WAIT_MAX, place).await else {
            return Err(SourceError::Overloaded);
        };
        self.query(move |data| {
            let _held = place;
            query(data)
        })
        .await
    }
}

impl CatalogueSource for LocalCatalogue {
    fn snapshot(&self) -> Option<Arc<dyn CatalogueSnapshot>> {
        self.current().map(|snapshot| snapshot as Arc<dyn CatalogueSnapshot>)
    }

    fn problem(&self) -> Option<String> {
        self.behind().map(|behind| behind.problem)
    }
}

#[async_trait]
impl CatalogueSnapshot for LocalSnapshot {
    fn generation(&self) -> &str {
        &self.name
    }

    fn contents(&self) -> &CatalogueContents {
        self.data.contents()
    }

    async fn find(&self, resource_type: &str, identifier: &str) -> Result<Option<Ordinal>, SourceError> {
        let (resource_type, identifier) = (resource_type.to_owned(), identifier.to_owned());
        self.query(move |data| data.find(&resource_type, &identifier)).await
    }

    async fn resources(&self, ordinals: Vec<Ordinal>) -> Result<Vec<ResourceBody>, SourceError> {
        self.query(move |data| data.resources(&ordinals)).await
    }

    async fn select(&self, selection: Selection) -> Result<Arc<Listing>, SourceError> {
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let _cancel = CancelOnDrop(Arc::clone(&is_cancelled));
        let listing = self.selecting_query(move |data| data.select_unless(&selection, &is_cancelled)).await?;
        listing.ok_or_else(|| SourceError::Fault("a selection was cancelled that is still wanted".into()))
    }

    async fn knows(&self, what: Known) -> Result<bool, SourceError> {
        self.selecting_query(move |data| data.knows(&what)).await
    }

    async fn places(&self, listing: Arc<Listing>) -> Result<Vec<Place>, SourceError> {
        self.selecting_query(move |data| data.places(&listing)).await
    }
}
