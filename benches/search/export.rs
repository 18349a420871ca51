//! A full export, beside reading the same file.
//!
//! **What is measured.** All proteins as FASTA, written to a file in pages as a stream does it; columns of records as TSV; the hits alone;
//! and `cat` of the FASTA. Everything is in the page cache, and times are those of the processor, `cat` excepted.

use std::fs::File;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use api::proteins::{ResultField, ResultFormat, ResultWriter};
use store::{ProteinPages, ProteinQuery};
use tempfile::NamedTempFile;

use crate::corpus::Corpus;
use crate::processor::processor_time;

pub(crate) fn measure(corpus: &Corpus) {
    let started = processor_time();
    let num_hits: usize = pages(corpus).map(|page| page.expect("sound").hits.len()).sum();
    print_line("export, hits only", num_hits, 0, processor_time().saturating_sub(started));

    let columns = [ResultField::Accession, ResultField::Biomes, ResultField::Pfam];
    write(corpus, "export, biomes, Pfam", &ResultWriter::new(ResultFormat::Tsv, &columns));
    let columns = [ResultField::Accession, ResultField::Studies, ResultField::Assemblies];
    write(corpus, "export, studies", &ResultWriter::new(ResultFormat::Tsv, &columns));
    let file = write(corpus, "export, FASTA", &ResultWriter::new(ResultFormat::Fasta, &[]));

    let started = Instant::now();
    let sink = File::create("/dev/null").expect("there");
    let status = Command::new("cat").arg(file.path()).stdout(Stdio::from(sink)).status().expect("cat");
    assert!(status.success());
    let size_bytes = file.as_file().metadata().expect("there").len();
    print_line("cat of the FASTA", num_hits, size_bytes, started.elapsed());
}

fn write(corpus: &Corpus, name: &str, writer: &ResultWriter) -> NamedTempFile {
    let mut file = NamedTempFile::new_in(env!("CARGO_TARGET_TMPDIR")).expect("room");
    let (mut num_hits, mut text) = (0, Vec::new());
    let started = processor_time();
    for page in pages(corpus) {
        let page = page.expect("sound");
        writer.write_page(corpus.generation(), &page, &mut text).expect("sound");
        file.write_all(&text).expect("room");
        text.clear();
        num_hits += page.hits.len();
    }
    let elapsed = processor_time().saturating_sub(started);
    print_line(name, num_hits, file.as_file().metadata().expect("there").len(), elapsed);
    file
}

fn pages(corpus: &Corpus) -> ProteinPages {
    ProteinPages::new(Arc::clone(corpus.generation()), ProteinQuery::Everything, None, None)
}

#[expect(clippy::cast_precision_loss, reason = "rates")]
pub(crate) fn print_line(name: &str, num_records: usize, size_bytes: u64, elapsed: Duration) {
    let seconds = elapsed.as_secs_f64();
    let (records, megabytes) = (num_records as f64 / seconds / 1e6, size_bytes as f64 / seconds / 1e6);
    println!("  {name:<22} {seconds:>7.2} s {records:>8.2} M records/s {megabytes:>8.0} MB/s");
}
