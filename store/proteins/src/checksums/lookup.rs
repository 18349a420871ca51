//! Finding the proteins of a sequence.

use std::ops::ControlFlow;

use store::{Error, ProteinAccession, Result};

use super::entry::STOP;
use crate::ProteinGeneration;
use crate::{DigestAlgorithm, RecordParts, SequenceDigest};

/// The index of the digests of all sequences of a generation.
#[derive(Clone, Copy)]
pub struct Checksums<'a>(&'a ProteinGeneration);

impl ProteinGeneration {
    /// Returns the index of digests, or `None` if the generation was built without one.
    pub fn checksums(&self) -> Option<Checksums<'_>> {
        (!self.checksums.is_empty()).then_some(Checksums(self))
    }
}

impl Checksums<'_> {
    /// Returns at most `limit` proteins after `after` whose sequence has a digest, with or without
    /// a `*` at its end. They ascend.
    ///
    /// # Errors
    ///
    /// * The index is damaged or cannot be read.
    pub fn find(
        self,
        digest: &SequenceDigest,
        after: Option<ProteinAccession>,
        limit: usize,
    ) -> Result<Vec<ProteinAccession>> {
        let has_digest = |sequence: &str| digest.algorithm().digest(sequence) == *digest;
        let is_match = |sequence: &str| has_digest(sequence) || sequence.strip_suffix(STOP).is_some_and(has_digest);
        self.matches(digest, after, limit, is_match)
    }

    /// Returns the proteins that have exactly this sequence, as [`Checksums::find`] does. Its
    /// letters are in upper case. A `*` at the end of either sequence makes no difference.
    ///
    /// # Errors
    ///
    /// * The index is damaged or cannot be read.
    pub fn find_sequence(
        self,
        sequence: &str,
        after: Option<ProteinAccession>,
        limit: usize,
    ) -> Result<Vec<ProteinAccession>> {
        let bare = sequence.strip_suffix(STOP).unwrap_or(sequence);
        let is_match = |sequence: &str| sequence == bare || sequence.strip_suffix(STOP) == Some(bare);
        self.matches(&DigestAlgorithm::Md5.digest(bare), after, limit, is_match)
    }

    fn matches(
        self,
        digest: &SequenceDigest,
        after: Option<ProteinAccession>,
        limit: usize,
        is_match: impl Fn(&str) -> bool,
    ) -> Result<Vec<ProteinAccession>> {
        let Self(generation) = self;
        let mut found = Vec::new();
        let Some(from) = after.map_or(Some(ProteinAccession::MIN), ProteinAccession::next) else { return Ok(found) };
        let mut records = generation.reader(RecordParts::SEQUENCE);
        for files in &generation.checksums {
            let mut num_missing = limit;
            files.candidates(digest, from, |accession| {
                if num_missing == 0 {
                    return Ok(ControlFlow::Break(()));
                }
                let protein = records.fetch(accession)?.ok_or_else(|| {
                    let path = generation.path.join(&files.entry.folder);
                    Error::altered(path, format!("{accession} is not in the generation"))
                })?;
                if is_match(&protein.sequence) {
                    found.push(accession);
                    num_missing -= 1;
                }
                Ok(ControlFlow::Continue(()))
            })?;
        }
        found.sort_unstable();
        found.truncate(limit);
        Ok(found)
    }
}
