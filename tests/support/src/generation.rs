//! The current generation of a test's folder.

use std::fs;
use std::path::PathBuf;

use store::GenerationName;

use crate::TestFolder;

/// Returns the name of the current generation.
pub fn current_name(folder: &TestFolder) -> GenerationName {
    folder.generations().current().expect("readable").expect("published")
}

/// Returns the folder of the current generation.
pub fn current_folder(folder: &TestFolder) -> PathBuf {
    folder.generations().path(current_name(folder))
}

/// Returns the file of its first segment that has an extension.
pub fn segment_file(folder: &TestFolder, extension: &str) -> PathBuf {
    let entries = fs::read_dir(current_folder(folder).join("segment-00000")).expect("a segment");
    let mut paths = entries.map(|entry| entry.expect("readable").path());
    paths.find(|path| path.extension().is_some_and(|found| found == extension)).expect(extension)
}
