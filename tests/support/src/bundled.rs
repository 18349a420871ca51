//! The data files of the project.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

/// The bundled sample of real rows.
pub const SAMPLE: &str = "proteins/sequence_explorer_protein_10000.csv.gz";

/// Returns the path of a file of the project.
pub fn project(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the project").join(name)
}

/// Returns the path of a bundled file.
pub fn data(name: &str) -> PathBuf {
    project("data").join(name)
}

/// Returns the text of a bundled file, decompressed.
pub fn data_text(name: &str) -> String {
    let bytes = fs::read(data(name)).expect(name);
    let mut text = String::new();
    if Path::new(name).extension().is_some_and(|extension| extension == "gz") {
        MultiGzDecoder::new(&bytes[..]).read_to_string(&mut text).expect(name);
    } else {
        text = String::from_utf8(bytes).expect(name);
    }
    text
}
