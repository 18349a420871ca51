//! Reading a whole database of resources.

use crc32fast::Hasher;
use sled::Tree;

use crate::{Error, Result};

use super::{Resources, checked_text, identifier_block, ordinal_of};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::catalogue) struct Scan {
    pub(in crate::catalogue) num_resources: u32,
    /// Of all keys and values of all trees, each with its length in front.
    pub(in crate::catalogue) crc32: u32,
}

impl Resources {
    /// Reads everything, and compares each resource with its checksum.
    pub(in crate::catalogue) fn scan(&self) -> Result<Scan> {
        let mut hasher = Hasher::new();
        let mut num_resources = 0;
        self.scan_tree(&self.texts, &mut hasher, |key, value| {
            if ordinal_of(key) != Some(num_resources) {
                return Err(self.altered(format!("resource {num_resources} is missing")));
            }
            if checked_text(value).is_none() {
                return Err(self.altered(format!("resource {num_resources}: its checksum is wrong")));
            }
            num_resources += 1;
            Ok(())
        })?;
        self.scan_tree(&self.identifiers, &mut hasher, |key, block| {
            let all_lead_somewhere = identifier_block::entries(block)
                .try_fold(true, |all, entry| entry.map(|(_, ordinal)| all && ordinal < num_resources));
            match all_lead_somewhere {
                Ok(true) => Ok(()),
                _ => {
                    Err(self
                        .altered(format!("the identifiers from {:?} on cannot be read", String::from_utf8_lossy(key))))
                }
            }
        })?;
        self.scan_tree(&self.orders, &mut hasher, |_, _| Ok(()))?;
        Ok(Scan { num_resources, crc32: hasher.finalize() })
    }

    fn scan_tree(
        &self,
        tree: &Tree,
        hasher: &mut Hasher,
        mut check: impl FnMut(&[u8], &[u8]) -> Result<()>,
    ) -> Result<()> {
        for entry in tree {
            let (key, value) = entry.map_err(Error::index(&self.path))?;
            for bytes in [&key, &value] {
                hasher.update(&(bytes.len() as u64).to_be_bytes());
                hasher.update(bytes);
            }
            check(&key, &value)?;
        }
        Ok(())
    }
}
