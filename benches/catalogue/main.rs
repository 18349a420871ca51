//! The catalogue, loaded and queried through the router, next to its rivals in the same run.
//!
//! **What is measured.** `mgdex catalogue load` as a process of its own: time, processor time, peak
//! memory, bytes on disk. Then, through the whole router, one request at a time, from the request
//! to the last byte of the answer:
//! - first, middle and last page of all samples and of all assemblies, by default order and by
//!   others, and the same in version 2;
//! - filtered, ordered pages: each requested for the first time, so that no cached answer
//!   helps, and again;
//! - single resources, counts, and streams;
//! - samples counted by what they have, conditions in the language of queries, and tables.
//!
//! Last, `mgdex catalogue add` and `remove` of a table of 1,000 samples, beside the time of the
//! load.
//!
//! **Rivals.** *Offset*: the same page as a database's `OFFSET` finds it, by walking the same trees
//! from the first resource. *Real program*: what was measured of the real service, with 9,159
//! samples on two cores: 161 to 233 ms for 25 samples.
//!
//! **Corpus.** The bundled real samples, runs, analyses and assemblies, multiplied with new
//! accessions.
//!
//! **Notes.** `cargo bench --bench catalogue` takes some ten minutes and 25 GB of disk.
//! `MGDEX_BENCH_SAMPLES=100000` measures another number of samples; there is a run and an analysis
//! for each, and an assembly for every ten. Everything is in the page cache, and the machine must
//! be quiet.

#![expect(clippy::print_stdout, reason = "the results")]
#![expect(clippy::cast_precision_loss, reason = "numbers for people")]

mod change;
mod corpus;
mod counted;
mod harvest;
mod load;
mod requests;
mod rival;

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use support::measure::{median_us, ratio};

use corpus::Corpus;
use requests::Client;

/// The number of samples, of runs and of analyses unless the environment says otherwise.
const NUM_SAMPLES: u64 = 1_000_000;

/// The number of samples that an assembly stands for.
const SAMPLES_PER_ASSEMBLY: u64 = 10;

/// The seconds that the real program takes for 25 of 9,159 samples: from, to.
const REAL_PROGRAM_MS: (f64, f64) = (161.0, 233.0);

/// Microseconds of a millisecond.
const US_PER_MS: f64 = 1000.0;

/// The number of filters that are requested for the first time.
const NUM_FIRST: u64 = 100;

/// A collection, the name of a query, and its parameters, which are others for every number.
type Query = (&'static str, &'static str, fn(u64) -> String);

/// A clock that includes what other threads do for a request.
fn wall_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

fn main() {
    let num_samples = std::env::var("MGDEX_BENCH_SAMPLES")
        .map_or(NUM_SAMPLES, |text| text.trim().parse().expect("a number of samples"));
    let corpus = Corpus::provide(num_samples, num_samples / SAMPLES_PER_ASSEMBLY);
    let (data, load_time) = load::measure(&corpus);
    let client = Client::open(&data);
    println!("\nmedian µs through the router");
    let page_1 = pages(&client, "samples", num_samples);
    pages(&client, "assemblies", num_samples / SAMPLES_PER_ASSEMBLY);
    pages(&client, "runs", num_samples);
    pages(&client, "analyses", num_samples);
    let (fast, slow) = REAL_PROGRAM_MS;
    println!(
        "  the real program takes {fast} to {slow} ms for 25 of 9,159 samples: {:.0} to {:.0} times as long as page 1",
        ratio(fast * US_PER_MS, page_1),
        ratio(slow * US_PER_MS, page_1)
    );
    filtered(&client);
    measure_others(&client, &corpus);
    counted::measure(&client);
    drop(client);
    rival::measure(&data, num_samples);
    change::measure(&data, load_time);
    harvest::measure(&data);
}

/// Measures pages of a whole collection, and returns the median of the first.
fn pages(client: &Client, collection: &str, num_resources: u64) -> f64 {
    let last = num_resources.div_ceil(25);
    let mut first = 0.0;
    for ordering in ["", "&ordering=accession", "&ordering=-sample_name", "&ordering=sample_name,-last_update"] {
        if collection != "samples" && ordering.contains("sample_name") {
            continue;
        }
        let medians = [1, last / 2, last].map(|page| {
            let near: Vec<String> = (0..20)
                .map(|step| format!("/{collection}?page={}{ordering}", page.saturating_sub(step).max(1)))
                .collect();
            median_us(wall_time, &near, |path| client.get(path))
        });
        let [page_1, middle, deepest] = medians;
        if ordering.is_empty() {
            first = page_1;
            of_version_2(client, collection, last, medians);
        }
        println!(
            "  {:<44} {page_1:>8.0}  middle {middle:>8.0} ({:.2} ×)  last {deepest:>8.0} ({:.2} ×)",
            format!("/{collection}{}, page 1", ordering.replacen('&', "?", 1)),
            ratio(middle, page_1),
            ratio(deepest, page_1)
        );
    }
    first
}

