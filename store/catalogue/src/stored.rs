//! The resources of a published generation, for a run that adds to them or removes some.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use store::engine::catch_panics;
use store::{GenerationName, Generations, Manifest, Result};

use super::index::key::Key;
use super::index::reader::CatalogueIndex;
use super::index::schema::KeyField;
use super::model::BIOMES;
use super::resources::Resources;
use super::revision::CatalogueRevision;
use super::selection::ordinal_set::OrdinalSet;
use super::verify::{database_of, open_copy};
use super::{CatalogueContents, CatalogueEntry, Effort, Ordinal, ResourceBody};

/// The resources of a published generation, read from a copy of its database: a server may have the
/// original open.
pub struct StoredResources {
    generation: PathBuf,
    /// The folder of the copy.
    folder: PathBuf,
    contents: CatalogueContents,
    resources: Resources,
}

impl StoredResources {
    /// Copies the database of a generation into a new folder, and checks the whole copy.
    ///
    /// # Errors
    ///
    /// * The generation is torn, damaged, of an unknown format or cannot be read.
    /// * The folder exists, or the disk is full or fails.
    pub fn copy(generations: &Generations, name: GenerationName, folder: &Path) -> Result<Self> {
        let generation = generations.path(name);
        let contents = Manifest::<CatalogueContents>::read(&generation)?.contents;
        let (original, _) = database_of(&generation);
        let resources = catch_panics(&generation, || open_copy(&generation, &original, &contents, folder))?;
        Ok(Self { generation, folder: folder.to_owned(), contents, resources })
    }

    /// Returns the contents of the generation.
    pub fn contents(&self) -> &CatalogueContents {
        &self.contents
    }

    /// Finds the resource of a type with an identifier.
    pub fn find(&self, resource_type: &str, identifier: &str) -> Result<Option<Ordinal>> {
        self.resources.find(resource_type, identifier)
    }

    /// Returns all resources of a type with an identifier in this exact notation.
    pub fn find_all(&self, resource_type: &str, identifier: &str) -> Result<Vec<Ordinal>> {
        self.resources.find_all(resource_type, identifier)
    }

    /// Returns a resource.
    pub fn body(&self, ordinal: Ordinal) -> Result<ResourceBody> {
        self.resources.get(ordinal)
    }

    /// Returns the lineages of all biomes, in order.
    pub fn lineages(&self) -> Result<Vec<String>> {
        let index = CatalogueIndex::open(&self.generation, self.contents.num_resources)?;
        index.last_texts(KeyField::Lineage, &[BIOMES])
    }

    /// Returns all resources in their order.
    pub fn iter(&self) -> impl Iterator<Item = Result<ResourceBody>> {
        (0..self.contents.num_resources).map(|ordinal| self.resources.get(ordinal))
    }

    /// Returns the partial resources of loads, in their order.
    pub fn partials(&self) -> impl Iterator<Item = Result<String>> {
        self.resources.partials()
    }

    /// Returns the resources that name any of some others, given by type and id, in ascending
    /// order.
    pub fn naming(&self, named: &[(&str, &str)]) -> Result<Vec<Ordinal>> {
        let index = CatalogueIndex::open(&self.generation, self.contents.num_resources)?;
        let mut naming = Vec::new();
        for (resource_type, contents) in &self.contents.types {
            let mut set = OrdinalSet::none(contents);
            for (named_type, id) in named {
                index.insert_key(
                    &Key::term(KeyField::Named, &[resource_type, named_type], id),
                    &Effort::unlimited(),
                    &mut set,
                )?;
            }
            naming.extend(set.iter());
        }
        naming.sort_unstable();
        Ok(naming)
    }

    /// Begins a generation in the folder of a draft. It has these resources, except the dropped
    /// ones; others may be inserted between them. `scratch` is a folder for temporary files, also
    /// for the copy of the database. The memory is for the index.
    pub fn revise<'a>(
        self,
        draft: &Path,
        scratch: &Path,
        contents: &'a CatalogueContents,
        dropped: &BTreeMap<Ordinal, CatalogueEntry>,
        memory_bytes: usize,
    ) -> Result<CatalogueRevision<'a>> {
        let resources = self.resources.moved_to(self.folder);
        CatalogueRevision::begin(draft, scratch, contents, &self.generation, resources, dropped, memory_bytes)
    }
}
