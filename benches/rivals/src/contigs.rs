//! Members of clusters and contigs: what their index takes, and questions about genes beside
//! DuckDB.
//!
//! **Questions.** The genes up to five away from each gene of a protein; the first 50 proteins of a
//! family that have a gene up to five away from one of another family, for pairs of common
//! families, of a common and a rare one, and of rare ones. mgdex is asked page by page until it has
//! 50, which counts as one answer.
//!
//! **Rival.** DuckDB has a table of all genes in memory, with the position of each on its contig,
//! ordered by contig. Making it counts as loading. Answers are compared, but for proteins with more
//! than [`GENES_EXAMINED`] genes, of which mgdex examines only the first ones.

use std::collections::HashSet;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{self, Connection};
use crate::questions::{PROTEINS, RARE, ask, counts};
use crate::release::{Release, num_bytes};
use crate::system::System;
use crate::table::{digits, grouped};
use crate::{duckdb, mgdex, write_samples};

/// The default number of proteins, of which 10 M are representatives.
pub(crate) const NUM_PROTEINS: u64 = 34_550_000;

/// The least time and the least number of answers to a question.
const DURATION: Duration = Duration::from_secs(3);
const NUM_ANSWERS: usize = 10;

/// The number of proteins, and that of pairs of families.
const NUM_ASKED: usize = 100;
const NUM_PAIRS: usize = 10;

const NUM_HITS: usize = 50;

const GENES_EXAMINED: u64 = 1000;

/// A question that is asked for several values in turn: for each, the paths of its pages.
struct Question {
    name: &'static str,
    ours: Vec<Vec<String>>,
    theirs: Vec<Vec<String>>,
}

/// Indexes the release, and measures everything.
pub(crate) fn measure(release: &Release, folder: &Path) {
    let (mgdex, generation) = mgdex::start(release, folder, &["--members", "--contigs", "--memory", "1G"]);
    print_index(&mgdex, &generation);
    let duckdb = duckdb::start(release, &write_samples(&mgdex, folder), folder, true);
    println!("DuckDB has made its table in {:.0} s", duckdb.load_time.as_secs_f64());
    println!("\n| milliseconds | mgdex, p50 | p99 | DuckDB, p50 | p99 | pages |\n|---|---|---|---|---|---|");
    for Question { name, ours, theirs } in questions(mgdex.address, duckdb.address) {
        let times = [(mgdex.address, &ours), (duckdb.address, &theirs)].map(|(address, asked)| times(address, asked));
        let times: Vec<String> = times.as_flattened().iter().map(|time| digits(*time)).collect();
        let num_pages = ours.iter().map(Vec::len).sum::<usize>() as f64 / ours.len() as f64;
        println!("| {name} | {} | {num_pages:.1} |", times.join(" | "));
    }
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("readable")).expect("JSON")
}

/// Prints what the index takes.
fn print_index(mgdex: &System, generation: &Path) {
    let (report, manifest) = (read(&generation.join("report.json")), read(&generation.join("manifest.json")));
    let number = |value: &Value| value.as_u64().expect("a number");
    let size = |name: &str| fs::metadata(generation.join(name)).expect("a file").len();
    let release = &report["release"];
    println!(
        "{} representatives, indexed in {:.0} s",
        grouped(number(&release["num_proteins"])),
        mgdex.load_time.as_secs_f64()
    );
    println!(
        "peak memory {} MB, index {} MB",
        number(&release["peak_memory_bytes"]) / 1_000_000,
        num_bytes(generation) / 1_000_000
    );
    for stage in report["stages"].as_array().expect("a list") {
        println!("{}: {:.1} s", stage["name"], number(&stage["duration_ms"]) as f64 / 1e3);
    }
    let num_members = number(&manifest["contents"]["members"]["representatives"]["num_entries"]);
    let num = |name: &str| number(&report["contigs"][name]);
    for (name, number, files) in [
        ("member", num_members, &["members/members.pages", "members/representatives.pages"][..]),
        ("occurrence", num("num_genes"), &["contigs/genes.pages", "contigs/places.pages"]),
        ("contig", num("num_contigs"), &["contigs/names.pages", "contigs/name_hashes.pages", "contigs/runs.pages"]),
    ] {
        let bytes = files.iter().map(|file| size(file)).sum::<u64>() as f64 / number as f64;
        println!("{}: {bytes:.2} bytes a {name}", grouped(number));
    }
}

