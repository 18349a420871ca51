//! The full check of the contigs of a part.

use std::collections::BTreeSet;

use store::Result;

use super::gene::Gene;
use super::name::hash_name;
use super::reader::{Contigs, Names};
use crate::members::fingerprint;

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
        self.verify_places()?;
        self.assemblies.verify(|_| Ok(()))?;
        self.runs.verify(|run| {
            if run.assembly < num_assemblies { Ok(()) } else { Err(self.runs.altered("an assembly is missing")) }
        })?;
        self.names.as_ref().map_or(Ok(()), |names| self.verify_names(names))
    }

    /// Checks that the places are those of the genes.
    fn verify_places(&self) -> Result<()> {
        let (mut expected, mut sum, mut number) = (0_u64, 0_u64, 0);
        while let Some(page) = self.genes.page(number)? {
            let others = page.entries.iter().map(|gene| (gene.representative, gene.is_member()));
            let own = page.entries.iter().filter(|_| self.has_all_proteins).map(|gene| (gene.protein, false));
            for (protein, is_of_members) in others.chain(own).collect::<BTreeSet<_>>() {
                expected = expected.wrapping_add(place(protein.number(), is_of_members, number));
            }
            number += 1;
        }
        self.places.verify(|found| {
            sum = sum.wrapping_add(place(found.protein, found.is_of_members, found.page));
            Ok(())
        })?;
        if sum == expected { Ok(()) } else { Err(self.places.altered("it has other places than the genes")) }
    }

    fn verify_names(&self, names: &Names) -> Result<()> {
        let (mut expected, mut sum, mut number) = (0_u64, 0_u64, 0);
        let mut assembly = (0, String::new());
        while let Some(page) = names.pages.page(number)? {
            let mut hashes = BTreeSet::new();
            for name in page.entries {
                if assembly.1.is_empty() || assembly.0 != name.contig.assembly() {
                    assembly = (name.contig.assembly(), self.assembly(name.contig.assembly())?);
                }
                hashes.extend(name.text(&assembly.1).map(|name| hash_name(&name, names.hash_bits)));
            }
            expected = hashes.into_iter().fold(expected, |sum, hash| sum.wrapping_add(fingerprint(hash, number)));
            number += 1;
        }
        names.pages.verify(|_| Ok(()))?;
        names.hashes.verify(|found| {
            sum = sum.wrapping_add(fingerprint(found.hash, found.page));
            Ok(())
        })?;
        if sum == expected { Ok(()) } else { Err(names.hashes.altered("it has other names than the contigs")) }
    }
}

fn place(protein: u64, is_of_members: bool, page: u64) -> u64 {
    fingerprint(protein, page << 1 | u64::from(is_of_members))
}
