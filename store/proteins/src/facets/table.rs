//! The table of proteins by biome and family, clan or other biome, which is made once for a release
//! or a source.
//!
//! A row is a kind of selection: all proteins, those of a family, a clan or a biome (with the
//! biomes below it), those without a family, and those without a clan. It has the number of these
//! proteins in each column: all of them, those without a recorded biome, and those of each biome,
//! with the biomes below it. Cells of no protein are omitted. The file has
//!
//! * the rows, ascending by key, each a list of columns and numbers,
//! * the columns, each a list of rows and numbers, for families and clans alone,
//! * the directory: for each row its key and its length in bytes, and for each column its length,
//! * the place of the directory in eight bytes.
//!
//! In lists, rows and columns are differences from the one before. Integers have a variable length;
//! see [`crate::record`].

use std::ops::Range;
use std::path::{Path, PathBuf};

use store::{BiomeOrdinal, Error, PfamAccession, Result};
use tantivy::Directory;
use tantivy::directory::{MmapDirectory, OwnedBytes};

use crate::contents::Part;
use crate::record::{Bytes, RecordError, put_varint};

/// The name of the file.
pub(super) const FILE: &str = "facets.table";

/// The number of a column. The ordinals of biomes follow the other columns.
pub(super) type ColumnNumber = u64;

pub(super) const ALL: ColumnNumber = 0;
pub(super) const NO_BIOME: ColumnNumber = 1;
pub(super) const FIRST_BIOME: ColumnNumber = 2;

/// A row or a column as it is read: keys, ascending, and their numbers of proteins.
pub(super) type Cells = Vec<(u64, u64)>;

/// Sorts numbers by their keys, and adds up those of equal keys.
pub(super) fn add_up<K: Ord>(numbers: &mut Vec<(K, u64)>) {
    numbers.sort_unstable();
    numbers.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        kept.1 += if is_same { next.1 } else { 0 };
        is_same
    });
}

/// The kinds of rows, as the first byte of their keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum RowKind {
    All,
    NoFamily,
    Family,
    NoClan,
    Clan,
    Biome,
}

/// Returns the key of a row. The kind is followed by the term in the dictionary.
pub(super) fn key(kind: RowKind, term: &[u8]) -> Vec<u8> {
    [&[kind as u8], term].concat()
}

pub(super) fn family_key(family: PfamAccession) -> Vec<u8> {
    key(RowKind::Family, &family.0.to_be_bytes())
}

pub(super) fn clan_key(clan: &str) -> Vec<u8> {
    key(RowKind::Clan, clan.to_ascii_uppercase().as_bytes())
}

pub(super) fn biome_key(biome: BiomeOrdinal) -> Vec<u8> {
    key(RowKind::Biome, &u64::from(biome).to_be_bytes())
}

/// An opened table. The directory is in memory, the rest is mapped.
pub(crate) struct FacetTable {
    path: PathBuf,
    bytes: OwnedBytes,
    /// Ascending by key.
    rows: Vec<(Vec<u8>, Range<usize>)>,
    columns: Vec<Range<usize>>,
}

impl FacetTable {
    pub(crate) fn open(generation: &Path, part: Part<'_>) -> Result<Self> {
        let file = part.path(FILE);
        let path = generation.join(&file);
        let cannot_open = |error: tantivy::TantivyError| Error::index(&path)(error);
        let folder = MmapDirectory::open(generation).map_err(|error| cannot_open(error.into()))?;
        let file = folder.open_read(Path::new(&file)).map_err(|error| cannot_open(error.into()))?;
        let bytes = file.read_bytes().map_err(|error| cannot_open(error.into()))?;
        let (rows, columns) = read_directory(&bytes).map_err(|error| Error::altered(&path, error.to_string()))?;
        Ok(Self { path, bytes, rows, columns })
    }

    /// Returns the number of biomes that the generation had when the table was made.
    pub(super) fn num_biomes(&self) -> usize {
        (0..).zip(&self.columns).filter(|&(column, _)| column >= FIRST_BIOME).count()
    }

    /// Returns the numbers of a row by column. A row that is missing has none.
    pub(super) fn row(&self, key: &[u8]) -> Result<Cells> {
        match self.rows.binary_search_by(|(other, _)| other.as_slice().cmp(key)) {
            Ok(index) => self.cells(&self.rows[index].1),
            Err(_) => Ok(Vec::new()),
        }
    }

    /// Returns the numbers of a column by row, for rows of some kinds, with their keys.
    pub(super) fn column(&self, column: ColumnNumber, kinds: Range<RowKind>) -> Result<Vec<(&[u8], u64)>> {
        let range = usize::try_from(column).ok().and_then(|column| self.columns.get(column));
        let Some(range) = range else { return Ok(Vec::new()) };
        let place = |kind: RowKind| self.rows.partition_point(|(key, _)| key.as_slice() < &[kind as u8][..]) as u64;
        let rows = place(kinds.start)..place(kinds.end);
        let cells = self.cells(range)?.into_iter().filter(|(row, _)| rows.contains(row));
        Ok(cells.filter_map(|(row, count)| Some((&*self.rows.get(usize::try_from(row).ok()?)?.0, count))).collect())
    }

    fn cells(&self, range: &Range<usize>) -> Result<Cells> {
        read_cells(&mut Bytes(&self.bytes[range.clone()]))
            .map_err(|error| Error::altered(&self.path, error.to_string()))
    }
}

pub(super) fn put_cells(out: &mut Vec<u8>, cells: &[(u64, u64)]) {
    let mut previous = 0;
    put_varint(out, cells.len() as u64);
    for &(number, count) in cells {
        put_varint(out, number - previous);
        put_varint(out, count);
        previous = number;
    }
}

pub(super) fn read_cells(bytes: &mut Bytes<'_>) -> std::result::Result<Cells, RecordError> {
    let length = bytes.length()?;
    let mut cells = Vec::with_capacity(length);
    let mut number: u64 = 0;
    for _ in 0..length {
        number = number.checked_add(bytes.varint()?).ok_or(RecordError::Value("a row or column"))?;
        cells.push((number, bytes.varint()?));
    }
    Ok(cells)
}

/// The ranges of the rows, with their keys, and of the columns.
type Places = (Vec<(Vec<u8>, Range<usize>)>, Vec<Range<usize>>);

fn read_directory(bytes: &[u8]) -> std::result::Result<Places, RecordError> {
    let (cells, place) = bytes.split_last_chunk::<8>().ok_or(RecordError::Short)?;
    let place = usize::try_from(u64::from_le_bytes(*place)).map_err(|_| RecordError::Short)?;
    let (cells, directory) = cells.split_at_checked(place).ok_or(RecordError::Short)?;
    let mut directory = Bytes(directory);
    let mut end = 0_usize;
    let mut next_range = |directory: &mut Bytes<'_>| {
        let start = end;
        let length = usize::try_from(directory.varint()?).map_err(|_| RecordError::Short)?;
        end = start.checked_add(length).filter(|&end| end <= cells.len()).ok_or(RecordError::Short)?;
        Ok(start..end)
    };
    let num_rows = directory.length()?;
    let mut rows = Vec::with_capacity(num_rows);
    for _ in 0..num_rows {
        let length = directory.length()?;
        rows.push((directory.take(length)?.to_vec(), next_range(&mut directory)?));
    }
    let num_columns = directory.length()?;
    let columns = (0..num_columns).map(|_| next_range(&mut directory)).collect::<std::result::Result<_, _>>()?;
    Ok((rows, columns))
}
