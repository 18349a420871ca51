//! The genes of a part, sorted by assembly, contig and start.

use std::path::PathBuf;

use store_proteins::{BuiltProteins, ContigKey, ContigsEntry, ContigsWriter, GeneRow, Part};

use super::ContigsReport;
use crate::sort::{SortSpace, SortedEntries, Sorter};
use crate::values::accession;
use crate::{Error, Result};

/// The bytes of the number of a contig or protein.
const NUMBER_BYTES: usize = 5;

/// The bytes at the end of a key: start, end, strand, and protein.
const LOCUS_BYTES: usize = 4 + 4 + 1 + NUMBER_BYTES;

/// Sorts the genes of a part. The key of a gene is everything but its representative, and the name
/// and the length of its contig.
pub struct GeneSorter {
    folder: PathBuf,
    memory_bytes: usize,
    genes: Sorter<Box<[u8]>>,
    key: Vec<u8>,
    /// The number of genes, repeated ones included.
    pub num_genes: u64,
    /// The numbers of this part, and of those before it.
    pub report: ContigsReport,
}

impl GeneSorter {
    /// Begins a part.
    pub fn new(space: SortSpace<'_>, report: ContigsReport) -> Self {
        let SortSpace { folder, memory_bytes } = space;
        let genes = Sorter::named(folder, "genes", memory_bytes);
        Self { folder: folder.to_owned(), memory_bytes, genes, key: Vec::new(), num_genes: 0, report }
    }

    /// Adds a gene. All contigs of a part have numbers, or none.
    pub fn push(&mut self, row: &GeneRow<'_>) -> Result<()> {
        let has_contig = row.contig.map_or(!row.name.is_empty(), ContigKey::is_number);
        if row.start == 0 || row.end == 0 || !has_contig {
            self.report.num_without_place += 1;
            return Ok(());
        }
        self.num_genes += 1;
        let key = &mut self.key;
        key.clear();
        key.extend(row.assembly.as_bytes());
        key.push(0);
        match row.contig {
            Some(number) => key.extend(number_bytes(number)),
            None => key.extend([row.name.as_bytes(), &[0]].concat()),
        }
        key.extend(row.start.to_be_bytes());
        key.extend(row.end.to_be_bytes());
        key.push(row.is_reverse.into());
        key.extend(number_bytes(row.protein.number()));
        let name = row.contig.map_or("", |_| row.name);
        self.genes.push_value(key.as_slice().into(), &(row.representative.number(), row.length, name))
    }

    /// Writes all genes of a part, the tables that find them, and the numbers of genes by family.
    /// Contigs of own data are known by their names. With `has_all_proteins`, members of clusters
    /// have places of their own.
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
        let Self { folder, memory_bytes, genes, mut report, num_genes, .. } = self;
        let mut writer = built.begin_contigs(part, with_names, has_all_proteins, num_genes)?;
        let is_numbered = part.source.is_none();
        let begin = |name, memory_bytes| Sorter::<u64>::named(&folder, name, memory_bytes);
        let (mut sorted, mut payload, mut last) = (genes.finish()?, Vec::new(), None);
        // Pages by protein, with a bit for those of members; assemblies by contig; pages by name.
        let mut places = begin("places", memory_bytes / 2);
        let [mut contigs, mut names] = ["contigs", "names"].map(|name| begin(name, memory_bytes / 4));
        let mut assembly: Option<u64> = None;
        while let Some((key, of_contig)) = sorted.next_value(&mut payload)? {
            if last.as_ref() == Some(&key) {
                report.num_repeated += 1;
                continue;
            }
            let row = row_of(&key, of_contig, is_numbered)?;
            let added = writer.add(&row)?;
            report.num_genes += 1;
            report.num_over_origin += u64::from(row.end < row.start);
            if added.is_first {
                report.num_contigs += 1;
                report.num_assemblies += u64::from(assembly.replace(added.contig.assembly()) != assembly);
                contigs.push_value(added.contig.number(), &added.contig.assembly())?;
                added.name.map_or(Ok(()), |(hash, page)| names.push_value(hash, &page))?;
            }
            if row.protein != row.representative {
                places.push_value(row.representative.number() << 1 | 1, &added.page)?;
            }
            if row.protein == row.representative || has_all_proteins {
                places.push_value(row.protein.number() << 1, &added.page)?;
            }
            last = Some(key);
        }
        drop(sorted);
        let mut places = Places { sorted: places.finish()?, next: None, last: None, has_all_proteins };
        let counts = built.count_genes(part, |protein| places.write(&mut writer, protein.number()))?;
        places.write(&mut writer, u64::MAX)?;
        for_each_new(contigs, |number, assembly| {
            Ok(writer.add_contig(ContigKey::new(assembly, number).ok_or(Error::CorruptSpill)?)?)
        })?;
        for_each_new(names, |hash, page| Ok(writer.add_name(hash, page)?))?;
        Ok((writer.finish(&counts)?, report))
    }
}

