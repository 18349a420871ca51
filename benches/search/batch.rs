//! Batches: the records of many accessions in any order.
//!
//! **What is measured.** 10,000 random accessions are looked up, and written as a batch writes
//! them: some fields of columns, some of records, and sequences. Times are those of the processor.

use api_proteins::{ResultField, ResultFormat, ResultWriter};
use store_proteins::ProteinPage;

use crate::corpus::Corpus;
use crate::export::print_line;
use crate::processor::processor_time;

const NUM_ACCESSIONS: usize = 10_000;

/// The accessions that are written at a time.
const PART: usize = 256;

pub(crate) fn measure(corpus: &Corpus) {
    let mut accessions = corpus.random_accessions();
    accessions.truncate(NUM_ACCESSIONS);
    for (name, writer) in [
        ("batch, columns", ResultWriter::new(ResultFormat::Ndjson, &ResultField::DEFAULT)),
        ("batch, families", ResultWriter::new(ResultFormat::Ndjson, &[ResultField::Accession, ResultField::Pfam])),
        ("batch, FASTA", ResultWriter::new(ResultFormat::Fasta, &[])),
    ] {
        let (mut text, mut num_bytes) = (Vec::new(), 0);
        let started = processor_time();
        let find = |accession| corpus.generation().find(accession).expect("sound").expect("indexed");
        let hits: Vec<_> = accessions.iter().copied().map(find).collect();
        for hits in hits.chunks(PART) {
            let page = ProteinPage { hits: hits.to_vec(), next: None };
            writer.write_page(corpus.generation(), &page, &mut text).expect("sound");
            num_bytes += text.len() as u64;
            text.clear();
        }
        print_line(name, accessions.len(), num_bytes, processor_time().saturating_sub(started));
    }
}
