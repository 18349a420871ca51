//! The contigs of the new parts of a generation, made once all proteins are indexed.

mod gene_sorter;

use std::fmt;

use serde::Serialize;
use store::grouped;
use store_proteins::{BuiltProteins, ContigsEntry, GeneRow, Occurrence, Part, Strand};

use super::{Progress, StageReport, Unit};
use crate::sort::{SortSpace, Sorter};
use crate::values::accession;
use crate::words::{counted, counted_type};
use crate::{Error, Result};

pub use gene_sorter::GeneSorter;

/// The numbers of the contigs of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ContigsReport {
    /// Genes.
    pub num_genes: u64,
    /// Contigs with genes.
    pub num_contigs: u64,
    /// Assemblies with contigs.
    pub num_assemblies: u64,
    /// Genes whose start is after their end, since they cross the origin of a circular contig.
    pub num_over_origin: u64,
    /// Occurrences that were left out, since they repeat a gene.
    pub num_repeated: u64,
    /// Occurrences that were left out, since their contig or position is unknown, or since there
    /// are too many assemblies.
    pub num_without_place: u64,
    /// Occurrences that were left out, since their protein is neither indexed nor a member of a
    /// cluster.
    pub num_without_protein: u64,
}

impl fmt::Display for ContigsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (genes, contigs) = (counted(self.num_genes, "gene"), counted(self.num_contigs, "contig"));
        write!(f, "{genes} on {contigs} of {}", counted_type(self.num_assemblies, "assemblies"))?;
        for (number, what) in [
            (self.num_over_origin, "over the origin of a circular contig"),
            (self.num_repeated, "left out as repeated"),
            (self.num_without_place, "left out without contig or position, or past the limit of assemblies"),
            (self.num_without_protein, "left out without an indexed protein or cluster"),
        ] {
            if number > 0 {
                write!(f, ", {} {what}", grouped(number))?;
            }
        }
        Ok(())
    }
}

/// Adds the contigs of new parts from the occurrences in their records: those of all sources of own
/// data, and if wanted those of the release, whose names they lack.
///
/// # Errors
///
/// * The generation cannot be read, or a file cannot be written.
pub fn index_contigs_of_records(
    built: &mut BuiltProteins,
    space: SortSpace<'_>,
    with_release: bool,
) -> Result<Option<(ContigsReport, StageReport)>> {
    let parts = || built.new_parts().filter(|part| with_release || part.source.is_some());
    if parts().next().is_none() {
        return Ok(None);
    }
    let progress = Progress::start("contigs", Unit::Proteins, parts().map(|part| part.num_proteins()).sum());
    let (mut entries, mut report) = (Vec::new(), ContigsReport::default());
    for part in parts() {
        let entry;
        (entry, report) = index_part(built, part, space, report, &progress)?;
        entries.push(entry);
    }
    built.add_contigs(entries);
    Ok(Some((report, StageReport::new("contigs", progress.finish()))))
}

fn index_part(
    built: &BuiltProteins,
    part: Part<'_>,
    space: SortSpace<'_>,
    report: ContigsReport,
    progress: &Progress,
) -> Result<(ContigsEntry, ContigsReport)> {
    let SortSpace { folder, memory_bytes } = space;
    let mut genes = GeneSorter::new(SortSpace { memory_bytes: memory_bytes / 2, folder }, report);
    let mut named = Sorter::<Box<[u8]>>::named(folder, "named_genes", memory_bytes / 2);
    let mut last = None;
    built.for_each_occurrence(part, |protein, occurrence| {
        if last.replace(protein) != Some(protein) {
            progress.add(1);
        }
        let Occurrence { assembly, contig, start, end, strand, .. } = occurrence;
        let locus = (*start, *end, *strand == Strand::Reverse, protein.number());
        if part.source.is_some() {
            let key = [assembly.as_bytes(), &[0], contig.as_bytes()].concat();
            return named.push_value(key.into(), &locus);
        }
        let number = contig.strip_prefix("MGYC").and_then(|digits| digits.parse().ok()).unwrap_or_default();
        genes.push(&gene(assembly, number, "", locus)?)
    })?;
    // Contigs of own data get numbers in the order of their assemblies and names.
    let (mut named, mut payload, mut number, mut last) = (named.finish()?, Vec::new(), 0, None);
    while let Some((key, locus)) = named.next_value(&mut payload)? {
        let name = std::str::from_utf8(&key).ok().and_then(|name| name.split_once('\0'));
        let (assembly, name) = name.ok_or(Error::CorruptSpill)?;
        number += u64::from(last.as_ref() != Some(&key));
        genes.push(&gene(assembly, if name.is_empty() { 0 } else { number }, name, locus)?)?;
        last = Some(key);
    }
    genes.write(built, part, part.source.is_some(), true)
}

/// Returns the gene of a protein that counts for itself.
fn gene<'a>(
    assembly: &'a str,
    contig: u64,
    name: &'a str,
    (start, end, is_reverse, protein): (u32, u32, bool, u64),
) -> Result<GeneRow<'a>> {
    let protein = accession(protein)?;
    Ok(GeneRow { assembly, contig, name, length: 0, start, end, is_reverse, protein, representative: protein })
}
