//! Neighbourhoods: the families of the genes beside some proteins, compared with those of all other
//! genes on contigs.

use store::engine::catch_panics;
use store::{PfamAccession, ProteinAccession, Result};
use store_context::contigs::ContigKey;
use tantivy::DocId;

use crate::ProteinGeneration;
use crate::evaluation::{PAGE_WORK, Work};
use crate::query::ProteinQuery;
use crate::sampling::random_number;

use super::count::{Counter, Counts};
use super::enrichment::{Enrichment, Group};
use super::kind::{FacetKind, Value};
use super::table::add_up;
use super::unless_too_much;

/// The budget for each match that is examined: a thousand of them with
/// [`crate::LONG_BUDGET`].
const MATCH_BUDGET: u64 = 1_000_000;

/// The most places that are examined, for each match that is affordable.
const MATCH_PLACES: usize = 10;

/// The most places of one match that are examined.
const PLACES_MAX: usize = 1000;

/// The work of finding and counting a gene.
const GENE_WORK: u64 = 4000;

/// A gene: the protein that it counts for, its contig, and its position among the genes of that.
type CountedGene = (ProteinAccession, ContigKey, u64);

/// The families or clans of the genes beside the matches of a query, compared with those of all
/// other genes on contigs.
///
/// A gene has those of the protein that it counts for: the representative of its cluster, or its
/// own protein if all are indexed. It is left out if this protein has no record.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbourhood {
    /// The comparison, whose numbers are those of genes. The number of the sample is that of the
    /// matches that were examined if not all were, or not with all their places.
    pub enrichment: Enrichment,
    /// The number of places of matches that were examined.
    pub num_places: u64,
}

/// The genes beside the places of some matches.
#[derive(Default)]
struct Gathered {
    genes: Vec<CountedGene>,
    num_matches: u64,
    num_places: u64,
    is_partial: bool,
}

impl ProteinGeneration {
    /// Compares the genes beside the matches of a query with all other genes on contigs, and
    /// returns the `top` families or clans that differ most. `reach` is the most genes from a place
    /// of a match to a gene beside it, and whether both are on the same strand. A place is not
    /// beside itself, but it may be beside another place.
    ///
    /// With more matches or places than the budget of work suffices for, `seed` chooses random
    /// ones. Returns `None` if not even these are found within it; its unit is that of
    /// [`crate::PAGE_BUDGET`].
    ///
    /// # Errors
    ///
    /// * The index is damaged or cannot be read.
    pub fn neighbourhood(
        &self,
        query: &ProteinQuery,
        by: FacetKind,
        reach: (u64, bool),
        top: usize,
        seed: u64,
        budget: u64,
    ) -> Result<Option<Neighbourhood>> {
        catch_panics(&self.path, || {
            let num_wanted = usize::try_from(budget / MATCH_BUDGET).unwrap_or(usize::MAX).max(1);
            let mut work = Work::new(budget / 2);
            let found = self.in_random_order(query, num_wanted.saturating_add(1), seed, &mut work)?;
            let Some(found) = found else { return Ok(None) };
            let mut matches: Vec<_> = found.into_iter().map(|found| found.accession).collect();
            let is_partial = matches.len() > num_wanted;
            matches.truncate(num_wanted);
            let mut gathered = Gathered { is_partial, ..Gathered::default() };
            let mut work = Work::new(budget.saturating_sub(work.spent()));
            let num_places_max = (num_wanted.saturating_mul(MATCH_PLACES) / matches.len().max(1)).min(PLACES_MAX);
            for protein in matches {
                gathered.is_partial |= work.is_spent();
                if work.is_spent() {
                    break;
                }
                gathered.add(self, protein, reach, (num_places_max, seed), &mut work)?;
            }
            let Gathered { mut genes, num_matches, num_places, is_partial } = gathered;
            genes.sort_unstable();
            genes.dedup();
            let beside = self.genes_of(&genes, by)?;
            let others = self.genes_on_contigs(by).without(&beside);
            let enrichment = self.compare(&beside, &others, by, top, is_partial.then_some(num_matches))?;
            Ok(Some(Neighbourhood { enrichment, num_places }))
        })
        .or_else(unless_too_much)
    }

    /// Returns the numbers of all genes on contigs.
    fn genes_on_contigs(&self, by: FacetKind) -> Group {
        let mut all = Counts::default();
        for (_, contigs) in self.contigs() {
            let counts = contigs.gene_counts();
            all.num_proteins += counts.num_genes;
            if by == FacetKind::Clan {
                all.num_without += counts.num_without_clan;
                all.by_value.extend(counts.by_clan.iter().map(|(clan, count)| (Value::Text((&**clan).into()), *count)));
            } else {
                let value = |(family, count): (&u64, &u64)| (Value::Family(PfamAccession(*family)), *count);
                all.num_without += counts.num_without;
                all.by_value.extend(counts.by_family.iter().map(value));
            }
        }
        add_up(&mut all.by_value);
        Group::new(all, 0)
    }

    /// Counts genes, which ascend by the protein that they count for.
    fn genes_of(&self, mut genes: &[CountedGene], by: FacetKind) -> Result<Group> {
        let mut counter = Counter::new(self, by);
        for segment in &self.segments {
            let (here, others) = genes.split_at(genes.partition_point(|gene| gene.0 <= segment.entry.last));
            genes = others;
            let mut docs: Vec<(DocId, usize)> = Vec::new();
            for same in here.chunk_by(|gene, next| gene.0 == next.0) {
                let previous = docs.last().map(|(doc, _)| *doc);
                docs.extend(segment.find(same[0].0, previous).map(|doc| (doc, same.len())));
            }
            // A protein counts once in each round, as often as it has genes.
            for round in 0.. {
                docs.retain(|(_, num_genes)| *num_genes > round);
                if docs.is_empty() {
                    break;
                }
                counter.add(segment, &docs.iter().map(|(doc, _)| *doc).collect::<Vec<_>>())?;
            }
        }
        Ok(Group::new(counter.finish(), 0))
    }
}

impl Gathered {
    /// Adds the genes beside the places of a match.
    fn add(
        &mut self,
        generation: &ProteinGeneration,
        protein: ProteinAccession,
        reach: (u64, bool),
        (num_places_max, seed): (usize, u64),
        work: &mut Work,
    ) -> Result<()> {
        self.num_matches += 1;
        let Some(contigs) = generation.contigs_of(protein) else { return Ok(()) };
        let mut places = contigs.places();
        let mut random = (protein.number()..).map(|place| random_number(seed, place));
        let below = |limit: usize| {
            let number = random.next().unwrap_or_default() % limit as u64;
            usize::try_from(number).expect("it is below the limit")
        };
        let (found, has_all) = places.sample(protein, num_places_max, below)?;
        self.is_partial |= !has_all;
        for place in &found {
            work.spend(PAGE_WORK * places.take_reads());
            self.is_partial |= work.is_spent();
            if work.is_spent() {
                break;
            }
            let others = places.others(place, reach)?;
            work.spend(GENE_WORK * others.len() as u64);
            self.genes.extend(others.iter().map(|gene| (contigs.counted(gene), gene.contig, gene.index)));
            self.num_places += 1;
        }
        work.spend(PAGE_WORK * places.take_reads());
        Ok(())
    }
}
