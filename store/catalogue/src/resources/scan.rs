//! Reading a whole database of resources.

use crc32fast::Hasher;
use sled::Tree;
use store::{Error, Result};

use super::super::CatalogueContents;

use super::{Resources, checked_text, identifier_block, ordinal_of};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scan {
    pub(crate) num_resources: u32,
    /// The CRC-32 of all keys and values of all trees, each with its length before it.
    pub(crate) crc32: u32,
}

impl Resources {
    pub(crate) fn scan(&self) -> Result<Scan> {
        let scan = self.scan_while(&mut |_| true)?;
        scan.ok_or_else(|| self.altered("it was not read to its end".to_owned()))
    }

    /// Like [`Resources::scan`], as long as `may_continue` returns true; otherwise returns `None`.
    /// It gets the number of bytes of each read.
    pub(crate) fn scan_while(&self, may_continue: &mut dyn FnMut(usize) -> bool) -> Result<Option<Scan>> {
        let mut hasher = Hasher::new();
        let mut num_resources = 0;
        let rows = self.rows.clone().map(|mut rows| {
            rows.sort_unstable();
            rows
        });
        let is_texts_read = self.scan_tree(&self.texts, &mut hasher, may_continue, |key, value| {
            let row = rows.as_ref().map_or(Some(num_resources), |rows| rows.get(num_resources as usize).copied());
            if row.is_none() || ordinal_of(key) != row {
                return Err(self.altered(format!("resource {num_resources} is missing")));
            }
            if checked_text(value).is_none() {
                return Err(self.altered(format!("resource {num_resources}: its checksum is wrong")));
            }
            num_resources += 1;
            Ok(())
        })?;
        let mut is_read = is_texts_read
            && self.scan_tree(&self.identifiers, &mut hasher, may_continue, |key, block| {
                let all_lead_somewhere = identifier_block::entries(block)
                    .try_fold(true, |all, entry| entry.map(|(_, ordinal)| all && ordinal < num_resources));
                if matches!(all_lead_somewhere, Ok(true)) {
                    return Ok(());
                }
                let first = String::from_utf8_lossy(key);
                Err(self.altered(format!("the identifiers starting at {first:?} cannot be read")))
            })?;
        for tree in [&self.shared, &self.rows_tree, &self.orders, &self.partials] {
            is_read = is_read && self.scan_tree(tree, &mut hasher, may_continue, |_, _| Ok(()))?;
        }
        Ok(is_read.then(|| Scan { num_resources, crc32: hasher.finalize() }))
    }

    fn scan_tree(
        &self,
        tree: &Tree,
        hasher: &mut Hasher,
        may_continue: &mut dyn FnMut(usize) -> bool,
        mut check: impl FnMut(&[u8], &[u8]) -> Result<()>,
    ) -> Result<bool> {
        for entry in tree {
            let (key, value) = entry.map_err(Error::index(&self.path))?;
            for bytes in [&key, &value] {
                hasher.update(&(bytes.len() as u64).to_be_bytes());
                hasher.update(bytes);
            }
            check(&key, &value)?;
            if !may_continue(key.len() + value.len()) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Scan {
    pub(crate) fn compare(self, resources: &Resources, contents: &CatalogueContents) -> Result<()> {
        let (found, expected) = (self.num_resources, contents.num_resources);
        if (found, self.crc32) == (expected, contents.resources_crc32) {
            return Ok(());
        }
        Err(resources
            .altered(format!("the data of its {found} resources differ from the {expected} that were published")))
    }
}
