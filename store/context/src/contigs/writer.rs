//! Writing the contigs of a part.

use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

use store::{Error, ProteinAccession, Result};

use super::gene::{ContigKey, Gene};
use super::name::{CONTIG_NAME_BYTES_MAX, Name, hash_name};
use super::places::place_key;
use super::{ContigsEntry, GeneCounts, NamesEntry};
use crate::bits::NUMBER_BITS_MAX;
use crate::pages::PagesWriter;
use crate::pair::Pair;

/// The bits of a hash beyond those that count the genes: the share of look-ups of unknown names
/// that read a page in vain halves with each.
const MORE_HASH_BITS: u32 = 6;

/// Writes contigs in ascending order of assembly, contig and start of the gene, then the tables
/// that find them.
pub struct ContigsWriter {
    draft: PathBuf,
    folder: String,
    genes: PagesWriter<Gene>,
    places: PagesWriter<Pair>,
    assemblies: PagesWriter<Name>,
    runs: PagesWriter<Pair>,
    names: Option<NamesWriter>,
    has_all_proteins: bool,
    num_assemblies: u64,
    num_contigs: u64,
    /// The last assembly, the last contig, the place of its name, and the number of its genes so
    /// far.
    assembly: String,
    contig: ContigKey,
    name_place: Option<(u64, u64)>,
    num_genes: u64,
    /// The assembly of the last run.
    run: Option<u64>,
}

struct NamesWriter {
    names: PagesWriter<Name>,
    hashes: PagesWriter<Pair>,
    hash_bits: u32,
}

/// A gene that is added, with its contig.
#[derive(Clone, Copy, Debug)]
pub struct GeneRow<'a> {
    /// The accession of the assembly, or an empty text.
    pub assembly: &'a str,
    /// The number of the accession of the contig, or in own data its position among all contigs,
    /// 1-based.
    pub contig: u64,
    /// The name of the contig, or an empty text. One that is too long is not stored.
    pub name: &'a str,
    /// The number of nucleotides of the contig, or 0.
    pub length: u32,
    /// The first nucleotide, 1-based.
    pub start: u32,
    /// The last nucleotide, 1-based.
    pub end: u32,
    /// Set if the gene is on the reverse strand.
    pub is_reverse: bool,
    /// The protein.
    pub protein: ProteinAccession,
    /// The representative of the cluster of the protein.
    pub representative: ProteinAccession,
}

/// A gene that was added.
#[derive(Clone, Copy, Debug)]
pub struct AddedGene {
    /// The page of the gene.
    pub page: u64,
    /// The contig of the gene.
    pub contig: ContigKey,
    /// Set if the gene is the first one of the contig.
    pub is_first: bool,
    /// The hash of the name of the contig and the page of the name, if it is stored.
    pub name: Option<(u64, u64)>,
}

impl ContigsWriter {
    /// Creates the files in a folder inside the draft, for at most `num_genes_max` genes. With
    /// `has_all_proteins`, members of clusters have places of their own, too.
    pub fn create(
        draft: &Path,
        folder: &str,
        with_names: bool,
        has_all_proteins: bool,
        num_genes_max: u64,
    ) -> Result<Self> {
        let file = |name: &str| format!("{folder}/{name}.pages");
        let names = || {
            let names = PagesWriter::create(draft, file("names"))?;
            let hash_bits = (u64::BITS - num_genes_max.leading_zeros() + MORE_HASH_BITS).min(NUMBER_BITS_MAX);
            Ok(NamesWriter { names, hashes: PagesWriter::create(draft, file("name_hashes"))?, hash_bits })
        };
        Ok(Self {
            draft: draft.to_owned(),
            folder: folder.to_owned(),
            genes: PagesWriter::create(draft, file("genes"))?,
            places: PagesWriter::create(draft, file("places"))?,
            assemblies: PagesWriter::create(draft, file("assemblies"))?,
            runs: PagesWriter::create(draft, file("runs"))?,
            names: with_names.then(names).transpose()?,
            has_all_proteins,
            num_assemblies: 0,
            num_contigs: 0,
            assembly: String::new(),
            contig: ContigKey(0),
            name_place: None,
            num_genes: 0,
            run: None,
        })
    }

