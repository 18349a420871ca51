//! The stored records of a segment, block by block.
//!
//! The engine's own reader looks up the block of each document in its skip index, which takes
//! longer than decoding a record. This reader keeps the block that it has read. It reads version 2
//! of the engine's file of documents, uncompressed; its integers are little-endian, and the last
//! byte of a varint has the top bit:
//!
//! ```text
//! file         blocks, skip index, footer
//! block        documents; where each of them starts (u32 each); their number (u32)
//! document     number of values (varint); the record: field (u32), type (u8), length (varint), bytes
//! skip index   number of layers, and where each of them ends (varints); layers, from the top down
//! layer        groups of checkpoints: their number, the first document, the first byte, and for each how many documents and bytes (varints)
//! footer       version (u32), bytes of all blocks (u64), compression (u8), 15 zeros
//! ```
//!
//! A checkpoint stands for a group of the next layer; in the last layer, for a block.

use std::ops::Range;

use tantivy::directory::{FileSlice, OwnedBytes};
use tantivy::error::DataCorruption;
use tantivy::index::SegmentComponent;
use tantivy::{DocId, HasLen, TantivyError};

use super::schema::SCHEMA;

const FOOTER_BYTES: usize = 28;
const VERSION: u32 = 2;
const UNCOMPRESSED: u8 = 0;

/// The type of a value of bytes.
const BYTES: u8 = 4;

/// Documents after a block that are near enough for reading ahead.
const NEAR_DOCS: u64 = 256;

pub(crate) struct StoredRecords {
    blocks: FileSlice,
    /// The same blocks, of which nothing is read ahead.
    single_blocks: FileSlice,
    layers: Vec<OwnedBytes>,
}

/// A block of documents.
pub(crate) struct RecordBlock {
    docs: Range<u64>,
    bytes: OwnedBytes,
}

impl StoredRecords {
    /// Opens the records of a segment, which is opened a second time so that nothing is read ahead.
    pub(crate) fn open(segment: &tantivy::Segment, single: &tantivy::Segment) -> tantivy::Result<Self> {
        let [file, single] = [segment, single].map(|segment| segment.open_read(SegmentComponent::Store));
        Self::read(file?, &single?)
    }

    fn read(file: FileSlice, single: &FileSlice) -> tantivy::Result<Self> {
        let body_bytes = file.len().checked_sub(FOOTER_BYTES).ok_or_else(|| corrupt("its footer"))?;
        let (body, footer) = file.split(body_bytes);
        let blocks_bytes = read_footer(&footer.read_bytes()?).filter(|&bytes| bytes <= body.len());
        let (blocks, index) = body.split(blocks_bytes.ok_or_else(|| corrupt("its footer"))?);
        let layers = split_layers(&index.read_bytes()?).ok_or_else(|| corrupt("its skip index"))?;
        let single_blocks = single.slice(0..blocks.len());
        Ok(Self { blocks, single_blocks, layers })
    }

    /// Returns the bytes of the record of a document. The block is read, unless `block` is that
    /// block.
    pub(crate) fn get<'a>(&self, doc: DocId, block: &'a mut Option<RecordBlock>) -> tantivy::Result<&'a [u8]> {
        if !block.as_ref().is_some_and(|block| block.docs.contains(&doc.into())) {
            let next = block.as_ref().map(|block| block.docs.end);
            *block = Some(self.read_block(doc, next)?);
        }
        block.as_ref().and_then(|block| block.record(doc)).ok_or_else(|| corrupt(format_args!("document {doc}")))
    }

    /// Reads the block of a document. `next` is the document after the last block: if that is near,
    /// the following blocks are read ahead. Otherwise they would evict what other requests use.
    fn read_block(&self, doc: DocId, next: Option<u64>) -> tantivy::Result<RecordBlock> {
        let (docs, range) = self.find_block(doc.into()).ok_or_else(|| corrupt(format_args!("document {doc}")))?;
        let is_near = next.is_some_and(|next| (next..next + NEAR_DOCS).contains(&docs.start));
        let blocks = if is_near { &self.blocks } else { &self.single_blocks };
        Ok(RecordBlock { docs, bytes: blocks.slice(range).read_bytes()? })
    }

    /// Returns the ranges of documents and bytes of the block of a document.
    fn find_block(&self, doc: u64) -> Option<(Range<u64>, Range<usize>)> {
        let (mut docs, mut bytes) = (0..0, 0..0);
        for layer in &self.layers {
            let mut rest = layer.get(usize::try_from(bytes.start).ok()?..)?;
            (docs, bytes) = find_checkpoint(&mut rest, doc)?;
        }
        let bytes = usize::try_from(bytes.start).ok()?..usize::try_from(bytes.end).ok()?;
        (docs.contains(&doc) && bytes.end <= self.blocks.len()).then_some((docs, bytes))
    }
}

