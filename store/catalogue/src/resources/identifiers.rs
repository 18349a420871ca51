//! Finding resources by their identifiers.

use sled::{IVec, Tree};
use store::{Error, Result};

use super::{IdentifierList, Resources, identifier_block, identifier_key};
use crate::Ordinal;
use crate::model::ResourceType;

impl Resources {
    /// Finds the resource of a type with an identifier, or with the number of an identifier in
    /// another notation.
    pub(crate) fn find(&self, resource_type: &str, identifier: &str) -> Result<Option<Ordinal>> {
        let found = self.find_as_written(resource_type, identifier)?;
        let number = ResourceType::rules_of(resource_type).number_in_any_notation(identifier);
        match (found, number.filter(|number| *number != identifier)) {
            (None, Some(number)) => self.find_as_written(resource_type, number),
            (found, _) => Ok(found),
        }
    }

    fn find_as_written(&self, resource_type: &str, identifier: &str) -> Result<Option<Ordinal>> {
        let key = identifier_key(resource_type, identifier.as_bytes());
        if let Some(kept) = self.found.get(&key) {
            return Ok(Some(kept));
        }
        let Some(block) = self.block_of(resource_type, &key)? else { return Ok(None) };
        let found = identifier_block::find(&block, identifier.as_bytes())
            .map_err(|_| self.damaged_identifiers(resource_type, identifier.as_bytes()))?;
        if let Some(ordinal) = found {
            let num_bytes = key.len();
            self.found.put(key, ordinal, num_bytes);
        }
        Ok(found)
    }

    /// Returns the block that may have an identifier, given by [`identifier_key`].
    pub(super) fn block_of(&self, resource_type: &str, key: &[u8]) -> Result<Option<IVec>> {
        let before = self.identifiers.get_lt([key, b"\0"].concat()).map_err(Error::index(&self.path))?;
        let of_type = before.filter(|(first, _)| first.starts_with(&identifier_key(resource_type, b"")));
        Ok(of_type.map(|(_, block)| block))
    }

    pub(super) fn damaged_identifiers(&self, resource_type: &str, identifier: &[u8]) -> Error {
        let identifier = String::from_utf8_lossy(identifier);
        self.altered(format!("the identifiers around {resource_type} {identifier} cannot be read"))
    }

    /// Returns the identifiers of a type with their ordinals, including those that find an earlier
    /// resource.
    pub(crate) fn all_identifiers(&self, resource_type: &str) -> Result<IdentifierList> {
        let mut list = IdentifierList::default();
        self.read_identifiers(&self.identifiers, resource_type, |identifier, ordinal| list.push(identifier, ordinal))?;
        self.read_identifiers(&self.shared, resource_type, |identifier, ordinal| list.push(identifier, ordinal))?;
        Ok(list)
    }

    /// Returns the resources of a type that have an identifier. The first is the one that the
    /// identifier finds.
    pub(crate) fn find_all(&self, resource_type: &str, identifier: &str) -> Result<Vec<Ordinal>> {
        let mut found = Vec::from_iter(self.find_as_written(resource_type, identifier)?);
        if !found.is_empty() {
            self.read_identifiers(&self.shared, resource_type, |shared, ordinal| {
                if shared == identifier {
                    found.push(ordinal);
                }
            })?;
        }
        Ok(found)
    }

    fn read_identifiers(&self, tree: &Tree, resource_type: &str, mut take: impl FnMut(&str, Ordinal)) -> Result<()> {
        for block in tree.scan_prefix(identifier_key(resource_type, b"")).values() {
            let block = block.map_err(Error::index(&self.path))?;
            for entry in identifier_block::entries(&block) {
                let (identifier, ordinal) = entry.map_err(|_| self.damaged_identifiers(resource_type, b""))?;
                take(&String::from_utf8_lossy(identifier), ordinal);
            }
        }
        Ok(())
    }
}
