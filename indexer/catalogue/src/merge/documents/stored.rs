//! The documents of the present generation, which are kept when rows of their resources are loaded
//! again.

use indexer::Result;
use store_catalogue::StoredResources;
use store_catalogue::model::SAMPLES;

use super::context::Context;
use super::merging::Source;
use super::row;
use crate::read::{Identifier, Resource};

pub(crate) struct StoredDocuments<'a> {
    pub(crate) stored: &'a StoredResources,
    pub(crate) identifier: &'a Identifier,
}

impl StoredDocuments<'_> {
    /// Returns the resource with an identifier, if it was loaded with a document.
    fn find(&self, kind: &str, identifier: &str) -> Result<Option<Resource>> {
        let Some(ordinal) = self.stored.find(kind, identifier)? else { return Ok(None) };
        let resource = Resource::stored(&self.stored.body(ordinal)?)?;
        Ok(Some(resource).filter(|resource| resource.document.is_some()))
    }
}

impl Source for StoredDocuments<'_> {
    fn id_of_sample(&self, accession: &str) -> Result<Option<String>> {
        let sample = self.find(SAMPLES, accession)?;
        Ok(sample.map(|sample| sample.id).filter(|id| id != accession))
    }

    fn documented(&self, resource: &Resource) -> Result<Option<Resource>> {
        let main = resource.identifiers().swap_remove(0);
        let Some(mut known) = self.find(&resource.kind, &main)? else { return Ok(None) };
        if known.identity(self.identifier) != resource.identity(self.identifier) {
            return Ok(None);
        }
        let context = Context::of(&known);
        let document = known.document.take();
        Ok(document.map(|document| row::resource(&known.kind, &known.id, document, &context)))
    }
}
