//! A full export, beside reading the same file.
//!
//! **What is measured.** All proteins as FASTA, written to a file in pages as a stream does it;
//! columns of records as TSV; the hits alone; and `cat` of the FASTA. The same columns as Parquet,
//! as an Arrow stream and as NDJSON; and `COPY` of DuckDB, which writes the rows of this Parquet
//! file from a database of its own to another one, on one thread. Everything is in the page cache,
//! and times are those of the processor, `cat` excepted.

use std::fs::File;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use api_proteins::ResultField::{
    Accession, Assemblies, Biomes, ClusterSize, FullLength, Length, Pfam, Sequence, Studies,
};
use api_proteins::{ResultField, ResultFormat, ResultWriter};
use serde_json::Value;
use store_proteins::{ProteinPages, ProteinQuery};
use support::{needed_python, project};
use tempfile::{NamedTempFile, TempDir};

use crate::corpus::Corpus;
use crate::processor::processor_time;

pub(crate) fn measure(corpus: &Corpus) {
    let started = processor_time();
    let num_hits: usize = pages(corpus).map(|page| page.expect("sound").hits.len()).sum();
    print_line("export, hits only", num_hits, 0, processor_time().saturating_sub(started));

    let columns = [Accession, Length, FullLength, ClusterSize, Sequence, Biomes, Pfam];
    write(corpus, "export, NDJSON", ResultFormat::Ndjson, &columns);
    write(corpus, "export, Arrow", ResultFormat::Arrow, &columns);
    let table = write(corpus, "export, Parquet", ResultFormat::Parquet, &columns);
    copy(&table, num_hits);
    drop(table);
    write(corpus, "export, biomes, Pfam", ResultFormat::Tsv, &[Accession, Biomes, Pfam]);
    write(corpus, "export, studies", ResultFormat::Tsv, &[Accession, Studies, Assemblies]);
    let file = write(corpus, "export, FASTA", ResultFormat::Fasta, &[]);

    let started = Instant::now();
    let sink = File::create("/dev/null").expect("there");
    let status = Command::new("cat").arg(file.path()).stdout(Stdio::from(sink)).status().expect("cat");
    assert!(status.success());
    let size_bytes = file.as_file().metadata().expect("there").len();
    print_line("cat of the FASTA", num_hits, size_bytes, started.elapsed());
}

fn write(corpus: &Corpus, name: &str, format: ResultFormat, fields: &[ResultField]) -> NamedTempFile {
    let file = NamedTempFile::with_suffix_in(".parquet", env!("CARGO_TARGET_TMPDIR"));
    let (mut file, mut num_hits, mut text) = (file.expect("room"), 0, Vec::new());
    let started = processor_time();
    let writer = ResultWriter::new(format, fields).begin(Arc::clone(corpus.generation()), String::new());
    let mut writer = writer.expect("room");
    for page in pages(corpus) {
        let page = page.expect("sound");
        writer.write_page(&page, &mut text).expect("sound");
        file.write_all(&text).expect("room");
        text.clear();
        num_hits += page.hits.len();
    }
    writer.finish(&mut text).expect("sound");
    file.write_all(&text).expect("room");
    let elapsed = processor_time().saturating_sub(started);
    print_line(name, num_hits, file.as_file().metadata().expect("there").len(), elapsed);
    file
}

/// Has DuckDB write the rows of a Parquet file to another one.
fn copy(table: &NamedTempFile, num_hits: usize) {
    let python = needed_python("benches/search/requirements.txt").expect("DuckDB");
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("room");
    let script = project("benches/search/copy_duckdb.py");
    let output = Command::new(python).arg(script).args([table.path(), folder.path()]).output().expect("Python");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let copied: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(copied["rows"], num_hits);
    let seconds = Duration::from_secs_f64(copied["seconds"].as_f64().expect("a number"));
    print_line("COPY of DuckDB", num_hits, copied["bytes"].as_u64().expect("a number"), seconds);
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
