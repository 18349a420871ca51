//! Proteins from the embedded store.

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwapOption;
use async_trait::async_trait;
use store::{
    Filter, GenerationName, Generations, Protein, ProteinAccession, ProteinGeneration, SearchAnswer, Statistics,
};

use super::source::{ProteinSnapshot, ProteinSource, SourceError};
use crate::blocking::blocking;

/// How often a server looks for a new generation.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// The current generation of a folder. Requests keep the generation that they began with; an old one is closed when the last of
/// them ends.
pub struct LocalProteins {
    /// The folder.
    generations: Generations,
    /// The generation that is served.
    current: ArcSwapOption<LocalSnapshot>,
}

/// An opened generation.
struct LocalSnapshot {
    /// The generation.
    data: Arc<ProteinGeneration>,
    /// Its name as text.
    name: String,
}

impl LocalProteins {
    /// Opens the current generation of a folder, which need not exist yet.
    ///
    /// # Errors
    ///
    /// * The current generation is torn, of an unknown format or cannot be read.
    pub fn open(generations: Generations) -> store::Result<Self> {
        let current = ProteinGeneration::open_current(&generations)?.map(LocalSnapshot::new);
        Ok(Self { generations, current: ArcSwapOption::new(current) })
    }

    /// Takes over each new generation as it is published, for ever. One that cannot be opened is logged and passed over: the
    /// old one goes on being served.
    pub async fn follow(self: Arc<Self>) {
        let mut last_problem = String::new();
        loop {
            tokio::time::sleep(LOOK_INTERVAL).await;
            let this = Arc::clone(&self);
            let problem = match blocking(move || this.refresh()).await {
                Ok(Some(name)) => {
                    tracing::info!("now serving proteins of {name}");
                    String::new()
                }
                Ok(None) => String::new(),
                Err(error) => error.to_string(),
            };
            if !problem.is_empty() && problem != last_problem {
                tracing::error!("a new generation cannot be served: {problem}");
            }
            last_problem = problem;
        }
    }

    /// Opens the current generation if it is not the one that is served, and returns its name.
    ///
    /// # Errors
    ///
    /// * See [`LocalProteins::open`]. The old generation goes on being served.
    pub fn refresh(&self) -> store::Result<Option<GenerationName>> {
        let served = self.current.load().as_ref().map(|snapshot| snapshot.data.name());
        match self.generations.current()? {
            Some(name) if Some(name) != served => {
                let opened = ProteinGeneration::open(&self.generations, name)?;
                self.current.store(Some(LocalSnapshot::new(opened)));
                Ok(Some(name))
            }
            _ => Ok(None),
        }
    }
}

impl LocalSnapshot {
    /// Wraps a generation.
    fn new(data: ProteinGeneration) -> Arc<Self> {
        Arc::new(Self { name: data.name().to_string(), data: Arc::new(data) })
    }

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
        self.current.load_full().map(|snapshot| snapshot as Arc<dyn ProteinSnapshot>)
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
