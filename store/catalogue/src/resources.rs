//! The database of resources: texts by ordinal, ordinals by identifier, and the orders of the
//! types.

mod ascending;
mod identifier_block;
mod identifier_list;
mod identifiers;
mod scan;
mod writer;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sled::{Db, Tree};
use store::engine::Closing;
use store::engine::sled_file::{FILE, is_locked, wait_until_closed};
use store::{Contents, Error, Result, WeightedCache, durable};

use super::contents::{CatalogueContents, RESOURCES};
use super::selection::of_type::OfType;
use super::selection::permutation::{Permutation, TIED};
use super::{Order, Ordinal, ResourceBody};

pub(super) use ascending::AscendingFinder;
pub(super) use identifier_list::IdentifierList;
pub(super) use writer::ResourcesWriter;

/// The limits of the memory: pages of the engine, bodies, and identifiers that were found.
const CACHE_BYTES: u64 = 32 << 20;
pub(super) const BODIES_BYTES_MAX: usize = 28 << 20;
const FOUND_BYTES_MAX: usize = 4 << 20;

/// Row, to text and CRC-32; both numbers big-endian. See [`ROWS_TREE`].
const RESOURCES_TREE: &str = "resources";

/// Type, 0 and the first identifier of a block, to the block; see [`identifier_block`].
const IDENTIFIERS_TREE: &str = "identifiers";

/// Likewise for identifiers that find an earlier resource: type, 0 and the number of the block, to
/// the block.
const SHARED_TREE: &str = "shared_identifiers";

/// Number of a chunk, to the keys of 1024 resources in `resources`, in the order of their ordinals;
/// empty if these are the keys.
const ROWS_TREE: &str = "rows";

/// See [`order_prefix`].
const ORDERS_TREE: &str = "orders";

/// Rank, big-endian, to the text of a partial resource.
const PARTIALS_TREE: &str = "partials";

const CHECKSUM_BYTES: usize = 4;

pub(super) struct Resources {
    path: PathBuf,
    texts: Tree,
    identifiers: Tree,
    orders: Tree,
    partials: Tree,
    shared: Tree,
    rows_tree: Tree,
    /// The row of each ordinal, unless they are equal.
    rows: Option<Box<[u32]>>,
    /// The bodies that were read, with valid checksums.
    bodies: WeightedCache<Ordinal, Arc<ResourceBody>>,
    /// By [`identifier_key`].
    found: WeightedCache<Vec<u8>, Ordinal>,
    /// All trees belong to it.
    db: Closing<Db>,
}

impl Resources {
    /// Opens the database of a published generation, or a copy of it. The engine would silently
    /// open a torn file as a shorter one, so its length is checked first.
    pub(super) fn open(generation: &Path, path: &Path, contents: &CatalogueContents) -> Result<Self> {
        let torn =
            |problem: String| Error::Torn { path: generation.to_owned(), problem, command: CatalogueContents::COMMAND };
        let file = path.join(FILE);
        let length = fs::metadata(&file).map_err(|error| torn(format!("{RESOURCES}/{FILE}: {error}")))?.len();
        if length < contents.resources_file_bytes {
            let expected = contents.resources_file_bytes;
            return Err(torn(format!("{RESOURCES}/{FILE} has {length} of at least {expected} bytes")));
        }
        if is_locked(&file)? {
            return Err(Error::Locked { path: generation.to_owned() });
        }
        let db = match config(path).open() {
            Ok(db) => Closing::new(db),
            Err(sled::Error::Io(error)) => return Err(Error::io("cannot open", path)(error)),
            Err(error) => return Err(torn(format!("{RESOURCES}: {error}"))),
        };
        let names = db.tree_names();
        for tree in [RESOURCES_TREE, IDENTIFIERS_TREE, ORDERS_TREE, PARTIALS_TREE, SHARED_TREE, ROWS_TREE] {
            if !names.iter().any(|name| name == tree.as_bytes()) {
                return Err(torn(format!("{RESOURCES} has no tree {tree}")));
            }
        }
        // Errors name the published database, not a copy.
        let published = generation.join(RESOURCES);
        let resources = Self::with_trees(&published, db)?;
        let last = resources.texts.last().map_err(Error::index(&published))?;
        let num_rows = last.map_or(0, |(key, _)| ordinal_of(&key).map_or(u64::MAX, |last| u64::from(last) + 1));
        let num_resources = resources.rows.as_ref().map_or(num_rows, |rows| rows.len() as u64);
        if num_resources != u64::from(contents.num_resources) {
            let expected = contents.num_resources;
            return Err(torn(format!("{RESOURCES} ends after {num_resources} of {expected} resources")));
        }
        Ok(resources)
    }

