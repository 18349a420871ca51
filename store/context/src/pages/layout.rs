//! The bytes of pages, and their places in the file.
//!
//! ```text
//! every page    CRC-32 of its position and the rest (4 bytes), the rest
//! of entries    number of entries (4), entries before the page (8), key (16), bits of the entries
//! of keys       number of keys (4), unused (8), keys (16 each)
//! ```
//!
//! All numbers are little-endian. Groups of pages of entries are each followed by a page of keys.
//! Pages of the first keys of these pages end the file.

use super::Key;

pub(super) const PAGE_BYTES: usize = 2048;

/// The bytes of a page of entries before its entries.
pub(super) const HEAD_BYTES: usize = 32;

/// The most bytes of the entries of a page.
pub(super) const ENTRIES_BYTES: usize = PAGE_BYTES - HEAD_BYTES;

const KEY_BYTES: usize = 16;

/// The most keys of a page, and so the most pages of entries in a group.
pub(super) const PAGE_KEYS: usize = PAGE_BYTES / KEY_BYTES - 1;

const GROUP_PAGES: u64 = PAGE_KEYS as u64;

/// Returns the position of a page of entries, counted in pages from the start of the file.
pub(super) const fn position_of(page: u64) -> u64 {
    page + page / GROUP_PAGES
}

/// Returns the position of the page of keys of a group.
pub(super) fn position_of_keys(num_pages: u64, group: u64) -> u64 {
    num_pages.min((group + 1) * GROUP_PAGES) + group
}

/// Returns the first page of entries of a group.
pub(super) const fn first_page(group: u64) -> u64 {
    group * GROUP_PAGES
}

pub(super) const fn num_groups(num_pages: u64) -> u64 {
    num_pages.div_ceil(GROUP_PAGES)
}

/// Returns the size of the file, in pages.
pub(super) const fn num_positions(num_pages: u64) -> u64 {
    let num_groups = num_groups(num_pages);
    num_pages + num_groups + num_groups.div_ceil(GROUP_PAGES)
}

/// Sets the checksum of a page.
pub(super) fn seal(page: &mut [u8; PAGE_BYTES], position: u64) {
    let checksum = checksum(page, position);
    page[..4].copy_from_slice(&checksum.to_le_bytes());
}

pub(super) fn is_sealed(page: &[u8; PAGE_BYTES], position: u64) -> bool {
    page[..4] == checksum(page, position).to_le_bytes()
}

fn checksum(page: &[u8; PAGE_BYTES], position: u64) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&position.to_le_bytes());
    hasher.update(&page[4..]);
    hasher.finalize()
}

/// Fills a page with entries.
pub(super) fn put_entries(page: &mut [u8; PAGE_BYTES], start: Key, [num_before, num]: [u64; 2], bytes: &[u8]) {
    page[4..8].copy_from_slice(&length_of(num).to_le_bytes());
    page[8..16].copy_from_slice(&num_before.to_le_bytes());
    put_key(&mut page[16..HEAD_BYTES], start);
    page[HEAD_BYTES..][..bytes.len()].copy_from_slice(bytes);
    page[HEAD_BYTES + bytes.len()..].fill(0);
}

/// Returns the key of a page, the number of entries before it, their number and their bytes.
pub(super) fn entries_of(page: &[u8; PAGE_BYTES]) -> (Key, u64, usize, &[u8]) {
    (key_at(&page[16..]), number_at(&page[8..]), length_at(page), &page[HEAD_BYTES..])
}

/// Fills a page with keys, of which it takes [`PAGE_KEYS`].
pub(super) fn put_keys(page: &mut [u8; PAGE_BYTES], keys: &[Key]) {
    page.fill(0);
    page[4..8].copy_from_slice(&length_of(keys.len() as u64).to_le_bytes());
    for (bytes, key) in page[KEY_BYTES..].chunks_exact_mut(KEY_BYTES).zip(keys) {
        put_key(bytes, *key);
    }
}

pub(super) fn keys_of(page: &[u8; PAGE_BYTES]) -> impl Iterator<Item = Key> {
    page[KEY_BYTES..].chunks_exact(KEY_BYTES).take(length_at(page)).map(key_at)
}

fn put_key(bytes: &mut [u8], key: Key) {
    bytes[..8].copy_from_slice(&key.0.to_le_bytes());
    bytes[8..].copy_from_slice(&key.1.to_le_bytes());
}

fn key_at(bytes: &[u8]) -> Key {
    (number_at(bytes), number_at(&bytes[8..]))
}

fn number_at(bytes: &[u8]) -> u64 {
    bytes.first_chunk().copied().map_or(0, u64::from_le_bytes)
}

fn length_of(num: u64) -> u32 {
    u32::try_from(num).expect("they fit into a page")
}

fn length_at(page: &[u8; PAGE_BYTES]) -> usize {
    u32::from_le_bytes([page[4], page[5], page[6], page[7]]) as usize
}
