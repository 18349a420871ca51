//! An opened generation.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use store::engine::unless_it_panics;
use store::{Error, GenerationName, Generations, Manifest, Result, Served, restore};

use super::contents::RESOURCES;
use super::facets::build::FacetBuilder;
use super::facets::count::count;
use super::facets::kept::FacetColumns;
use super::index::columns::Columns;
use super::index::key::Key;
use super::index::reader::{CatalogueIndex, KeyRange};
use super::index::schema::KeyField;
use super::model::same_keys;
use super::resources::{BODIES_BYTES_MAX, Resources};
use super::selection::evaluation::{Evaluation, Searched};
use super::selection::ordinal_set::OrdinalSet;
use super::selection::permutations::Permutations;
use super::weighted_cache::WeightedCache;
use super::{
    CatalogueContents, Condition, Effort, FacetCounts, FacetField, Faceted, Known, Listing, MetadataKey, MetadataUnit,
    Order, Ordinal, RELEVANCE, ResourceBody, ResourceSet, Selection, verify,
};

const ANSWERS_BYTES_MAX: usize = 56 << 20;

const COMPLETED_BYTES_MAX: usize = 8 << 20;

/// An opened catalogue generation. Only one process at a time can open its database. [`crate::CatalogueBuilder`] has an example.
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
    /// The numbers of resources by type that others name, but that are not there, which is no damage.
    pub missing: BTreeMap<String, u64>,
    /// The databases that were read.
    pub databases: CheckedDatabases,
}

/// The databases of a generation that a full check has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckedDatabases {
    /// The one that is served.
    Served,
    /// The one that is served, and its sealed copy.
    ServedAndSealed,
    /// The sealed copy. The one that is served is made from it when the generation is opened.
    Sealed,
}

/// A point on earth where samples were taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Degrees east.
    pub longitude: f64,
    /// Degrees north.
    pub latitude: f64,
    /// The number of resources there.
    pub num_resources: u64,
}

/// The resources of a listing that are looked at together.
const PART: usize = 1024;

impl CatalogueGeneration {
    /// Opens the current generation, or returns `None` if none was ever published.
    pub fn open_current(generations: &Generations) -> Result<Option<Self>> {
        generations.current()?.map(|name| Self::open(generations, name)).transpose()
    }

