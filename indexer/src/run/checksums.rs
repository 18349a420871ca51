//! The index of the digests of all sequences, made once all proteins are indexed.

use std::path::Path;

use store::ProteinAccession;
use store_proteins::{BuiltProteins, ChecksumsEntry, DigestAlgorithm, Part};

use super::{Progress, StageReport, Unit};
use crate::sort::Sorter;
use crate::values::accession;
use crate::{Error, Result};

/// The number of proteins between two updates of the progress.
const PROGRESS_INTERVAL: u64 = 4096;

/// Reads the sequences of the new parts of a generation that was built, and adds the indexes of
/// their digests. They are sorted in a folder, within the memory.
///
/// # Errors
///
/// * The generation cannot be read, or a file cannot be written.
pub fn index_checksums(built: &mut BuiltProteins, spill: &Path, memory_bytes: usize) -> Result<StageReport> {
    let num_proteins = built.new_parts().map(|part| part.num_proteins()).sum();
    let progress = Progress::start("digesting", Unit::Proteins, num_proteins);
    let mut num_read = 0;
    let parts = built.new_parts().map(|part| index_part(built, part, spill, memory_bytes, &progress, &mut num_read));
    let entries = parts.collect::<Result<_>>()?;
    built.add_checksums(entries);
    progress.set(num_read);
    Ok(StageReport::new("digesting", progress.finish()))
}

fn index_part(
    built: &BuiltProteins,
    part: Part<'_>,
    spill: &Path,
    memory_bytes: usize,
    progress: &Progress,
    num_read: &mut u64,
) -> Result<ChecksumsEntry> {
    let writer = built.begin_checksums(part)?;
    let mut sorters = DigestAlgorithm::ALL.map(|algorithm| Sorter::named(spill, algorithm.name(), memory_bytes / 2));
    built.for_each_sequence(part, |accession, sequence| {
        for (algorithm, sorter) in DigestAlgorithm::ALL.into_iter().zip(&mut sorters) {
            for key in writer.entry().keys(algorithm, sequence) {
                // Proteins with equal keys stay in the order of their accessions.
                sorter.push(key, &accession.number().to_be_bytes())?;
            }
        }
        *num_read += 1;
        if num_read.is_multiple_of(PROGRESS_INTERVAL) {
            progress.set(*num_read);
        }
        Ok::<_, Error>(())
    })?;
    let mut number = Vec::new();
    for (algorithm, sorter) in DigestAlgorithm::ALL.into_iter().zip(sorters) {
        let mut digests = writer.digests(algorithm)?;
        let mut entries = sorter.finish()?;
        while let Some(key) = entries.next(&mut number)? {
            digests.add(key, number_of(&number)?)?;
        }
        digests.finish()?;
    }
    Ok(writer.entry().clone())
}

fn number_of(payload: &[u8]) -> Result<ProteinAccession> {
    let bytes = payload.try_into().map_err(|_| Error::CorruptSpill)?;
    accession(u64::from_be_bytes(bytes))
}
