//! The data of a generation.

use std::path::Path;

use crate::Result;
use crate::accession::ProteinAccession;
use crate::biomes::BiomeTable;
use crate::families::FamilyTable;
use crate::record::Record;

use super::contents::ProteinContents;
use super::replacements::Replacements;
use super::schema::SearchTerm;
use super::segment::{Access, Segment};
use super::{ProteinHit, tables};

/// The data of a published generation.
pub(super) struct ProteinData {
    /// The biomes that the records refer to.
    pub(super) biomes: BiomeTable,
    /// The families of the clans table.
    pub(super) families: FamilyTable,
    /// The proteins, in ascending order of accession from segment to segment.
    pub(super) segments: Vec<Segment>,
    /// The replaced accessions.
    pub(super) replacements: Replacements,
}

impl ProteinData {
    /// Opens the data in a generation's folder.
    pub(super) fn open(path: &Path, contents: &ProteinContents) -> Result<Self> {
        let (biomes, families) = tables::read(path)?;
        let segments =
            contents.segments.iter().map(|entry| Segment::open(path, entry, Access::Mapped)).collect::<Result<_>>()?;
        let replacements = Replacements::open(path, &contents.replacements)?;
        Ok(Self { biomes, families, segments, replacements })
    }

    /// Returns the first hits of a term.
    pub(super) fn search(&self, term: SearchTerm, limit: usize) -> Result<Vec<ProteinHit>> {
        let mut hits = Vec::new();
        for segment in &self.segments {
            if hits.len() >= limit {
                break;
            }
            segment.search(term, limit - hits.len(), &mut hits)?;
        }
        Ok(hits)
    }

    /// Returns the record of a protein.
    pub(super) fn fetch(&self, accession: ProteinAccession) -> Result<Option<Record>> {
        let index = self.segments.partition_point(|segment| segment.last() < accession);
        match self.segments.get(index) {
            Some(segment) => segment.fetch(accession),
            None => Ok(None),
        }
    }
}
