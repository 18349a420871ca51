//! Building a generation.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use store::{Error, Result};

use super::contents::RESOURCES;
use super::index::document::document;
use super::index::reader::CatalogueIndex;
use super::index::writer::CatalogueIndexWriter;
use super::missing::count_missing;
use super::model::SAMPLES;
use super::resources::{IdentifierList, ResourcesWriter};
use super::{CatalogueContents, CatalogueEntry, Ordinal, Shape, TypeContents};

/// Writes the resources of a generation into the folder of a draft.
///
/// # Examples
///
/// ```
/// use store::{Generations, Origin};
/// use store_catalogue::{CatalogueBuilder, CatalogueEntry, CatalogueGeneration, Condition};
/// use store_catalogue::{LinkStyle, ResourceBodyWriter, Selection};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// let generations = Generations::new(folder.path());
/// let draft = generations.begin()?;
/// let mut builder = CatalogueBuilder::create(draft.path(), 16 << 20)?;
/// let resource = serde_json::json!({"type": "samples", "id": "ERS1"});
/// let mut body = ResourceBodyWriter::default();
/// body.json(&serde_json::to_vec(&resource)?);
/// let mut entry = CatalogueEntry::new("samples", "ERS1", body.finish());
/// entry.text.push("Surface sea water".to_owned());
/// builder.add(&entry, &resource)?;
/// let contents = builder.finish()?;
/// # let (written_by, report) = (String::new(), serde_json::Value::Null);
/// # let origin = Origin { written_by, finished_unix_s: 0, inputs: Vec::new(), report };
/// draft.publish(origin, contents, Vec::new())?;
///
/// let generation = CatalogueGeneration::open_current(&generations)?.expect("just published");
/// let conditions = vec![Condition::Text("WATER".to_owned())];
/// let selection = Selection { resource_type: "samples".to_owned(), conditions, orders: Vec::new() };
/// let first_page = generation.select(&selection)?.ordinals(0..25);
/// let mut json = Vec::new();
/// generation.resources(&first_page)?[0].render(&LinkStyle::default(), &mut json);
/// assert_eq!(json, br#"{"type":"samples","id":"ERS1"}"#);
/// # Ok(())
/// # }
/// ```
pub struct CatalogueBuilder {
    draft: PathBuf,
    resources: ResourcesWriter,
    index: CatalogueIndexWriter,
    types: BTreeMap<String, TypeContents>,
    current: Option<CurrentType>,
    /// The identifiers of the samples, once they are complete.
    samples: Option<IdentifierList>,
    /// Set if a resource named samples before they were added.
    named_samples_early: bool,
}

pub(super) struct CurrentType {
    pub(super) name: String,
    pub(super) contents: TypeContents,
    pub(super) identifiers: IdentifierList,
}

impl CurrentType {
    /// Begins a type with the ordinal of its first resource.
    pub(super) fn new(name: &str, first: Ordinal) -> Self {
        let contents = TypeContents { first, num_resources: 0, shape: Shape::default(), orders: Vec::new() };
        Self { name: name.to_owned(), contents, identifiers: IdentifierList::default() }
    }

    /// Adds the identifiers of a resource.
    pub(super) fn identify(&mut self, entry: &CatalogueEntry, ordinal: Ordinal) {
        entry.identifiers.iter().for_each(|identifier| self.identifiers.push(identifier, ordinal));
    }
}

impl CatalogueBuilder {
    /// Begins a generation in the empty folder of a draft. The memory is for the index.
    pub fn create(draft: &Path, memory_bytes: usize) -> Result<Self> {
        Ok(Self {
            draft: draft.to_owned(),
            resources: ResourcesWriter::create(draft)?,
            index: CatalogueIndexWriter::create(draft, memory_bytes)?,
            types: BTreeMap::new(),
            current: None,
            samples: None,
            named_samples_early: false,
        })
    }

