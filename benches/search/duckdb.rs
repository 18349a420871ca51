//! DuckDB, with the same proteins in tables.
//!
//! **What is measured.** A page of 50 hits at the beginning and after 99.9 % of the proteins, and
//! counting all matches: the median time of the processor with one thread, and the shortest time on
//! the clock with all threads, which other processes lengthen. The shorter of the two is compared
//! with the times of `queries`. Hits and counts are compared.
//!
//! **Tables.** `proteins` with what a hit shows, `protein_pfam` and `protein_biome` with each
//! family and biome of a protein, all with ascending accessions: imported into a database, and as
//! Parquet files. The quicker of the two is shown. A query for a biome names all biomes below it,
//! which is two to four times as fast as a table of ancestors. Each query runs once before
//! it is measured.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use store::{BiomeTable, PfamAccession, ProteinAccession};
use store_proteins::{FacetKind, FoundProtein, ProteinQuery};
use support::{needed_python, project};
use tempfile::TempDir;

use crate::corpus::{Corpus, synthetic};
use crate::facets::Counted;
use crate::queries::{Measured, deep_cursor};

const PAGE_HITS: usize = 50;

/// Returns the condition that a user of DuckDB would write, or `None` if the tables do not have
/// what the query needs.
fn condition(query: &ProteinQuery, biomes: &BiomeTable) -> Option<String> {
    let all = |parts: &[ProteinQuery], word| {
        let parts: Option<Vec<_>> = parts.iter().map(|part| condition(part, biomes)).collect();
        Some(format!("({})", parts?.join(word)))
    };
    let among = |table, column, values: String| {
        Some(format!("accession IN (SELECT accession FROM {table} WHERE {column} IN ({values}))"))
    };
    match query {
        ProteinQuery::Everything => Some("true".to_owned()),
        ProteinQuery::And(parts) => all(parts, " AND "),
        ProteinQuery::Or(parts) => match parts.iter().map(family_number).collect::<Option<Vec<_>>>() {
            Some(families) => among("protein_pfam", "family", families.join(", ")),
            None => all(parts, " OR "),
        },
        ProteinQuery::Not(part) => Some(format!("NOT {}", condition(part, biomes)?)),
        ProteinQuery::Biome(biome) => {
            let below = (0..)
                .take(biomes.iter().len())
                .filter(|&other| biomes.self_and_ancestors(other).any(|it| it == *biome));
            among("protein_biome", "biome", below.map(|biome| biome.to_string()).collect::<Vec<_>>().join(", "))
        }
        ProteinQuery::Family(_) => among("protein_pfam", "family", family_number(query)?),
        ProteinQuery::FullLength(is_full) => Some(format!("full_length = {is_full}")),
        ProteinQuery::ClusterSize(sizes) if *sizes.end() == u64::MAX => {
            Some(format!("cluster_size >= {}", sizes.start()))
        }
        ProteinQuery::ClusterSize(sizes) => Some(format!("cluster_size BETWEEN {} AND {}", sizes.start(), sizes.end())),
        ProteinQuery::Length(sizes) => Some(format!("length BETWEEN {} AND {}", sizes.start(), sizes.end())),
        _ => None,
    }
}

fn family_number(query: &ProteinQuery) -> Option<String> {
    let ProteinQuery::Family(PfamAccession(number)) = query else { return None };
    Some(number.to_string())
}

/// Returns the questions of a query, in the order of [`Measured::medians_us`].
fn questions(condition: &str, deep: u64) -> [String; 3] {
    let page = |after| {
        format!(
            "SELECT accession, length, full_length, cluster_size FROM proteins WHERE {condition} AND accession > {after} \
             ORDER BY accession LIMIT {PAGE_HITS}"
        )
    };
    [page(0), page(deep), format!("SELECT count(*) FROM proteins WHERE {condition}")]
}

/// Returns the rows that DuckDB must find.
fn expected(corpus: &Corpus, query: &ProteinQuery, after: Option<ProteinAccession>) -> Value {
    let page = corpus.generation().page(query, after, PAGE_HITS, u64::MAX).expect("sound");
    let row = |hit: FoundProtein| json!([hit.accession.number(), hit.length, hit.full_length, hit.cluster_size]);
    page.hits.into_iter().map(row).collect()
}

