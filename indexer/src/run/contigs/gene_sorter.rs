//! The genes of a part, sorted by assembly, contig and start.

use std::io::{self, Read, Write};
use std::path::PathBuf;

use store_proteins::{BuiltProteins, ContigKey, ContigsEntry, ContigsWriter, GeneRow, Part};

use super::ContigsReport;
use crate::sort::{SortKey, SortSpace, SortedEntries, Sorter};
use crate::values::accession;
use crate::{Error, Result};

/// The bits of the number of a contig or protein.
const NUMBER_BITS: u32 = 40;
const NUMBER_MAX: u64 = (1 << NUMBER_BITS) - 1;

/// The memory of the accessions of assemblies. A release has some 60,000, which take 5 MB.
const ASSEMBLIES_BYTES: usize = 16 << 20;

/// The number of the label of an assembly and that of a contig; start and end; strand and protein.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct GeneKey([u64; 3]);

/// A number, and another one.
type Pair = [u64; 2];

/// Sorts the genes of a part. The key of a gene is everything but its representative, and the name
/// and the length of its contig.
pub struct GeneSorter {
    folder: PathBuf,
    memory_bytes: usize,
    genes: Sorter<GeneKey>,
    /// The number of genes, repeated ones included.
    num_genes: u64,
    /// The numbers of this part, and of those before it.
    pub report: ContigsReport,
}

impl GeneSorter {
    /// Begins a part.
    pub fn new(space: SortSpace<'_>, report: ContigsReport) -> Self {
        let SortSpace { folder, memory_bytes } = space;
        let genes = Sorter::named(folder, "genes", memory_bytes);
        Self { folder: folder.to_owned(), memory_bytes, genes, num_genes: 0, report }
    }

    /// Adds a gene.
    ///
    /// # Errors
    ///
    /// * A run cannot be written.
    pub fn push(&mut self, row: &GeneRow<'_>) -> Result<()> {
        let &GeneRow { assembly, contig, name, length, start, end, is_reverse, protein, representative } = row;
        let has_place = start > 0 && end > 0 && ContigKey::is_number(contig);
        let Some(label) = self.genes.labels.number(assembly, ASSEMBLIES_BYTES).filter(|_| has_place) else {
            self.report.num_without_place += 1;
            return Ok(());
        };
        self.num_genes += 1;
        let key = GeneKey([
            u64::from(label) << NUMBER_BITS | contig,
            u64::from(start) << u32::BITS | u64::from(end),
            u64::from(is_reverse) << NUMBER_BITS | protein.number(),
        ]);
        let representative = if representative == protein { 0 } else { representative.number() };
        self.genes.push_value(key, &(representative, length, name))
    }

    /// Writes all genes of a part, the tables that find them, and the numbers of genes by family.
    /// With `has_all_proteins`, members of clusters have places of their own.
    ///
    /// # Errors
    ///
    /// * The generation cannot be read, or a file cannot be written.
    pub fn write(
        self,
        built: &BuiltProteins,
        part: Part<'_>,
        with_names: bool,
        has_all_proteins: bool,
    ) -> Result<(ContigsEntry, ContigsReport)> {
        let Self { folder, memory_bytes, genes, num_genes, mut report } = self;
        let mut writer = built.begin_contigs(part, with_names, has_all_proteins, num_genes)?;
        let assemblies = genes.labels.sorted();
        let begin = |name, memory_bytes| Sorter::<Pair>::named(&folder, name, memory_bytes);
        let (mut sorted, mut payload, mut last) = (genes.finish()?, Vec::new(), None);
        // Proteins, with a bit for members, and pages; contigs and assemblies; names and pages.
        let mut places = begin("places", memory_bytes / 2);
        let [mut contigs, mut names] = ["contigs", "names"].map(|name| begin(name, memory_bytes / 4));
        let mut assembly: Option<u64> = None;
        while let Some((key, of_contig)) = sorted.next_value(&mut payload)? {
            if last.replace(key) == Some(key) {
                report.num_repeated += 1;
                continue;
            }
            let row = key.row(&assemblies, of_contig)?;
            let added = writer.add(&row)?;
            report.num_genes += 1;
            report.num_over_origin += u64::from(row.end < row.start);
            if added.is_first {
                report.num_contigs += 1;
                report.num_assemblies += u64::from(assembly.replace(added.contig.assembly()) != assembly);
                contigs.push([added.contig.number(), added.contig.assembly()], &[])?;
                added.name.map_or(Ok(()), |(hash, page)| names.push([hash, page], &[]))?;
            }
            if row.protein != row.representative {
                places.push([row.representative.number() << 1 | 1, added.page], &[])?;
            }
            if row.protein == row.representative || has_all_proteins {
                places.push([row.protein.number() << 1, added.page], &[])?;
            }
        }
        drop(sorted);
        let mut places = Places { sorted: places.finish()?, next: None, last: None, has_all_proteins };
        let counts = built.count_genes(part, |protein| places.write(&mut writer, protein.number()))?;
        places.write(&mut writer, u64::MAX)?;
        for_each_new(contigs, |[number, assembly]| {
            Ok(writer.add_contig(ContigKey::new(assembly, number).ok_or(Error::CorruptSpill)?)?)
        })?;
        for_each_new(names, |[hash, page]| Ok(writer.add_name(hash, page)?))?;
        Ok((writer.finish(&counts)?, report))
    }
}

