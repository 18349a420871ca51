//! All files of a release, and the list of the bad rows in them.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::Scope;

use crate::cell::Cell;
use crate::chance::{Purpose, mix};
use crate::columns::{NUM_TABLES, Table, tables};
use crate::faults::{FAULTS_FILE, Fault, FaultReason, list};
use crate::file::{Shuffling, TableFile};
use crate::{SynthFile, SynthPlan};
use indexer::{Error, Result};

/// How many sorters share the memory besides those that shuffle: of members, of clusters and of contigs.
const NUM_OTHER_SORTERS: usize = 3;

/// The files that are being written.
pub(crate) struct Files<'scope> {
    /// The files, by [`Table`].
    all: [Option<TableFile<'scope>>; NUM_TABLES],
    /// Where the last rows went: file and position.
    last: Vec<(&'static str, u64)>,
    /// Whether positions do not last.
    is_shuffled: bool,
    /// The bad rows.
    faults: Vec<Fault>,
}

impl<'scope> Files<'scope> {
    /// Makes the files of a plan in a folder. Another folder is for sorting.
    ///
    /// # Errors
    ///
    /// * A file cannot be made.
    pub(crate) fn create(
        scope: &'scope Scope<'scope, '_>,
        plan: &SynthPlan,
        folder: &Path,
        scratch: &Path,
    ) -> Result<Self> {
        let stream = Purpose::Shuffle.stream(plan.seed);
        let mut all = [const { None }; NUM_TABLES];
        for &(table, name, columns) in tables(plan.layout) {
            let shuffling = plan.shuffle.then_some(Shuffling {
                stream: mix(stream, table as u64),
                folder: scratch,
                memory_bytes: sorter_memory_bytes(plan),
            });
            all[table as usize] =
                Some(TableFile::create(scope, folder, name, plan.layout, columns, shuffling.as_ref())?);
        }
        Ok(Self { all, last: Vec::new(), is_shuffled: plan.shuffle, faults: Vec::new() })
    }

    /// Forgets where the last rows went: what follows belongs together.
    pub(crate) fn begin(&mut self) {
        self.last.clear();
    }

    /// Appends a row to a file, if the layout has it.
    ///
    /// # Errors
    ///
    /// * It cannot be written.
    pub(crate) fn write(&mut self, table: Table, cells: &[Cell]) -> Result<()> {
        if let Some(file) = &mut self.all[table as usize] {
            let position = file.write(cells)?;
            self.last.push((file.name, position));
        }
        Ok(())
    }

    /// Lists the last rows as bad ones.
    pub(crate) fn mark(&mut self, reason: FaultReason, accession: &str) {
        let is_shuffled = self.is_shuffled;
        self.faults.extend(self.last.iter().map(|&(file, position)| Fault {
            file,
            row: (!is_shuffled).then_some(position),
            reason,
            accession: accession.to_owned(),
        }));
    }

    /// Writes what is missing, and with `faults` their list; returns the files and the bad rows.
    ///
    /// # Errors
    ///
    /// * A file cannot be written.
    pub(crate) fn finish(self, folder: &Path, faults: bool) -> Result<(Vec<SynthFile>, Vec<Fault>)> {
        let mut written = Vec::new();
        for file in self.all.into_iter().flatten() {
            written.push(SynthFile { path: PathBuf::from(file.name), num_rows: file.num_rows });
            file.finish()?;
        }
        if faults {
            let path = folder.join(FAULTS_FILE);
            fs::write(&path, list(&self.faults)).map_err(Error::io("cannot write", &path))?;
            written.push(SynthFile { path: PathBuf::from(FAULTS_FILE), num_rows: self.faults.len() as u64 });
        }
        Ok((written, self.faults))
    }
}

/// Returns the memory that one sorter may take.
pub(crate) fn sorter_memory_bytes(plan: &SynthPlan) -> usize {
    let num_shuffled = if plan.shuffle { tables(plan.layout).len() } else { 0 };
    plan.memory_bytes / (num_shuffled + NUM_OTHER_SORTERS)
}
