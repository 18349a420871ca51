//! The proteins beside the genes of other proteins.

use store::{ProteinAccession, Result};

use super::place::Place;
use super::{Contigs, Gene};
use crate::pages::{Entry, Page};

/// The most pages with genes of a protein that are examined: each has at least one of its genes.
const GENE_PAGES_MAX: usize = 1000;

/// Finds the proteins beside others. A gene counts for its protein if the contigs are those of all
/// proteins, and otherwise for the representative of the cluster.
///
/// It is quick if proteins ascend.
pub struct Beside<'a> {
    contigs: &'a Contigs,
    num_genes: usize,
    same_strand: bool,
    /// The page of places that was read last.
    places: Option<Page<Place>>,
    num_reads: u64,
}

/// The pages with genes of a protein.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenePages {
    /// The numbers of the pages, ascending.
    pub pages: Vec<u64>,
    /// Set if these are all pages, and not only the first ones.
    pub has_all: bool,
}

impl Contigs {
    /// Begins to find the proteins with at most `num_genes` genes from another one, which must be
    /// fewer than a page has. With `same_strand`, genes on the other strand are left out.
    pub fn beside(&self, num_genes: u64, same_strand: bool) -> Beside<'_> {
        let num_genes = usize::try_from(num_genes).unwrap_or(usize::MAX);
        Beside { contigs: self, num_genes, same_strand, places: None, num_reads: 0 }
    }

    fn counted(&self, gene: &Gene) -> ProteinAccession {
        if self.has_all_proteins { gene.protein } else { gene.representative }
    }
}

impl Beside<'_> {
    /// Returns the pages with genes that count for a protein, at most the first thousand.
    ///
    /// # Errors
    ///
    /// * The files are damaged or cannot be read. So it is for all functions here.
    pub fn pages(&mut self, protein: ProteinAccession) -> Result<GenePages> {
        let places = &self.contigs.places;
        let first = Place { protein: protein.number(), is_of_members: false, page: 0 }.key();
        let reaches = |page: &Page<Place>| page.entries.last().is_some_and(|last| first <= last.key());
        if !self.places.as_ref().is_some_and(|page| page.start <= first && reaches(page)) {
            self.places = places.page(places.find(first)?)?;
            self.num_reads += 2;
        }
        let mut pages = Vec::new();
        while let Some(page) = &self.places {
            let here = &page.entries[page.entries.partition_point(|place| place.key() < first)..];
            let is_counted = |place: &&Place| !(place.is_of_members && self.contigs.has_all_proteins);
            let same = here.iter().take_while(|place| place.protein == first.0);
            pages.extend(same.filter(is_counted).map(|place| place.page));
            let has_ended = page.entries.last().is_none_or(|last| last.protein > first.0);
            if has_ended || pages.len() > GENE_PAGES_MAX {
                break;
            }
            self.places = places.page(page.number + 1)?;
            self.num_reads += 1;
        }
        let has_all = pages.len() <= GENE_PAGES_MAX;
        pages.truncate(GENE_PAGES_MAX);
        pages.sort_unstable();
        pages.dedup();
        Ok(GenePages { pages, has_all })
    }

    /// Appends the proteins beside those genes of a protein that are in a page. A gene is not
    /// beside itself.
    pub fn find(&mut self, protein: ProteinAccession, page: u64, found: &mut Vec<ProteinAccession>) -> Result<()> {
        let (contigs, num_genes) = (self.contigs, self.num_genes);
        let missing = || contigs.places.altered("it names a page that does not exist");
        let mut genes = contigs.genes.page(page)?.ok_or_else(missing)?.entries;
        self.num_reads += 1;
        let is_own = |(place, gene): (usize, &Gene)| (contigs.counted(gene) == protein).then_some(place);
        let own: Vec<usize> = genes.iter().enumerate().filter_map(is_own).collect();
        let (Some(&first), Some(&last)) = (own.first(), own.last()) else { return Ok(()) };
        let ends = [genes[0], genes[genes.len() - 1]];
        if last + num_genes >= genes.len() && genes[last].contig == ends[1].contig {
            let next = contigs.genes.page(page + 1)?.map(|page| page.entries).unwrap_or_default();
            self.num_reads += 1;
            genes.extend(next.into_iter().take(num_genes));
        }
        let mut num_before = 0;
        if first < num_genes && genes[first].contig == ends[0].contig && ends[0].index > 0 && page > 0 {
            let previous = contigs.genes.page(page - 1)?.map(|page| page.entries).unwrap_or_default();
            self.num_reads += 1;
            num_before = previous.len().min(num_genes);
            genes.splice(0..0, previous.into_iter().rev().take(num_genes).rev());
        }
        for place in own.into_iter().map(|place| place + num_before) {
            let gene = genes[place];
            let start = place.saturating_sub(num_genes);
            for (other_place, other) in (start..).zip(&genes[start..genes.len().min(place + num_genes + 1)]) {
                let is_beside = other_place != place && other.contig == gene.contig;
                if is_beside && (!self.same_strand || other.is_reverse == gene.is_reverse) {
                    found.push(contigs.counted(other));
                }
            }
        }
        Ok(())
    }

    /// Returns the number of pages that were read since the last call.
    pub fn take_reads(&mut self) -> u64 {
        std::mem::take(&mut self.num_reads)
    }
}
