//! Making the table of a generation, segment by segment.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::Mutex;
use std::{iter, panic, thread};

use store::{BiomeTable, Error, FamilyTable, PfamAccession, Result, lock};
use tantivy::DocId;
use tantivy::schema::{Field, IndexRecordOption};

use crate::contents::SegmentEntry;
use crate::record::{Bytes, RecordError, put_varint};
use crate::segments::schema::SCHEMA;
use crate::segments::segment::{Access, Segment};

use super::biome_tally::BiomeTally;
use super::table::{Cells, ColumnNumber, FIRST_BIOME, RowKind, add_up, key, put_cells, read_cells};
use super::values::Values;

/// The number of documents that are counted at a time.
const BATCH_DOCS: DocId = 4096;

/// The bytes of a document in postings and columns, of which not all are read.
const DOC_BYTES: usize = 16;

/// The number of columns that are built at a time: with 30,000 families and clans they take some 30
/// MB.
const COLUMNS_AT_A_TIME: u64 = 64;

/// A row of the table.
struct Row {
    key: Vec<u8>,
    cells: Cells,
}

/// Writes the table of some segments of a generation to `out`.
///
/// The rows of a segment are counted from its postings and its column of biomes, one row at a time,
/// and are kept in a temporary file of the folder `temporary`. Then the rows of all segments are
/// added up, and written once more by column. No file is mapped: the memory is that of the open
/// segments. One segment is open for each core, or fewer if they would take more than
/// `memory_bytes`.
pub(crate) fn write(
    folder: &Path,
    entries: &[SegmentEntry],
    biomes: &BiomeTable,
    families: &FamilyTable,
    temporary: &Path,
    memory_bytes: usize,
    out: &mut impl Write,
) -> Result<()> {
    let cannot_write = || Error::io("cannot write the facets of", folder);
    let count = |entry: &SegmentEntry| {
        let segment = Segment::open(folder, entry, Access::Unmapped)?;
        let mut part = BufWriter::new(tempfile::tempfile_in(temporary).map_err(cannot_write())?);
        write_rows(&segment, biomes, families, |row| put_row(&mut part, row).map_err(cannot_write()))?;
        let mut part = part.into_inner().map_err(|error| cannot_write()(error.into_error()))?;
        part.rewind().map_err(cannot_write())?;
        Ok(Part { rows: BufReader::new(part), next: None })
    };
    let mut parts = in_parallel(entries, num_threads(entries, memory_bytes), count)?;
    let mut sums = BufWriter::new(tempfile::tempfile_in(temporary).map_err(cannot_write())?);
    add_parts(&mut parts, &mut sums).map_err(cannot_write())?;
    let sums = sums.into_inner().map_err(|error| cannot_write()(error.into_error()))?;
    write_file(&sums, biomes.iter().len() as u64 + FIRST_BIOME, out).map_err(cannot_write())
}

/// Returns the number of threads, each of which has a segment open.
pub(super) fn num_threads(entries: &[SegmentEntry], memory_bytes: usize) -> usize {
    let largest = entries.iter().map(|entry| entry.num_docs as usize).max().unwrap_or_default();
    let num_cores = thread::available_parallelism().map_or(1, NonZero::get);
    num_cores.min(entries.len()).min(memory_bytes / (largest * DOC_BYTES).max(1)).max(1)
}

/// Calls a function for each segment, on several threads. The results have no order.
fn in_parallel<T: Send>(
    entries: &[SegmentEntry],
    num_threads: usize,
    each: impl Fn(&SegmentEntry) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let waiting = Mutex::new(entries.iter());
    let next = || lock(&waiting).next();
    let results = thread::scope(|scope| -> Result<Vec<Vec<T>>> {
        let work = || iter::from_fn(next).map(&each).collect::<Result<Vec<T>>>();
        let threads: Vec<_> = (0..num_threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| panic::resume_unwind(panic))).collect()
    })?;
    Ok(results.into_iter().flatten().collect())
}

/// Counts the rows of a segment, ascending by key.
fn write_rows(
    segment: &Segment,
    biomes: &BiomeTable,
    families: &FamilyTable,
    mut put: impl FnMut(&Row) -> Result<()>,
) -> Result<()> {
    let [mut all, mut no_family, mut no_clan] = count_documents(segment, biomes, families);
    let mut tally = BiomeTally::new(biomes);
    let mut put = |kind: RowKind, term: &[u8], tally: &mut BiomeTally<'_>| {
        let row = Row { key: key(kind, term), cells: tally.take() };
        if row.cells.is_empty() { Ok(()) } else { put(&row) }
    };
    put(RowKind::All, b"", &mut all)?;
    put(RowKind::NoFamily, b"", &mut no_family)?;
    count_terms(segment, SCHEMA.family, &mut tally, |term, tally| put(RowKind::Family, term, tally))?;
    put(RowKind::NoClan, b"", &mut no_clan)?;
    count_terms(segment, SCHEMA.clan, &mut tally, |term, tally| put(RowKind::Clan, term, tally))?;
    count_terms(segment, SCHEMA.lineage, &mut tally, |term, tally| put(RowKind::Biome, term, tally))
}

