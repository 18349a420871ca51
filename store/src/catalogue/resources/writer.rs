//! Filling a database of resources.

use std::path::Path;

use fixedbitset::FixedBitSet;
use sled::Mode;

use crate::catalogue::contents::{RESOURCES, TypeContents};
use crate::catalogue::selection::permutation::{ORDINALS_MAX, TIED};
use crate::catalogue::{Ordinal, ResourceBody};
use crate::engine::sled_file::wait_until_closed;
use crate::{Error, Result};

use super::scan::Scan;
use super::{IdentifierList, Resources, config, identifier_block, identifier_key, order_prefix};

/// The number of ordinals in a value of an order. The engine reads sixteen values at once.
const CHUNK_ENTRIES: usize = 1024;

pub(in crate::catalogue) struct ResourcesWriter {
    resources: Resources,
    next: Ordinal,
    num_partials: u32,
    stored: Vec<u8>,
}

impl ResourcesWriter {
    pub(in crate::catalogue) fn create(draft: &Path) -> Result<Self> {
        let path = draft.join(RESOURCES);
        let db = config(&path).mode(Mode::HighThroughput).create_new(true).open().map_err(Error::index(&path))?;
        Ok(Self { resources: Resources::with_trees(&path, db)?, next: 0, num_partials: 0, stored: Vec::new() })
    }

    pub(in crate::catalogue) fn add(&mut self, body: &ResourceBody) -> Result<Ordinal> {
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

    pub(in crate::catalogue) fn add_partial(&mut self, text: &str) -> Result<()> {
        let Resources { path, partials, .. } = &self.resources;
        let value = [text.as_bytes(), &crc32fast::hash(text.as_bytes()).to_be_bytes()].concat();
        partials.insert(self.num_partials.to_be_bytes(), value).map_err(Error::index(path))?;
        self.num_partials += 1;
        Ok(())
    }

    pub(in crate::catalogue) fn next(&self) -> Ordinal {
        self.next
    }

    pub(in crate::catalogue) fn add_identifiers(&self, resource_type: &str, list: &IdentifierList) -> Result<()> {
        let Resources { path, identifiers, .. } = &self.resources;
        for (first, block) in identifier_block::blocks(list.iter()) {
            identifiers.insert(identifier_key(resource_type, first), block).map_err(Error::index(path))?;
        }
        Ok(())
    }

    /// Adds an order of a type in both directions; see [`crate::CatalogueBuilder::add_order`].
    pub(in crate::catalogue) fn add_order(
        &self,
        (resource_type, contents): (&str, &TypeContents),
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
        self.put_order(&order_prefix(resource_type, field, false), &entries)?;
        let groups: Vec<&[u32]> = entries.chunk_by(|_, next| next & TIED != 0).collect();
        let descending: Vec<u32> = groups.into_iter().rev().flatten().copied().collect();
        self.put_order(&order_prefix(resource_type, field, true), &descending)
    }

    fn put_order(&self, prefix: &[u8], entries: &[u32]) -> Result<()> {
        let Resources { path, orders, .. } = &self.resources;
        for (number, chunk) in (0_u32..).zip(entries.chunks(CHUNK_ENTRIES)) {
            let key = [prefix, &number.to_be_bytes()].concat();
            let value: Vec<u8> = chunk.iter().flat_map(|entry| entry.to_be_bytes()).collect();
            orders.insert(key, value).map_err(Error::index(path))?;
        }
        Ok(())
    }

    /// Writes what is still in memory, opens the database again as a server will, which makes the next time quick, reads all of it back,
    /// and shows it to `inspect`. Returns the length of its file, too.
    pub(in crate::catalogue) fn finish<T>(
        self,
        inspect: impl FnOnce(&Resources) -> Result<T>,
    ) -> Result<(Scan, u64, T)> {
        let Self { resources, next, .. } = self;
        let path = resources.path.clone();
        resources.db.flush().map_err(Error::index(&path))?;
        drop(resources);
        wait_until_closed(&path)?;
        let db = config(&path).open().map_err(Error::index(&path))?;
        let resources = Resources::with_trees(&path, db)?;
        let scan = resources.scan()?;
        if scan.num_resources != next {
            return Err(resources.altered(format!("{} of {next} resources can be read back", scan.num_resources)));
        }
        let inspected = inspect(&resources)?;
        resources.db.flush().map_err(Error::index(&path))?;
        drop(resources);
        Ok((scan, wait_until_closed(&path)?, inspected))
    }
}
