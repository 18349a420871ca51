//! A full export, beside reading the same file.
//!
//! **What is measured.** All proteins as FASTA, written to a file in pages as a stream does it; the accessions alone; and `cat` of the
//! file. Everything is in the page cache, and times are those of the processor, `cat` excepted.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use store::{ProteinPages, ProteinQuery};
use tempfile::NamedTempFile;

use crate::corpus::Corpus;
use crate::processor::processor_time;

const BUFFER_BYTES: usize = 1 << 20;

pub(crate) fn measure(corpus: &Corpus) {
    let file = NamedTempFile::new_in(env!("CARGO_TARGET_TMPDIR")).expect("room");
    let started = processor_time();
    let num_hits: usize = pages(corpus).map(|page| page.expect("sound").hits.len()).sum();
    print_line("hits only", num_hits, 0, processor_time().saturating_sub(started));

    let started = processor_time();
    let mut out = BufWriter::with_capacity(BUFFER_BYTES, file.as_file());
    let generation = corpus.generation();
    for page in pages(corpus) {
        let mut reader = generation.reader();
        for hit in page.expect("sound").hits {
            let protein = reader.fetch(hit.accession).expect("sound").expect("found");
            writeln!(out, ">{} CLUSTER={}\n{}", hit.accession, hit.cluster_size, protein.sequence).expect("room");
        }
    }
    out.flush().expect("room");
    drop(out);
    let size_bytes = file.as_file().metadata().expect("there").len();
    print_line("FASTA", num_hits, size_bytes, processor_time().saturating_sub(started));

    let started = std::time::Instant::now();
    let sink = File::create("/dev/null").expect("there");
    let status = Command::new("cat").arg(file.path()).stdout(Stdio::from(sink)).status().expect("cat");
    assert!(status.success());
    print_line("cat of that file", num_hits, size_bytes, started.elapsed());
}

fn pages(corpus: &Corpus) -> ProteinPages {
    ProteinPages::new(Arc::clone(corpus.generation()), ProteinQuery::Everything, None, None).expect("of this format")
}

#[expect(clippy::cast_precision_loss, reason = "rates")]
fn print_line(name: &str, num_records: usize, size_bytes: u64, elapsed: Duration) {
    let seconds = elapsed.as_secs_f64();
    let (records, megabytes) = (num_records as f64 / seconds / 1e6, size_bytes as f64 / seconds / 1e6);
    println!("  export, {name:<18} {seconds:>7.2} s {records:>8.2} M records/s {megabytes:>8.0} MB/s");
}