/// Counts all documents, those without a family, and those without a clan.
fn count_documents<'a>(segment: &Segment, biomes: &'a BiomeTable, families: &FamilyTable) -> [BiomeTally<'a>; 3] {
    let mut tallies = [(); 3].map(|()| BiomeTally::new(biomes));
    let mut values = Values::default();
    let has_clan = |&family: &u64| families.get(PfamAccession(family)).is_some_and(|family| family.clan.is_some());
    let num_docs = segment.entry.num_docs;
    for start in (0..num_docs).step_by(BATCH_DOCS as usize) {
        let docs: Vec<DocId> = (start..num_docs.min(start + BATCH_DOCS)).collect();
        let (mut no_family, mut no_clan) = (Vec::new(), Vec::new());
        for &doc in &docs {
            let (mut has_any, mut has_any_clan) = (false, false);
            values.visit(&segment.families, &[doc], |values| {
                (has_any, has_any_clan) = (true, values.iter().any(has_clan));
            });
            no_family.extend((!has_any).then_some(doc));
            no_clan.extend((!has_any_clan).then_some(doc));
        }
        for (tally, docs) in tallies.iter_mut().zip([&docs, &no_family, &no_clan]) {
            tally.add(segment, docs);
        }
    }
    tallies
}

/// Counts the documents of each term of a field.
fn count_terms(
    segment: &Segment,
    field: Field,
    tally: &mut BiomeTally<'_>,
    mut put: impl FnMut(&[u8], &mut BiomeTally<'_>) -> Result<()>,
) -> Result<()> {
    let terms = segment.terms(field);
    let mut dictionary = terms.terms().stream().map_err(Error::index(&segment.path))?;
    while let Some((term, info)) = dictionary.next() {
        let mut postings = terms
            .read_block_postings_from_terminfo(info, IndexRecordOption::Basic)
            .map_err(Error::index(&segment.path))?;
        while !postings.docs().is_empty() {
            tally.add(segment, postings.docs());
            postings.advance();
        }
        put(term, tally)?;
    }
    Ok(())
}

/// A temporary file of rows.
struct Part {
    rows: BufReader<File>,
    next: Option<Row>,
}

impl Part {
    fn advance(&mut self) -> io::Result<()> {
        self.next = next_row(&mut self.rows)?;
        Ok(())
    }
}

/// Adds up the rows of all parts.
fn add_parts(parts: &mut [Part], sums: &mut impl Write) -> io::Result<()> {
    parts.iter_mut().try_for_each(Part::advance)?;
    while let Some(row) = next_sum(parts)? {
        put_row(sums, &row)?;
    }
    Ok(())
}

/// Adds up the rows with the lowest key.
fn next_sum(parts: &mut [Part]) -> io::Result<Option<Row>> {
    let lowest = parts.iter().filter_map(|part| part.next.as_ref()).map(|row| &row.key).min();
    let Some(key) = lowest.cloned() else { return Ok(None) };
    let mut cells: Cells = Vec::new();
    for part in parts {
        if let Some(row) = part.next.take_if(|row| row.key == key) {
            cells.extend(row.cells);
            part.advance()?;
        }
    }
    add_up(&mut cells);
    Ok(Some(Row { key, cells }))
}

fn put_row(out: &mut impl Write, row: &Row) -> io::Result<()> {
    let mut bytes = Vec::new();
    put_varint(&mut bytes, row.key.len() as u64);
    bytes.extend_from_slice(&row.key);
    put_cells(&mut bytes, &row.cells);
    out.write_all(&(bytes.len() as u64).to_le_bytes())?;
    out.write_all(&bytes)
}

fn next_row(rows: &mut impl Read) -> io::Result<Option<Row>> {
    let mut length = [0; 8];
    match rows.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let mut bytes = Vec::new();
    rows.take(u64::from_le_bytes(length)).read_to_end(&mut bytes)?;
    let mut bytes = Bytes(&bytes);
    let mut row = || -> std::result::Result<Row, RecordError> {
        let length = bytes.length()?;
        Ok(Row { key: bytes.take(length)?.to_vec(), cells: read_cells(&mut bytes)? })
    };
    row().map(Some).map_err(io::Error::other)
}

/// Writes the rows, the columns and the directory.
fn write_file(sums: &File, num_columns: ColumnNumber, out: &mut impl Write) -> io::Result<()> {
    let rows_of = || -> io::Result<BufReader<&File>> {
        let mut rows = sums;
        rows.rewind()?;
        Ok(BufReader::new(rows))
    };
    let (mut directory, mut num_rows, mut place) = (Vec::new(), 0, 0);
    let mut rows = rows_of()?;
    while let Some(Row { key, cells }) = next_row(&mut rows)? {
        let mut bytes = Vec::new();
        put_cells(&mut bytes, &cells);
        out.write_all(&bytes)?;
        put_varint(&mut directory, key.len() as u64);
        directory.extend_from_slice(&key);
        put_varint(&mut directory, bytes.len() as u64);
        (num_rows, place) = (num_rows + 1, place + bytes.len());
    }
    put_varint(&mut directory, num_columns);
    for first in (0..num_columns).step_by(usize::try_from(COLUMNS_AT_A_TIME).unwrap_or(usize::MAX)) {
        let mut columns = vec![Cells::new(); usize::try_from(COLUMNS_AT_A_TIME.min(num_columns - first)).unwrap_or(0)];
        let mut rows = rows_of()?;
        let mut number = 0;
        while let Some(Row { key, cells }) = next_row(&mut rows)? {
            if key[0] > RowKind::All as u8 && key[0] < RowKind::Biome as u8 {
                for (column, count) in cells {
                    let column = column.checked_sub(first).and_then(|column| usize::try_from(column).ok());
                    if let Some(cells) = column.and_then(|column| columns.get_mut(column)) {
                        cells.push((number, count));
                    }
                }
            }
            number += 1;
        }
        for cells in columns {
            let mut bytes = Vec::new();
            put_cells(&mut bytes, &cells);
            out.write_all(&bytes)?;
            put_varint(&mut directory, bytes.len() as u64);
            place += bytes.len();
        }
    }
    let mut head = Vec::new();
    put_varint(&mut head, num_rows);
    out.write_all(&head)?;
    out.write_all(&directory)?;
    out.write_all(&(place as u64).to_le_bytes())?;
    out.flush()
}