    /// Opens a generation. Small files of its index are compared with their checksums.
    ///
    /// # Errors
    ///
    /// * Another process has it open.
    /// * It is torn, damaged, of an unknown format or cannot be read.
    pub fn open(generations: &Generations, name: GenerationName) -> Result<Self> {
        let path = generations.path(name);
        let manifest = Manifest::<CatalogueContents>::read(&path)?;
        manifest.verify_small_files(&path)?;
        unless_it_panics(&path, || {
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

    /// Reads all data of a generation and compares them with what was published. A server may have the generation open.
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

    /// Returns some of the resources of a listing that is read to its end. They are kept only where all of it has room: else they would take the
    /// places of those that are asked for again.
    pub fn resources_in_passing(&self, ordinals: &[Ordinal], listing: &Listing) -> Result<Vec<Arc<ResourceBody>>> {
        let num_bytes = self.contents().mean_resource_bytes().saturating_mul(listing.len());
        self.read(|| self.resources.get_all(ordinals, num_bytes <= BODIES_BYTES_MAX))
    }

    /// Returns a resource.
    pub fn resource(&self, ordinal: Ordinal) -> Result<Arc<ResourceBody>> {
        Ok(self.resources(&[ordinal])?.swap_remove(0))
    }

    /// Returns a resource in a form that `complete` makes of the stored one, always in the same way. It is kept like those that are read.
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

    /// Answers a selection. Answers are kept, so that the next page of the same selection is cheap. Orders that the type does not
    /// have are ignored.
    pub fn select(&self, selection: &Selection) -> Result<Arc<Listing>> {
        // A selection that is not cancelled is always answered.
        Ok(self.select_unless(selection, &Effort::unlimited())?.unwrap_or_else(|| Arc::new(Listing::none())))
    }

    /// Answers a selection like [`CatalogueGeneration::select`], or returns `None` soon after the effort ends.
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

    /// Returns the resources of a type that satisfy any of some conditions, which are made one after another. They are incomplete if the
    /// effort ends.
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
        for condition in conditions.take_while(|_| effort.goes_on()) {
            let condition = condition?;
            self.read(|| evaluation.insert((resource_type, contents), &condition, &mut set))?;
        }
        Ok(Condition::Among(ResourceSet(set)))
    }

    /// Tells whether the data have what a filter asks for.
    pub fn knows(&self, what: &Known) -> Result<bool> {
        self.read(|| match what {
            Known::Lineage(resource_type, lineage) => {
                self.index.has(&Key::term(KeyField::Lineage, &[resource_type], lineage))
            }
            Known::MetadataKey(key) => {
                let mut terms = self.contents().types.keys().map(|name| Key::term(KeyField::MetadataKey, &[name], key));
                terms.try_fold(false, |is_known, term| Ok(is_known || self.index.has(&term)?))
            }
            Known::Attribute(resource_type, name) => {
                self.index.has_any(&KeyRange::prefixed(&Key::prefix(KeyField::Attribute, &[resource_type, name])))
            }
            Known::AttributeValue(resource_type, name, value) => {
                self.index.has(&Key::term(KeyField::Attribute, &[resource_type, name], value.trim()))
            }
        })
    }

    /// Returns those keys that resources have of the ones that mean the same as a key in either version: that key first, if it is among them.
    pub fn known_keys(&self, key: &str) -> Result<Vec<String>> {
        let mut known = Vec::new();
        for key in same_keys(key).into_iter().map(str::to_owned) {
            if self.knows(&Known::MetadataKey(key.clone()))? {
                known.push(key);
            }
        }
        Ok(known)
    }

    /// Returns the lineages of the biomes of resources of a type and of all biomes above them, in order.
    pub fn lineages(&self, resource_type: &str) -> Result<Vec<String>> {
        self.read(|| self.index.lasts(KeyField::Lineage, &[resource_type]))
    }

    /// Returns the keys of the metadata of resources of a type, in order.
    pub fn metadata_keys(&self, resource_type: &str) -> Result<Vec<String>> {
        self.read(|| self.index.lasts(KeyField::MetadataKey, &[resource_type]))
    }

    /// Returns the units of the numbers that resources of a type have under a key of their metadata, in order. The empty unit is that of
    /// numbers without one.
    pub fn units(&self, resource_type: &str, key: &str) -> Result<Vec<String>> {
        self.read(|| {
            let mut with_numbers = BTreeSet::new();
            for key in same_keys(key) {
                for unit in self.index.lasts(KeyField::MetadataUnit, &[resource_type, key])? {
                    let numbers = Key::prefix(KeyField::MetadataNumber, &[resource_type, key, &unit]);
                    if self.index.has_any(&KeyRange::prefixed(&numbers))? {
                        with_numbers.insert(unit);
                    }
                }
            }
            Ok(with_numbers.into_iter().collect())
        })
    }

    /// Counts the resources of a listing of one type by their values: the `num_texts` most frequent texts, and numbers in at most
    /// `num_ranges` ranges for each unit. The values of a field are read when they are first needed, and kept.
    pub fn facet(
        &self,
        (resource_type, listing): (&str, &Listing),
        field: &FacetField,
        sizes: (usize, usize),
        effort: &Effort,
    ) -> Result<Faceted> {
        let Some(of_type) = self.contents().types.get(resource_type) else {
            return Ok(Faceted::Counted(FacetCounts::default()));
        };
        let Self { index, columns, facet_columns: kept, .. } = self;
        let builder = FacetBuilder { contents: self.contents(), index, columns, kept, effort };
        let Ok(column) = self.read(|| builder.column(resource_type, field))? else { return Ok(Faceted::TooMany) };
        let counts = count(&column, (listing, of_type.first), sizes, effort);
        Ok(counts.map_or(Faceted::Cancelled, Faceted::Counted))
    }

    /// Tells whether the values of a field are in memory, so that counting by it needs little more.
    pub fn has_facet_values(&self, resource_type: &str, field: &FacetField) -> bool {
        self.facet_columns.get(resource_type, field).is_some()
    }

    /// Returns the names of the attributes that resources of a type have, in order.
    pub fn attribute_names(&self, resource_type: &str) -> Result<BTreeSet<String>> {
        self.read(|| self.index.next_texts(&Key::prefix(KeyField::Attribute, &[resource_type])))
    }

    /// Returns the keys of metadata that resources of a type have, those of most resources first, until the effort ends.
    pub fn summarize_metadata(&self, resource_type: &str, effort: &Effort) -> Result<Vec<MetadataKey>> {
        self.read(|| {
            let mut keys = Vec::new();
            for key in self.index.lasts(KeyField::MetadataKey, &[resource_type])? {
                if !effort.goes_on() {
                    break;
                }
                let num_resources = self.index.num_docs(&Key::term(KeyField::MetadataKey, &[resource_type], &key))?;
                let mut units = Vec::new();
                for unit in self.index.lasts(KeyField::MetadataUnit, &[resource_type, &key])? {
                    let term = Key::term(KeyField::MetadataUnit, &[resource_type, &key], &unit);
                    let numbers = Key::prefix(KeyField::MetadataNumber, &[resource_type, &key, &unit]);
                    let bounds = self.index.number_bounds(&numbers)?;
                    units.push(MetadataUnit { num_resources: self.index.num_docs(&term)?, bounds, unit });
                }
                keys.push(MetadataKey { key, num_resources, units });
            }
            keys.sort_by(|left, right| (right.num_resources, &left.key).cmp(&(left.num_resources, &right.key)));
            Ok(keys)
        })
    }

    /// Returns the places of all resources of a listing with both coordinates, ascending by longitude, then latitude.
    pub fn places(&self, listing: &Listing) -> Result<Vec<Place>> {
        self.read(|| Ok(self.columns.coordinates(&self.index)?.places(listing)))
    }

    /// Returns whether any resource of a listing has both coordinates.
    pub fn has_places(&self, listing: &Listing) -> Result<bool> {
        self.read(|| {
            let coordinates = self.columns.coordinates(&self.index)?;
            let mut parts = (0..listing.len()).step_by(PART).map(|start| listing.ordinals(start..start + PART));
            Ok(parts.any(|part| part.into_iter().any(|ordinal| coordinates.of(ordinal).is_some())))
        })
    }

    /// Returns the degrees east and north of a resource, or `None` unless it has both.
    pub fn coordinates(&self, ordinal: Ordinal) -> Result<Option<(f64, f64)>> {
        self.read(|| Ok(self.columns.coordinates(&self.index)?.of(ordinal)))
    }

    /// Returns `None` if the effort has ended.
    fn answer(&self, selection: &Selection, effort: &Effort) -> Result<Option<Listing>> {
        let Some(contents) = self.contents().types.get(&selection.resource_type) else {
            return Ok(Some(Listing::none()));
        };
        let of = (&*selection.resource_type, contents);
        let evaluation = self.evaluation(effort);
        let set = evaluation.all(of, &selection.conditions)?;
        // The set is complete only if the effort has not ended until now.
        if !effort.goes_on() {
            return Ok(None);
        }
        let (by_relevance, orders) = match selection.orders.split_first() {
            Some((first, others)) if first.field == RELEVANCE => (Some(first), others),
            _ => (None, &*selection.orders),
        };
        let by_relevance = by_relevance.zip(Searched::by(&selection.conditions));
        let listing = Listing::of(contents, set, self.permutations.get(&self.resources, of, orders)?);
        let Some((Order { is_descending, .. }, searched)) = by_relevance else { return Ok(Some(listing)) };
        let mut ordinals = listing.ordinals(0..listing.len());
        evaluation.sort_by_relevance(contents, &searched, &mut ordinals)?;
        if !effort.goes_on() {
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
        unless_it_panics(&self.path, read)
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
    fn scrub(&self, goes_on: &mut dyn FnMut(usize) -> bool) -> Result<bool> {
        if !self.manifest.scrub(&self.path, goes_on)? {
            return Ok(false);
        }
        self.read(|| match self.resources.scan_while(goes_on)? {
            None => Ok(false),
            Some(scan) => scan.compare(&self.resources, self.contents()).map(|()| true),
        })
    }
}
