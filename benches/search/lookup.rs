//! Look-ups of 10,000 sequences, beside a hash table of all digests.
//!
//! **What is measured.** A FASTA file of 10,000 sequences, all of them in the index or none:
//! reading it, digesting the sequences, finding them in the index of digests and comparing them
//! with the stored ones, and writing a line for each (*ours*). *Digests*: reading and digesting
//! alone. *Table*: the same, and asking a hash table of the MD5 digests of all proteins that was
//! made before, without a comparison. Everything is in the page cache, and times are those of the
//! processor.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Cursor;
use std::sync::Arc;
use std::time::Duration;

use api_proteins::SequenceLookup;
use store::{FastaReader, ProteinAccession};
use store_proteins::{DigestAlgorithm, RecordParts, SequenceDigest};
use support::measure::ratio;

use crate::corpus::Corpus;
use crate::processor::processor_time;

const NUM_SEQUENCES: usize = 10_000;

/// Each is measured as often, and the best time counts.
const ROUNDS: usize = 5;

pub(crate) fn measure(corpus: &Corpus) {
    let table = table(corpus);
    let (mut known, mut unknown) = (String::new(), String::new());
    let mut records = corpus.generation().reader(RecordParts::SEQUENCE);
    for (number, accession) in corpus.random_accessions().into_iter().take(NUM_SEQUENCES).enumerate() {
        let sequence = records.fetch(accession).expect("sound").expect("indexed").sequence;
        // Writing into memory does not fail.
        let _ = writeln!(known, ">{number}\n{sequence}");
        let _ = writeln!(unknown, ">{number}\n{sequence}W");
    }
    for (name, fasta) in [("known", known), ("unknown", unknown)] {
        let ours = best(|| {
            let mut lookup =
                SequenceLookup::new(Arc::clone(corpus.generation()), FastaReader::new(Cursor::new(&fasta)), false);
            let parts = std::iter::from_fn(|| lookup.next_part().expect("sound"));
            let lines: Vec<u8> = parts.flatten().collect();
            lines.split(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\"}")).count()
        });
        let digests = best(|| md5s(&fasta).count());
        let theirs = best(|| md5s(&fasta).filter(|md5| table.contains_key(md5)).count());
        assert_eq!(ours.0, theirs.0);
        let [ours, digests, theirs] = [ours.1, digests.1, theirs.1].map(|time| time.as_secs_f64() * 1e3);
        println!(
            "  look-up of {NUM_SEQUENCES}, {name:<8} ours {ours:>8.1} ms   digests {digests:>7.1} ms   table {theirs:>7.1} ms   × table {:>5.1}",
            ratio(ours, theirs)
        );
    }
}

/// Returns the lowest accession of each digest.
fn table(corpus: &Corpus) -> HashMap<[u8; 16], ProteinAccession> {
    let mut table = HashMap::new();
    let mut records = corpus.generation().reader(RecordParts::SEQUENCE);
    for &accession in corpus.accessions() {
        let protein = records.fetch(accession).expect("sound").expect("indexed");
        table.entry(md5(&protein.sequence)).or_insert(accession);
    }
    table
}

fn md5s(fasta: &str) -> impl Iterator<Item = [u8; 16]> {
    let mut reader = FastaReader::new(fasta.as_bytes());
    let next = move || reader.next_sequence().expect("memory");
    std::iter::from_fn(next).map(|sequence| md5(&sequence.sequence.expect("residues")))
}

fn md5(sequence: &str) -> [u8; 16] {
    match DigestAlgorithm::Md5.digest(sequence) {
        SequenceDigest::Md5(bytes) => bytes,
        SequenceDigest::Sha512t24u(_) => unreachable!("it is another algorithm"),
    }
}

/// Returns the result of some work, and the shortest time that it took.
fn best(work: impl Fn() -> usize) -> (usize, Duration) {
    let rounds = (0..ROUNDS).map(|_| {
        let started = processor_time();
        let result = work();
        (result, processor_time().saturating_sub(started))
    });
    rounds.min_by_key(|(_, time)| *time).expect("several rounds")
}
