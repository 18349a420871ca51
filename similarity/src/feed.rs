//! The targets of a search: accession and residues of all proteins of a selection.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;
use std::sync::Arc;

use store_proteins::{ProteinGeneration, ProteinPages, ProteinQuery, RecordParts};

use crate::{Result, SearchError};

/// HMMER aborts at longer targets.
const RESIDUES_MAX: u64 = 100_000;

/// The size of the chunks that are written.
const CHUNK_BYTES: usize = 1 << 16;

/// The proteins that are searched, all from one generation.
#[derive(Clone)]
pub struct Selection {
    /// The generation.
    pub generation: Arc<ProteinGeneration>,
    /// The condition.
    pub query: ProteinQuery,
}

/// The source of the targets.
pub enum Targets<'a> {
    /// From a selection, while the program runs.
    Selection(&'a Selection),
    /// From a file that was written before.
    File(&'a TargetsFile),
}

/// A file of targets, for several searches, one at a time. It is deleted as soon as nobody has it
/// open.
#[derive(Debug)]
pub struct TargetsFile {
    file: File,
    written: Written,
}

/// The numbers of targets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Written {
    /// Targets that were written.
    pub(crate) num_targets: u64,
    /// Targets that are too long.
    pub(crate) num_skipped: u64,
}

impl TargetsFile {
    /// Writes the targets of a selection to a file in a folder, except those that are too long for
    /// a query of `query_residues` residues and `memory_bytes` of memory. `on_progress` is called
    /// from time to time with the number of targets written.
    ///
    /// # Errors
    ///
    /// * The selection is empty or cannot be read.
    /// * The file cannot be written.
    pub fn write(
        folder: &Path,
        selection: &Selection,
        query_residues: usize,
        memory_bytes: u64,
        on_progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Self> {
        let mut file = tempfile::tempfile_in(folder).map_err(SearchError::io("cannot create a file in", folder))?;
        let written = selection.write(residues_max(query_residues, memory_bytes), &mut file, on_progress)?;
        Ok(Self { file, written })
    }

    /// Returns the file, positioned at its beginning.
    pub(crate) fn open(&self) -> io::Result<(File, Written)> {
        (&self.file).rewind()?;
        Ok((self.file.try_clone()?, self.written))
    }
}

/// Returns the most residues of a target. Aligning two long similar sequences takes 24 bytes for
/// each pair of their residues.
pub(crate) fn residues_max(query_residues: usize, memory_bytes: u64) -> u64 {
    const PAIR_BYTES: u64 = 24;
    RESIDUES_MAX.min(memory_bytes / PAIR_BYTES / (query_residues as u64).max(1))
}

impl Selection {
    /// Returns whether there are no proteins.
    pub(crate) fn is_empty(&self) -> Result<bool> {
        let mut pages = ProteinPages::new(Arc::clone(&self.generation), self.query.clone(), None, Some(1));
        let first = pages.find(|page| page.as_ref().map_or(true, |page| !page.hits.is_empty()));
        Ok(first.transpose()?.is_none())
    }

    /// Returns the number of proteins, including those that are too long.
    ///
    /// # Errors
    ///
    /// * The index is damaged or cannot be read.
    pub fn count(&self) -> Result<u64> {
        Ok(self.generation.total(&self.query, u64::MAX)?.value)
    }

    /// Writes all targets that are short enough.
    pub(crate) fn write(
        &self,
        residues_max: u64,
        out: &mut dyn Write,
        on_progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Written> {
        let mut out = BufWriter::with_capacity(CHUNK_BYTES, out);
        let mut written = Written::default();
        let failed = |error: io::Error| SearchError::io("cannot write to", Path::new("the engine"))(error);
        let mut reader = self.generation.reader(RecordParts::NONE);
        let mut residues = Vec::new();
        for page in ProteinPages::new(Arc::clone(&self.generation), self.query.clone(), None, None) {
            for found in page?.hits {
                if found.length > residues_max {
                    written.num_skipped += 1;
                    continue;
                }
                reader.residues(found.accession, &mut residues)?;
                // The engine does not allow gaps in targets. The letter for any residue keeps the
                // positions.
                if residues.contains(&b'-') {
                    residues.iter_mut().filter(|residue| **residue == b'-').for_each(|gap| *gap = b'X');
                }
                out.write_all(b">").map_err(failed)?;
                out.write_all(&found.accession.to_ascii()).map_err(failed)?;
                out.write_all(b"\n").map_err(failed)?;
                out.write_all(&residues).map_err(failed)?;
                out.write_all(b"\n").map_err(failed)?;
                written.num_targets += 1;
            }
            on_progress(written.num_targets);
        }
        out.flush().map_err(failed)?;
        if written.num_targets == 0 { Err(SearchError::Empty) } else { Ok(written) }
    }
}
