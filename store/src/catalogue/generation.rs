//! An opened generation.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::answers::{AnswerKey, Answers};
use super::columns::Columns;
use super::evaluation::Evaluation;
use super::index::{CatalogueIndex, KeyRange};
use super::key::Key;
use super::permutations::Permutations;
use super::resources::Resources;
use super::schema::KeyField;
use super::{CatalogueContents, Known, Listing, Ordinal, ResourceBody, Selection, places, verify};
use crate::engine::unless_it_panics;
use crate::{GenerationName, Generations, Manifest, Result};

/// A catalogue generation that can be asked.
///
/// Its resources are a database of their own, which one process at a time can open.
pub struct CatalogueGeneration {
    /// Its name.
    name: GenerationName,
    /// Its folder.
    path: PathBuf,
    /// What is in it.
    contents: CatalogueContents,
    /// The resources.
    resources: Resources,
    /// What finds them.
    index: CatalogueIndex,
    /// The columns that were needed so far.
    columns: Columns,
    /// The orders that were asked for so far.
    permutations: Permutations,
    /// The last answers.
    answers: Answers,
}

/// What a full check has looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CatalogueVerification {
    /// How many resources there are.
    pub num_resources: u64,
    /// How many types they are of.
    pub num_types: usize,
}

/// A place on earth, and how many samples were taken there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Degrees east.
    pub longitude: f64,
    /// Degrees north.
    pub latitude: f64,
    /// How many resources are at it.
    pub num_resources: u64,
}

impl CatalogueGeneration {
    /// Opens the current generation, or returns `None` where none was ever published.
    ///
    /// # Errors
    ///
    /// * See [`CatalogueGeneration::open`].
    pub fn open_current(generations: &Generations) -> Result<Option<Self>> {
        generations.current()?.map(|name| Self::open(generations, name)).transpose()
    }

    /// Opens a generation.
    ///
    /// # Errors
    ///
    /// * Another process has it open.
    /// * It is torn, of an unknown format or cannot be read.
    pub fn open(generations: &Generations, name: GenerationName) -> Result<Self> {
        let path = generations.path(name);
        let contents = Manifest::<CatalogueContents>::read(&path)?.contents;
        unless_it_panics(&path, || {
            let index = CatalogueIndex::open(&path, contents.num_resources)?;
            let resources = Resources::open(&path, &contents)?;
            Ok(Self {
                name,
                path: path.clone(),
                contents,
                resources,
                index,
                columns: Columns::default(),
                permutations: Permutations::default(),
                answers: Answers::default(),
            })
        })
    }

    /// Reads all data of a published generation and compares them with what was published, also while a server has it open.
    ///
    /// # Errors
    ///
    /// * Something differs, or cannot be read.
    pub fn verify_published(generations: &Generations, name: GenerationName) -> Result<CatalogueVerification> {
        verify::verify_folder(&generations.path(name))
    }

    /// Returns the name.
    pub fn name(&self) -> GenerationName {
        self.name
    }

    /// Returns what is in it.
    pub fn contents(&self) -> &CatalogueContents {
        &self.contents
    }

    /// Returns the resource of a type with an identifier.
    ///
    /// # Errors
    ///
    /// * The store cannot be read.
    pub fn find(&self, resource_type: &str, identifier: &str) -> Result<Option<Ordinal>> {
        self.read(|| self.resources.find(resource_type, identifier))
    }

    /// Returns the resources at some ordinals, in the order that is asked for. Neighbours are read at once.
    ///
    /// # Errors
    ///
    /// * One is missing or damaged.
    pub fn resources(&self, ordinals: &[Ordinal]) -> Result<Vec<ResourceBody>> {
        self.read(|| self.resources.get_all(ordinals))
    }

    /// Answers a selection. Answers are kept for a while, so that the next page of the same selection costs nothing more.
    /// An order that the type does not have is left out.
    ///
    /// # Errors
    ///
    /// * The store cannot be read.
    pub fn select(&self, selection: &Selection) -> Result<Arc<Listing>> {
        // A selection that nobody cancels is always answered.
        Ok(self.select_unless(selection, &AtomicBool::new(false))?.unwrap_or_else(|| Arc::new(Listing::none())))
    }

    /// Does the same, but stops soon after it is cancelled and then returns `None`.
    ///
    /// # Errors
    ///
    /// * The store cannot be read.
    pub fn select_unless(&self, selection: &Selection, is_cancelled: &AtomicBool) -> Result<Option<Arc<Listing>>> {
        let key = AnswerKey::new(selection);
        if let Some(kept) = self.answers.get(&key) {
            return Ok(Some(kept));
        }
        let Some(listing) = self.read(|| self.answer(selection, is_cancelled))? else { return Ok(None) };
        let listing = Arc::new(listing);
        self.answers.put(key, &listing);
        Ok(Some(listing))
    }

    /// Tells whether the data have something.
    ///
    /// # Errors
    ///
    /// * The store cannot be read.
    pub fn knows(&self, what: &Known) -> Result<bool> {
        self.read(|| match what {
            Known::Lineage(resource_type, lineage) => {
                self.index.has(&Key::term(KeyField::Lineage, &[resource_type], lineage))
            }
            Known::MetadataKey(key) => {
                let mut terms = self.contents.types.keys().map(|name| Key::term(KeyField::MetadataKey, &[name], key));
                terms.try_fold(false, |is_known, term| Ok(is_known || self.index.has(&term)?))
            }
            Known::Attribute(resource_type, name) => {
                self.index.has_any(&KeyRange::prefixed(&Key::prefix(KeyField::Attribute, &[resource_type, name])))
            }
            Known::AttributeValue(resource_type, name, value) => {
                self.index.has(&Key::term(KeyField::Attribute, &[resource_type, name], value))
            }
        })
    }

    /// Returns the places of all resources of a listing that have both coordinates, ascending by longitude, then latitude.
    ///
    /// # Errors
    ///
    /// * The store cannot be read.
    pub fn places(&self, listing: &Listing) -> Result<Vec<Place>> {
        self.read(|| Ok(places::places(self.columns.coordinates(&self.index)?, listing)))
    }

    /// Answers a selection that is not kept, or returns `None` where it was cancelled.
    fn answer(&self, selection: &Selection, is_cancelled: &AtomicBool) -> Result<Option<Listing>> {
        let Some(contents) = self.contents.types.get(&selection.resource_type) else {
            return Ok(Some(Listing::none()));
        };
        let of = (&*selection.resource_type, contents);
        let Self { contents: CatalogueContents { types, .. }, resources, index, columns, .. } = self;
        let set = Evaluation { types, resources, index, columns, is_cancelled }.all(of, &selection.conditions)?;
        // The set is whole only if it was not cancelled up to here.
        if is_cancelled.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let order = self.permutations.get(resources, of, &selection.orders)?;
        Ok(Some(Listing::of(contents, set, order)))
    }

    /// Reads from the stores.
    fn read<T>(&self, read: impl FnOnce() -> Result<T>) -> Result<T> {
        unless_it_panics(&self.path, read)
    }
}
