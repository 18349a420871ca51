//! The files of a folder of documents.

use std::fs;
use std::path::Path;

use indexer::input::{Input, is_of_harvester};
use indexer::{Error, Result};

use super::kind::Kind;

/// The files of a folder of documents, and those that are none.
#[derive(Debug, Default)]
pub(crate) struct Files {
    pub(crate) inputs: Vec<Input>,
    pub(crate) kinds: Vec<Kind>,
    /// The names of what is no such file.
    others: Vec<String>,
}

impl Files {
    /// Lists a folder, in the order in which the files are read.
    pub(crate) fn list(folder: &Path) -> Result<Self> {
        let error = |source| Error::io("cannot read", folder)(source);
        let (mut found, mut files) = (Vec::new(), Self::default());
        for entry in fs::read_dir(folder).map_err(error)? {
            let path = entry.map_err(error)?.path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            match Kind::of_file(&name).filter(|_| path.is_file()) {
                Some((position, kind)) => found.push((position, path, kind)),
                None if is_of_harvester(&name) => {}
                None => files.others.push(name),
            }
        }
        found.sort_unstable_by(|left, right| (left.0, &left.1).cmp(&(right.0, &right.1)));
        files.others.sort_unstable();
        for (_, path, kind) in found {
            files.inputs.push(Input::from(path.into_os_string()));
            files.kinds.push(kind);
        }
        if files.inputs.is_empty() {
            let problem = format!("{} has no file of documents, such as studies.jsonl.gz", folder.display());
            return Err(Error::Refused { problem });
        }
        Ok(files)
    }

    /// Returns a sentence that names what is not read.
    pub(crate) fn unread(&self) -> Option<String> {
        let names = self.others.join(", ");
        (!names.is_empty()).then(|| format!("not read, since their names are not those of document files: {names}"))
    }
}
