//! The resources of the present generation, which a load changes.

use std::collections::HashSet;

use indexer::ordered::{Queue, in_order};
use indexer::run::Rejection;
use indexer::{Error, Result};
use store_catalogue::{Ordinal, StoredResources};

use super::removal::Removed;
use super::resource::Resource;
use super::rows::Row;
use super::stored::{damaged, loadable};
use crate::read::{Identifier, Identity};

/// The number of resources in a batch.
const BATCH_RESOURCES: usize = 64;

pub(crate) struct Present<'a> {
    pub(crate) stored: &'a StoredResources,
    /// The resources that are not kept.
    pub(crate) removed: Removed,
}

impl Present<'_> {
    /// Examines kept resources, except derived ones, on several threads, and collects them in their
    /// order: either all, or only those with given ordinals, while the others are kept too.
    pub(crate) fn for_each_kept<T: Send>(
        &self,
        ordinals: Option<&[Ordinal]>,
        num_threads: usize,
        examine: impl Fn(Row<'_>) -> Result<T, Rejection> + Sync,
        mut collect: impl FnMut(Ordinal, T) -> Result<()> + Send,
    ) -> Result<()> {
        let examine = |ordinal: Ordinal| {
            let body = self.stored.body(ordinal)?;
            let origin = body.origin().ok_or_else(damaged)?;
            let text = loadable(&body)?;
            if origin.is_derived {
                return Ok(None);
            }
            Ok(Some((ordinal, examine(Row::of(&text, origin.is_included)).map_err(|_| damaged())?)))
        };
        let push = |mut queue: Queue<Vec<Ordinal>>| {
            let removed: HashSet<_> = self.removed.ordinals.iter().collect();
            let kept = || (0..self.stored.contents().num_resources).filter(|ordinal| !removed.contains(ordinal));
            let kept: Vec<Ordinal> = ordinals.map_or_else(|| kept().collect(), <[_]>::to_vec);
            // This error is not returned: the error that stopped collecting is.
            let mut push =
                |batch: &[_]| queue.push(batch.to_vec()).map_err(|_| Error::Internal("collecting has stopped"));
            kept.chunks(BATCH_RESOURCES).try_for_each(&mut push)
        };
        let worker = || |batch: Vec<Ordinal>| batch.into_iter().map(examine).collect::<Result<Vec<_>>>();
        in_order(num_threads, push, worker, |examined| {
            for (ordinal, resource) in examined?.into_iter().flatten() {
                collect(ordinal, resource)?;
            }
            Ok(())
        })
    }

    /// Reads the partial resources of earlier loads, without those of resources that are not kept.
    pub(crate) fn for_each_partial(
        &self,
        identifier: &Identifier,
        mut collect: impl FnMut(Identity, Box<str>) -> Result<()>,
    ) -> Result<()> {
        for text in self.stored.partials() {
            let text = text?;
            let partial = Resource::parse(&text);
            let partial = partial.map_err(|_| Error::Internal("a stored partial resource cannot be read"))?;
            let identity = partial.identity(identifier);
            if !self.removed.identities.contains(&identity) {
                collect(identity, text.into())?;
            }
        }
        Ok(())
    }
}
