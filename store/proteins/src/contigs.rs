//! The contigs of the release and of the sources of own data.

use store::ProteinAccession;

use super::{Contigs, Part, ProteinGeneration, SourceEntry};

/// The folder of contigs, in their part.
pub(super) const CONTIGS: &str = "contigs";

impl ProteinGeneration {
    /// Returns the contigs of the parts that have some, each with its source, or `None` for the
    /// release.
    pub fn contigs(&self) -> impl Iterator<Item = (Option<&SourceEntry>, &Contigs)> {
        self.manifest.contents.parts().filter_map(|part| Some((part.source, self.contigs_in(part)?)))
    }

    /// Returns the contigs of the release or source of a protein, or `None` if it was built
    /// without.
    pub fn contigs_of(&self, accession: ProteinAccession) -> Option<&Contigs> {
        let contents = &self.manifest.contents;
        self.contigs_in(self.source_of(accession).map_or_else(|| contents.release(), |source| contents.source(source)))
    }

    fn contigs_in(&self, part: Part<'_>) -> Option<&Contigs> {
        let folder = part.path(CONTIGS);
        let entries = self.manifest.contents.contigs.iter();
        entries.zip(&self.contigs).find(|(entry, _)| entry.folder == folder).map(|(_, contigs)| contigs)
    }
}
