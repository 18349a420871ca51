//! The resources of the present generation, to which a load adds, or from which it removes.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use indexer::ordered::{Queue, in_order};
use indexer::run::Rejection;
use indexer::{Error, Result};
use store::Generations;
use store_catalogue::{LinkStyle, Ordinal, ResourceBody, StoredResources};

use super::resource::Resource;
use super::rows::Row;
use crate::read::identity::{Identifier, Identity};

/// The resources that are read at once.
const BATCH_RESOURCES: usize = 64;

/// Up to one resource in so many may change where the others are left as they are, and so many more.
const CHANGES_SHARE: usize = 2;
const CHANGES_MIN: usize = 1000;

/// The beginning of the links of resources that are read again.
const OWN_PREFIX: &str = "{base_url}/metagenomics/api/v1";

pub(crate) struct Present {
    pub(crate) stored: Arc<StoredResources>,
    /// The resources that are not kept.
    pub(crate) removed: HashSet<Identity>,
    pub(crate) removed_ordinals: Vec<Ordinal>,
    num_kept: AtomicU64,
    num_removed: AtomicU64,
}

impl Present {
    /// Copies the current generation, if there is one, into a folder for temporary files.
    pub(crate) fn copy(generations: &Path, folder: &Path) -> Result<Option<Self>> {
        let generations = Generations::new(generations);
        let Some(name) = generations.current()? else { return Ok(None) };
        let stored = Arc::new(StoredResources::copy(&generations, name, &folder.join("present"))?);
        let (num_kept, num_removed) = (AtomicU64::new(0), AtomicU64::new(0));
        Ok(Some(Self { stored, removed: HashSet::new(), removed_ordinals: Vec::new(), num_kept, num_removed }))
    }

    /// Returns the resources themselves, which nothing else may use any more.
    pub(crate) fn into_stored(self) -> Result<StoredResources> {
        Arc::into_inner(self.stored).ok_or(Error::Internal("the present generation is in use"))
    }

    /// Returns how many resources were kept, and how many were removed.
    pub(crate) fn num_kept_and_removed(&self) -> (u64, u64) {
        (self.num_kept.load(Ordering::Relaxed), self.num_removed.load(Ordering::Relaxed))
    }

    /// Returns how many resources may come or change where the others are left as they are. Beyond, all are made anew.
    pub(crate) fn num_changes_max(&self) -> usize {
        self.stored.contents().num_resources as usize / CHANGES_SHARE + CHANGES_MIN
    }

    /// Examines resources that are kept, but for derived ones, on several threads, and collects them in their order: all, or those with some
    /// ordinals, besides which the others are kept, too.
    pub(crate) fn for_each_kept<T: Send>(
        &self,
        ordinals: Option<&[Ordinal]>,
        identifier: &Identifier,
        num_threads: usize,
        examine: impl Fn(Row<'_>) -> Result<T, Rejection> + Sync,
        mut collect: impl FnMut(Ordinal, T) -> Result<()> + Send,
    ) -> Result<()> {
        let num_resources = self.stored.contents().num_resources;
        let examine = |ordinal: Ordinal| {
            let body = self.stored.body(ordinal)?;
            let origin = body.origin().ok_or_else(damaged)?;
            let text = loadable(&body)?;
            if origin.is_derived {
                return Ok(None);
            }
            if ordinals.is_none() && !self.removed.is_empty() {
                let resource = Resource::parse(&text).map_err(|_| damaged())?;
                if self.removed.contains(&resource.identity(identifier)) {
                    self.num_removed.fetch_add(1, Ordering::Relaxed);
                    return Ok(None);
                }
            }
            let row = Row { text: &text, is_included: origin.is_included, found_in: None };
            Ok(Some((ordinal, examine(row).map_err(|_| damaged())?)))
        };
        if ordinals.is_some() {
            let num_removed = self.removed.len() as u64;
            self.num_removed.store(num_removed, Ordering::Relaxed);
            self.num_kept.store(u64::from(num_resources) - num_removed, Ordering::Relaxed);
        }
        let push = |mut queue: Queue<Vec<Ordinal>>| {
            let all: Vec<Ordinal> = ordinals.map_or_else(|| (0..num_resources).collect(), <[_]>::to_vec);
            // This error is not returned: the one that made collecting stop is.
            let mut push =
                |batch: &[_]| queue.push(batch.to_vec()).map_err(|_| Error::Internal("collecting has stopped"));
            all.chunks(BATCH_RESOURCES).try_for_each(&mut push)
        };
        let worker = || |batch: Vec<Ordinal>| batch.into_iter().map(examine).collect::<Result<Vec<_>>>();
        in_order(num_threads, push, worker, |examined| {
            for (ordinal, resource) in examined?.into_iter().flatten() {
                if ordinals.is_none() {
                    self.num_kept.fetch_add(1, Ordering::Relaxed);
                }
                collect(ordinal, resource)?;
            }
            Ok(())
        })
    }

    /// Returns the partial resources of earlier loads, without those of resources that are not kept.
    pub(crate) fn partials<'a>(
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

/// Returns a stored resource as a row that can be loaded again.
pub(crate) fn loadable(body: &ResourceBody) -> Result<String> {
    let links = LinkStyle::new(OWN_PREFIX, None, None);
    let mut json = Vec::with_capacity(body.rendered_len(&links));
    body.render_whole(&links, &mut json);
    String::from_utf8(json).map_err(|_| damaged())
}

pub(crate) fn damaged() -> Error {
    Error::Internal("a stored resource cannot be read")
}
