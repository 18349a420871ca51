//! Search and fetch, measured beside their rivals in the same run.
//!
//! **What is measured.** For common, middle and rare families, broad and deep biomes, at limits 50
//! and 1000, the median time of
//! - *ours*: [`ProteinGeneration::search`], from filter to hits;
//! - *floor*: decoding `limit` postings of terms that are looked up already, and nothing else: no
//!   search can be faster;
//! - *`TopDocs`*: the engine's own collector, ordered by the accession column, over the same files.
//!
//! The hits of ours and of `TopDocs` are compared. Then the median time to fetch and decode a
//! record, and bytes a record, in all and by field; queries of several conditions (`queries`),
//! also in DuckDB (`duckdb`); the worst pages that queries can ask for (`budget`); a
//! full export (`export`), look-ups of sequences (`lookup`), batches (`batch`) and facets
//! (`facets`), which DuckDB groups, too.
//!
//! **Corpus.** Synthetic representatives with the distributions of the real release (see
//! `synthetic`), seeded, indexed as `mgdex index` does with its default memory.
//!
//! **Notes.** `cargo bench --bench search` takes some ten minutes and 5 GB of disk.
//! `MGDEX_BENCH_PROTEINS=100000` measures other sizes, several separated by commas. Everything is
//! in the page cache: what a cold disk adds is the disk's.

#![expect(clippy::print_stdout, reason = "the results")]

mod batch;
mod budget;
mod corpus;
mod duckdb;
mod export;
mod facets;
mod lookup;
mod processor;
mod queries;
mod rival;
mod synthetic;

use store_proteins::ProteinQuery;
use support::measure::{median_us, ratio};

use corpus::{Corpus, QuerySet};
use processor::processor_time;
use rival::Rival;

/// The default sizes.
const NUM_PROTEINS: [usize; 2] = [1_000_000, 10_000_000];

/// The limits that are measured.
const LIMITS: [usize; 2] = [50, 1000];

fn main() {
    let mut medians: Vec<Vec<(String, f64)>> = Vec::new();
    for num_proteins in sizes() {
        let corpus = Corpus::build(num_proteins);
        println!("\n{num_proteins} proteins, {} segments", corpus.num_segments());
        println!("  {:.2} bytes a protein for postings and columns", corpus.index_bytes_per_protein());
        println!("  {:.2} bytes a protein for the table of facets", corpus.table_bytes_per_protein());
        println!("  {:.1} bytes a protein for stored records", corpus.store_bytes_per_protein());
        println!("  {:.1} s to index and check, on one thread", corpus.indexing.as_secs_f64());
        println!(
            "  {:.1} bytes a protein for digests of sequences, {:.1} s to index them, on one thread",
            corpus.checksums_bytes_per_protein(),
            corpus.digesting.as_secs_f64()
        );
        print_fields(&corpus, num_proteins);
        println!(
            "  {:<16} {:>6} {:>10} {:>10} {:>9} {:>12} {:>9}",
            "median µs", "limit", "ours", "floor", "× floor", "TopDocs", "× faster"
        );
        medians.push(LIMITS.iter().flat_map(|&limit| measure_searches(&corpus, limit)).collect());
        measure_fetch(&corpus);
        let measured = queries::measure(&corpus, &Rival::open(&corpus));
        budget::measure(&corpus);
        export::measure(&corpus);
        lookup::measure(&corpus);
        batch::measure(&corpus);
        let counted = facets::measure(&corpus);
        duckdb::measure(&corpus, &measured, &counted);
    }
    if let [small, .., large] = medians.as_slice() {
        println!("\nlargest against smallest corpus:");
        for ((name, small), (_, large)) in small.iter().zip(large) {
            println!("  {name:<23} {:.2}", ratio(*large, *small));
        }
    }
}

/// Prints the bytes a protein of each field.
fn print_fields(corpus: &Corpus, num_proteins: usize) {
    println!("  {:<20} {:>9} {:>9} {:>9}", "bytes a protein", "postings", "terms", "column");
    for (field, bytes) in Rival::open(corpus).field_bytes() {
        #[expect(clippy::cast_precision_loss, reason = "a mean")]
        let [postings, terms, column] = bytes.map(|bytes| bytes as f64 / num_proteins as f64);
        println!("  {field:<20} {postings:>9.3} {terms:>9.3} {column:>9.3}");
    }
}

/// Measures all sets of queries at a limit, and returns the medians of mgdex.
fn measure_searches(corpus: &Corpus, limit: usize) -> Vec<(String, f64)> {
    let rival = Rival::open(corpus);
    let mut medians = Vec::new();
    for QuerySet { name, queries } in corpus.query_sets() {
        compare_hits(corpus, &rival, &queries, limit);
        let ours = median_us(processor_time, &queries, |query| {
            corpus.generation().search(query, limit).expect("readable").len()
        });
        let floor = median_us(processor_time, &rival.postings(&queries), |postings| rival.decode(postings, limit));
        let top_docs = median_us(processor_time, &rival.queries(&queries), |query| rival.top_docs(query, limit).len());
        println!(
            "  {name:<16} {limit:>6} {ours:>10.2} {floor:>10.2} {:>9.1} {top_docs:>12.1} {:>9.0}",
            ratio(ours, floor),
            ratio(top_docs, ours)
        );
        medians.push((format!("{name}, limit {limit}"), ours));
    }
    medians
}

/// Checks that mgdex and the rival find the same proteins.
fn compare_hits(corpus: &Corpus, rival: &Rival, queries: &[ProteinQuery], limit: usize) {
    for (query, theirs) in queries.iter().zip(rival.queries(queries)) {
        let hits = corpus.generation().search(query, limit).expect("readable");
        let ours: Vec<u64> = hits.iter().map(|hit| hit.accession.number()).collect();
        assert_eq!(ours, rival.top_docs(&theirs, limit), "{query:?}");
    }
}

/// Measures fetching and decoding.
fn measure_fetch(corpus: &Corpus) {
    let accessions = corpus.random_accessions();
    let fetch = median_us(processor_time, &accessions, |&accession| {
        let protein = corpus.generation().fetch(accession).expect("readable").expect("indexed");
        protein.sequence.len()
    });
    println!("  fetch and decode a record: {fetch:.2} µs");
}

/// Returns the sizes to measure.
fn sizes() -> Vec<usize> {
    match std::env::var("MGDEX_BENCH_PROTEINS") {
        Ok(text) => text.split(',').map(|size| size.trim().parse().expect("a number of proteins")).collect(),
        Err(_) => NUM_PROTEINS.to_vec(),
    }
}
