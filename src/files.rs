//! The files of an option.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use indexer::Input;

/// A file whose name may contain commas, or several files separated by commas.
#[derive(Clone, Debug)]
pub(crate) struct Files(Vec<Input>);

impl Files {
    /// Returns the files of all values of an option.
    pub(crate) fn all(values: &[Self]) -> impl Iterator<Item = &Input> {
        values.iter().flat_map(|Self(files)| files)
    }
}

impl From<OsString> for Files {
    fn from(argument: OsString) -> Self {
        if Path::new(&argument).try_exists().unwrap_or(false) {
            return Self(vec![argument.into()]);
        }
        let names = argument.as_bytes().split(|byte| *byte == b',');
        Self(names.map(|name| OsStr::from_bytes(name).to_owned().into()).collect())
    }
}
