//! The files of a release, and the list of the bad rows in them.

mod columns;
mod file;
mod parquet;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::Scope;

use indexer::{Error, Result, Sorter};

pub(crate) use columns::Table;

use crate::faults::{FAULTS_FILE, Fault, FaultReason, list};
use crate::files::columns::{NUM_TABLES, tables};
use crate::files::file::TableFile;
use crate::random::{Purpose, mix};
use crate::{SynthFile, SynthPlan, SynthReport};

/// The number of other sorters that share the memory with those that shuffle: of members, of
/// clusters and of contigs.
const NUM_OTHER_SORTERS: usize = 3;

pub(crate) struct Files<'scope> {
    /// The files, indexed by [`Table`].
    all: [Option<TableFile<'scope>>; NUM_TABLES],
    is_shuffled: bool,
    /// The reason and the accession of the bad rows that are being written, if any.
    pub(crate) fault: Option<(FaultReason, String)>,
    faults: Vec<Fault>,
}

impl<'scope> Files<'scope> {
    pub(crate) fn create(
        scope: &'scope Scope<'scope, '_>,
        plan: &SynthPlan,
        folder: &Path,
        scratch: &Path,
    ) -> Result<Self> {
        let stream = Purpose::Shuffle.stream(plan.seed);
        let mut all = [const { None }; NUM_TABLES];
        for (table, name, columns) in tables(plan.layout) {
            let shuffle =
                if plan.shuffle { Some((sorter(plan, scratch, name)?, mix(stream, table as u64))) } else { None };
            all[table as usize] = Some(TableFile::create(scope, folder, name, columns, shuffle)?);
        }
        Ok(Self { all, is_shuffled: plan.shuffle, fault: None, faults: Vec::new() })
    }

    /// Appends a row to a table: tab-separated values without the line feed, or a FASTA record.
    pub(crate) fn write(&mut self, table: Table, row: fmt::Arguments) -> Result<()> {
        let file = self.all[table as usize].as_mut().expect("a table of the layout");
        let first_line = file.write(row)?;
        if let Some((reason, accession)) = &self.fault {
            let row = (!self.is_shuffled).then_some(first_line);
            self.faults.push(Fault { file: file.name, row, reason: *reason, accession: accession.clone() });
        }
        Ok(())
    }

    pub(crate) fn finish(self, folder: &Path, with_faults: bool) -> Result<SynthReport> {
        let mut files = Vec::new();
        for file in self.all.into_iter().flatten() {
            files.push(SynthFile { path: PathBuf::from(file.name), num_rows: file.num_rows });
            file.finish()?;
        }
        if with_faults {
            let path = folder.join(FAULTS_FILE);
            fs::write(&path, list(&self.faults)).map_err(Error::io("cannot write", &path))?;
            files.push(SynthFile { path: PathBuf::from(FAULTS_FILE), num_rows: self.faults.len() as u64 });
        }
        Ok(SynthReport { files, faults: self.faults })
    }
}

/// Returns a sorter with its own folder and an equal share of the memory.
pub(crate) fn sorter(plan: &SynthPlan, scratch: &Path, name: &str) -> Result<Sorter> {
    let runs = scratch.join(name);
    fs::create_dir(&runs).map_err(Error::io("cannot create", &runs))?;
    let num_shuffled = if plan.shuffle { tables(plan.layout).len() } else { 0 };
    Ok(Sorter::new(&runs, plan.memory_bytes / (num_shuffled + NUM_OTHER_SORTERS)))
}
