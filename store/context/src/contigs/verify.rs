//! The full check of the contigs of a part.

use std::collections::BTreeSet;

use store::Result;

use super::gene::Gene;
use super::name::hash_name;
use super::places::place_keys;
use super::reader::{Contigs, Names};
use crate::pages::{Entry, Pages};
use crate::pair::Pair;

impl Contigs {
    /// Reads all files, and compares them with each other.
    ///
    /// # Errors
    ///
    /// * They are damaged, or contradict each other.
    pub fn verify(&self) -> Result<()> {
        let num_assemblies = self.assemblies.num_entries();
        let mut last: Option<Gene> = None;
        let mut num_contigs = 0;
        self.genes.verify(|gene| {
            let same = last.filter(|last| last.contig == gene.contig);
            num_contigs += u64::from(same.is_none());
            let follows = same.map_or(gene.index == 0, |last| gene.index == last.index + 1 && last.start <= gene.start);
            last = Some(*gene);
            if follows && gene.contig.assembly() < num_assemblies {
                return Ok(());
            }
            Err(self.genes.altered(format!("a gene of {} is out of order", gene.protein)))
        })?;
        if num_contigs != self.count {
            return Err(self.genes.altered(format!("it does not have {} contigs", self.count)));
        }
        if self.gene_counts.num_genes > self.genes.num_entries() {
            return Err(self.genes.altered("families have more genes than there are"));
        }
        verify_table(&self.genes, &self.places, "it has other places than the genes", |gene| {
            Ok(place_keys(*gene, self.has_all_proteins))
        })?;
        self.assemblies.verify(|_| Ok(()))?;
        self.runs.verify(|run| {
            if run.1 < num_assemblies { Ok(()) } else { Err(self.runs.altered("an assembly is missing")) }
        })?;
        let Some(Names { pages, hashes, hash_bits }) = &self.names else { return Ok(()) };
        pages.verify(|_| Ok(()))?;
        let mut assembly = (u64::MAX, String::new());
        verify_table(pages, hashes, "it has other names than the contigs", |name| {
            let position = name.contig.assembly();
            if assembly.0 != position {
                assembly = (position, self.assembly(position)?);
            }
            Ok(name.text(&assembly.1).map(|name| hash_name(&name, *hash_bits)))
        })
    }
}

/// Checks that a table has a pair for each page of a file and each number of an entry there.
fn verify_table<E: Entry, N: IntoIterator<Item = u64>>(
    pages: &Pages<E>,
    table: &Pages<Pair>,
    problem: &str,
    mut numbers: impl FnMut(&E) -> Result<N>,
) -> Result<()> {
    let [mut expected, mut number] = [0_u64; 2];
    while let Some(page) = pages.page(number)? {
        let mut found = BTreeSet::new();
        for entry in &page.entries {
            found.extend(numbers(entry)?);
        }
        let pairs = found.into_iter().map(|found| Pair(found, number));
        expected = pairs.fold(expected, |sum, pair| sum.wrapping_add(pair.fingerprint()));
        number += 1;
    }
    if table.sum()? == expected { Ok(()) } else { Err(table.altered(problem)) }
}