    fn with_trees(path: &Path, db: Closing<Db>) -> Result<Self> {
        let tree = |name: &str| db.open_tree(name).map_err(Error::index(path));
        let (texts, identifiers, orders) = (tree(RESOURCES_TREE)?, tree(IDENTIFIERS_TREE)?, tree(ORDERS_TREE)?);
        let (partials, shared, rows_tree) = (tree(PARTIALS_TREE)?, tree(SHARED_TREE)?, tree(ROWS_TREE)?);
        let mut rows: Vec<u32> = Vec::new();
        for chunk in rows_tree.iter().values() {
            rows.extend(chunk.map_err(Error::index(path))?.as_chunks().0.iter().copied().map(u32::from_be_bytes));
        }
        let rows = (!rows.is_empty()).then(|| rows.into());
        let (bodies, found) = (WeightedCache::new(BODIES_BYTES_MAX), WeightedCache::new(FOUND_BYTES_MAX));
        Ok(Self {
            path: path.to_owned(),
            texts,
            identifiers,
            orders,
            partials,
            shared,
            rows_tree,
            rows,
            bodies,
            found,
            db,
        })
    }

    /// Returns the resources with these ordinals, in their order. If requested, caches those that
    /// it has to read. Neighbours are read in one pass.
    pub(super) fn get_all(&self, ordinals: &[Ordinal], are_kept: bool) -> Result<Vec<Arc<ResourceBody>>> {
        let mut bodies = self.bodies.get_all(ordinals);
        let unread = ordinals.iter().copied().zip(0..).filter(|&(_, position): &(_, usize)| bodies[position].is_none());
        let unread = unread.filter_map(|(ordinal, position)| Some((self.row(ordinal)?, position)));
        let mut unread: Vec<_> = unread.collect();
        unread.sort_unstable();
        for run in unread.chunk_by(|&(left, _), &(right, _)| right == left + 1) {
            let (first, last) = (run[0].0, run[run.len() - 1].0);
            let mut found = self.texts.range(first.to_be_bytes()..=last.to_be_bytes());
            for &(row, position) in run {
                let Some(entry) = found.next() else { break };
                let (key, stored) = entry.map_err(Error::index(&self.path))?;
                if ordinal_of(&key) == Some(row) {
                    let ordinal = ordinals[position];
                    let body = Arc::new(self.checked(ordinal, &stored)?);
                    if are_kept {
                        self.bodies.put(ordinal, Arc::clone(&body), body.size_bytes());
                    }
                    bodies[position] = Some(body);
                }
            }
        }
        let complete = bodies.into_iter().zip(ordinals);
        complete
            .map(|(body, ordinal)| body.ok_or_else(|| self.altered(format!("resource {ordinal} is missing"))))
            .collect()
    }

    /// Sets the folder of the database in errors, if the database is a copy of a published one.
    pub(super) fn moved_to(mut self, path: PathBuf) -> Self {
        self.path = path;
        self
    }

    /// Returns the row of an ordinal.
    fn row(&self, ordinal: Ordinal) -> Option<u32> {
        self.rows.as_ref().map_or(Some(ordinal), |rows| rows.get(ordinal as usize).copied())
    }

