//! The resources of the present generation, to which a load adds, or from which it removes.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use store::model::ResourceType;
use store::{Generations, LinkStyle, ResourceBody, StoredResources};

use super::check::{InputFiles, Row, read_rows};
use super::deduplication::{Identifier, Identity};
use super::entry::identifiers;
use super::pieces::Limits;
use super::plan::Removal;
use super::resource::Resource;
use crate::ordered::{Queue, in_order};
use crate::run::{Rejection, Rows};
use crate::words::counted;
use crate::{Error, Result};

/// The resources that cannot be removed of which so many are named.
const EXAMPLES_MAX: usize = 5;

/// The resources that are read at once.
const BATCH_RESOURCES: usize = 64;

/// The beginning of the links of resources that are read again.
const OWN_PREFIX: &str = "{base_url}/metagenomics/api/v1";

pub(super) struct Present {
    pub(super) stored: StoredResources,
    /// The resources that are not kept.
    pub(super) removed: HashSet<Identity>,
    /// A sentence about resources that should be removed, but are not there.
    pub(super) unknown: Option<String>,
    num_kept: AtomicU64,
    num_removed: AtomicU64,
}

impl Present {
    /// Copies the current generation, if there is one, into a folder for temporary files.
    pub(super) fn copy(generations: &Path, folder: &Path) -> Result<Option<Self>> {
        let generations = Generations::new(generations);
        let Some(name) = generations.current()? else { return Ok(None) };
        let stored = StoredResources::copy(&generations, name, &folder.join("present"))?;
        let (num_kept, num_removed) = (AtomicU64::new(0), AtomicU64::new(0));
        Ok(Some(Self { stored, removed: HashSet::new(), unknown: None, num_kept, num_removed }))
    }

    /// Copies the current generation, of which some resources are not kept: those of some files, and those with some accessions.
    ///
    /// # Errors
    ///
    /// * None of the resources is there, or an accession is that of several types.
    pub(super) fn without(
        removal: &Removal,
        generations: &Path,
        folder: &Path,
        (files, limits): (InputFiles<'_>, Limits),
        identifier: &Identifier,
        rows: &mut Rows,
    ) -> Result<Self> {
        let nothing = || Error::Refused { problem: "there is no catalogue to remove anything from".to_owned() };
        let mut present = Self::copy(generations, folder)?.ok_or_else(nothing)?;
        let examine = |row: Row<'_>| {
            let resource = Resource::parse(row.text)?;
            Ok((resource.identity(identifier), identifiers(&resource).swap_remove(0), resource.kind))
        };
        let (mut unknown, mut num_unknown) = (Vec::new(), 0);
        let mut note_unknown = |name: &str| {
            num_unknown += 1;
            if unknown.len() < EXAMPLES_MAX {
                unknown.push(name.to_owned());
            }
        };
        read_rows(files, limits, rows, examine, |(identity, name, kind)| {
            match present.identity_of(&kind, &name, identifier)? {
                Some(found) if found == identity => _ = present.removed.insert(identity),
                _ => note_unknown(&name),
            }
            Ok(())
        })?;
        for accession in &removal.accessions {
            match present.named(accession, removal.resource_type.as_deref(), identifier)? {
                Some(identity) => _ = present.removed.insert(identity),
                None => note_unknown(accession),
            }
        }
        let unknown = unknown.join(", ");
        if present.removed.is_empty() {
            return Err(Error::Refused { problem: format!("nothing to remove: the catalogue has none of {unknown}") });
        }
        if num_unknown > 0 {
            let num = counted(num_unknown, "resource");
            present.unknown = Some(format!("{num} to remove that the catalogue does not have, such as {unknown}"));
        }
        Ok(present)
    }

    /// Returns how many resources were kept, and how many were removed.
    pub(super) fn num_kept_and_removed(&self) -> (u64, u64) {
        (self.num_kept.load(Ordering::Relaxed), self.num_removed.load(Ordering::Relaxed))
    }

    /// Returns the one resource that has an identifier.
    fn named(&self, accession: &str, of_type: Option<&str>, identifier: &Identifier) -> Result<Option<Identity>> {
        let of_type = of_type.map(|name| ResourceType::at_path(name).map_or(name, |known| known.name));
        let types = self.stored.contents().types.keys().filter(|name| of_type.is_none_or(|of_type| of_type == *name));
        let mut found = Vec::new();
        for name in types {
            found.extend(self.identity_of(name, accession, identifier)?.map(|identity| (name, identity)));
        }
        if let [(one, _), (other, _), ..] = found[..] {
            let problem = format!("{accession} is an accession of {one} and of {other}: say which with --type");
            return Err(Error::Refused { problem });
        }
        Ok(found.pop().map(|(_, identity)| identity))
    }

    /// Returns the resource of a type that has an identifier, unless it was derived.
    fn identity_of(&self, resource_type: &str, name: &str, identifier: &Identifier) -> Result<Option<Identity>> {
        let Some(ordinal) = self.stored.find(resource_type, name)? else { return Ok(None) };
        let bodies = self.stored.bodies(&[ordinal])?;
        let found = bodies.first().filter(|body| body.origin().is_some_and(|origin| !origin.is_derived));
        let found = found.map(|body| str::from_utf8(body.json()).ok().and_then(|text| Resource::parse(text).ok()));
        Ok(found.map(|found| found.map(|found| found.identity(identifier)).ok_or_else(damaged)).transpose()?)
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

fn damaged() -> Error {
    Error::Internal("a stored resource cannot be read")
}
