//! Filling a database of resources.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use fixedbitset::FixedBitSet;
use sled::{Mode, Tree};
use store::engine::Closing;
use store::{Error, Result};

use crate::contents::{CatalogueContents, RESOURCES, TypeContents};
use crate::selection::permutation::{ORDINALS_MAX, TIED};
use crate::{Ordinal, ResourceBody};

use super::scan::Scan;
use super::{IdentifierList, Resources, config, identifier_block, identifier_key, order_prefix, ordinal_of};

/// The number of ordinals in a value of an order, or of rows. The engine reads sixteen values at
/// once.
const CHUNK_ENTRIES: usize = 1024;

pub(crate) struct ResourcesWriter {
    resources: Resources,
    next: Ordinal,
    num_partials: u32,
    stored: Vec<u8>,
}

impl ResourcesWriter {
    pub(crate) fn create(draft: &Path) -> Result<Self> {
        let path = draft.join(RESOURCES);
        let db = config(&path).mode(Mode::HighThroughput).create_new(true).open().map_err(Error::index(&path))?;
        let resources = Resources::with_trees(&path, Closing::new(db))?;
        Ok(Self { resources, next: 0, num_partials: 0, stored: Vec::new() })
    }

    pub(crate) fn add(&mut self, body: &ResourceBody) -> Result<Ordinal> {
        let ordinal = self.next;
        if ordinal >= ORDINALS_MAX {
            return Err(Error::Catalogue(format!("it has more than {ORDINALS_MAX} resources")));
        }
        self.stored.clear();
        body.store(&mut self.stored);
        let checksum = crc32fast::hash(&self.stored);
        self.stored.extend_from_slice(&checksum.to_be_bytes());
        let Resources { path, texts, .. } = &self.resources;
        texts.insert(ordinal.to_be_bytes(), &*self.stored).map_err(Error::index(path))?;
        self.next += 1;
        Ok(ordinal)
    }

    pub(crate) fn add_partial(&mut self, text: &str) -> Result<()> {
        let Resources { path, partials, .. } = &self.resources;
        let value = [text.as_bytes(), &crc32fast::hash(text.as_bytes()).to_be_bytes()].concat();
        partials.insert(self.num_partials.to_be_bytes(), value).map_err(Error::index(path))?;
        self.num_partials += 1;
        Ok(())
    }

    pub(crate) fn next(&self) -> Ordinal {
        self.next
    }

    /// Sorts and adds the identifiers of a type. Identifiers that find an earlier resource are
    /// added separately.
    pub(crate) fn add_identifiers(&self, resource_type: &str, list: &mut IdentifierList) -> Result<()> {
        // Neighbours in the database are written together.
        let others = list.sort();
        let Resources { path, identifiers, shared, .. } = &self.resources;
        for (first, block) in identifier_block::blocks(list.iter()) {
            identifiers.insert(identifier_key(resource_type, first), block).map_err(Error::index(path))?;
        }
        let others = others.iter().map(|(identifier, ordinal)| (identifier.as_bytes(), *ordinal));
        for (number, (_, block)) in (0_u32..).zip(identifier_block::blocks(others)) {
            shared.insert(identifier_key(resource_type, &number.to_be_bytes()), block).map_err(Error::index(path))?;
        }
        Ok(())
    }

    /// Begins a revision of a copy of a database: new resources get rows after all others. Partial
    /// resources, rows, identifiers and orders must be written again.
    pub(crate) fn revise(resources: Resources) -> Result<Self> {
        let Resources { path, rows_tree, partials, texts, .. } = &resources;
        for tree in [rows_tree, partials] {
            tree.clear().map_err(Error::index(path))?;
        }
        let last = texts.last().map_err(Error::index(path))?;
        let next = last.and_then(|(row, _)| ordinal_of(&row)).map_or(0, |row| row + 1);
        Ok(Self { resources, next, num_partials: 0, stored: Vec::new() })
    }

    /// Returns the database that is revised. Only its texts are unchanged.
    pub(crate) fn resources(&self) -> &Resources {
        &self.resources
    }

    /// Removes the identifiers of a type before they are written again.
    pub(crate) fn forget_identifiers(&self, resource_type: &str) -> Result<()> {
        let Resources { identifiers, shared, .. } = &self.resources;
        let prefix = identifier_key(resource_type, b"");
        self.forget(identifiers, &prefix)?;
        self.forget(shared, &prefix)
    }