    /// Returns a resource as it is stored. It is not cached.
    pub(super) fn get(&self, ordinal: Ordinal) -> Result<ResourceBody> {
        let stored = self.row(ordinal).map(|row| self.texts.get(row.to_be_bytes())).transpose();
        let stored = stored.map_err(Error::index(&self.path))?.flatten();
        self.checked(ordinal, &stored.ok_or_else(|| self.altered(format!("resource {ordinal} is missing")))?)
    }

    pub(super) fn row_of(&self, ordinal: Ordinal) -> Result<u32> {
        self.row(ordinal).ok_or_else(|| self.altered(format!("resource {ordinal} is missing")))
    }

    /// Returns an order of a type as it was passed to [`crate::CatalogueBuilder::add_order`].
    pub(super) fn order(&self, resource_type: &str, field: &str) -> Result<Vec<(Ordinal, bool)>> {
        let entries = self.order_entries(&order_prefix(resource_type, field, false))?;
        Ok(entries.into_iter().map(|entry| (entry & !TIED, entry & TIED != 0)).collect())
    }

    fn order_entries(&self, prefix: &[u8]) -> Result<Vec<u32>> {
        let mut entries = Vec::new();
        for chunk in self.orders.scan_prefix(prefix).values() {
            let chunk = chunk.map_err(Error::index(&self.path))?;
            entries.extend(chunk.as_chunks().0.iter().copied().map(u32::from_be_bytes));
        }
        Ok(entries)
    }

    /// Returns the texts of all partial resources in their order.
    pub(super) fn partials(&self) -> impl Iterator<Item = Result<String>> {
        self.partials.iter().values().map(|text| {
            let text = text.map_err(Error::index(&self.path))?;
            let text = checked_text(&text).and_then(|text| str::from_utf8(text).ok());
            text.map(str::to_owned).ok_or_else(|| self.altered("a partial resource is damaged".to_owned()))
        })
    }

    pub(super) fn permutation(&self, of: OfType<'_>, order: &Order) -> Result<Permutation> {
        let prefix = order_prefix(of.name, &order.field, order.is_descending);
        let permutation = Permutation::from_entries(self.order_entries(&prefix)?);
        if permutation.is_of(of.contents.first, of.contents.num_resources) {
            return Ok(permutation);
        }
        Err(self.altered(format!("the order of {} by {} is damaged", of.name, order.field)))
    }

    fn checked(&self, ordinal: Ordinal, stored: &[u8]) -> Result<ResourceBody> {
        match checked_text(stored) {
            Some(text) => Ok(ResourceBody::from_stored(text)),
            None => Err(self.altered(format!("resource {ordinal}: its checksum is wrong"))),
        }
    }

    /// Writes the rest that is in memory, and closes the database. Returns the length of its file.
    fn close(self) -> Result<u64> {
        let path = self.path.clone();
        self.db.flush().map_err(Error::index(&path))?;
        durable::sync(&path.join(FILE))?;
        drop(self);
        wait_until_closed(&path)
    }

    pub(super) fn altered(&self, problem: String) -> Error {
        Error::altered(&self.path, problem)
    }
}

fn config(path: &Path) -> sled::Config {
    sled::Config::new().path(path).cache_capacity(CACHE_BYTES).flush_every_ms(None).use_compression(false)
}

fn identifier_key(resource_type: &str, identifier: &[u8]) -> Vec<u8> {
    [resource_type.as_bytes(), b"\0", identifier].concat()
}

/// The prefix of the keys of an order. The number of the chunk follows, big-endian.
fn order_prefix(resource_type: &str, field: &str, is_descending: bool) -> Vec<u8> {
    [resource_type.as_bytes(), b"\0", field.as_bytes(), b"\0", &[u8::from(is_descending)]].concat()
}

fn ordinal_of(bytes: &[u8]) -> Option<Ordinal> {
    bytes.try_into().ok().map(u32::from_be_bytes)
}

/// Returns a text without its checksum, or `None` if the checksum is wrong.
fn checked_text(stored: &[u8]) -> Option<&[u8]> {
    let (text, checksum) = stored.split_last_chunk::<CHECKSUM_BYTES>()?;
    (crc32fast::hash(text) == u32::from_be_bytes(*checksum)).then_some(text)
}
