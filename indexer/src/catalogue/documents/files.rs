//! The files of a folder of documents.

use std::fs;
use std::path::{Path, PathBuf};

use super::kind::Kind;
use crate::input::Input;
use crate::{Error, Result};

/// The files of a folder of documents, and those that are none.
#[derive(Debug, Default)]
pub(in crate::catalogue) struct Files {
    pub(in crate::catalogue) inputs: Vec<Input>,
    pub(super) kinds: Vec<Kind>,
    /// The names of what is no such file.
    others: Vec<String>,
}

impl Files {
    /// Lists a folder.
    pub(in crate::catalogue) fn list(folder: &Path) -> Result<Self> {
        let error = |source| Error::io("cannot read", folder)(source);
        let mut names: Vec<PathBuf> = Vec::new();
        for entry in fs::read_dir(folder).map_err(error)? {
            names.push(entry.map_err(error)?.path());
        }
        names.sort_unstable();
        let mut files = Self::default();
        for path in names {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            match Kind::of_file(&name) {
                Some(kind) if path.is_file() => {
                    files.inputs.push(Input::from(path.into_os_string()));
                    files.kinds.push(kind);
                }
                _ => files.others.push(name),
            }
        }
        if files.inputs.is_empty() {
            let problem = format!("{} has no file of documents, such as studies.jsonl.gz", folder.display());
            return Err(Error::Refused { problem });
        }
        Ok(files)
    }

    /// Returns a sentence that names what is not read.
    pub(in crate::catalogue) fn unread(&self) -> Option<String> {
        let names = self.others.join(", ");
        (!names.is_empty()).then(|| format!("not read, since their names are not those of files of documents: {names}"))
    }
}