impl GeneKey {
    /// Returns the gene, with the representative unless it is the protein, and with the length and
    /// the name of the contig.
    fn row<'a>(self, assemblies: &'a [Box<str>], of_contig: (u64, u32, &'a str)) -> Result<GeneRow<'a>> {
        let (Self([contig, range, protein]), (representative, length, name)) = (self, of_contig);
        let number = protein & NUMBER_MAX;
        let assembly = usize::try_from(contig >> NUMBER_BITS).ok().and_then(|rank| assemblies.get(rank));
        #[expect(clippy::cast_possible_truncation, reason = "each half is a position")]
        let [start, end] = [(range >> u32::BITS) as u32, range as u32];
        Ok(GeneRow {
            assembly: assembly.ok_or(Error::CorruptSpill)?,
            contig: contig & NUMBER_MAX,
            name,
            length,
            start,
            end,
            is_reverse: protein > NUMBER_MAX,
            protein: accession(number)?,
            representative: accession(if representative == 0 { number } else { representative })?,
        })
    }
}

impl SortKey for GeneKey {
    fn relabel(&mut self, others: &[u32]) {
        let other = usize::try_from(self.0[0] >> NUMBER_BITS).ok().and_then(|label| others.get(label));
        if let Some(other) = other {
            self.0[0] = u64::from(*other) << NUMBER_BITS | self.0[0] & NUMBER_MAX;
        }
    }

    fn write(&self, run: &mut impl Write) -> io::Result<()> {
        self.0.write(run)
    }

    fn read(run: &mut impl Read) -> io::Result<Option<Self>> {
        Ok(SortKey::read(run)?.map(Self))
    }
}

/// Pages by protein, with a bit for those of members.
struct Places {
    sorted: SortedEntries<Pair>,
    next: Option<Pair>,
    last: Option<Pair>,
    has_all_proteins: bool,
}

impl Places {
    /// Writes the places of all proteins up to one, and returns the number of its genes.
    fn write(&mut self, writer: &mut ContigsWriter, protein: u64) -> Result<u64> {
        let mut num_genes = 0;
        loop {
            if self.next.is_none() {
                self.next = self.sorted.next(&mut Vec::new())?;
            }
            let Some([key, page]) = self.next.take_if(|[key, _]| *key >> 1 <= protein) else { return Ok(num_genes) };
            let (found, is_of_members) = (key >> 1, key & 1 != 0);
            num_genes += u64::from(found == protein && !(is_of_members && self.has_all_proteins));
            if self.last.replace([key, page]) != Some([key, page]) {
                writer.add_place(accession(found)?, is_of_members, page)?;
            }
        }
    }
}

/// Passes sorted pairs to `visit`, equal ones once.
fn for_each_new(pairs: Sorter<Pair>, mut visit: impl FnMut(Pair) -> Result<()>) -> Result<()> {
    let (mut sorted, mut payload, mut last) = (pairs.finish()?, Vec::new(), None);
    while let Some(pair) = sorted.next(&mut payload)? {
        if last.replace(pair) != Some(pair) {
            visit(pair)?;
        }
    }
    Ok(())
}
