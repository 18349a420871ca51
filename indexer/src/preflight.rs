//! What is checked before anything is read.

use std::fs;
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

/// Checks that the inputs are there, and that the folder can be written and has room for their index.
///
/// # Errors
///
/// * An input is missing.
/// * The folder cannot be made or written, or its disk is too full.
pub(crate) fn check(folder: &Path, inputs: &[Input]) -> Result<()> {
    let mut input_bytes = 0;
    for input in inputs {
        input_bytes += input.size_bytes().map_err(|source| Error::Input { name: input.name(), line: 0, source })?;
    }
    fs::create_dir_all(folder).map_err(Error::io("cannot create", folder))?;
    tempfile::tempfile_in(folder).map_err(Error::io("cannot write into", folder))?;
    let available_bytes = fs4::available_space(folder).map_err(Error::io("cannot ask for the free room of", folder))?;
    let needed_bytes = input_bytes.saturating_mul(BYTES_PER_COMPRESSED_BYTE).max(ROOM_MIN_BYTES);
    if available_bytes < needed_bytes {
        let path = folder.to_owned();
        return Err(Error::NoRoom { path, available: available_bytes / MEGABYTE, needed: needed_bytes / MEGABYTE });
    }
    Ok(())
}
