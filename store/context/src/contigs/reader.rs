//! Finding contigs, and the genes on them.

use std::cmp::Ordering;
use std::path::Path;

use store::Result;

use super::gene::{ContigKey, Gene};
use super::name::{Name, hash_name};
use super::{ContigsEntry, GeneCounts, NamesEntry};
use crate::pages::{Pages, Walk};
use crate::pair::Pair;

/// The most contigs that an accession or a name finds.
const FOUND_MAX: usize = 100;

/// The most pages in which a name is sought, some of which may have other names with its hash.
const NAME_PAGES_MAX: usize = 10 * FOUND_MAX;

/// The contigs of a part, whose files are open.
pub struct Contigs {
    pub(super) genes: Pages<Gene>,
    pub(super) places: Pages<Pair>,
    pub(super) assemblies: Pages<Name>,
    /// The first of some contigs with neighbouring numbers, and the position of their assembly.
    pub(super) runs: Pages<Pair>,
    pub(super) names: Option<Names>,
    pub(super) gene_counts: GeneCounts,
    /// The number of contigs.
    pub(super) count: u64,
    /// Set if members have places of their own.
    pub(super) has_all_proteins: bool,
}

pub(super) struct Names {
    pub(super) pages: Pages<Name>,
    /// Hashes of names, and the pages with these names.
    pub(super) hashes: Pages<Pair>,
    pub(super) hash_bits: u32,
}

/// A contig.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contig {
    /// The contig.
    pub key: ContigKey,
    /// The accession of its assembly, or an empty text in own data without one.
    pub assembly: String,
    /// The name, if it is known.
    pub name: Option<String>,
    /// The number of nucleotides, if it is known.
    pub length: Option<u32>,
}

impl Contigs {
    /// Opens the files of a generation.
    ///
    /// # Errors
    ///
    /// * A file is damaged or cannot be read.
    pub fn open(generation: &Path, entry: &ContigsEntry) -> Result<Self> {
        let names = entry.names.as_ref().map(|NamesEntry { names, hashes, hash_bits }| {
            let (pages, hashes) = (Pages::open(generation, names)?, Pages::open(generation, hashes)?);
            Ok::<_, store::Error>(Names { pages, hashes, hash_bits: *hash_bits })
        });
        Ok(Self {
            genes: Pages::open(generation, &entry.genes)?,
            places: Pages::open(generation, &entry.places)?,
            assemblies: Pages::open(generation, &entry.assemblies)?,
            runs: Pages::open(generation, &entry.runs)?,
            names: names.transpose()?,
            gene_counts: GeneCounts::read(&generation.join(&entry.gene_counts))?,
            count: entry.num_contigs,
            has_all_proteins: entry.has_all_proteins,
        })
    }