    /// Adds a resource and returns its ordinal. Resources are added in the default order of their
    /// collections, type by type, and samples before all types that name samples. `rendered` is the
    /// JSON of the resource, for the shape of its type.
    ///
    /// # Errors
    ///
    /// * The type is complete: another type or an order was added after it.
    /// * It is a sample, and a resource of another type has named samples already.
    pub fn add(&mut self, entry: &CatalogueEntry, rendered: &Value) -> Result<Ordinal> {
        self.begin_type(&entry.resource_type)?;
        let samples = self.samples_of(entry);
        let ordinal = self.resources.add(&entry.body)?;
        self.index.add(document(entry, ordinal, &samples))?;
        if let Some(current) = &mut self.current {
            current.contents.num_resources += 1;
            current.contents.shape.observe(rendered);
            current.identify(entry, ordinal);
        }
        Ok(ordinal)
    }

    /// Adds an order of a complete type: all its ordinals in ascending order of a field, ties in
    /// the default order. Each has a flag that its value equals the previous one.
    ///
    /// # Errors
    ///
    /// * The ordinals are not all those of the type, once each, or the order was added before.
    pub fn add_order(
        &mut self,
        resource_type: &str,
        field: &str,
        ascending: impl IntoIterator<Item = Result<(Ordinal, bool)>>,
    ) -> Result<()> {
        if self.current.as_ref().is_some_and(|current| current.name == resource_type) {
            self.end_type()?;
        }
        let order = format!("the order of {resource_type} by {field}");
        let wrong = |problem: &str| Error::Catalogue(format!("{order} {problem}"));
        let contents = self.types.get_mut(resource_type).ok_or_else(|| wrong("is of a type that was not added"))?;
        if contents.orders.iter().any(|order| order == field) {
            return Err(wrong("was added before"));
        }
        self.resources.add_order(resource_type, contents, field, ascending)?;
        contents.orders.push(field.to_owned());
        Ok(())
    }

    /// Adds the text of a partial resource, for loads that add to this generation. The texts are
    /// returned in the order in which they are added.
    pub fn add_partial(&mut self, text: &str) -> Result<()> {
        self.resources.add_partial(text)
    }

    /// Writes the rest that is in memory, closes the stores, reads all resources back, looks up the
    /// resources that they name, and returns the contents.
    pub fn finish(mut self) -> Result<CatalogueContents> {
        self.end_type()?;
        let Self { draft, resources, index, types, samples, .. } = self;
        // Finishing takes more memory.
        drop(samples);
        index.finish()?;
        let num_added = resources.next();
        resources.finish(&draft.join(RESOURCES), types, |resources| {
            let index = CatalogueIndex::open(&draft, num_added)?;
            Ok((index.count_words()?, count_missing(&index, resources)?))
        })
    }

    #[cfg(test)]
    pub(super) fn begin_segment(&mut self) {
        self.index.begin_segment();
    }

    fn begin_type(&mut self, name: &str) -> Result<()> {
        if self.current.as_ref().is_some_and(|current| current.name == name) {
            return Ok(());
        }
        self.end_type()?;
        if self.types.contains_key(name) {
            let problem = format!("the resources of type {name} are not added one after another");
            return Err(Error::Catalogue(problem));
        }
        if name == SAMPLES && self.named_samples_early {
            return Err(Error::Catalogue("samples must be added before resources that name samples".to_owned()));
        }
        self.current = Some(CurrentType::new(name, self.resources.next()));
        Ok(())
    }

    fn end_type(&mut self) -> Result<()> {
        let Some(CurrentType { name, contents, mut identifiers }) = self.current.take() else { return Ok(()) };
        self.resources.add_identifiers(&name, &mut identifiers)?;
        if name == SAMPLES {
            self.samples = Some(identifiers);
        }
        self.types.insert(name, contents);
        Ok(())
    }

    /// Returns the ordinals of the samples that a resource names, ascending, each once.
    fn samples_of(&mut self, entry: &CatalogueEntry) -> Vec<Ordinal> {
        if entry.resource_type == SAMPLES {
            return Vec::new();
        }
        let mut named = entry.named.iter().filter(|(named_type, _)| named_type == SAMPLES).peekable();
        let Some(samples) = &self.samples else {
            self.named_samples_early |= named.peek().is_some();
            return Vec::new();
        };
        samples.find_all(named)
    }
}
