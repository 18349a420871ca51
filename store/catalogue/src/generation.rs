//! An opened generation.

mod values;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use store::engine::catch_panics;
use store::{Error, GenerationName, Generations, Manifest, Result, Served, WeightedCache, restore};

pub use values::Place;

use super::contents::RESOURCES;
use super::facets::kept::FacetColumns;
use super::index::columns::Columns;
use super::index::reader::CatalogueIndex;
use super::resources::{BODIES_BYTES_MAX, Resources};
use super::selection::evaluation::Evaluation;
use super::selection::of_type::OfType;
use super::selection::ordinal_set::OrdinalSet;
use super::selection::permutations::Permutations;
use super::selection::relevance::Searched;
use super::{
    CatalogueContents, Condition, Effort, Listing, Order, Ordinal, RELEVANCE, ResourceBody, ResourceSet, Selection,
    verify,
};

const ANSWERS_BYTES_MAX: usize = 56 << 20;

const COMPLETED_BYTES_MAX: usize = 8 << 20;

/// An opened catalogue generation. Only one process at a time can open its database.
/// [`crate::CatalogueBuilder`] has an example.
pub struct CatalogueGeneration {
    name: GenerationName,
    path: PathBuf,
    manifest: Manifest<CatalogueContents>,
    resources: Resources,
    index: CatalogueIndex,
    columns: Columns,
    permutations: Permutations,
    facet_columns: FacetColumns,
    /// By [`Selection::key`].
    answers: WeightedCache<[u64; 2], Arc<Listing>>,
    /// By ordinal and form.
    completed: WeightedCache<(Ordinal, u8), Arc<ResourceBody>>,
}

/// The result of a full check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogueVerification {
    /// The number of resources.
    pub num_resources: u64,
    /// The number of types.
    pub num_types: usize,
    /// The number of missing resources that others name, by type. They are not damage.
    pub missing: BTreeMap<String, u64>,
    /// The databases that were read.
    pub databases: CheckedDatabases,
}

/// The databases of a generation that a full check found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckedDatabases {
    /// The served one.
    Served,
    /// The served one and its sealed copy.
    ServedAndSealed,
    /// The sealed copy. The served one is made from it when the generation is opened.
    Sealed,
}

impl CatalogueGeneration {
    /// Opens the current generation, or returns `None` if none is published.
    pub fn open_current(generations: &Generations) -> Result<Option<Self>> {
        generations.current()?.map(|name| Self::open(generations, name)).transpose()
    }

    /// Opens a generation. Small files of its index are compared with their checksums.
    ///
    /// # Errors
    ///
    /// * Another process has it open.
    /// * The generation is torn, damaged, of an unknown format or cannot be read.
    pub fn open(generations: &Generations, name: GenerationName) -> Result<Self> {
        let path = generations.path(name);
        let manifest = Manifest::<CatalogueContents>::read(&path)?;
        manifest.verify_small_files(&path)?;
        catch_panics(&path, || {
            let num_resources = manifest.contents.num_resources;
            let mut index = CatalogueIndex::open(&path, num_resources)?;
            index.num_words = Some(manifest.contents.num_words);
            let searched = manifest.contents.shown_types().map(|(_, shown)| u64::from(shown.num_resources));
            index.num_searched = Some(searched.sum());
            restore(&path, RESOURCES, &manifest.files)?;
            let resources = Resources::open(&path, &path.join(RESOURCES), &manifest.contents)?;
            Ok(Self {
                name,
                path: path.clone(),
                manifest,
                resources,
                index,
                columns: Columns::default(),
                permutations: Permutations::new(num_resources),
                facet_columns: FacetColumns::new(num_resources),
                answers: WeightedCache::new(ANSWERS_BYTES_MAX),
                completed: WeightedCache::new(COMPLETED_BYTES_MAX),
            })
        })
    }

    /// Reads all data of a generation and compares them with the published checksums. A server may
    /// have the generation open.
    pub fn verify_published(generations: &Generations, name: GenerationName) -> Result<CatalogueVerification> {
        verify::verify_folder(&generations.path(name))
    }

    /// Returns the name.
    pub fn name(&self) -> GenerationName {
        self.name
    }

    /// Returns the manifest.
    pub fn manifest(&self) -> &Manifest<CatalogueContents> {
        &self.manifest
    }

    /// Returns the contents.
    pub fn contents(&self) -> &CatalogueContents {
        &self.manifest.contents
    }

    /// Finds the resource of a type with an identifier.
    pub fn find(&self, resource_type: &str, identifier: &str) -> Result<Option<Ordinal>> {
        self.read(|| self.resources.find(resource_type, identifier))
    }

    /// Returns the resources of `ordinals`, in the same order.
    pub fn resources(&self, ordinals: &[Ordinal]) -> Result<Vec<Arc<ResourceBody>>> {
        self.read(|| self.resources.get_all(ordinals, true))
    }

    /// Returns some resources of a listing that is read to its end. They are cached only if the
    /// cache has space for the whole listing: otherwise they would replace resources that are
    /// requested again.
    pub fn resources_in_passing(&self, ordinals: &[Ordinal], listing: &Listing) -> Result<Vec<Arc<ResourceBody>>> {
        let num_bytes = self.contents().mean_resource_bytes().saturating_mul(listing.len());
        self.read(|| self.resources.get_all(ordinals, num_bytes <= BODIES_BYTES_MAX))
    }

    /// Returns a resource.
    pub fn resource(&self, ordinal: Ordinal) -> Result<Arc<ResourceBody>> {
        Ok(self.resources(&[ordinal])?.swap_remove(0))
    }

