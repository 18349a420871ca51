//! What the handlers know of the engine.

use std::sync::Arc;

use store::{Filter, GenerationName, Protein, ProteinAccession, ProteinGeneration, SearchAnswer, Statistics};

use crate::{SourceError, Supply};

/// Where proteins come from: an embedded store, or an engine behind a network.
pub trait ProteinSource: Send + Sync + 'static {
    /// Returns a handle on the state of the data that is served now, or `None` where no data were ever loaded.
    fn snapshot(&self) -> Option<Arc<dyn ProteinSnapshot>>;

    /// Returns the generation that is served now, which the second version of the interface asks.
    fn generation(&self) -> Option<Arc<ProteinGeneration>> {
        None
    }

    /// Returns where the data come from.
    fn supply(&self) -> Supply {
        Supply::Loaded
    }

    /// Returns why a newer state cannot be served; `None` if there is none.
    fn problem(&self) -> Option<&'static str>;
}

/// One state of the data. All answers of a handle are of that state, whatever is published meanwhile. Calls may wait for
/// the disk.
pub trait ProteinSnapshot: Send + Sync + 'static {
    /// Returns the name of the generation.
    fn generation(&self) -> GenerationName;

    /// Returns what the generation holds.
    fn statistics(&self) -> Statistics;

    /// Returns the first `limit` proteins that the filter matches, ascending by accession.
    fn search(&self, filter: &Filter, limit: usize) -> Result<SearchAnswer, SourceError>;

    /// Returns a protein, or `None` where there is none of that accession.
    fn fetch(&self, accession: ProteinAccession) -> Result<Option<Protein>, SourceError>;

    /// Returns the accession that replaces one, at the end of any chain, or `None` where it was not replaced.
    fn replacement(&self, accession: ProteinAccession) -> Option<ProteinAccession>;
}
