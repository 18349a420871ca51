//! Proteins from the embedded store.

use std::sync::Arc;

use async_trait::async_trait;
use store::{
    Filter, GenerationName, Generations, Protein, ProteinAccession, ProteinGeneration, SearchAnswer, Statistics,
};

use super::source::{ProteinSnapshot, ProteinSource};
use crate::SourceError;
use crate::blocking::blocking;
use crate::following::{Following, Served};

/// The current protein generation of a folder, and the newer ones as they are published.
pub type LocalProteins = Following<LocalSnapshot>;

/// An opened generation.
pub struct LocalSnapshot {
    /// The generation.
    data: Arc<ProteinGeneration>,
    /// Its name as text.
    name: String,
}

impl Served for LocalSnapshot {
    const WHAT: &'static str = "proteins";

    fn open(generations: &Generations, name: GenerationName) -> store::Result<Self> {
        let data = ProteinGeneration::open(generations, name)?;
        Ok(Self { name: name.to_string(), data: Arc::new(data) })
    }

    fn name(&self) -> GenerationName {
        self.data.name()
    }
}

impl LocalSnapshot {
    /// Runs a query where it may wait for the disk.
    async fn query<T: Send + 'static>(
        &self,
        query: impl FnOnce(&ProteinGeneration) -> store::Result<T> + Send + 'static,
    ) -> Result<T, SourceError> {
        let data = Arc::clone(&self.data);
        blocking(move || query(&data)).await.map_err(|error| SourceError::from(Box::from(error)))
    }
}

impl ProteinSource for LocalProteins {
    fn snapshot(&self) -> Option<Arc<dyn ProteinSnapshot>> {
        self.current().map(|snapshot| snapshot as Arc<dyn ProteinSnapshot>)
    }

    fn problem(&self) -> Option<String> {
        self.behind().map(|behind| behind.problem)
    }
}

#[async_trait]
impl ProteinSnapshot for LocalSnapshot {
    fn generation(&self) -> &str {
        &self.name
    }

    fn statistics(&self) -> Statistics {
        self.data.statistics()
    }

    async fn search(&self, filter: Filter, limit: usize) -> Result<SearchAnswer, SourceError> {
        self.query(move |data| data.search(&filter, limit)).await
    }

    async fn fetch(&self, accession: ProteinAccession) -> Result<Option<Protein>, SourceError> {
        self.query(move |data| data.fetch(accession)).await
    }

    async fn replacement(&self, accession: ProteinAccession) -> Result<Option<ProteinAccession>, SourceError> {
        self.query(move |data| Ok(data.replacement(accession))).await
    }
}
