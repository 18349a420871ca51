//! The state that all parts of a run share.

use std::path::PathBuf;
use std::sync::Arc;

use indexer::run::RejectLimit;
use store::FamilyTable;

use super::budget::Budget;
use super::read::lineages::Lineages;
use super::resume::journal::Journal;

pub(super) struct RunContext {
    /// The folder that becomes the generation.
    pub(super) draft: PathBuf,
    /// The folder for files that only the run needs.
    pub(super) work: PathBuf,
    /// The names of all inputs with rows, by position: the files of the release, then the table of
    /// replaced accessions.
    pub(super) names: Vec<String>,
    pub(super) lineages: Arc<Lineages>,
    pub(super) families: FamilyTable,
    pub(super) limit: RejectLimit,
    pub(super) journal: Arc<Journal>,
    pub(super) budget: Budget,
}