impl RecordBlock {
    fn record(&self, doc: DocId) -> Option<&[u8]> {
        let (rest, num_docs) = self.bytes.split_last_chunk()?;
        let starts_bytes = usize::try_from(u32::from_le_bytes(*num_docs)).ok()?.checked_mul(size_of::<u32>())?;
        let (documents, starts) = rest.split_at_checked(rest.len().checked_sub(starts_bytes)?)?;
        let starts = starts.as_chunks().0;
        let offset = |position| starts.get(position).and_then(|start| usize::try_from(u32::from_le_bytes(*start)).ok());
        let position = usize::try_from(u64::from(doc) - self.docs.start).ok()?;
        let mut document = documents.get(offset(position)?..offset(position + 1).unwrap_or(documents.len()))?;
        take_varint(&mut document)?;
        let (field, [kind, record @ ..]) = document.split_first_chunk()? else { return None };
        let mut record = record;
        let length = usize::try_from(take_varint(&mut record)?).ok()?;
        let is_record = u32::from_le_bytes(*field) == SCHEMA.record.field_id() && *kind == BYTES;
        record.get(..length).filter(|_| is_record)
    }
}

/// Writes a document with its record, if it has one, and replaces the content of `document`.
pub(super) fn write_document(record: Option<&[u8]>, document: &mut Vec<u8>) {
    document.clear();
    put_varint(u64::from(record.is_some()), document);
    if let Some(record) = record {
        document.extend(SCHEMA.record.field_id().to_le_bytes());
        document.push(BYTES);
        put_varint(record.len() as u64, document);
        document.extend(record);
    }
}

/// Returns the bytes of all blocks, unless this reader cannot read them.
fn read_footer(footer: &[u8]) -> Option<usize> {
    let (version, rest) = footer.split_first_chunk()?;
    let (blocks_bytes, rest) = rest.split_first_chunk()?;
    let is_known = u32::from_le_bytes(*version) == VERSION && rest.first() == Some(&UNCOMPRESSED);
    usize::try_from(u64::from_le_bytes(*blocks_bytes)).ok().filter(|_| is_known)
}

fn split_layers(index: &OwnedBytes) -> Option<Vec<OwnedBytes>> {
    let mut rest = index.as_slice();
    let num_layers = take_varint(&mut rest)?;
    let ends = (0..num_layers).map(|_| usize::try_from(take_varint(&mut rest)?).ok()).collect::<Option<Vec<_>>>()?;
    let layers = index.slice(index.len() - rest.len()..index.len());
    let mut start = 0;
    let split = |end| {
        let range = std::mem::replace(&mut start, end)..end;
        layers.get(range.clone()).map(|_| layers.slice(range))
    };
    ends.into_iter().map(split).collect()
}

/// Returns the ranges of documents and bytes of the first checkpoint that ends after a document.
fn find_checkpoint(rest: &mut &[u8], doc: u64) -> Option<(Range<u64>, Range<u64>)> {
    loop {
        let num_checkpoints = take_varint(rest)?;
        let (mut docs, mut bytes) = (take_varint(rest)?, take_varint(rest)?);
        for _ in 0..num_checkpoints {
            let ends = (docs.checked_add(take_varint(rest)?)?, bytes.checked_add(take_varint(rest)?)?);
            if ends.0 > doc {
                return Some((docs..ends.0, bytes..ends.1));
            }
            (docs, bytes) = ends;
        }
    }
}

fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte >= 0x80 {
            return Some(value);
        }
    }
    None
}

fn put_varint(mut value: u64, bytes: &mut Vec<u8>) {
    loop {
        let [byte, ..] = value.to_le_bytes();
        value >>= 7;
        if value == 0 {
            return bytes.push(byte | 0x80);
        }
        bytes.push(byte & 0x7f);
    }
}

fn corrupt(what: impl std::fmt::Display) -> TantivyError {
    DataCorruption::comment_only(format!("the file of records: {what} cannot be read")).into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tantivy::schema::Value;
    use tantivy::{SegmentReader, TantivyDocument};
    use tempfile::TempDir;

    use super::*;
    use crate::segments::segment::{Access, open_segment};
    use crate::{Record, SegmentWriter};
    use store::{BiomeTable, FamilyTable, ProteinAccession};

    /// Writes a record for each length of a sequence.
    fn write(folder: &TempDir, lengths: &[usize]) -> tantivy::Segment {
        let mut writer = SegmentWriter::create(folder.path(), "segment", 64 << 20).expect("new");
        for (number, &length) in (1..).zip(lengths) {
            let accession = ProteinAccession::new(number).expect("in range");
            let record = Record { sequence: "MKVLA".repeat(length), ..Record::default() };
            writer.add(&BiomeTable::default(), &FamilyTable::default(), accession, &record).expect("ascending");
        }
        let entry = writer.finish().expect("written").expect("not empty");
        open_segment(&folder.path().join("segment"), &entry, Access::Mapped).expect("whole")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn records_equal_those_of_the_engine(
            lengths in proptest::collection::vec(prop_oneof![9 => 0..200_usize, 1 => 2000..3000_usize], 1..3000),
            jumps in proptest::collection::vec(any::<proptest::sample::Index>(), 100),
        ) {
            let folder = TempDir::new().expect("a temporary folder");
            let segment = write(&folder, &lengths);
            let records = StoredRecords::open(&segment, &segment).expect("known");
            let theirs = SegmentReader::open(&segment).expect("whole").get_store_reader(1).expect("whole");
            let num_docs = DocId::try_from(lengths.len()).expect("few");
            let jumps = jumps.iter().map(|jump| DocId::try_from(jump.index(lengths.len())).expect("few"));
            let mut block = None;
            for doc in (0..num_docs).chain(jumps) {
                let document: TantivyDocument = theirs.get(doc).expect("whole");
                let expected = document.get_first(SCHEMA.record).and_then(|value| value.as_bytes()).expect("a record");
                prop_assert_eq!(records.get(doc, &mut block).expect("whole"), expected);
                prop_assert!(records.get(doc, &mut None).is_ok_and(|record| record == expected));
            }
            prop_assert!(records.get(num_docs, &mut block).is_err());
        }

        #[test]
        fn damage_is_an_error(place: proptest::sample::Index, byte: u8, is_at_end: bool) {
            let folder = TempDir::new().expect("a temporary folder");
            let segment = write(&folder, &[9; 900]);
            let bytes = segment.open_read(SegmentComponent::Store).expect("whole").read_bytes().expect("whole");
            let mut bytes = bytes.to_vec();
            let first = if is_at_end { bytes.len() - 200 } else { 0 };
            let place = first + place.index(bytes.len() - first);
            bytes[place] = byte;
            for bytes in [&bytes[..place], &bytes] {
                let file = FileSlice::from(bytes.to_vec());
                let Ok(records) = StoredRecords::read(file.clone(), &file) else { continue };
                let mut block = None;
                for doc in 0..901 {
                    let _ = records.get(doc, &mut block);
                }
            }
        }
    }
}
