//! The places of a protein, and the genes around each.

use store::{ProteinAccession, Result};

use super::gene::Gene;
use super::reader::Contigs;
use crate::pages::Walk;
use crate::pair::Pair;

/// The most genes on each side of a gene that are examined.
const REACH: u64 = 1000;

/// The most pages with places of a protein among which some are chosen.
const SAMPLED_PAGES_MAX: usize = 1 << 16;

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

    /// Returns the protein that a gene counts for: its own if the contigs are those of all
    /// proteins, and otherwise the representative of the cluster.
    pub fn counted(&self, gene: &Gene) -> ProteinAccession {
        if self.has_all_proteins { gene.protein } else { gene.representative }
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
            for place in self.on_page(key, page)?.filter(|place| after.is_none_or(|after| after < place.cursor)) {
                found.push(place);
                if found.len() == limit {
                    return Ok(found);
                }
            }
        }
        Ok(found)
    }

    /// Returns places that count for a protein, as those of other members of its cluster do if only
    /// it has a record. Of more than `limit`, these are places on random pages: `random` returns a
    /// number below another one. Also returns whether these are all places.
    pub fn sample(
        &mut self,
        protein: ProteinAccession,
        limit: usize,
        mut random: impl FnMut(usize) -> usize,
    ) -> Result<(Vec<Place>, bool)> {
        let first = place_key(protein, false);
        let end = (first + 1 + u64::from(!self.contigs.has_all_proteins), 0);
        let mut pages = self.pages.range((first, 0)..end, None, SAMPLED_PAGES_MAX)?;
        for place in 0..pages.len().min(limit) {
            let other = place + random(pages.len() - place);
            pages.swap(place, other);
        }
        let (mut pages, mut found) = (pages.into_iter(), Vec::new());
        while found.len() <= limit
            && let Some(Pair(key, page)) = pages.next()
        {
            found.extend(self.on_page(key, page)?);
        }
        let has_all = pages.len() == 0 && found.len() <= limit;
        found.truncate(limit);
        Ok((found, has_all))
    }

    /// Returns the places on a page of a protein, or of the other members of its cluster.
    fn on_page(&mut self, key: u64, page: u64) -> Result<impl Iterator<Item = Place>> {
        let (contigs, first) = (self.contigs, (key & 1) << OF_MEMBERS_BIT | page << INDEX_BITS);
        let missing = || contigs.places.altered("it names a page that does not exist");
        let genes = &self.genes.page(page)?.ok_or_else(missing)?.entries;
        let has_place = move |gene: &Gene| place_keys(*gene, contigs.has_all_proteins).any(|other| other == key);
        let places = (first..).zip(genes).filter(move |(_, gene)| has_place(gene));
        Ok(places.map(|(cursor, gene)| Place { gene: *gene, cursor }))
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

    /// Returns the genes with at most `num_genes` genes from a place to them. With `same_strand`,
    /// genes on the other strand are left out. A gene is not beside itself.
    pub fn others(&mut self, place: &Place, (num_genes, same_strand): (u64, bool)) -> Result<Vec<Gene>> {
        let mut found = self.around(place, Around { genes: Some(num_genes), ..Around::default() })?;
        let Place { gene, .. } = place;
        found.retain(|other| other.index != gene.index && (!same_strand || other.is_reverse == gene.is_reverse));
        Ok(found)
    }

    /// Appends the proteins that have genes beside those of another one, as [`Places::others`]
    /// finds them: of its next [`Places::PART_GENES`] genes after a cursor. Returns the cursor of
    /// further ones.
    pub fn beside(
        &mut self,
        protein: ProteinAccession,
        reach: (u64, bool),
        after: Option<u64>,
        found: &mut Vec<ProteinAccession>,
    ) -> Result<Option<u64>> {
        let places = self.find(protein, !self.contigs.has_all_proteins, after, Self::PART_GENES)?;
        for place in &places {
            found.extend(self.others(place, reach)?.iter().map(|gene| self.contigs.counted(gene)));
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
