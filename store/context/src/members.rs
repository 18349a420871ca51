//! The members of each cluster, and the representative of each member.

#[cfg(test)]
mod tests;

use std::path::Path;

use serde::{Deserialize, Serialize};
use store::{ProteinAccession, Result};

use crate::pages::{Pages, PagesEntry, PagesWriter};
use crate::pair::Pair;

/// The members of clusters in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MembersEntry {
    /// The pairs of representative and member.
    pub members: PagesEntry,
    /// The pairs of member and representative.
    pub representatives: PagesEntry,
}

/// Writes the members of clusters. Representatives are not added as members of their own clusters.
pub struct MembersWriter {
    members: PagesWriter<Pair>,
    representatives: PagesWriter<Pair>,
    draft: Box<Path>,
}

impl MembersWriter {
    /// Creates the files in a folder inside the draft.
    pub fn create(draft: &Path, folder: &str) -> Result<Self> {
        let create = |name: &str| PagesWriter::create(draft, format!("{folder}/{name}.pages"));
        Ok(Self { members: create("members")?, representatives: create("representatives")?, draft: draft.into() })
    }

    /// Adds the representative of a member. Members ascend.
    pub fn add_representative(&mut self, member: ProteinAccession, representative: ProteinAccession) -> Result<()> {
        self.representatives.add(Pair(member.number(), representative.number()))
    }

    /// Adds a member of a cluster. Representatives ascend, and so do the members of each.
    pub fn add_member(&mut self, representative: ProteinAccession, member: ProteinAccession) -> Result<()> {
        self.members.add(Pair(representative.number(), member.number()))
    }

    /// Writes the rest, and reads both files back.
    ///
    /// # Errors
    ///
    /// * Other members were added than representatives.
    pub fn finish(self) -> Result<MembersEntry> {
        let entry = MembersEntry { members: self.members.finish()?, representatives: self.representatives.finish()? };
        Members::open(&self.draft, &entry)?.verify()?;
        Ok(entry)
    }
}

/// The open members of clusters.
pub struct Members {
    members: Pages<Pair>,
    representatives: Pages<Pair>,
}

impl Members {
    /// Opens the files of a generation.
    ///
    /// # Errors
    ///
    /// * A file is damaged or cannot be read.
    pub fn open(generation: &Path, entry: &MembersEntry) -> Result<Self> {
        let members = Pages::open(generation, &entry.members)?;
        Ok(Self { members, representatives: Pages::open(generation, &entry.representatives)? })
    }

    /// Returns the representative of a member, or `None` if the protein is not a member of another
    /// protein's cluster. This reads two pages.
    ///
    /// # Errors
    ///
    /// * The files are damaged or cannot be read.
    pub fn representative(&self, member: ProteinAccession) -> Result<Option<ProteinAccession>> {
        let number = member.number();
        let pair = self.representatives.range((number, 0)..(number + 1, 0), 1)?.pop();
        pair.map(|pair| accession(&self.representatives, pair.1)).transpose()
    }

    /// Returns at most `limit` members of the cluster of a representative, which is one of them.
    /// They ascend from the first one after `after`. This reads two pages, and those that the
    /// members after the first one continue on.
    ///
    /// # Errors
    ///
    /// * The files are damaged or cannot be read.
    pub fn find(
        &self,
        representative: ProteinAccession,
        after: Option<ProteinAccession>,
        limit: usize,
    ) -> Result<Vec<ProteinAccession>> {
        let (number, start) = (representative.number(), after.map_or(0, |after| after.number() + 1));
        let pairs = self.members.range((number, start)..(number + 1, 0), limit)?;
        let mut found: Vec<_> = pairs.iter().map(|pair| accession(&self.members, pair.1)).collect::<Result<_>>()?;
        if after.is_none_or(|after| after < representative) {
            found.insert(found.partition_point(|member| *member < representative), representative);
            found.truncate(limit);
        }
        Ok(found)
    }

    /// Returns the number of members of the cluster of a representative, which is one of them. This
    /// reads four pages.
    ///
    /// # Errors
    ///
    /// * The files are damaged or cannot be read.
    pub fn count(&self, representative: ProteinAccession) -> Result<u64> {
        let rank = |number| self.members.rank((number, 0));
        Ok(1 + rank(representative.number() + 1)?.saturating_sub(rank(representative.number())?))
    }

    /// Returns the number of members that are not representatives.
    pub fn num_members(&self) -> u64 {
        self.representatives.num_entries()
    }

    /// Reads both files, and compares them.
    ///
    /// # Errors
    ///
    /// * They are damaged, or contradict each other.
    pub fn verify(&self) -> Result<()> {
        let (mut expected, mut last) = (0_u64, None);
        self.representatives.verify(|pair| {
            expected = expected.wrapping_add(Pair(pair.1, pair.0).fingerprint());
            if pair.0 == pair.1 || last.replace(pair.0) == Some(pair.0) {
                return Err(self.representatives.altered(format!("member {} has several representatives", pair.0)));
            }
            Ok(())
        })?;
        if self.members.sum()? == expected {
            Ok(())
        } else {
            Err(self.members.altered("it has other pairs than the representatives"))
        }
    }
}

fn accession(pages: &Pages<Pair>, number: u64) -> Result<ProteinAccession> {
    ProteinAccession::new(number).map_err(|error| pages.altered(error.to_string()))
}