    /// Returns a resource in a form that `complete` derives from the stored one, always in the same
    /// way. It is cached like stored ones.
    ///
    /// # Errors
    ///
    /// * The resource cannot be read or completed.
    pub fn completed<E: From<Error>>(
        &self,
        ordinal: Ordinal,
        form: u8,
        complete: impl FnOnce(&ResourceBody) -> std::result::Result<ResourceBody, E>,
    ) -> std::result::Result<Arc<ResourceBody>, E> {
        if let Some(kept) = self.completed.get(&(ordinal, form)) {
            return Ok(kept);
        }
        let body = Arc::new(complete(&*self.resource(ordinal)?)?);
        self.completed.put((ordinal, form), Arc::clone(&body), body.size_bytes());
        Ok(body)
    }

    /// Answers a selection. Answers are cached, so that the next page of the same selection is
    /// cheap. Orders that the type does not have are ignored.
    pub fn select(&self, selection: &Selection) -> Result<Arc<Listing>> {
        // A selection that is not cancelled is always answered.
        Ok(self.select_unless(selection, &Effort::unlimited())?.unwrap_or_else(|| Arc::new(Listing::none())))
    }

    /// Answers a selection like [`CatalogueGeneration::select`], or returns `None` soon after the
    /// effort ends.
    pub fn select_unless(&self, selection: &Selection, effort: &Effort) -> Result<Option<Arc<Listing>>> {
        if selection.conditions.is_empty() && selection.orders.is_empty() {
            let all = self.contents().types.get(&selection.resource_type);
            return Ok(Some(Arc::new(all.map_or_else(Listing::none, |contents| Listing::of(contents, None, None)))));
        }
        let key = selection.key();
        if let Some(kept) = self.answers.get(&key) {
            return Ok(Some(kept));
        }
        let Some(listing) = self.read(|| self.answer(selection, effort))? else { return Ok(None) };
        let listing = Arc::new(listing);
        self.answers.put(key, Arc::clone(&listing), listing.size_bytes());
        Ok(Some(listing))
    }

    /// Returns the resources of a type that satisfy any of some conditions, which are made one
    /// after another. The set is incomplete if the effort ends.
    ///
    /// # Errors
    ///
    /// * A condition cannot be made or evaluated.
    pub fn collect<E: From<Error>>(
        &self,
        resource_type: &str,
        conditions: impl Iterator<Item = std::result::Result<Condition, E>>,
        effort: &Effort,
    ) -> std::result::Result<Condition, E> {
        let Some(contents) = self.contents().types.get(resource_type) else { return Ok(Condition::AnyOf(Vec::new())) };
        let mut set = OrdinalSet::none(contents);
        let evaluation = self.evaluation(effort);
        for condition in conditions.take_while(|_| effort.may_continue()) {
            let condition = condition?;
            self.read(|| evaluation.insert(OfType { name: resource_type, contents }, &condition, &mut set))?;
        }
        Ok(Condition::Among(ResourceSet(set)))
    }

    /// Returns `None` if the effort has ended.
    fn answer(&self, selection: &Selection, effort: &Effort) -> Result<Option<Listing>> {
        let Some(contents) = self.contents().types.get(&selection.resource_type) else {
            return Ok(Some(Listing::none()));
        };
        let of = OfType { name: &selection.resource_type, contents };
        let evaluation = self.evaluation(effort);
        let set = evaluation.all(of, &selection.conditions)?;
        // The set is complete only if the effort has not ended by now.
        if !effort.may_continue() {
            return Ok(None);
        }
        let (by_relevance, orders) = match selection.orders.split_first() {
            Some((first, others)) if first.field == RELEVANCE => (Some(first), others),
            _ => (None, &*selection.orders),
        };
        let by_relevance = by_relevance.zip(Searched::first_in(&selection.conditions));
        let listing = Listing::of(contents, set, self.permutations.get(&self.resources, of, orders)?);
        let Some((Order { is_descending, .. }, searched)) = by_relevance else { return Ok(Some(listing)) };
        let mut ordinals = listing.ordinals(0..listing.len());
        evaluation.sort_by_relevance(contents, &searched, &mut ordinals)?;
        if !effort.may_continue() {
            return Ok(None);
        }
        if *is_descending {
            ordinals.reverse();
        }
        Ok(Some(Listing::in_this_order(ordinals)))
    }

    fn evaluation<'a>(&'a self, effort: &'a Effort) -> Evaluation<'a> {
        let Self { resources, index, columns, .. } = self;
        Evaluation { types: &self.contents().types, resources, index, columns, effort, linked: RefCell::default() }
    }

    fn read<T>(&self, read: impl FnOnce() -> Result<T>) -> Result<T> {
        catch_panics(&self.path, read)
    }
}

impl Served for CatalogueGeneration {
    type Contents = CatalogueContents;

    const WHAT: &'static str = "the catalogue";

    fn open(generations: &Generations, name: GenerationName) -> Result<Self> {
        Self::open(generations, name)
    }

    fn name(&self) -> GenerationName {
        self.name()
    }

    fn files(&self) -> Option<(&Manifest<Self::Contents>, &Path)> {
        Some((&self.manifest, &self.path))
    }

    /// Compares all data in the database, too.
    fn scrub(&self, may_continue: &mut dyn FnMut(usize) -> bool) -> Result<bool> {
        if !self.manifest.scrub(&self.path, may_continue)? {
            return Ok(false);
        }
        self.read(|| match self.resources.scan_while(may_continue)? {
            None => Ok(false),
            Some(scan) => scan.compare(&self.resources, self.contents()).map(|()| true),
        })
    }
}
