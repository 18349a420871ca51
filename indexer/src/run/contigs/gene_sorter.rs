//! The genes of a part, sorted by assembly, contig and start.

use std::io::{self, Read, Write};
use std::path::PathBuf;

use store_proteins::{BuiltProteins, ContigKey, ContigsEntry, ContigsWriter, GeneRow, Part};

use super::ContigsReport;
use crate::sort::{Pair, SortKey, SortSpace, SortedEntries, Sorter, read_number};
use crate::values::accession;
use crate::{Error, Result};

/// The bits of the number of a contig or protein.
const NUMBER_BITS: u32 = 40;
const NUMBER_MAX: u64 = (1 << NUMBER_BITS) - 1;

/// The memory of the accessions of assemblies. A release has some 60,000, which take 5 MB.
const ASSEMBLIES_BYTES: usize = 16 << 20;

/// The number of the label of an assembly and that of a contig; start and end; strand and protein.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct GeneKey {
    contig: u64,
    range: u64,
    protein: u64,
}

/// Sorts the genes of a part. The key of a gene is everything but its representative, and the name
/// and the length of its contig.
pub struct GeneSorter {
    folder: PathBuf,
    memory_bytes: usize,
    genes: Sorter<GeneKey>,
    payload: Vec<u8>,
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
        Self { folder: folder.to_owned(), memory_bytes, genes, payload: Vec::new(), num_genes: 0, report }
    }

    /// Adds a gene.
    ///
    /// # Errors
    ///
    /// * A run cannot be written.
    pub fn push(&mut self, row: &GeneRow<'_>) -> Result<()> {
        let &GeneRow { assembly, contig, name, length, start, end, is_reverse, protein, representative } = row;
        let has_place = start > 0 && end > 0 && ContigKey::is_number(contig);
        let Some(label) = has_place.then(|| self.genes.labels.number(assembly, ASSEMBLIES_BYTES)).flatten() else {
            self.report.num_without_place += 1;
            return Ok(());
        };
        self.num_genes += 1;
        let key = GeneKey {
            contig: u64::from(label) << NUMBER_BITS | contig,
            range: u64::from(start) << u32::BITS | u64::from(end),
            protein: u64::from(is_reverse) << NUMBER_BITS | protein.number(),
        };
        let representative = if representative == protein { 0 } else { representative.number() };
        self.payload.clear();
        self.payload.extend_from_slice(&representative.to_le_bytes());
        self.payload.extend_from_slice(&length.to_le_bytes());
        self.payload.extend_from_slice(name.as_bytes());
        self.genes.push(key, &self.payload)
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
        let Self { folder, memory_bytes, genes, mut payload, num_genes, mut report } = self;
        let mut writer = built.begin_contigs(part, with_names, has_all_proteins, num_genes)?;
        let assemblies = genes.labels.sorted();
        let begin = |name, memory_bytes| Sorter::<Pair>::named(&folder, name, memory_bytes);
        let (mut sorted, mut last) = (genes.finish()?, None);
        // Proteins, with a bit for members, and pages; contigs and assemblies; names and pages.
        let mut places = begin("places", memory_bytes / 2);
        let [mut contigs, mut names] = ["contigs", "names"].map(|name| begin(name, memory_bytes / 4));
        let mut assembly: Option<u64> = None;
        while let Some(key) = sorted.next(&mut payload)? {
            if last.replace(key) == Some(key) {
                report.num_repeated += 1;
                continue;
            }
            let row = key.row(&assemblies, &payload).ok_or(Error::CorruptSpill)?;
            let added = writer.add(&row)?;
            report.num_genes += 1;
            report.num_over_origin += u64::from(row.end < row.start);
            if added.is_first {
                report.num_contigs += 1;
                report.num_assemblies += u64::from(assembly.replace(added.contig.assembly()) != assembly);
                contigs.push(Pair(added.contig.number(), added.contig.assembly()), &[])?;
                added.name.map_or(Ok(()), |(hash, page)| names.push(Pair(hash, page), &[]))?;
            }
            if row.protein != row.representative {
                places.push(Pair(row.representative.number() << 1 | 1, added.page), &[])?;
            }
            if row.protein == row.representative || has_all_proteins {
                places.push(Pair(row.protein.number() << 1, added.page), &[])?;
            }
        }
        drop(sorted);
        let mut places = Places { sorted: places.finish()?, next: None, last: None, has_all_proteins };
        let counts = built.count_genes(part, |protein| places.write(&mut writer, protein.number()))?;
        places.write(&mut writer, u64::MAX)?;
        for_each_new(contigs, |Pair(number, assembly)| {
            Ok(writer.add_contig(ContigKey::new(assembly, number).ok_or(Error::CorruptSpill)?)?)
        })?;
        for_each_new(names, |Pair(hash, page)| Ok(writer.add_name(hash, page)?))?;
        Ok((writer.finish(&counts)?, report))
    }
}

impl GeneKey {
    /// Returns the gene. The payload has the number of the representative, unless it is the
    /// protein, and the length and the name of the contig.
    fn row<'a>(self, assemblies: &'a [Box<str>], payload: &'a [u8]) -> Option<GeneRow<'a>> {
        let (representative, of_contig) = payload.split_first_chunk()?;
        let (length, name) = of_contig.split_first_chunk()?;
        let number = self.protein & NUMBER_MAX;
        let of = Some(u64::from_le_bytes(*representative)).filter(|number| *number > 0);
        #[expect(clippy::cast_possible_truncation, reason = "each half is a position")]
        let [start, end] = [(self.range >> u32::BITS) as u32, self.range as u32];
        Some(GeneRow {
            assembly: assemblies.get(usize::try_from(self.contig >> NUMBER_BITS).ok()?)?,
            contig: self.contig & NUMBER_MAX,
            name: std::str::from_utf8(name).ok()?,
            length: u32::from_le_bytes(*length),
            start,
            end,
            is_reverse: self.protein > NUMBER_MAX,
            protein: accession(number).ok()?,
            representative: accession(of.unwrap_or(number)).ok()?,
        })
    }
}

impl SortKey for GeneKey {
    fn relabel(&mut self, others: &[u32]) {
        let other = usize::try_from(self.contig >> NUMBER_BITS).ok().and_then(|label| others.get(label));
        if let Some(other) = other {
            self.contig = u64::from(*other) << NUMBER_BITS | self.contig & NUMBER_MAX;
        }
    }

    fn write(&self, run: &mut impl Write) -> io::Result<()> {
        [self.contig, self.range, self.protein].iter().try_for_each(|number| number.write(run))
    }

    fn read(run: &mut impl Read) -> io::Result<Option<Self>> {
        let Some(contig) = u64::read(run)? else { return Ok(None) };
        Ok(Some(Self { contig, range: read_number(run)?, protein: read_number(run)? }))
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
            let Some(pair) = self.next.take_if(|Pair(key, _)| *key >> 1 <= protein) else { return Ok(num_genes) };
            let Pair(key, page) = pair;
            let (found, is_of_members) = (key >> 1, key & 1 != 0);
            num_genes += u64::from(found == protein && !(is_of_members && self.has_all_proteins));
            if self.last.replace(pair) != Some(pair) {
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