/// Pages by protein, with a bit for those of members.
struct Places {
    sorted: SortedEntries,
    next: Option<(u64, u64)>,
    last: Option<(u64, u64)>,
    has_all_proteins: bool,
}

impl Places {
    /// Writes the places of all proteins up to one, and returns the number of its genes.
    fn write(&mut self, writer: &mut ContigsWriter, protein: u64) -> Result<u64> {
        let mut num_genes = 0;
        loop {
            if self.next.is_none() {
                self.next = self.sorted.next_value(&mut Vec::new())?;
            }
            let Some((key, page)) = self.next.take_if(|(key, _)| *key >> 1 <= protein) else { return Ok(num_genes) };
            let (found, is_of_members) = (key >> 1, key & 1 != 0);
            num_genes += u64::from(found == protein && !(is_of_members && self.has_all_proteins));
            if self.last.replace((key, page)) != Some((key, page)) {
                writer.add_place(accession(found)?, is_of_members, page)?;
            }
        }
    }
}

/// Passes sorted numbers to `visit`, equal ones once.
fn for_each_new(numbers: Sorter, mut visit: impl FnMut(u64, u64) -> Result<()>) -> Result<()> {
    let (mut sorted, mut payload, mut last) = (numbers.finish()?, Vec::new(), None);
    while let Some(next) = sorted.next_value::<u64>(&mut payload)? {
        if last.replace(next) != Some(next) {
            visit(next.0, next.1)?;
        }
    }
    Ok(())
}

/// Reads the key of a gene, and the rest: its representative, and length and name of its contig.
fn row_of<'a>(
    key: &'a [u8],
    (representative, length, name): (u64, u32, &'a str),
    is_numbered: bool,
) -> Result<GeneRow<'a>> {
    parse(key, is_numbered).ok_or(Error::CorruptSpill).and_then(|(assembly, contig, own_name, locus)| {
        Ok(GeneRow {
            assembly,
            contig,
            name: if is_numbered { name } else { own_name },
            length,
            start: u32::from_be_bytes([locus[0], locus[1], locus[2], locus[3]]),
            end: u32::from_be_bytes([locus[4], locus[5], locus[6], locus[7]]),
            is_reverse: locus[8] != 0,
            protein: accession(locus[9..].iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))?,
            representative: accession(representative)?,
        })
    })
}

/// Returns the assembly, the number or the name of the contig, and the bytes after it.
fn parse(key: &[u8], is_numbered: bool) -> Option<(&str, Option<u64>, &str, &[u8; LOCUS_BYTES])> {
    let (rest, locus) = key.split_last_chunk()?;
    let (assembly, contig) = if is_numbered {
        let (rest, number) = rest.split_last_chunk::<NUMBER_BYTES>()?;
        (rest.strip_suffix(&[0])?, &number[..])
    } else {
        let place = rest.iter().position(|byte| *byte == 0)?;
        (&rest[..place], rest[place + 1..].strip_suffix(&[0])?)
    };
    let assembly = std::str::from_utf8(assembly).ok()?;
    if is_numbered {
        let number = contig.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
        return Some((assembly, Some(number), "", locus));
    }
    Some((assembly, None, std::str::from_utf8(contig).ok()?, locus))
}

fn number_bytes(number: u64) -> [u8; NUMBER_BYTES] {
    let [_, _, _, bytes @ ..] = number.to_be_bytes();
    bytes
}
