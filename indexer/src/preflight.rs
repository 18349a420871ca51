//! What is checked before anything is read.

use std::path::Path;

use crate::input::Input;
use crate::release::Layout;
use crate::{Error, Result};

/// How many bytes of disk two bytes of plain rows need, at most: spilled runs, and the index while they are still there.
const ROOM_PER_TWO_PLAIN_BYTES: u64 = 3;

/// How many bytes of rows stand in a compressed byte, at most.
const PLAIN_BYTES_PER_COMPRESSED_BYTE: u64 = 3;

/// How many bytes of disk a plain byte of a catalogue needs, at most: the stored resources and the index, and spilled runs.
const ROOM_PER_PLAIN_CATALOGUE_BYTE: u64 = 2;

/// How many bytes of a catalogue stand in a compressed byte, at least. Names of members and links are most of it.
const PLAIN_CATALOGUE_BYTES_PER_COMPRESSED_BYTE: u64 = 10;

/// How many bytes of a release go with a byte of its index, at least: 1.3 TB make some 0.3 TB.
const RELEASE_BYTES_PER_INDEX_BYTE: u64 = 5;

/// The room that even the smallest run needs.
const ROOM_MIN_BYTES: u64 = 8 * 1024 * 1024;

/// Bytes of a megabyte.
const MEGABYTE: u64 = 1_000_000;

/// What an input has on disk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputSize {
    /// Its size, or 0 where it is a stream.
    pub(crate) size_bytes: u64,
    /// Whether it is compressed, as far as that is known.
    is_compressed: bool,
}

impl InputSize {
    /// Returns how many bytes it has uncompressed, about.
    fn plain_bytes(self, per_compressed_byte: u64) -> u64 {
        if self.is_compressed { self.size_bytes * per_compressed_byte } else { self.size_bytes }
    }
}

/// Checks that the inputs can be read, and returns how large they are.
///
/// # Errors
///
/// * An input is missing or may not be read.
pub(crate) fn input_sizes<'a>(inputs: impl IntoIterator<Item = &'a Input>) -> Result<Vec<InputSize>> {
    let size = |input: &Input| {
        let size_bytes = input.size_bytes()?;
        Ok(InputSize { size_bytes, is_compressed: input.is_compressed()? })
    };
    inputs
        .into_iter()
        .map(|input| size(input).map_err(|source| Error::Input { name: input.name(), line: 0, source }))
        .collect()
}

/// Checks that the disk of a folder has room for the index of the inputs.
///
/// # Errors
///
/// * The disk is too full.
pub(crate) fn check_room<'a>(folder: &Path, inputs: impl Iterator<Item = &'a InputSize>) -> Result<()> {
    require(folder, plain_bytes(inputs) * ROOM_PER_TWO_PLAIN_BYTES / 2)
}

/// Returns how many bytes rows have uncompressed, about. The index has as many at most.
pub(crate) fn plain_bytes<'a>(inputs: impl Iterator<Item = &'a InputSize>) -> u64 {
    inputs.map(|input| input.plain_bytes(PLAIN_BYTES_PER_COMPRESSED_BYTE)).sum()
}

/// Checks that the disk of a folder has room for the catalogue of the inputs.
///
/// # Errors
///
/// * The disk is too full.
pub(crate) fn check_room_of_catalogue(folder: &Path, inputs: &[InputSize]) -> Result<()> {
    let plain_bytes: u64 =
        inputs.iter().map(|input| input.plain_bytes(PLAIN_CATALOGUE_BYTES_PER_COMPRESSED_BYTE)).sum();
    require(folder, plain_bytes * ROOM_PER_PLAIN_CATALOGUE_BYTE)
}

/// Checks that the disk of a folder has some room for the index of a release. How much is needed is known only in the end; a run
/// that meets a full disk goes on when it is started again.
///
/// # Errors
///
/// * The disk is too full.
pub(crate) fn check_room_of_release(folder: &Path, layout: &Layout, all_proteins: bool) -> Result<()> {
    require(folder, index_bytes_of_release(layout, all_proteins))
}

/// Returns how many bytes the index of a release has, about.
pub(crate) fn index_bytes_of_release(layout: &Layout, all_proteins: bool) -> u64 {
    let release_bytes: u64 = layout.files().map(|file| file.size_bytes).sum();
    if all_proteins { release_bytes } else { release_bytes / RELEASE_BYTES_PER_INDEX_BYTE }
}

/// Checks that the disk of a folder has that much room.
fn require(folder: &Path, needed_bytes: u64) -> Result<()> {
    let available_bytes = store::available_bytes(folder)?;
    let needed_bytes = needed_bytes.max(ROOM_MIN_BYTES);
    if available_bytes < needed_bytes {
        let path = folder.to_owned();
        return Err(Error::NoRoom { path, available: available_bytes / MEGABYTE, needed: needed_bytes / MEGABYTE });
    }
    Ok(())
}