/// Measures pages of the same size and at the same depths in version 2, beside the medians of
/// version 1, and pages that are requested for the first time, whose resources must be read and
/// embedded.
fn of_version_2(client: &Client, collection: &str, last: u64, of_version_1: [f64; 3]) {
    let path = |page: u64| format!("v2/{collection}/?page_size=25&page={}", page.max(1));
    let medians = [1, last / 2, last].map(|page| {
        let near: Vec<String> = (0..20).map(|step| path(page.saturating_sub(step))).collect();
        median_us(wall_time, &near, |path| client.get(path))
    });
    let first_time = |pages: &mut dyn Iterator<Item = String>| {
        let mut times: Vec<f64> = pages.map(|path| client.time_us(&path)).collect();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let steps = (last / 8).min(NUM_FIRST);
    let first = first_time(&mut (0..steps).map(|step| path(last / 4 + step)));
    let first_of_version_1 =
        first_time(&mut (0..steps).map(|step| format!("/{collection}?page={}", last * 3 / 4 + step)));
    let [page_1, middle, deepest] = medians;
    let [of_page_1, of_middle, of_deepest] = [0, 1, 2].map(|depth| ratio(medians[depth], of_version_1[depth]));
    println!(
        "  {:<44} {page_1:>8.0}  middle {middle:>8.0}  last {deepest:>8.0}  ({of_page_1:.2}, {of_middle:.2}, {of_deepest:.2} × version 1)  first time {first:.0} \
         ({:.2} × version 1)",
        format!("version 2: /{collection}/, page 1"),
        ratio(first, first_of_version_1)
    );
}

/// Measures filtered, ordered pages.
fn filtered(client: &Client) {
    println!(
        "  {:<60} {:>10} {:>10} {:>10}",
        "filtered and ordered, page in the middle", "first time", "again", "matches"
    );
    // Every one of the queries is another one, so that none was answered before.
    let queries: [Query; 11] = [
        ("samples", "latitude_gte, by sample_name", |step| format!("latitude_gte=0.{step:03}&ordering=sample_name")),
        ("samples", "lineage, by accession", |step| {
            format!("lineage=root:Host-associated&latitude_lte=80.{step:03}&ordering=-accession")
        }),
        ("samples", "metadata_key and value, by last_update", |step| {
            format!("metadata_key=temperature&metadata_value_gte=0.{step:03}&ordering=last_update")
        }),
        ("samples", "biome_name, by sample_name", |step| {
            format!("biome_name=s.*il%7Csk{{0,{step}}}in&ordering=-sample_name")
        }),
        ("samples", "search of two words, by accession", |step| {
            format!("search=metagenome%20human&longitude_gte=-179.{step:03}&ordering=accession")
        }),
        ("samples", "species and environment, default order", |step| {
            format!("species=.&environment_material=soil&latitude_gte=-80.{step:03}")
        }),
        ("samples", "search of a phrase, by relevance", |step| {
            format!("search=%22sea%20water%22&latitude_gte=-80.{step:03}&ordering=relevance")
        }),
        ("runs", "lineage of the sample, by accession", |step| {
            format!("lineage=root:Host-associated&metadata_value_gte=0.{step:03}&ordering=accession")
        }),
        ("runs", "search of a word, in samples too", |step| format!("search=soil&metadata_value_gte=-0.{step:03}")),
        ("analyses", "pipeline and experiment type, default order", |step| {
            format!("pipeline_version=4.0&experiment_type=amplicon&species=(?:){{{step}}}")
        }),
        ("analyses", "metadata of the sample, by run", |step| {
            format!("metadata_key=temperature&metadata_value_gte=0.{step:03}&ordering=run__accession")
        }),
    ];
    for (collection, name, query) in queries {
        let name = format!("{collection}: {name}");
        // The number that differs makes lists shorter or longer: the page must be there in all of
        // them.
        let counts = [0, NUM_FIRST].map(|step| client.count(&format!("/{collection}?{}", query(step))));
        let count = counts[0].min(counts[1]);
        let page = (count / 50).max(1);
        let paths: Vec<String> =
            (1..NUM_FIRST).map(|step| format!("/{collection}?{}&page={page}", query(step))).collect();
        let mut first: Vec<f64> = paths.iter().map(|path| client.time_us(path)).collect();
        first.sort_by(f64::total_cmp);
        let again = median_us(wall_time, &paths, |path| client.get(path));
        println!("  {name:<60} {:>10.0} {again:>10.0} {count:>10}", first[first.len() / 2]);
    }
}

/// Measures all other requests.
fn measure_others(client: &Client, corpus: &Corpus) {
    let accessions: Vec<String> =
        corpus.some_accessions().into_iter().map(|accession| format!("/samples/{accession}")).collect();
    println!(
        "  {:<60} {:>10.0}",
        "a sample by its accession",
        median_us(wall_time, &accessions, |path| client.get(path))
    );
    let counts: Vec<String> =
        (0..20).map(|step| format!("/samples?lineage=root:Environmental&page_size={}", step + 1)).collect();
    println!(
        "  {:<60} {:>10.0}",
        "count of a lineage, and few samples of it",
        median_us(wall_time, &counts, |path| client.get(path))
    );
    let related =
        ["/studies/MGYS00000257/samples", "/biomes/root:Environmental/samples", "/biomes/root:Host-associated/studies"];
    for path in related {
        println!("  {path:<60} {:>10.0}", median_us(wall_time, &[path], |path| client.get(path)));
    }
    let (num_bytes, elapsed) = client.stream("/samples.ndjson");
    println!("  all samples as NDJSON: {:.0} MB/s", num_bytes / elapsed.as_secs_f64() / 1e6);
    let (num_bytes, elapsed) = client.stream("/samples.csv?fields[samples]=accession,sample_name,latitude,longitude");
    println!("  all samples as CSV of four columns: {:.1} s, {:.0} MB", elapsed.as_secs_f64(), num_bytes / 1e6);
}
