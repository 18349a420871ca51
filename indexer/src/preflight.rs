//! What is checked before anything is read.

use std::path::Path;

use crate::input::Input;
use crate::{Error, Result};

/// How many bytes of disk a byte of input needs, at most, for index and sorting: rows are packed to less than half of their
/// text, and compressed inputs are up to three times that.
const BYTES_PER_COMPRESSED_BYTE: u64 = 3;

/// The room that even the smallest run needs.
const ROOM_MIN_BYTES: u64 = 8 * 1024 * 1024;

/// Bytes of a megabyte.
const MEGABYTE: u64 = 1_000_000;

/// Checks that the inputs are there, and returns how many bytes they have on disk.
///
/// # Errors
///
/// * An input is missing.
pub(crate) fn input_bytes(inputs: &[Input]) -> Result<u64> {
    inputs.iter().try_fold(0, |sum, input| {
        let size_bytes = input.size_bytes().map_err(|source| Error::Input { name: input.name(), line: 0, source })?;
        Ok(sum + size_bytes)
    })
}

/// Checks that the disk of a folder has room for the index of so many bytes of input.
///
/// # Errors
///
/// * The disk is too full.
pub(crate) fn check_room(folder: &Path, input_bytes: u64) -> Result<()> {
    let available_bytes = fs4::available_space(folder).map_err(Error::io("cannot ask for the free room of", folder))?;
    let needed_bytes = input_bytes.saturating_mul(BYTES_PER_COMPRESSED_BYTE).max(ROOM_MIN_BYTES);
    if available_bytes < needed_bytes {
        let path = folder.to_owned();
        return Err(Error::NoRoom { path, available: available_bytes / MEGABYTE, needed: needed_bytes / MEGABYTE });
    }
    Ok(())
}