/// Returns the questions, after all answers were compared.
fn questions(mgdex: SocketAddr, duckdb: SocketAddr) -> Vec<Question> {
    let random = ask(mgdex, &format!("{PROTEINS}/proteins?random={NUM_ASKED}&seed=1"));
    let accessions: Vec<u64> = random["results"].as_array().expect("a list").iter().map(accession).collect();
    let (ours, theirs) = accessions.iter().map(|number| neighbours(mgdex, duckdb, *number)).unzip();
    let mut questions = vec![Question { name: "neighbours of a protein", ours, theirs }];
    let counts = counts(mgdex, "pfam");
    let common: Vec<&str> = counts.iter().take(2 * NUM_PAIRS).map(|(family, _)| &**family).collect();
    let first_rare = counts.iter().position(|(_, count)| *count <= RARE).expect("rare families");
    let rare: Vec<&str> = counts[first_rare..].iter().take(2 * NUM_PAIRS).map(|(family, _)| &**family).collect();
    for (name, one, other) in [
        ("near, two common families", &common[..NUM_PAIRS], &common[NUM_PAIRS..]),
        ("near, a common and a rare family", &common[..NUM_PAIRS], &rare[..]),
        ("near, a rare and a common family", &rare[..NUM_PAIRS], &common[..]),
        ("near, two rare families", &rare[..NUM_PAIRS], &rare[NUM_PAIRS..]),
    ] {
        let (ours, theirs) = one.iter().zip(other).map(|(one, other)| near(mgdex, duckdb, one, other)).unzip();
        questions.push(Question { name, ours, theirs });
    }
    questions
}

fn accession(hit: &Value) -> u64 {
    hit["accession"].as_str().and_then(|text| text.strip_prefix("MGYP")?.parse().ok()).expect("an accession")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} is not a list"))
}

/// Compares the neighbours of a protein, and returns the paths.
fn neighbours(mgdex: SocketAddr, duckdb: SocketAddr, number: u64) -> (Vec<String>, Vec<String>) {
    let ours = format!("{PROTEINS}/proteins/{number}/neighbours?genes=5&limit=100");
    let theirs = format!("/neighbours?accession={number}");
    let answer = ask(mgdex, &ours);
    let place = |place: &Value| {
        let genes: Vec<&Value> = list(&place["genes"]).iter().map(|gene| &gene["accession"]).collect();
        json!({"contig": place["contig"]["accession"], "genes": genes})
    };
    let mut places: Vec<Value> = list(&answer["results"]).iter().map(place).collect();
    places.sort_by_cached_key(Value::to_string);
    let mut expected = ask(duckdb, &theirs);
    expected.as_array_mut().expect("a list").sort_by_cached_key(Value::to_string);
    assert!(answer["next"].is_string() || json!(places) == expected, "{ours}: {places:?}, not {expected}");
    (vec![ours], vec![theirs])
}

/// Compares the proteins of a family near those of another, and returns the paths.
fn near(mgdex: SocketAddr, duckdb: SocketAddr, one: &str, other: &str) -> (Vec<String>, Vec<String>) {
    let [number, other_number] = [one, other].map(|family| family.trim_start_matches("PF").trim_start_matches('0'));
    let theirs = format!("/near?one={number}&other={other_number}&genes=5");
    let (mut ours, mut found) = (Vec::new(), Vec::new());
    let mut next = format!("{PROTEINS}/proteins?q=near(pfam:{one},pfam:{other},5)&limit={NUM_HITS}");
    loop {
        let mut answer = ask(mgdex, &next);
        ours.push(next.clone());
        assert!(answer["results"].is_array(), "{ours:?}: {answer}");
        found.extend(list(&answer["results"]).iter().map(accession));
        match answer["next"].take() {
            Value::String(url) if found.len() < NUM_HITS => {
                url[url.find("/metagenomics").expect("an address")..].clone_into(&mut next);
            }
            _ => break,
        }
    }
    let expected = ask(duckdb, &theirs);
    let has_many = |hit: &&Value| hit["num_genes"].as_u64().is_some_and(|number| number > GENES_EXAMINED);
    let many: HashSet<u64> = list(&expected).iter().filter(has_many).map(accession).collect();
    let mut expected: Vec<u64> = list(&expected).iter().map(accession).collect();
    let is_whole = expected.len() < NUM_HITS;
    for numbers in [&mut expected, &mut found] {
        numbers.retain(|number| !many.contains(number));
    }
    let num_compared = if is_whole { expected.len().max(found.len()) } else { expected.len().min(found.len()) };
    let same = expected.iter().take(num_compared).eq(found.iter().take(num_compared));
    assert!(same, "{}: {found:?}, not {expected:?}", ours[0]);
    (ours, vec![theirs])
}

/// Returns the median of the times of answers on one connection, and the time that 99 % do not
/// exceed, in milliseconds.
fn times(address: SocketAddr, asked: &[Vec<String>]) -> [f64; 2] {
    let mut times = client::run(async {
        let (mut connection, started, mut times) = (Connection::open(address).await, Instant::now(), Vec::new());
        for pages in asked.iter().cycle() {
            if times.len() >= NUM_ANSWERS && started.elapsed() > DURATION {
                break;
            }
            let asked = Instant::now();
            for path in pages {
                connection.ask(format!("GET {path} HTTP/1.1\r\nhost: bench\r\n\r\n").as_bytes()).await;
            }
            times.push(asked.elapsed());
        }
        times
    });
    times.sort_unstable();
    [50, 99].map(|percent| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e3)
}
