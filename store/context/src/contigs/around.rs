//! The places of a protein, and the genes around each.

use store::{ProteinAccession, Result};

use super::gene::Gene;
use super::reader::Contigs;
use crate::pages::Walk;
use crate::pair::Pair;

/// The most genes on each side of a gene that are examined.
const REACH: u64 = 1000;

/// The bits of a cursor for the position of a gene in its page.
const INDEX_BITS: u32 = 16;

/// The bit of a cursor that is set for the genes of other members of the cluster.
const OF_MEMBERS_BIT: u32 = 63;

/// Finds the places of proteins, and the genes around them. It is quick if proteins ascend.
pub struct Places<'a> {
    contigs: &'a Contigs,
    pages: Walk<'a, Pair>,
    genes: Walk<'a, Gene>,
}

/// A gene of a protein, or of another member of its cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The gene.
    pub gene: Gene,
    /// The position among the places of the protein, from which further ones are found.
    pub cursor: u64,
}

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
    /// Begins to find the places of proteins.
    pub fn places(&self) -> Places<'_> {
        Places { contigs: self, pages: Walk::new(&self.places), genes: Walk::new(&self.genes) }
    }
}

impl Places<'_> {
    /// The genes of a protein of which [`Places::beside`] finds the others beside them at a time.
    pub const PART_GENES: usize = 4;

    /// Returns at most `limit` places of a protein after a cursor, in the order of the contigs, and
    /// then, if wanted, those of the other members of its cluster. The first one takes three reads.
    ///
    /// # Errors
    ///
    /// * The files are damaged or cannot be read. So it is for all functions here.
    pub fn find(
        &mut self,
        protein: ProteinAccession,
        with_members: bool,
        after: Option<u64>,
        limit: usize,
    ) -> Result<Vec<Place>> {
        let first = place_key(protein, false);
        let start = after.map_or((first, 0), |after| {
            (first | after >> OF_MEMBERS_BIT, (after & !(1 << OF_MEMBERS_BIT)) >> INDEX_BITS)
        });
        let end = (first + 1 + u64::from(with_members), 0);
        let mut found = Vec::new();
        // Each page but that of the cursor has a place after it.
        for Pair(key, page) in self.pages.range(start..end, None, limit.saturating_add(1))? {
            let missing = || self.contigs.places.altered("it names a page that does not exist");
            let genes = &self.genes.page(page)?.ok_or_else(missing)?.entries;
            for (index, gene) in (0..).zip(genes) {
                let cursor = (key & 1) << OF_MEMBERS_BIT | page << INDEX_BITS | index;
                let has_place = place_keys(*gene, self.contigs.has_all_proteins).any(|other| other == key);
                if has_place && after.is_none_or(|after| after < cursor) {
                    found.push(Place { gene: *gene, cursor });
                    if found.len() == limit {
                        return Ok(found);
                    }
                }
            }
        }
        Ok(found)
    }

    /// Returns the genes around a place on its contig, in order, with its own gene. At most 1000
    /// genes on each side are examined. Where the places of the protein were found just before,
    /// this reads a page only if they are on both sides of its end.
    pub fn around(&mut self, place: &Place, wanted: Around) -> Result<Vec<Gene>> {
        let Place { gene, cursor } = place;
        let is_plain = wanted.bases.is_none() && !wanted.same_strand;
        let reach = wanted.genes.filter(|_| is_plain).unwrap_or(REACH).min(REACH);
        let key = |index| (gene.contig.0, index);
        let keys = key(gene.index.saturating_sub(reach))..key(gene.index.saturating_add(reach + 1));
        let page = (cursor & !(1 << OF_MEMBERS_BIT)) >> INDEX_BITS;
        let mut found = self.genes.range(keys, Some(page), usize::MAX)?;
        found.retain(|other| other.index == gene.index || wanted.has(gene, other));
        let index = found.partition_point(|other| other.index < gene.index);
        let most = wanted.genes.and_then(|genes| usize::try_from(genes).ok()).unwrap_or(usize::MAX);
        found.truncate(index.saturating_add(most).saturating_add(1));
        found.drain(..index.saturating_sub(most));
        Ok(found)
    }

    /// Appends the proteins with at most `num_genes` genes from another one, those of its next
    /// [`Places::PART_GENES`] genes after a cursor. Returns the cursor of further ones. With
    /// `same_strand`, genes on the other strand are left out. A gene counts for its protein if the
    /// contigs are those of all proteins, and otherwise for the representative of the cluster. It
    /// is not beside itself.
    pub fn beside(
        &mut self,
        protein: ProteinAccession,
        (num_genes, same_strand): (u64, bool),
        after: Option<u64>,
        found: &mut Vec<ProteinAccession>,
    ) -> Result<Option<u64>> {
        let has_all = self.contigs.has_all_proteins;
        let places = self.find(protein, !has_all, after, Self::PART_GENES)?;
        for place in &places {
            let around = self.around(place, Around { genes: Some(num_genes), ..Around::default() })?;
            let Place { gene, .. } = place;
            let others = around
                .iter()
                .filter(|other| other.index != gene.index && (!same_strand || other.is_reverse == gene.is_reverse));
            found.extend(others.map(|other| if has_all { other.protein } else { other.representative }));
        }
        Ok(places.last().filter(|_| places.len() == Self::PART_GENES).map(|last| last.cursor))
    }

    /// Returns the number of pages that were read since the last call.
    pub fn take_reads(&mut self) -> u64 {
        self.pages.take_reads() + self.genes.take_reads()
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

/// Returns the first number of the places of a protein, or of those of the other members of its
/// cluster.
pub(super) fn place_key(protein: ProteinAccession, is_of_members: bool) -> u64 {
    protein.number() << 1 | u64::from(is_of_members)
}

/// Returns the first numbers of the places of a gene. If the contigs are those of all proteins,
/// members of clusters have places of their own.
pub(super) fn place_keys(gene: Gene, has_all_proteins: bool) -> impl Iterator<Item = u64> {
    let own = (has_all_proteins || !gene.is_member()).then(|| place_key(gene.protein, false));
    own.into_iter().chain(gene.is_member().then(|| place_key(gene.representative, true)))
}