    /// Returns the contigs with a number, at most 100: one, unless several assemblies have it.
    ///
    /// # Errors
    ///
    /// * The files are damaged or cannot be read. So it is for all functions here.
    pub fn find(&self, number: u64) -> Result<Vec<ContigKey>> {
        let mut candidates = Vec::new();
        let mut page_number = Some(self.runs.find((number, u64::MAX))?);
        // The contig is in a run that begins with it, or in the last one that begins before it.
        'pages: while let Some(page) = page_number.map(|page| self.runs.page(page)).transpose()?.flatten() {
            for Pair(first, assembly) in page.entries.into_iter().rev().filter(|run| run.0 <= number) {
                candidates.extend(ContigKey::new(assembly, number));
                if first < number || candidates.len() == FOUND_MAX {
                    break 'pages;
                }
            }
            page_number = page.number.checked_sub(1);
        }
        candidates.sort_unstable();
        candidates.dedup();
        let mut found = Vec::new();
        for key in candidates {
            if !self.genes(key, 0, 1)?.is_empty() {
                found.push(key);
            }
        }
        Ok(found)
    }

    /// Returns the contigs with a name, at most 100: of all assemblies, or of one by its position.
    pub fn find_name(&self, name: &str, assembly: Option<u64>) -> Result<Vec<ContigKey>> {
        let mut found = Vec::new();
        let Some(Names { pages, hashes, hash_bits }) = &self.names else { return Ok(found) };
        let hash = hash_name(name, *hash_bits);
        let bound = |position: Option<u64>| position.and_then(|position| ContigKey::new(position, 0));
        let [first, end] = [assembly, assembly.map(|position| position + 1)].map(bound);
        let first = first.map_or(Ok(0), |key| pages.find(key.first()))?;
        let last = end.map_or(Ok(u64::MAX), |key| pages.find(key.first()))?;
        for Pair(_, number) in hashes.range((hash, first)..(hash, last.saturating_add(1)), NAME_PAGES_MAX)? {
            let page = pages.page(number)?.ok_or_else(|| hashes.altered("it names a page that does not exist"))?;
            for known in page.entries.iter().filter(|known| name.ends_with(&*known.rest)) {
                let is_found = if known.has_assembly {
                    known.text(&self.assembly(known.contig.assembly())?).as_deref() == Some(name)
                } else {
                    known.rest == name
                };
                let is_wanted = assembly.is_none_or(|position| position == known.contig.assembly());
                if is_found && is_wanted && found.len() < FOUND_MAX {
                    found.push(known.contig);
                }
            }
        }
        Ok(found)
    }

    /// Returns a contig with its assembly, its name and its length.
    pub fn describe(&self, key: ContigKey) -> Result<Contig> {
        let assembly = self.assembly(key.assembly())?;
        let known = match &self.names {
            Some(Names { pages, .. }) => pages.range(key.first()..key.next().first(), 1)?.pop(),
            None => None,
        };
        Ok(described(key, assembly, known))
    }

    /// Returns the accession of an assembly.
    pub(super) fn assembly(&self, position: u64) -> Result<String> {
        let known = self.assemblies.range((position, 0)..(position + 1, 0), 1)?.pop();
        let missing = || self.assemblies.altered(format!("assembly {position} is missing"));
        Ok(known.ok_or_else(missing)?.rest)
    }

    /// Returns the position of an assembly.
    pub fn find_assembly(&self, accession: &str) -> Result<Option<u64>> {
        let (mut low, mut high) = (0, self.assemblies.num_entries());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.assembly(middle)?.as_str().cmp(accession) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Ok(Some(middle)),
            }
        }
        Ok(None)
    }

    /// Returns the contigs of an assembly by its position, each with its number of genes: at most
    /// `limit`, after the one with the number `after`.
    pub fn contigs_of(&self, assembly: u64, after: Option<u64>, limit: usize) -> Result<Vec<(Contig, u64)>> {
        let start = after.map_or(0, |after| after.saturating_add(1));
        let Some(mut next) = ContigKey::new(assembly, start) else { return Ok(Vec::new()) };
        let accession = self.assembly(assembly)?;
        let keys = next.first()..(u64::MAX, 0);
        let names = self.names.as_ref().map(|names| names.pages.range(keys, limit)).transpose()?;
        let mut names = names.into_iter().flatten().peekable();
        let (mut genes, mut found) = (Walk::new(&self.genes), Vec::new());
        let mut here = first_from(&mut genes, next)?;
        while let Some((key, rank)) = here.filter(|(key, _)| key.assembly() == assembly && found.len() < limit) {
            next = key.next();
            here = first_from(&mut genes, next)?;
            let num_genes = here.map_or(self.genes.num_entries(), |(_, end)| end) - rank;
            let known = names.next_if(|known| known.contig == key);
            found.push((described(key, accession.clone(), known), num_genes));
        }
        Ok(found)
    }

    /// Returns at most `limit` genes of a contig, from a position on.
    pub fn genes(&self, contig: ContigKey, from: u64, limit: usize) -> Result<Vec<Gene>> {
        let key = |index| (contig.0, index);
        self.genes.range(key(from)..key(u64::MAX), limit)
    }

    /// Returns the number of genes of a contig.
    pub fn num_genes(&self, contig: ContigKey) -> Result<u64> {
        let [start, end] = [contig, contig.next()].map(|key| self.genes.rank(key.first()));
        Ok(end?.saturating_sub(start?))
    }
}

fn described(key: ContigKey, assembly: String, known: Option<Name>) -> Contig {
    let name = known.as_ref().and_then(|known| known.text(&assembly));
    let length = known.map(|known| known.length).filter(|length| *length > 0);
    Contig { key, assembly, name, length }
}

/// Returns the contig of the first gene from a contig on, and the number of genes before it.
fn first_from(genes: &mut Walk<'_, Gene>, contig: ContigKey) -> Result<Option<(ContigKey, u64)>> {
    let number = genes.find(contig.first())?;
    for number in [number, number + 1] {
        let Some(page) = genes.page(number)? else { break };
        let index = page.entries.partition_point(|gene| gene.contig < contig);
        if let Some(gene) = page.entries.get(index) {
            return Ok(Some((gene.contig, page.num_before + index as u64)));
        }
    }
    Ok(None)
}
