//! Building a protein generation.

use std::path::Path;

use crate::accession::ProteinAccession;
use crate::biomes::BiomeTable;
use crate::families::FamilyTable;
use crate::generation::{Draft, FileEntry, GenerationName, Origin};
use crate::{Error, Result};

use super::check::check_draft;
use super::contents::{ProteinContents, SegmentEntry};
use super::document::DocumentMaker;
use super::replacements::{replacement_document, replacement_series};
use super::schema::SCHEMA;
use super::segment_series::SegmentSeries;
use super::tables;
use super::walk::{visit_accessions, visit_replacements};

/// Takes proteins in ascending order of accession and publishes them as a generation.
///
/// Dropped unpublished, it leaves nothing behind unless the draft can be continued.
pub struct ProteinsBuilder {
    /// The folder that is being filled.
    draft: Draft,
    /// The biomes that the records refer to.
    biomes: BiomeTable,
    /// The proteins.
    proteins: SegmentSeries,
    /// The replaced accessions.
    replacements: SegmentSeries,
    /// Makes the documents of proteins.
    documents: DocumentMaker,
    /// The files of segments that were taken over.
    sealed: Vec<FileEntry>,
}

/// A generation that is written and checked, and waits to be published.
pub struct BuiltProteins {
    /// The filled folder.
    draft: Draft,
    /// What is in it.
    contents: ProteinContents,
    /// The files that need not be read again.
    sealed: Vec<FileEntry>,
}

impl ProteinsBuilder {
    /// Starts to fill a draft with records that refer to `biomes`. The segment that is being written takes about `memory_bytes`.
    pub fn new(draft: Draft, biomes: BiomeTable, memory_bytes: usize) -> Self {
        let proteins = SegmentSeries::new(draft.path(), "segment", &SCHEMA.schema, memory_bytes);
        let replacements = replacement_series(draft.path(), memory_bytes);
        Self { draft, biomes, proteins, replacements, documents: DocumentMaker::default(), sealed: Vec::new() }
    }

    /// Returns the folder that becomes the generation. Files that are put there are published with it.
    pub fn path(&self) -> &Path {
        self.draft.path()
    }

    /// Adds a protein by its stored record.
    ///
    /// # Errors
    ///
    /// * The accession is not higher than the one before.
    /// * `record` is not a stored record, or refers to a biome that is not in the table.
    /// * The disk is full or fails.
    pub fn add(&mut self, accession: ProteinAccession, record: &[u8]) -> Result<()> {
        // All replaced accessions were added before: their segment gives its memory back.
        self.replacements.flush()?;
        let document = self.documents.make(self.draft.path(), &self.biomes, accession, record)?;
        self.proteins.add(accession, document)
    }

    /// Takes over a segment that [`crate::SegmentWriter`] or [`crate::merge_segments`] wrote into the folder of the draft, and whose
    /// files [`crate::seal_folder`] sealed. They are not read again when the generation is published.
    ///
    /// # Errors
    ///
    /// * The segment does not begin after the last protein that was added or taken over.
    /// * The segment is empty, or a file is not in its folder.
    /// * The disk is full or fails.
    pub fn adopt(&mut self, entry: SegmentEntry, files: Vec<FileEntry>) -> Result<()> {
        let altered =
            |problem: &str| Error::Altered { path: self.path().join(&entry.folder), problem: problem.to_owned() };
        let is_inside =
            |file: &FileEntry| file.path.strip_prefix(&entry.folder).is_some_and(|rest| rest.starts_with('/'));
        if entry.num_docs == 0 || files.is_empty() {
            return Err(altered("an empty segment cannot be taken over"));
        }
        if !files.iter().all(is_inside) {
            return Err(altered("a file of another folder cannot be taken over with it"));
        }
        self.proteins.adopt(entry)?;
        self.sealed.extend(files);
        Ok(())
    }

    /// Replaces the biomes by more: a table that begins with the same lineages.
    ///
    /// # Errors
    ///
    /// * The table lacks a biome, or has another at its place.
    pub fn set_biomes(&mut self, biomes: BiomeTable) -> Result<()> {
        if !biomes.extends(&self.biomes) {
            return Err(Error::BiomeTable { problem: "records refer to biomes that another table lacks".to_owned() });
        }
        self.biomes = biomes;
        Ok(())
    }

    /// Adds a replaced accession. They must ascend by the old accession, and should all come before the first protein.
    ///
    /// # Errors
    ///
    /// * The old accession is not higher than the one before.
    /// * The disk is full or fails.
    pub fn add_replacement(&mut self, old: ProteinAccession, new: ProteinAccession) -> Result<()> {
        self.replacements.add(old, replacement_document(old, new))
    }

    /// Writes what is still in memory, and checks the result: order, counts, and a sample of searches and records.
    ///
    /// # Errors
    ///
    /// * The disk is full or fails.
    /// * What was written does not read back.
    pub fn finish(self, families: &FamilyTable) -> Result<BuiltProteins> {
        let Self { draft, biomes, proteins, replacements, sealed, .. } = self;
        tables::write(draft.path(), &biomes, families)?;
        let contents = ProteinContents { segments: proteins.finish()?, replacements: replacements.finish()? };
        check_draft(draft.path(), &contents)?;
        Ok(BuiltProteins { draft, contents, sealed })
    }
}

impl BuiltProteins {
    /// Returns the folder that becomes the generation. Files that are put there are published with it.
    pub fn path(&self) -> &Path {
        self.draft.path()
    }

    /// Visits what [`crate::ProteinGeneration::for_each_accession`] will visit.
    ///
    /// # Errors
    ///
    /// * What was written does not read back.
    /// * What `visit` returns.
    pub fn for_each_accession<E: From<Error>>(
        &self,
        visit: impl FnMut(ProteinAccession) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        visit_accessions(self.path(), &self.contents, visit)
    }

    /// Visits what [`crate::ProteinGeneration::for_each_replacement`] will visit.
    ///
    /// # Errors
    ///
    /// * What was written does not read back.
    /// * What `visit` returns.
    pub fn for_each_replacement<E: From<Error>>(
        &self,
        visit: impl FnMut(ProteinAccession, ProteinAccession) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        visit_replacements(self.path(), &self.contents, visit)
    }

    /// Makes the generation current; see [`Draft::publish`].
    ///
    /// # Errors
    ///
    /// * A file cannot be written or synced. The generation before stays current.
    pub fn publish(self, origin: Origin) -> Result<GenerationName> {
        self.draft.publish(origin, self.contents, self.sealed)
    }
}
