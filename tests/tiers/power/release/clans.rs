//! The table of families beside a release: the whole one, which is read once.

use std::path::{Path, PathBuf};

use support::data_text;

/// Returns where the table of a release is.
pub(crate) fn beside(release: &Path) -> PathBuf {
    release.with_file_name("clans.tsv")
}

/// Returns the families that the hits of a release may name.
pub(crate) fn of(_: &Path) -> String {
    data_text("proteins/Pfam-A.clans.tsv.gz")
}