    /// Removes an order of a type before it is written again.
    pub(crate) fn forget_order(&self, resource_type: &str, field: &str) -> Result<()> {
        for is_descending in [false, true] {
            self.forget(&self.resources.orders, &order_prefix(resource_type, field, is_descending))?;
        }
        Ok(())
    }

    fn forget(&self, tree: &Tree, prefix: &[u8]) -> Result<()> {
        for key in tree.scan_prefix(prefix).keys() {
            key.and_then(|key| tree.remove(key)).map_err(Error::index(&self.resources.path))?;
        }
        Ok(())
    }

    /// Ends a revision: `rows` are the rows of the resources by ordinal, and `unused` rows are
    /// removed.
    pub(crate) fn set_rows(&mut self, rows: &[u32], unused: impl Iterator<Item = u32>) -> Result<()> {
        let Resources { path, rows_tree, texts, .. } = &self.resources;
        for row in unused {
            texts.remove(row.to_be_bytes()).map_err(Error::index(path))?;
        }
        self.put_chunks(rows_tree, &[], rows)?;
        self.next =
            Ordinal::try_from(rows.len()).map_err(|_| Error::Catalogue("it has too many resources".to_owned()))?;
        Ok(())
    }

    /// Adds an order of a type in both directions; see [`crate::CatalogueBuilder::add_order`].
    pub(crate) fn add_order(
        &self,
        resource_type: &str,
        contents: &TypeContents,
        field: &str,
        ascending: impl IntoIterator<Item = Result<(Ordinal, bool)>>,
    ) -> Result<()> {
        let wrong = |problem: String| Error::Catalogue(format!("the order of {resource_type} by {field} {problem}"));
        let num_resources = contents.num_resources as usize;
        let mut seen = FixedBitSet::with_capacity(num_resources);
        let mut entries: Vec<u32> = Vec::with_capacity(num_resources);
        for entry in ascending {
            let (ordinal, is_tied) = entry?;
            let row = ordinal.wrapping_sub(contents.first) as usize;
            if row >= num_resources || seen.put(row) {
                return Err(wrong(format!("has ordinal {ordinal} twice, or an ordinal of another type")));
            }
            // The first has no previous value.
            entries.push(if is_tied && !entries.is_empty() { ordinal | TIED } else { ordinal });
        }
        if entries.len() != num_resources {
            return Err(wrong(format!("has {} of {num_resources} resources", entries.len())));
        }
        let orders = &self.resources.orders;
        self.put_chunks(orders, &order_prefix(resource_type, field, false), &entries)?;
        let groups: Vec<&[u32]> = entries.chunk_by(|_, next| next & TIED != 0).collect();
        let descending: Vec<u32> = groups.into_iter().rev().flatten().copied().collect();
        self.put_chunks(orders, &order_prefix(resource_type, field, true), &descending)
    }

    fn put_chunks(&self, tree: &Tree, prefix: &[u8], entries: &[u32]) -> Result<()> {
        for (number, chunk) in (0_u32..).zip(entries.chunks(CHUNK_ENTRIES)) {
            let key = [prefix, &number.to_be_bytes()].concat();
            let value: Vec<u8> = chunk.iter().flat_map(|entry| entry.to_be_bytes()).collect();
            tree.insert(key, value).map_err(Error::index(&self.resources.path))?;
        }
        Ok(())
    }

    /// Writes the rest that is in memory, opens the database again as a server will, which makes
    /// the next time quick, reads it back, and passes it to `inspect`, which returns the number of
    /// words, and the number of missing resources of each type. Returns the contents.
    pub(crate) fn finish(
        self,
        target: &Path,
        types: BTreeMap<String, TypeContents>,
        inspect: impl FnOnce(&Resources) -> Result<(u64, BTreeMap<String, u64>)>,
    ) -> Result<CatalogueContents> {
        let Self { resources, next, .. } = self;
        let path = resources.path.clone();
        resources.close()?;
        if path != target {
            fs::rename(&path, target).map_err(Error::io("cannot rename", &path))?;
        }
        let path = target.to_owned();
        let db = config(&path).open().map_err(Error::index(&path))?;
        let resources = Resources::with_trees(&path, Closing::new(db))?;
        let Scan { num_resources, crc32: resources_crc32 } = resources.scan()?;
        if num_resources != next {
            return Err(resources.altered(format!("{num_resources} of {next} resources can be read back")));
        }
        let (num_words, missing) = inspect(&resources)?;
        let (resources_file_bytes, harvest) = (resources.close()?, None);
        Ok(CatalogueContents {
            types,
            num_resources,
            missing,
            num_words,
            resources_crc32,
            resources_file_bytes,
            harvest,
        })
    }
}
