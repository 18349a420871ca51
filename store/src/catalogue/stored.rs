//! The resources of a published generation, for a load that adds to them.

use std::path::Path;

use super::resources::Resources;
use super::verify::{database_of, open_copy};
use super::{CatalogueContents, Ordinal, ResourceBody};
use crate::engine::unless_it_panics;
use crate::{GenerationName, Generations, Manifest, Result};

/// The resources of a published generation, read from a copy of its database: a server may have the original open.
pub struct StoredResources {
    contents: CatalogueContents,
    resources: Resources,
}

impl StoredResources {
    /// Copies the database of a generation into a new folder, and checks all of it.
    ///
    /// # Errors
    ///
    /// * It is torn, damaged, of an unknown format or cannot be read.
    /// * The folder exists, or the disk is full or fails.
    pub fn copy(generations: &Generations, name: GenerationName, folder: &Path) -> Result<Self> {
        let path = generations.path(name);
        let contents = Manifest::<CatalogueContents>::read(&path)?.contents;
        let (original, _) = database_of(&path);
        let resources = unless_it_panics(&path, || open_copy(&path, &original, &contents, folder))?;
        Ok(Self { contents, resources })
    }

    /// Returns the contents of the generation.
    pub fn contents(&self) -> &CatalogueContents {
        &self.contents
    }

    /// Finds the resource of a type with an identifier.
    pub fn find(&self, resource_type: &str, identifier: &str) -> Result<Option<Ordinal>> {
        self.resources.find(resource_type, identifier)
    }

    /// Returns the resources of `ordinals`, in the same order.
    pub fn bodies(&self, ordinals: &[Ordinal]) -> Result<Vec<ResourceBody>> {
        Ok(self.resources.get_all(ordinals)?.into_iter().map(|body| (*body).clone()).collect())
    }

    /// Returns all resources in their order.
    pub fn iter(&self) -> impl Iterator<Item = Result<ResourceBody>> {
        self.resources.iter()
    }

    /// Returns the partial resources that loads had, in their order.
    pub fn partials(&self) -> impl Iterator<Item = Result<String>> {
        self.resources.partials()
    }
}
