//! The generation that a run writes: made of all resources, or of the present one.

use std::path::Path;

use indexer::Result;
use indexer::sort::SortSpace;
use store_catalogue::{CatalogueBuilder, CatalogueContents, CatalogueRevision};

use super::changes::Changes;
use super::gather::Gathered;
use super::present::Present;
use super::revise::revise;
use super::write::{Written, write};

pub(super) enum Output<'a> {
    Built(Box<CatalogueBuilder>),
    Revised(Box<CatalogueRevision<'a>>, Changes),
}

impl<'a> Output<'a> {
    /// Begins a generation in the folder of a draft, beside one for temporary files. The present one is revised if it is known what changes.
    pub(super) fn begin(
        gathered: &mut Gathered,
        present: Option<Present>,
        base: Option<&'a CatalogueContents>,
        (draft, spill): (&Path, &Path),
        memory_bytes: usize,
    ) -> Result<Self> {
        if let (Some(changes), Some(present), Some(base)) = (gathered.changes.take(), present, base) {
            let stored = present.into_stored()?;
            let revision = stored.revise(draft, spill, base, &changes.dropped, memory_bytes)?;
            return Ok(Self::Revised(Box::new(revision), changes));
        }
        Ok(Self::Built(Box::new(CatalogueBuilder::create(draft, memory_bytes)?)))
    }

    pub(super) fn add_partial(&mut self, text: &str) -> Result<()> {
        Ok(match self {
            Self::Built(builder) => builder.add_partial(text),
            Self::Revised(revision, _) => revision.add_partial(text),
        }?)
    }

    pub(super) fn write(
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

    pub(super) fn finish(self) -> Result<CatalogueContents> {
        Ok(match self {
            Self::Built(builder) => builder.finish(),
            Self::Revised(revision, _) => revision.finish(),
        }?)
    }
}
