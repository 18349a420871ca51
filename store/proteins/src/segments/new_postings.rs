//! The postings of a segment that is being written.
//!
//! Documents are added in order, and most of their terms are not new: lineages, facts and families
//! are few. So each term has a number, a document is a list of numbers, and one counting sort at
//! the end gives the documents of each term.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;
use tantivy::DocId;
use tantivy::postings::{FieldSerializer, InvertedIndexSerializer};
use tantivy::schema::Field;

use super::schema::SearchTerm;

/// Bytes of the number of a field in front of the value of a term.
const FIELD_BYTES: usize = 4;

/// Bytes of a posting: its term, and its document when they are sorted.
const POSTING_BYTES: usize = 8;

/// Values of at most this number of bits are small numbers.
const SMALL_BITS: u32 = u16::BITS;

#[derive(Default)]
pub(crate) struct NewPostings {
    /// By field and value, so that they sort as the engine wants them.
    terms: IndexMap<Key, NewTerm, FxBuildHasher>,
    /// The numbers of terms that are small numbers, by field and value, from 1 on; 0 for missing
    /// terms.
    small: Vec<u32>,
    /// Bytes of the keys of all terms.
    key_bytes: usize,
    /// The numbers of the terms of each document, one document after the other.
    numbers: Vec<u32>,
    /// The end of the numbers of each document.
    ends: Vec<usize>,
    key: Vec<u8>,
}

/// Accessions of studies and assemblies are stored in the table itself.
type Key = SmallVec<[u8; 20]>;

#[derive(Default)]
struct NewTerm {
    num_docs: u32,
    last: DocId,
}

impl NewPostings {
    /// Makes postings of at most `num_fields` fields.
    pub(crate) fn new(num_fields: usize) -> Self {
        Self {
            // Memory that is never written takes no space.
            small: vec![0; num_fields << SMALL_BITS],
            ..Self::default()
        }
    }

    /// Adds a term of the next document. A term that it already has is not added again.
    pub(crate) fn add(&mut self, term: SearchTerm<'_>) {
        let doc = DocId::try_from(self.ends.len()).expect("a segment has fewer documents");
        let place = term.small_number().map(|value| term.field.field_id() << SMALL_BITS | u32::from(value));
        let known = place.and_then(|place| self.small[place as usize].checked_sub(1));
        let number = known.unwrap_or_else(|| self.number(term));
        if let Some(place) = place {
            self.small[place as usize] = number + 1;
        }
        let known = &mut self.terms[number as usize];
        if known.num_docs == 0 || known.last != doc {
            known.last = doc;
            known.num_docs += 1;
            self.numbers.push(number);
        }
    }

    /// Returns the number of a term.
    fn number(&mut self, term: SearchTerm<'_>) -> u32 {
        self.key.clear();
        self.key.extend(term.field.field_id().to_be_bytes());
        term.write_value(&mut self.key);
        let number = self.terms.get_index_of(self.key.as_slice()).unwrap_or_else(|| {
            self.key_bytes += self.key.len();
            self.terms.insert_full(self.key.as_slice().into(), NewTerm::default()).0
        });
        u32::try_from(number).expect("fewer terms fit into memory")
    }

    /// Ends the document.
    pub(crate) fn end_document(&mut self) {
        self.ends.push(self.numbers.len());
    }

    /// Returns about the number of bytes that it takes, now and while it is written.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.numbers.len() * POSTING_BYTES
            + self.ends.len() * size_of::<usize>()
            + self.terms.len() * 2 * size_of::<(usize, Key, NewTerm)>()
            + self.key_bytes
    }

    /// Writes the postings.
    pub(crate) fn write(self, serializer: &mut InvertedIndexSerializer) -> tantivy::Result<()> {
        let (docs, ends) = self.docs_by_term();
        let with_docs = self.terms.iter().zip(ends);
        let mut terms: Vec<(&[u8], &[DocId])> =
            with_docs.map(|((key, term), end)| (&**key, &docs[end - term.num_docs as usize..end])).collect();
        terms.sort_unstable_by_key(|&(key, _)| key);
        for terms in terms.chunk_by(|(left, _), (right, _)| left[..FIELD_BYTES] == right[..FIELD_BYTES]) {
            let (field, _) = terms[0].0.split_first_chunk().expect("a key begins with a field");
            let num_postings = terms.iter().map(|(_, docs)| docs.len() as u64).sum();
            let mut field =
                serializer.new_field(Field::from_field_id(u32::from_be_bytes(*field)), num_postings, None)?;
            for (key, docs) in terms {
                write_term(&mut field, &key[FIELD_BYTES..], docs)?;
            }
            field.close()?;
        }
        Ok(())
    }

    /// Sorts the documents by the numbers of their terms. Also returns the end of the documents of
    /// each term.
    fn docs_by_term(&self) -> (Vec<DocId>, Vec<usize>) {
        let mut end = 0;
        let start_of = |term: &NewTerm| {
            end += term.num_docs as usize;
            end - term.num_docs as usize
        };
        let mut places: Vec<usize> = self.terms.values().map(start_of).collect();
        let mut docs = vec![0; self.numbers.len()];
        let mut start = 0;
        for (doc, &end) in (0..).zip(&self.ends) {
            for &number in &self.numbers[start..end] {
                let place = &mut places[number as usize];
                docs[*place] = doc;
                *place += 1;
            }
            start = end;
        }
        (docs, places)
    }
}

fn write_term(field: &mut FieldSerializer<'_>, value: &[u8], docs: &[DocId]) -> std::io::Result<()> {
    field.new_term_without_freq(value)?;
    for &doc in docs {
        field.write_doc(doc, 0, &[]);
    }
    field.close_term()
}
