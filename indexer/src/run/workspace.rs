//! The folders of a run, from their creation to the published generation.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use store::{Contents, Draft, GenerationName, Generations, InputEntry, Origin, unix_now_s};

use super::{Acceptance, LoadReport, Report, Rows, preflight};
use crate::{Error, Result};

/// The folder for sorted runs, inside the draft.
const SPILL: &str = "spill";

/// The file with the report, in the generation.
const REPORT: &str = "report.json";

/// A generation that a run has built and published.
#[derive(Clone, Debug)]
pub struct Published<R = Report> {
    /// Its name.
    pub generation: GenerationName,
    /// The report of the run.
    pub report: R,
}

/// The folders that a run writes into until it publishes.
pub struct Workspace {
    /// The generation that is built.
    pub draft: Draft,
    /// The folder for sorted runs, to be removed before the draft is published.
    pub spill: PathBuf,
    /// The counts of rows, and the rejects file.
    pub rows: Rows,
}

impl Workspace {
    /// Begins a generation from the rows of some inputs, which needs `needed_bytes` on the disk.
    pub fn begin(generations: &Generations, inputs: Vec<String>, max_rejects: u64, needed_bytes: u64) -> Result<Self> {
        // This creates the folder and removes leftovers, which frees space.
        let draft = generations.begin()?;
        preflight::check_room(generations.root(), needed_bytes)?;
        let spill = draft.path().join(SPILL);
        fs::create_dir(&spill).map_err(Error::io("cannot create", &spill))?;
        let rows = Rows::create(generations.root(), draft.path(), inputs, max_rejects)?;
        Ok(Self { draft, spill, rows })
    }
}

/// A generation that a load has built, but not yet published.
pub struct Built<S, C> {
    /// The generation that is built.
    pub draft: Draft,
    /// The report of the load.
    pub report: LoadReport<S>,
    /// The contents for its manifest.
    pub contents: C,
    /// The files that it was made from.
    pub inputs: Vec<InputEntry>,
}

impl<S: Serialize, C: Contents> Built<S, C> {
    /// Publishes it, unless it is suspicious.
    pub fn publish(self, acceptance: Acceptance) -> Result<Published<LoadReport<S>>> {
        let Self { draft, report, contents, inputs } = self;
        acceptance.check_changes(&report.changes)?;
        acceptance.check_warnings(&report.warnings)?;
        let path = draft.path().to_owned();
        publish(report, &path, inputs, |origin| draft.publish(origin, contents, Vec::new()))
    }
}

/// Writes the report into the folder of a draft, and publishes it.
pub fn publish<R: Serialize>(
    report: R,
    draft: &Path,
    inputs: Vec<InputEntry>,
    publish: impl FnOnce(Origin) -> store::Result<GenerationName>,
) -> Result<Published<R>> {
    write_report(&report, draft)?;
    let kept =
        serde_json::to_value(&report).map_err(|error| Error::io("cannot keep the report in", draft)(error.into()))?;
    let generation = publish(origin(inputs, kept))?;
    Ok(Published { generation, report })
}

/// Writes a report into a folder.
pub fn write_report(report: &impl Serialize, folder: &Path) -> Result<()> {
    let path = folder.join(REPORT);
    let bytes = serde_json::to_vec_pretty(report).map_err(|error| Error::io("cannot write", &path)(error.into()))?;
    fs::write(&path, bytes).map_err(Error::io("cannot write", &path))
}

/// Returns the origin of a generation that is written now.
pub fn origin(inputs: Vec<InputEntry>, report: serde_json::Value) -> Origin {
    let written_by = concat!("mgdex ", env!("CARGO_PKG_VERSION")).to_owned();
    Origin { written_by, finished_unix_s: unix_now_s(), inputs, report }
}
