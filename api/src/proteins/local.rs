//! Proteins from the embedded store.

use std::io;
use std::sync::Arc;

use store::{
    Filter, GenerationName, Generations, Protein, ProteinAccession, ProteinContents, ProteinGeneration, SearchAnswer,
    Statistics, Watch,
};

use super::source::{ProteinSnapshot, ProteinSource};
use crate::following::{Following, Served};
use crate::{SourceError, Supply};

/// The current protein generation of a folder, and the newer ones as they are published.
pub type LocalProteins = Following<ProteinGeneration>;

impl Served for ProteinGeneration {
    type Contents = ProteinContents;

    const WHAT: &'static str = "proteins";

    fn open(generations: &Generations, name: GenerationName) -> store::Result<Self> {
        Self::open(generations, name)
    }

    fn name(&self) -> GenerationName {
        self.name()
    }

    fn check_lengths(&self) -> store::Result<()> {
        self.check_lengths()
    }

    fn watch(&self) -> io::Result<Option<Watch>> {
        self.watch().map(Some)
    }

    fn scrub(&self, goes_on: &mut dyn FnMut(usize) -> bool) -> store::Result<bool> {
        self.scrub(goes_on)
    }
}

impl ProteinSource for LocalProteins {
    fn snapshot(&self) -> Option<Arc<dyn ProteinSnapshot>> {
        self.current().map(|snapshot| snapshot as Arc<dyn ProteinSnapshot>)
    }

    fn generation(&self) -> Option<Arc<ProteinGeneration>> {
        self.current()
    }

    fn supply(&self) -> Supply {
        self.supply().clone()
    }

    fn problem(&self) -> Option<&'static str> {
        self.problem()
    }
}

impl ProteinSnapshot for ProteinGeneration {
    fn generation(&self) -> GenerationName {
        self.name()
    }

    fn statistics(&self) -> Statistics {
        self.statistics()
    }

    fn search(&self, filter: &Filter, limit: usize) -> Result<SearchAnswer, SourceError> {
        self.search(filter, limit).map_err(fault)
    }

    fn fetch(&self, accession: ProteinAccession) -> Result<Option<Protein>, SourceError> {
        self.fetch(accession).map_err(fault)
    }

    fn replacement(&self, accession: ProteinAccession) -> Option<ProteinAccession> {
        self.replacement(accession)
    }
}

fn fault(error: store::Error) -> SourceError {
    SourceError::from(Box::from(error))
}
