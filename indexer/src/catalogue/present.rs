//! The resources of the present generation, to which a load adds, or from which it removes.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use store::{Generations, LinkStyle, ResourceBody, StoredResources};

use super::check::Row;
use super::deduplication::{Identifier, Identity};
use super::resource::Resource;
use crate::ordered::{Queue, in_order};
use crate::run::Rejection;
use crate::{Error, Result};

/// The resources that are read at once.
const BATCH_RESOURCES: usize = 64;

/// The beginning of the links of resources that are read again.
const OWN_PREFIX: &str = "{base_url}/metagenomics/api/v1";

pub(super) struct Present {
    pub(super) stored: Arc<StoredResources>,
    /// The resources that are not kept.
    pub(super) removed: HashSet<Identity>,
    num_kept: AtomicU64,
    num_removed: AtomicU64,
}

impl Present {
    /// Copies the current generation, if there is one, into a folder for temporary files.
    pub(super) fn copy(generations: &Path, folder: &Path) -> Result<Option<Self>> {
        let generations = Generations::new(generations);
        let Some(name) = generations.current()? else { return Ok(None) };
        let stored = Arc::new(StoredResources::copy(&generations, name, &folder.join("present"))?);
        let (num_kept, num_removed) = (AtomicU64::new(0), AtomicU64::new(0));
        Ok(Some(Self { stored, removed: HashSet::new(), num_kept, num_removed }))
    }

    /// Returns how many resources were kept, and how many were removed.
    pub(super) fn num_kept_and_removed(&self) -> (u64, u64) {
        (self.num_kept.load(Ordering::Relaxed), self.num_removed.load(Ordering::Relaxed))
    }

    /// Examines all resources that are kept, but for derived ones, on several threads, and collects them in their order.
    pub(super) fn for_each_kept<T: Send>(
        &self,
        identifier: &Identifier,
        num_threads: usize,
        examine: impl Fn(Row<'_>) -> Result<T, Rejection> + Sync,
        mut collect: impl FnMut(T) -> Result<()> + Send,
    ) -> Result<()> {
        let links = LinkStyle::new(OWN_PREFIX, None, None);
        let examine = |body: ResourceBody| {
            let origin = body.origin().ok_or_else(damaged)?;
            let mut json = Vec::with_capacity(body.rendered_len(&links));
            body.render_whole(&links, &mut json);
            let text = String::from_utf8(json).map_err(|_| damaged())?;
            if origin.is_derived {
                return Ok(None);
            }
            if !self.removed.is_empty() {
                let resource = Resource::parse(&text).map_err(|_| damaged())?;
                if self.removed.contains(&resource.identity(identifier)) {
                    self.num_removed.fetch_add(1, Ordering::Relaxed);
                    return Ok(None);
                }
            }
            let row = Row { text: &text, is_included: origin.is_included, found_in: None };
            examine(row).map(Some).map_err(|_| damaged())
        };
        let push = |mut queue: Queue<Vec<ResourceBody>>| {
            let mut bodies = self.stored.iter();
            loop {
                let batch: Vec<_> = bodies.by_ref().take(BATCH_RESOURCES).collect::<store::Result<_>>()?;
                if batch.is_empty() {
                    return Ok(());
                }
                // This error is not returned: the one that made collecting stop is.
                queue.push(batch).map_err(|_| Error::Internal("collecting has stopped"))?;
            }
        };
        let worker = || |batch: Vec<ResourceBody>| batch.into_iter().map(examine).collect::<Result<Vec<_>>>();
        in_order(num_threads, push, worker, |examined| {
            for resource in examined?.into_iter().flatten() {
                self.num_kept.fetch_add(1, Ordering::Relaxed);
                collect(resource)?;
            }
            Ok(())
        })
    }

    /// Returns the partial resources of earlier loads, without those of resources that are not kept.
    pub(super) fn partials<'a>(
        &'a self,
        identifier: &'a Identifier,
    ) -> impl Iterator<Item = Result<(Identity, Box<str>)>> + 'a {
        let partial = |text: store::Result<String>| {
            let text = text?;
            let partial =
                Resource::parse(&text).map_err(|_| Error::Internal("a stored partial resource cannot be read"))?;
            Ok((partial.identity(identifier), text.into()))
        };
        let is_kept = |partial: &Result<(Identity, _)>| {
            partial.as_ref().map_or(true, |(identity, _)| !self.removed.contains(identity))
        };
        self.stored.partials().map(partial).filter(is_kept)
    }
}

pub(super) fn damaged() -> Error {
    Error::Internal("a stored resource cannot be read")
}
