//! The places of a protein, and the genes around each.

use store::{ProteinAccession, Result};

use super::gene::Gene;
use super::place::Place;
use super::reader::Contigs;
use crate::pages::Entry;

/// The most genes on each side of a gene that are examined.
const REACH: u64 = 1000;

/// The bits of a cursor for the position of a gene in its page.
const INDEX_BITS: u32 = 16;

/// The genes around a gene that are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Around {
    /// The most genes on each side.
    pub genes: Option<u64>,
    /// The most nucleotides between the gene and another one.
    pub bases: Option<u32>,
    /// Set if genes on the other strand are left out.
    pub same_strand: bool,
}

impl Contigs {
    /// Returns at most `limit` genes of a protein after a cursor, each with its cursor, in the
    /// order of the contigs, and then, if wanted, those of the other members of its cluster.
    pub fn places(
        &self,
        protein: ProteinAccession,
        with_members: bool,
        after: Option<u64>,
        limit: usize,
    ) -> Result<Vec<(Gene, u64)>> {
        let mut found = Vec::new();
        for is_of_members in [false, true].into_iter().take(1 + usize::from(with_members)) {
            let start = match after.map(|after| (after & 1 != 0, after >> 1)) {
                Some((later, _)) if later && !is_of_members => continue,
                Some((same, place)) if same == is_of_members => place + 1,
                _ => 0,
            };
            let first = Place { protein: protein.number(), is_of_members, page: start >> INDEX_BITS };
            for place in self.places.entries_from(first.key())? {
                let place = place?;
                if (place.protein, place.is_of_members) != (first.protein, is_of_members) {
                    break;
                }
                let missing = || self.places.altered("it names a page that does not exist");
                for (index, gene) in (0..).zip(self.genes.page(place.page)?.ok_or_else(missing)?.entries) {
                    let cursor = place.page << INDEX_BITS | index;
                    let other = if is_of_members { gene.representative } else { gene.protein };
                    if cursor < start || other != protein || is_of_members && !gene.is_member() {
                        continue;
                    }
                    if found.len() == limit {
                        return Ok(found);
                    }
                    found.push((gene, cursor << 1 | u64::from(is_of_members)));
                }
            }
        }
        Ok(found)
    }

    /// Returns the genes around a gene on its contig, in order, with the gene itself. This reads
    /// two pages, or a third one if they are on both sides of the end of a page. At most 1000 genes
    /// on each side are examined.
    pub fn around(&self, gene: &Gene, wanted: Around) -> Result<Vec<Gene>> {
        let is_plain = wanted.bases.is_none() && !wanted.same_strand;
        let reach = wanted.genes.filter(|_| is_plain).unwrap_or(REACH).min(REACH);
        let first = gene.index.saturating_sub(reach);
        let num = usize::try_from(gene.index - first + reach + 1).unwrap_or(usize::MAX);
        let mut found = self.genes(gene.contig, first, num)?;
        found.retain(|other| other.index == gene.index || wanted.has(gene, other));
        let place = found.partition_point(|other| other.index < gene.index);
        let most = wanted.genes.and_then(|genes| usize::try_from(genes).ok()).unwrap_or(usize::MAX);
        found.truncate(place.saturating_add(most).saturating_add(1));
        found.drain(..place.saturating_sub(most));
        Ok(found)
    }
}

impl Around {
    fn has(self, gene: &Gene, other: &Gene) -> bool {
        // A gene that crosses the origin reaches to the end of the contig.
        let end = |gene: &Gene| if gene.end < gene.start { u32::MAX } else { gene.end };
        let is_near = self.bases.is_none_or(|bases| {
            other.start <= end(gene).saturating_add(bases) && end(other) >= gene.start.saturating_sub(bases)
        });
        is_near && (!self.same_strand || other.is_reverse == gene.is_reverse)
    }
}
