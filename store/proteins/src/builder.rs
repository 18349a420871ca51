//! Building a protein generation.

use std::path::Path;

use store::{BiomeTable, Draft, Error, FamilyTable, FileEntry, ProteinAccession, Result};
use store_context::members::{MembersEntry, MembersWriter};

use crate::Record;

use super::built::BuiltProteins;
use super::check::check_draft;
use super::cited_release::CitedRelease;
use super::contents::{ProteinContents, SegmentEntry};
use super::facets;
use super::own::NextOwn;
use super::replacements::{add_replacement, replacement_series};
use super::segments::schema::SCHEMA;
use super::segments::segment_series::SegmentSeries;
use super::segments::segment_writer::{check_biomes, fill};
use super::tables;

/// The folder of the members of clusters.
const MEMBERS: &str = "members";

/// Builds a generation from proteins in ascending order of accession.
///
/// When it is dropped unpublished, the draft is removed unless it can be resumed.
///
/// # Examples
///
/// ```
/// use store::{BiomeTable, FamilyTable, Generations, Origin, PfamAccession, ProteinAccession};
/// use store_proteins::{ProteinGeneration, ProteinQuery, ProteinsBuilder, Record};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// let generations = Generations::new(folder.path());
/// let mut biomes = BiomeTable::default();
/// biomes.insert(Some(132), "root:Environmental:Aquatic:Marine")?;
/// let mut builder = ProteinsBuilder::new(generations.begin()?, biomes, FamilyTable::default(), 64 << 20);
/// let accession = ProteinAccession::new(42)?;
/// let mut stored = Vec::new();
/// Record { sequence: "MKVLA".to_owned(), ..Record::default() }.encode(accession, &mut stored);
/// builder.add(accession, &stored)?;
/// # let (written_by, report) = (String::new(), serde_json::Value::Null);
/// # let origin = Origin { written_by, finished_unix_s: 0, inputs: Vec::new(), report };
/// builder.finish()?.publish(origin)?;
///
/// let generation = ProteinGeneration::open_current(&generations)?.expect("just published");
/// assert_eq!(generation.fetch(accession)?.map(|protein| protein.sequence).as_deref(), Some("MKVLA"));
/// assert_eq!(generation.search(&ProteinQuery::Family(PfamAccession(5)), 10)?, []);
/// # Ok(())
/// # }
/// ```
pub struct ProteinsBuilder {
    pub(super) draft: Draft,
    pub(super) biomes: BiomeTable,
    pub(super) families: FamilyTable,
    pub(super) proteins: SegmentSeries,
    pub(super) replacements: SegmentSeries,
    /// The files of adopted segments, and those that are shared with another generation.
    pub(super) sealed: Vec<FileEntry>,
    /// The files that another generation has, too.
    pub(super) shared: Shared,
    /// The contents; the segments are known at the end.
    pub(super) contents: ProteinContents,
    pub(super) memory_bytes: usize,
    /// Known once a source was begun.
    pub(super) next_own: Option<NextOwn>,
}

/// The parts that a generation shares with the generation that it was begun from.
#[derive(Default)]
pub(super) struct Shared {
    /// The number of the first segments and sources that are shared.
    pub(super) num_segments: usize,
    pub(super) num_sources: usize,
    /// The tables of the release are shared, even if it is empty.
    pub(super) has_release: bool,
}

impl ProteinsBuilder {
    /// Begins to fill a draft with records that refer to `biomes`. The clans of their families are
    /// those of `families`. The segment that is being written takes about `memory_bytes`, and so do
    /// the segments that are read at the end.
    pub fn new(draft: Draft, biomes: BiomeTable, families: FamilyTable, memory_bytes: usize) -> Self {
        let proteins = SegmentSeries::new(draft.path(), "segment", &SCHEMA.schema, memory_bytes);
        let replacements = replacement_series(draft.path(), memory_bytes);
        Self {
            draft,
            biomes,
            families,
            proteins,
            replacements,
            sealed: Vec::new(),
            shared: Shared::default(),
            contents: ProteinContents::default(),
            memory_bytes,
            next_own: None,
        }
    }

    /// Returns the folder that becomes the generation. Files in it are published with it.
    pub fn path(&self) -> &Path {
        self.draft.path()
    }