fn write_tables(corpus: &Corpus, folder: &Path) {
    let table = |name: &str, columns: &str| {
        let file = File::create(folder.join(name).with_extension("csv")).expect("room");
        let mut out = BufWriter::new(file);
        writeln!(out, "{columns}").expect("room");
        out
    };
    let mut proteins = table("proteins", "accession,length,full_length,cluster_size");
    let mut families = table("protein_pfam", "accession,family");
    let mut biomes = table("protein_biome", "accession,biome");
    let (biome_table, mut synthetic) = synthetic();
    for _ in 0..corpus.generation().statistics().num_proteins {
        let (accession, record) = synthetic.next(&biome_table);
        let accession = accession.number();
        let full_length = record.full_length.map(|value| value.to_string()).unwrap_or_default();
        let (length, size) = (record.sequence.len(), record.cluster_size);
        writeln!(proteins, "{accession},{length},{full_length},{size}").expect("room");
        for family in record.pfam_hits.iter().map(|hit| hit.family.0).collect::<BTreeSet<_>>() {
            writeln!(families, "{accession},{family}").expect("room");
        }
        for biome in record.biomes.iter().map(|found| found.biome).collect::<BTreeSet<_>>() {
            writeln!(biomes, "{accession},{biome}").expect("room");
        }
    }
    for mut out in [proteins, families, biomes] {
        out.flush().expect("room");
    }
}

/// Lets DuckDB answer all questions.
fn ask(folder: &Path, questions: &[String]) -> Value {
    let python = needed_python("benches/search/requirements.txt").expect("DuckDB");
    let mut asking = Command::new(python)
        .arg(project("benches/search/ask_duckdb.py"))
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python");
    serde_json::to_writer(asking.stdin.take().expect("piped"), questions).expect("read");
    let output = asking.wait_with_output().expect("Python");
    assert!(output.status.success(), "DuckDB failed");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Returns the question for the numbers of the most frequent values.
fn grouping(counted: &Counted, biomes: &BiomeTable) -> Option<String> {
    let condition = condition(&counted.query, biomes)?;
    let (table, column) = match counted.by {
        FacetKind::Pfam => ("protein_pfam", "family"),
        FacetKind::FullLength => ("proteins", "full_length"),
        _ => return None,
    };
    let condition = match (&counted.query, table) {
        (ProteinQuery::Everything, _) | (_, "proteins") => condition,
        _ => format!("accession IN (SELECT accession FROM proteins WHERE {condition})"),
    };
    let numbers = format!(
        "SELECT {column}, count(*) AS number FROM {table} WHERE {condition} AND {column} IS NOT NULL GROUP BY 1"
    );
    Some(format!("SELECT number FROM ({numbers}) ORDER BY number DESC LIMIT 50"))
}

pub(crate) fn measure(corpus: &Corpus, measured: &[Measured], counted: &[Counted]) {
    let deep = deep_cursor(corpus);
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("room");
    write_tables(corpus, folder.path());
    let known: Vec<_> = measured
        .iter()
        .filter_map(|query| Some((query, condition(&query.query, corpus.generation().biomes())?)))
        .collect();
    let after = deep.map_or(0, ProteinAccession::number);
    let mut asked: Vec<String> = known.iter().flat_map(|(_, condition)| questions(condition, after)).collect();
    let num_searches = asked.len();
    let biomes = corpus.generation().biomes();
    asked.extend(counted.iter().map(|counted| grouping(counted, biomes).expect("the tables have it")));
    let answers = ask(folder.path(), &asked);
    println!(
        "  DuckDB {}, from {}, all questions in seconds: {}",
        answers["version"], answers["better"], answers["seconds"]
    );
    println!(
        "  {:<22} {:>11} {:>11} {:>11} {:>11} {:>11} {:>11} {:>26}",
        "µs", "50 hits", "one thread", "deep 50", "one thread", "count", "one thread", "× faster"
    );
    let time_us = |threads: &str, question: usize| answers[threads][question]["us"].as_f64().expect("a number");
    for (number, (query, _)) in known.iter().enumerate() {
        print!("  {:<22}", query.name);
        let first = 3 * number;
        let total = corpus.generation().total(&query.query, u64::MAX).expect("sound").value;
        let expected = [expected(corpus, &query.query, None), expected(corpus, &query.query, deep), json!([[total]])];
        for (question, expected) in (first..).zip(&expected) {
            assert_eq!(&answers["all"][question]["rows"], expected, "{}: {}", query.name, asked[question]);
            print!(" {:>11.0} {:>11.0}", time_us("all", question), time_us("one", question));
        }
        for (question, ours) in (first..).zip(query.medians_us) {
            print!(" {:>8.1}", time_us("all", question).min(time_us("one", question)) / ours);
        }
        println!();
    }
    println!("  {:<22} {:>11} {:>11} {:>11} {:>9}", "facets, µs", "all threads", "one thread", "ours", "× faster");
    for (question, counted) in (num_searches..).zip(counted) {
        if let Some(Value::Array(expected)) = &counted.expected {
            let rows = answers["all"][question]["rows"].as_array().expect("rows");
            // Proteins without a family have a place among our most frequent values, but none in
            // the tables.
            assert_eq!(&rows[..expected.len()], expected, "{}: {}", counted.name, asked[question]);
        }
        let (all, one) = (time_us("all", question), time_us("one", question));
        let ratio = all.min(one) / counted.median_us;
        println!("  {:<22} {all:>11.0} {one:>11.0} {:>11.1} {ratio:>9.1}", counted.name, counted.median_us);
    }
}