    /// Adds a gene. Genes ascend by assembly, contig, start and end.
    ///
    /// # Errors
    ///
    /// * There are too many assemblies or contigs, or they do not ascend.
    pub fn add(&mut self, row: &GeneRow<'_>) -> Result<AddedGene> {
        let is_new_assembly = self.num_assemblies == 0 || self.assembly != row.assembly;
        if is_new_assembly {
            row.assembly.clone_into(&mut self.assembly);
            self.assemblies.add(Name::new(ContigKey(self.num_assemblies), "", row.assembly, 0))?;
            self.num_assemblies += 1;
        }
        let is_first = is_new_assembly || row.contig != self.contig.number();
        if is_first {
            self.begin_contig(row)?;
        }
        let &GeneRow { start, end, is_reverse, protein, representative, .. } = row;
        let (contig, index) = (self.contig, self.num_genes);
        self.genes.add(Gene { contig, index, start, end, is_reverse, protein, representative })?;
        self.num_genes += 1;
        Ok(AddedGene { page: self.genes.page(), contig, is_first, name: self.name_place })
    }

    fn begin_contig(&mut self, row: &GeneRow<'_>) -> Result<()> {
        self.num_contigs += 1;
        let key = ContigKey::new(self.num_assemblies - 1, row.contig);
        let too_many = || Error::altered(self.draft.join(&self.folder), "it has too many assemblies or contigs");
        self.contig = key.ok_or_else(too_many)?;
        (self.num_genes, self.name_place) = (0, None);
        let name = if row.name.len() > CONTIG_NAME_BYTES_MAX { "" } else { row.name };
        if let Some(NamesWriter { names, hash_bits, .. }) = &mut self.names
            && !(name.is_empty() && row.length == 0)
        {
            names.add(Name::new(self.contig, row.assembly, name, row.length))?;
            self.name_place = (!name.is_empty()).then(|| (hash_name(name, *hash_bits), names.page()));
        }
        Ok(())
    }

    /// Adds a page with genes of a protein, or of the other members of its cluster, which come
    /// after its own. Proteins and pages ascend.
    pub fn add_place(&mut self, protein: ProteinAccession, is_of_members: bool, page: u64) -> Result<()> {
        self.places.add(Pair(place_key(protein, is_of_members), page))
    }

    /// Adds the assembly of a contig. Numbers of contigs ascend, and so do the assemblies of each.
    pub fn add_contig(&mut self, contig: ContigKey) -> Result<()> {
        if self.run.replace(contig.assembly()) == Some(contig.assembly()) {
            return Ok(());
        }
        self.runs.add(Pair(contig.number(), contig.assembly()))
    }

    /// Adds the hash and the page of a name, of which each pair is added once. They ascend.
    pub fn add_name(&mut self, hash: u64, page: u64) -> Result<()> {
        self.names.as_mut().map_or(Ok(()), |names| names.hashes.add(Pair(hash, page)))
    }

    /// Writes the rest with the numbers of genes by family, and reads all files of pages back.
    pub fn finish(self, counts: &GeneCounts) -> Result<ContigsEntry> {
        let gene_counts = format!("{}/families.json", self.folder);
        counts.write(&self.draft.join(&gene_counts))?;
        let finish_names = |NamesWriter { names, hashes, hash_bits }| {
            Ok::<_, Error>(NamesEntry { names: names.finish()?, hashes: hashes.finish()?, hash_bits })
        };
        // Half of the work is reading the genes back.
        let (genes, names) = thread::scope(|scope| {
            let genes = scope.spawn(|| self.genes.finish());
            let names = self.names.map(finish_names).transpose();
            (genes.join().unwrap_or_else(|panic| resume_unwind(panic)), names)
        });
        Ok(ContigsEntry {
            folder: self.folder,
            num_contigs: self.num_contigs,
            has_all_proteins: self.has_all_proteins,
            genes: genes?,
            places: self.places.finish()?,
            assemblies: self.assemblies.finish()?,
            runs: self.runs.finish()?,
            gene_counts,
            names: names?,
        })
    }
}