    /// Records the names of the release.
    pub fn cite(&mut self, release: CitedRelease) {
        self.contents.cited = Some(release);
    }

    /// Begins the members of the clusters of the release, to be added by
    /// [`ProteinsBuilder::set_members`].
    pub fn begin_members(&self) -> Result<MembersWriter> {
        MembersWriter::create(self.path(), MEMBERS)
    }

    /// Adds the members of clusters, which were written.
    pub fn set_members(&mut self, entry: MembersEntry) {
        self.contents.members = Some(entry);
    }

    /// Adds a protein by its stored record.
    ///
    /// # Errors
    ///
    /// * The accession is not higher than the previous one.
    /// * `stored` is not the stored record of this accession, or refers to a biome that is not in
    ///   the table.
    pub fn add(&mut self, accession: ProteinAccession, stored: &[u8]) -> Result<()> {
        // All replaced accessions were added before: their segment releases its memory.
        self.replacements.flush()?;
        let folder = self.draft.path();
        let record = Record::decode(accession, stored)
            .map_err(|error| Error::altered(folder, format!("{accession}: {error}")))?;
        check_biomes(folder, &self.biomes, accession, &record)?;
        let Self { biomes, families, proteins, .. } = self;
        proteins.add(accession, Some(stored), |document| fill(document, biomes, families, accession, &record))
    }

    /// Adopts a segment that [`crate::SegmentWriter`] or [`crate::merge_segments`] wrote into the
    /// folder of the draft, and whose files [`store::seal_folder`] sealed. They are not read again
    /// when the generation is published.
    ///
    /// # Errors
    ///
    /// * The segment does not begin after the last protein that was added or adopted.
    /// * The segment is empty, or a file is not in its folder.
    pub fn adopt(&mut self, entry: SegmentEntry, files: Vec<FileEntry>) -> Result<()> {
        let altered = |problem: &str| Error::altered(self.path().join(&entry.folder), problem);
        let is_inside =
            |file: &FileEntry| file.path.strip_prefix(&entry.folder).is_some_and(|rest| rest.starts_with('/'));
        if entry.num_docs == 0 || files.is_empty() {
            return Err(altered("an empty segment cannot be adopted"));
        }
        if !files.iter().all(is_inside) {
            return Err(altered("a file of another folder cannot be adopted with it"));
        }
        self.proteins.adopt(entry)?;
        self.sealed.extend(files);
        Ok(())
    }

    /// Replaces the biomes with a table that begins with the same lineages.
    ///
    /// # Errors
    ///
    /// * The table lacks a biome, or has another one at its ordinal.
    pub fn set_biomes(&mut self, biomes: BiomeTable) -> Result<()> {
        if !biomes.extends(&self.biomes) {
            return Err(Error::BiomeTable("records refer to biomes that are not in the other table".to_owned()));
        }
        self.biomes = biomes;
        Ok(())
    }

    /// Adds a replaced accession. Old accessions must ascend, and should all be added before the
    /// first protein.
    ///
    /// # Errors
    ///
    /// * The old accession is not higher than the previous one.
    pub fn add_replacement(&mut self, old: ProteinAccession, new: ProteinAccession) -> Result<()> {
        add_replacement(&mut self.replacements, old, new)
    }

    /// Writes the rest that is in memory, and checks the result: order, counts, and a sample of
    /// records and searches.
    pub fn finish(self) -> Result<BuiltProteins> {
        let Self { draft, biomes, families, proteins, replacements, sealed, shared, contents, memory_bytes, next_own } =
            self;
        tables::write_biomes(draft.path(), &biomes)?;
        if !shared.has_release {
            tables::write_families(draft.path(), &families)?;
        }
        let contents =
            ProteinContents { segments: proteins.finish()?, replacements: replacements.finish()?, ..contents };
        check_draft(draft.path(), &contents, &contents.segments[shared.num_segments..])?;
        let num_shared = usize::from(shared.has_release) + shared.num_sources;
        for part in contents.parts().skip(num_shared) {
            facets::write_table(draft.path(), part, &biomes, &families, memory_bytes)?;
        }
        Ok(BuiltProteins { draft, families, contents, sealed, num_shared, next_own })
    }
}
