//! Checks before anything is read: the inputs exist, and the disk has space.

use std::path::Path;

use crate::input::{Input, InputSize};
use crate::words::counted;
use crate::{Error, Result};

/// The most bytes of lines per compressed byte.
const LINES_PER_COMPRESSED_BYTE: u64 = 3;

/// The disk space that even the smallest run needs.
const ROOM_MIN_BYTES: u64 = 8 * 1024 * 1024;

const MEGABYTE: u64 = 1_000_000;

/// Checks that the inputs can be read, and returns their sizes. The error names all that cannot be
/// read.
pub fn input_sizes<'a>(inputs: impl IntoIterator<Item = &'a Input>) -> Result<Vec<InputSize>> {
    let (mut sizes, mut faults) = (Vec::new(), Vec::new());
    for input in inputs {
        match input.size() {
            Ok(size) => sizes.push(size),
            Err(source) => faults.push(input.error(0, source)),
        }
    }
    match faults.len() {
        0 => Ok(sizes),
        1 => Err(faults.remove(0)),
        number => {
            let lines: Vec<String> = faults.iter().map(|fault| format!("\n  {fault}")).collect();
            let problem = format!("{} cannot be read:{}", counted(number as u64, "input"), lines.concat());
            Err(Error::Refused { problem })
        }
    }
}

/// Returns the total size of inputs on the disk.
pub fn total_bytes(inputs: &[InputSize]) -> u64 {
    inputs.iter().map(|input| input.size_bytes).sum()
}

/// Returns the approximate uncompressed size of inputs.
pub fn plain_bytes(inputs: &[InputSize], per_compressed_byte: u64) -> u64 {
    let plain = |input: &InputSize| input.size_bytes * if input.is_compressed { per_compressed_byte } else { 1 };
    inputs.iter().map(plain).sum()
}

/// Returns the disk space that lines of portal rows, or of users and domains, need: for sorted
/// runs, and for the index while the runs still exist.
pub fn room_of_lines(inputs: &[InputSize]) -> u64 {
    plain_bytes(inputs, LINES_PER_COMPRESSED_BYTE) * 3 / 2
}

/// Refuses a run if the disk of the folder lacks space.
pub fn check_room(folder: &Path, needed_bytes: u64) -> Result<()> {
    let available_bytes = store::available_bytes(folder)?;
    let needed_bytes = needed_bytes.max(ROOM_MIN_BYTES);
    if available_bytes < needed_bytes {
        let (folder, available, needed) = (folder.display(), available_bytes / MEGABYTE, needed_bytes / MEGABYTE);
        let problem = format!(
            "{folder} has {available} MB free, and this run needs about {needed} MB: free some, or choose another --data folder"
        );
        return Err(Error::Refused { problem });
    }
    Ok(())
}
