//! The files of a folder of documents.

use std::path::Path;

use indexer::input::{Input, is_of_harvester};
use indexer::{Error, Result};
use store::durable;

use super::kind::Kind;

/// The files of a folder of documents, in the order in which they are read.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    pub(crate) files: Vec<(Input, Kind)>,
    /// A sentence that names the files that do not belong there.
    pub(crate) unread: Option<String>,
}

impl Folder {
    pub(crate) fn list(folder: &Path) -> Result<Self> {
        let (mut found, mut others) = (Vec::new(), Vec::new());
        for entry in durable::entries(folder)? {
            let path = entry.path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            match Kind::of_file(&name).filter(|_| path.is_file()) {
                Some((position, kind)) => found.push((position, path, kind)),
                None if is_of_harvester(&name) => {}
                None => others.push(name),
            }
        }
        if found.is_empty() {
            let problem = format!("{} has no file of documents, such as studies.jsonl.gz", folder.display());
            return Err(Error::Refused { problem });
        }
        found.sort_unstable_by(|left, right| (left.0, &left.1).cmp(&(right.0, &right.1)));
        others.sort_unstable();
        let names = others.join(", ");
        let unread = format!("not read, since these are not names of document files: {names}");
        let files = found.into_iter().map(|(_, path, kind)| (Input::from(path.into_os_string()), kind)).collect();
        Ok(Self { files, unread: Some(unread).filter(|_| !others.is_empty()) })
    }
}
