//! A generation that is built and not published yet.

use std::path::Path;

use store::{Draft, Error, FamilyTable, FileEntry, GenerationName, Origin, PfamAccession, ProteinAccession, Result};

use crate::{ContigsEntry, ContigsWriter, GeneCounts, Occurrence, RecordParts};

use super::checksums::{ChecksumsEntry, ChecksumsWriter};
use super::contents::{Part, ProteinContents};
use super::contigs::CONTIGS;
use super::own::NextOwn;
use super::segments::walk::{visit_accessions, visit_families, visit_records, visit_replacements};

/// The folder of an index of digests, in its part.
const CHECKSUMS: &str = "checksums";

/// A generation that is written and checked, but not published yet.
pub struct BuiltProteins {
    pub(super) draft: Draft,
    pub(super) families: FamilyTable,
    pub(super) contents: ProteinContents,
    pub(super) sealed: Vec<FileEntry>,
    /// The number of the first parts that are shared with another generation.
    pub(super) num_shared: usize,
    pub(super) next_own: Option<NextOwn>,
}

impl BuiltProteins {
    /// Returns the contents.
    pub fn contents(&self) -> &ProteinContents {
        &self.contents
    }

    /// Returns the folder that becomes the generation. Files in it are published with it.
    pub fn path(&self) -> &Path {
        self.draft.path()
    }

    /// Visits the proteins of the release like [`crate::ProteinGeneration::for_each_accession`].
    pub fn for_each_accession<E: From<Error>>(
        &self,
        visit: impl FnMut(ProteinAccession) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        visit_accessions(self.path(), &self.contents, visit)
    }

    /// Visits all replaced accessions like [`crate::ProteinGeneration::for_each_replacement`].
    pub fn for_each_replacement<E: From<Error>>(
        &self,
        visit: impl FnMut(ProteinAccession, ProteinAccession) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        visit_replacements(self.path(), &self.contents, visit)
    }

    /// Returns the parts that are not shared with another generation, and so have no index of
    /// digests yet.
    pub fn new_parts(&self) -> impl Iterator<Item = Part<'_>> {
        self.contents.parts().skip(self.num_shared).filter(|part| part.num_proteins() > 0)
    }

    /// Visits the sequences of a part in ascending order of accession.
    pub fn for_each_sequence<E: From<Error>>(
        &self,
        part: Part<'_>,
        mut visit: impl FnMut(ProteinAccession, &str) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let parts = RecordParts::SEQUENCE;
        visit_records(self.path(), part.segments, parts, |accession, record| visit(accession, &record.sequence))
    }

    /// Visits the occurrences of a part by ascending accession.
    pub fn for_each_occurrence<E: From<Error>>(
        &self,
        part: Part<'_>,
        mut visit: impl FnMut(ProteinAccession, &Occurrence) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        visit_records(self.path(), part.segments, RecordParts::OCCURRENCES, |accession, record| {
            record.occurrences.iter().try_for_each(|occurrence| visit(accession, occurrence))
        })
    }

    /// Begins the contigs of a part; see [`ContigsWriter::create`].
    pub fn begin_contigs(
        &self,
        part: Part<'_>,
        with_names: bool,
        has_all_proteins: bool,
        num_genes_max: u64,
    ) -> Result<ContigsWriter> {
        ContigsWriter::create(self.path(), &part.path(CONTIGS), with_names, has_all_proteins, num_genes_max)
    }

    /// Counts the genes of a part by family. `genes_of` returns the number of genes of a protein;
    /// it is called for all proteins of the part, which ascend.
    pub fn count_genes<E: From<Error>>(
        &self,
        part: Part<'_>,
        mut genes_of: impl FnMut(ProteinAccession) -> std::result::Result<u64, E>,
    ) -> std::result::Result<GeneCounts, E> {
        let clan_of = |family| self.families.get(PfamAccession(family)).and_then(|family| family.clan.as_deref());
        let mut counts = GeneCounts::default();
        visit_families(self.path(), part.segments, |protein, families| {
            counts.add(genes_of(protein)?, families, clan_of);
            Ok::<_, E>(())
        })?;
        Ok(counts)
    }

    /// Adds the contigs of new parts, in their order, after they are written.
    pub fn add_contigs(&mut self, entries: impl IntoIterator<Item = ContigsEntry>) {
        self.contents.contigs.extend(entries);
    }

    /// Begins an index of the digests of all sequences of a part.
    pub fn begin_checksums(&self, part: Part<'_>) -> Result<ChecksumsWriter> {
        ChecksumsWriter::create(self.path(), part.path(CHECKSUMS), part.num_proteins())
    }

    /// Adds the indexes of digests of all new parts, in their order, after the digests of all
    /// algorithms are written.
    pub fn add_checksums(&mut self, entries: Vec<ChecksumsEntry>) {
        self.contents.checksums.extend(entries);
    }

    /// Makes the generation current; see [`Draft::publish`].
    pub fn publish(self, origin: Origin) -> Result<GenerationName> {
        if let Some(next_own) = self.next_own {
            next_own.write()?;
        }
        self.draft.publish(origin, self.contents, self.sealed)
    }
}
