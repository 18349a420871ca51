//! What the stores need of the engines beyond their own interfaces.

mod build_directory;

use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

use crate::{Error, Result};

pub(crate) use build_directory::BuildDirectory;

/// Reads a generation; the engines panic over some damaged files, which is an error like any other.
pub(crate) fn unless_it_panics<T>(path: &Path, read: impl FnOnce() -> Result<T>) -> Result<T> {
    panic::catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        Err(Error::Altered { path: path.to_owned(), problem: "the engine cannot read it".to_owned() })
    })
}
