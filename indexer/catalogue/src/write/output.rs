//! The generation that a run writes: built of all resources, or the present one with what changes.

use std::path::Path;

use indexer::Result;
use indexer::sort::SortSpace;
use store_catalogue::{CatalogueBuilder, CatalogueContents, CatalogueRevision};

use super::build::{Written, write};
use super::changes::Changes;
use super::revise::revise;
use crate::merge::gather::Gathered;
use crate::read::present::Present;

pub(crate) enum Output<'a> {
    Built(Box<CatalogueBuilder>),
    Revised(Box<CatalogueRevision<'a>>, Changes),
}

impl<'a> Output<'a> {
    /// Begins a generation in the folder of a draft, beside one for temporary files. The present one is revised if it is known what changes.
    pub(crate) fn begin(
        changes: Option<Changes>,
        present: Option<Present>,
        base: Option<&'a CatalogueContents>,
        (draft, spill): (&Path, &Path),
        memory_bytes: usize,
    ) -> Result<Self> {
        if let (Some(changes), Some(present), Some(base)) = (changes, present, base) {
            let stored = present.into_stored()?;
            let revision = stored.revise(draft, spill, base, &changes.dropped, memory_bytes)?;
            return Ok(Self::Revised(Box::new(revision), changes));
        }
        Ok(Self::Built(Box::new(CatalogueBuilder::create(draft, memory_bytes)?)))
    }

    pub(crate) fn add_partial(&mut self, text: &str) -> Result<()> {
        Ok(match self {
            Self::Built(builder) => builder.add_partial(text),
            Self::Revised(revision, _) => revision.add_partial(text),
        }?)
    }

    pub(crate) fn write(
        &mut self,
        gathered: &mut Gathered,
        space: SortSpace<'_>,
        num_threads: usize,
    ) -> Result<Written> {
        match self {
            Self::Built(builder) => write(gathered, builder, space, num_threads),
            Self::Revised(revision, changes) => revise(gathered, changes, revision, space, num_threads),
        }
    }

    pub(crate) fn finish(self) -> Result<CatalogueContents> {
        Ok(match self {
            Self::Built(builder) => builder.finish(),
            Self::Revised(revision, _) => revision.finish(),
        }?)
    }
}
