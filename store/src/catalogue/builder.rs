//! Building a generation.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::contents::TypeContents;
use super::document::document;
use super::index_writer::CatalogueIndexWriter;
use super::model::SAMPLES;
use super::resources::{IdentifierList, ResourcesWriter};
use super::{CatalogueContents, CatalogueEntry, Ordinal, Shape};
use crate::{Error, Result};

/// Writes the resources of a generation into the folder of a draft.
pub struct CatalogueBuilder {
    /// The database.
    resources: ResourcesWriter,
    /// The index.
    index: CatalogueIndexWriter,
    /// The types whose resources have all been added.
    types: BTreeMap<String, TypeContents>,
    /// The type whose resources are being added.
    current: Option<CurrentType>,
    /// The identifiers of the samples, once all have been added.
    samples: Option<IdentifierList>,
    /// Whether a resource named samples before they were added.
    named_samples_early: bool,
}

/// A type whose resources are being added.
struct CurrentType {
    /// Its name.
    name: String,
    /// What is there so far.
    contents: TypeContents,
    /// The identifiers.
    identifiers: IdentifierList,
}

impl CatalogueBuilder {
    /// Starts in the empty folder of a draft. The memory is for the index of the search.
    ///
    /// # Errors
    ///
    /// * The folder cannot be written.
    pub fn create(draft: &Path, memory_bytes: usize) -> Result<Self> {
        Ok(Self {
            resources: ResourcesWriter::create(draft)?,
            index: CatalogueIndexWriter::create(draft, memory_bytes)?,
            types: BTreeMap::new(),
            current: None,
            samples: None,
            named_samples_early: false,
        })
    }

    /// Adds a resource and returns its ordinal. Resources come in the default order of their collections, those of a type together, and
    /// samples before all types that name samples. `rendered` is the resource as JSON, for the form of its type.
    ///
    /// # Errors
    ///
    /// * The type was there before another one, or had an order added.
    /// * It is a sample, and a resource of another type named samples before.
    /// * The folder cannot be written.
    pub fn add(&mut self, entry: &CatalogueEntry, rendered: &Value) -> Result<Ordinal> {
        self.begin_type(&entry.resource_type)?;
        let samples = self.samples_of(entry);
        let ordinal = self.resources.add(&entry.body)?;
        self.index.add(document(entry, ordinal, &samples))?;
        if let Some(CurrentType { contents, identifiers, .. }) = &mut self.current {
            contents.num_resources += 1;
            contents.shape.observe(rendered);
            entry.identifiers.iter().for_each(|identifier| identifiers.push(identifier, ordinal));
        }
        Ok(ordinal)
    }

    /// Adds an order of a type: its ordinals in ascending order of a field, ties in the order that the default order breaks them, each
    /// with whether its value equals that of the one before. All resources of the type have been added.
    ///
    /// # Errors
    ///
    /// * The ordinals are not each one of the type, once, or the order was added before.
    /// * The folder cannot be written.
    pub fn add_order(
        &mut self,
        resource_type: &str,
        field: &str,
        ascending: impl IntoIterator<Item = Result<(Ordinal, bool)>>,
    ) -> Result<()> {
        if self.current.as_ref().is_some_and(|current| current.name == resource_type) {
            self.end_type()?;
        }
        let wrong =
            |problem: &str| Error::Catalogue { problem: format!("the order of {resource_type} by {field} {problem}") };
        let contents = self.types.get_mut(resource_type).ok_or_else(|| wrong("is of no type that was added"))?;
        if contents.orders.iter().any(|order| order == field) {
            return Err(wrong("was added before"));
        }
        self.resources.add_order((resource_type, contents), field, ascending)?;
        contents.orders.push(field.to_owned());
        Ok(())
    }

    /// Writes what is still in memory, closes the stores, reads the resources back, and returns what is in them.
    ///
    /// # Errors
    ///
    /// * The folder cannot be written.
    pub fn finish(mut self) -> Result<CatalogueContents> {
        self.end_type()?;
        let Self { resources, index, types, samples, .. } = self;
        // What follows takes memory of its own, and nothing looks for samples any more.
        drop(samples);
        index.finish()?;
        let written = resources.finish()?;
        Ok(CatalogueContents {
            types,
            num_resources: written.num_resources,
            resources_crc32: written.crc32,
            resources_file_bytes: written.file_bytes,
        })
    }

    /// Begins another segment of the index.
    #[cfg(test)]
    pub(super) fn begin_segment(&mut self) {
        self.index.begin_segment();
    }

    /// Makes a type the current one.
    fn begin_type(&mut self, name: &str) -> Result<()> {
        if self.current.as_ref().is_some_and(|current| current.name == name) {
            return Ok(());
        }
        self.end_type()?;
        if self.types.contains_key(name) {
            return Err(Error::Catalogue { problem: format!("the resources of type {name} do not stand together") });
        }
        if name == SAMPLES && self.named_samples_early {
            return Err(Error::Catalogue { problem: "samples come after resources that name samples".to_owned() });
        }
        let contents = TypeContents {
            first: self.resources.next(),
            num_resources: 0,
            shape: Shape::default(),
            orders: Vec::new(),
        };
        self.current = Some(CurrentType { name: name.to_owned(), contents, identifiers: IdentifierList::default() });
        Ok(())
    }

    /// Ends the current type, whose resources have all been added.
    fn end_type(&mut self) -> Result<()> {
        let Some(CurrentType { name, contents, mut identifiers }) = self.current.take() else { return Ok(()) };
        // Neighbours in the database are written together.
        identifiers.sort();
        self.resources.add_identifiers(&name, &identifiers)?;
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
        let mut ordinals: Vec<Ordinal> = named.filter_map(|(_, id)| samples.find(id)).collect();
        ordinals.sort_unstable();
        ordinals.dedup();
        ordinals
    }
}
