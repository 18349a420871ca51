//! The generation that a run writes: built from all resources, or the present one with its changes.

use std::path::Path;
use std::time::Instant;

use indexer::Result;
use indexer::sort::SortSpace;
use store_catalogue::{CatalogueBuilder, CatalogueContents, StoredResources};

use super::build::{Stored, build};
use super::changes::Changes;
use super::revise::revise;
use crate::merge::{Gathered, Partials, Superseded};

/// The folder of a draft, and the limits of writing.
pub(crate) struct Output<'a> {
    pub(crate) draft: &'a Path,
    pub(crate) index_bytes: usize,
    /// The space of each order, in the folder for temporary files.
    pub(crate) order: SortSpace<'a>,
    pub(crate) num_threads: usize,
}

pub(crate) struct Written {
    pub(crate) contents: CatalogueContents,
    pub(crate) stored: Stored,
    pub(crate) num_private: u64,
    pub(crate) superseded: Superseded,
    pub(crate) finishing_started: Instant,
}

impl Output<'_> {
    /// Writes the gathered resources: between the unchanged resources of the present generation if
    /// its changes are known, otherwise all of them again.
    pub(crate) fn write(
        &self,
        mut gathered: Gathered,
        partials: Partials,
        revised: Option<((Changes, StoredResources), &CatalogueContents)>,
    ) -> Result<Written> {
        if let Some(((changes, present), base)) = revised {
            let mut revision =
                present.revise(self.draft, self.order.folder, base, &changes.dropped, self.index_bytes)?;
            partials.texts().try_for_each(|text| revision.add_partial(text))?;
            drop(partials);
            let stored = revise(&mut gathered, &changes, &mut revision, self.order, self.num_threads)?;
            return finish(gathered, stored, || revision.finish());
        }
        let mut builder = CatalogueBuilder::create(self.draft, self.index_bytes)?;
        partials.texts().try_for_each(|text| builder.add_partial(text))?;
        drop(partials);
        let stored = build(&mut gathered, &mut builder, self.order, self.num_threads)?;
        finish(gathered, stored, || builder.finish())
    }
}

/// Completes a generation, which needs the memory of the gathered resources.
fn finish(
    gathered: Gathered,
    stored: Stored,
    finish: impl FnOnce() -> store::Result<CatalogueContents>,
) -> Result<Written> {
    let (num_private, superseded) =
        (gathered.deduplication.num_private_and_public().0, gathered.deduplication.superseded());
    drop(gathered);
    let finishing_started = Instant::now();
    Ok(Written { contents: finish()?, stored, num_private, superseded, finishing_started })
}
