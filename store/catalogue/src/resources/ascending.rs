//! Finding many identifiers of a type in ascending order: neighbours are in the same block, which
//! is read once.

use sled::IVec;
use store::Result;

use super::{Resources, identifier_block, identifier_key};

pub(crate) struct AscendingFinder<'a> {
    resources: &'a Resources,
    resource_type: String,
    /// The block that was read last, and its last identifier.
    block: Option<(IVec, Vec<u8>)>,
}

impl Resources {
    pub(crate) fn ascending_finder(&self, resource_type: String) -> AscendingFinder<'_> {
        AscendingFinder { resources: self, resource_type, block: None }
    }
}

impl AscendingFinder<'_> {
    /// Returns whether a resource has an identifier, which must not be less than the previous one.
    pub(crate) fn has(&mut self, identifier: &[u8]) -> Result<bool> {
        if self.block.as_ref().is_none_or(|(_, last)| last.as_slice() < identifier) {
            self.block = self.read_block(identifier)?;
        }
        let Some((block, _)) = &self.block else { return Ok(false) };
        let found = identifier_block::find(block, identifier)
            .map_err(|_| self.resources.damaged_identifiers(&self.resource_type, identifier))?;
        Ok(found.is_some())
    }

    /// Reads the block that may have an identifier.
    fn read_block(&self, identifier: &[u8]) -> Result<Option<(IVec, Vec<u8>)>> {
        let key = identifier_key(&self.resource_type, identifier);
        let Some(block) = self.resources.block_of(&self.resource_type, &key)? else { return Ok(None) };
        let mut last = Vec::new();
        for entry in identifier_block::entries(&block) {
            let (found, _) = entry.map_err(|_| self.resources.damaged_identifiers(&self.resource_type, identifier))?;
            last.clear();
            last.extend_from_slice(found);
        }
        Ok(Some((block, last)))
    }
}
