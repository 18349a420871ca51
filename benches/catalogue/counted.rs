//! Facets, conditions and tables of samples.

use super::requests::Client;
use super::{US_PER_MS, wall_time};
use support::measure::median_us;

/// The fields that samples are counted by.
const BY: [&str; 7] = [
    "biome",
    "country",
    "year",
    "species",
    "sample_name",
    "metadata:temperature",
    "metadata:geographic%20location%20(depth)",
];

/// Biomes, each of which one term selects.
const LINEAGES: [&str; 7] = [
    "root:Environmental",
    "root:Engineered",
    "root:Host-associated",
    "root:Host-associated:Human",
    "root:Host-associated:Plants",
    "root:Environmental:Aquatic",
    "root:Environmental:Terrestrial",
];

/// The name of conditions, and themselves, which are others for every number.
type Conditions = (&'static str, fn(u64) -> String);

const CONDITIONS: [Conditions; 3] = [
    ("metadata and biome", |step| format!("temperature:%3E0.{step:03}%20AND%20biome:%22root:Environmental%22")),
    ("of the study", |step| format!("study:(centre_name:*)%20AND%20latitude:%3E0.{step:03}")),
    ("of runs", |step| format!("run:(experiment_type:amplicon)%20AND%20latitude:%3E0.{step:03}")),
];

/// Measures what samples are counted by, the first time and again, of all, of a biome, and of a
/// range of latitudes.
pub(crate) fn measure(client: &Client) {
    println!(
        "  {:<60} {:>10} {:>10} {:>10} {:>10}",
        "samples counted, ms", "first time", "all", "one term", "latitudes"
    );
    for by in BY {
        let path = |filter: &str| format!("/samples/facets?by={by}{filter}");
        let first = client.time_us(&path("")) / US_PER_MS;
        let all = median_us(wall_time, &[path("")], |path| client.get(path)) / US_PER_MS;
        let of_terms = LINEAGES.map(|lineage| path(&format!("&lineage={lineage}")));
        let one_term = median_us(wall_time, &of_terms, |path| client.get(path)) / US_PER_MS;
        let mut of_latitudes: Vec<f64> =
            (0..20).map(|step| client.time_us(&path(&format!("&latitude_gte=1.{step:03}"))) / US_PER_MS).collect();
        of_latitudes.sort_by(f64::total_cmp);
        println!(
            "  {by:<60} {first:>10.1} {all:>10.1} {one_term:>10.1} {:>10.1}",
            of_latitudes[of_latitudes.len() / 2]
        );
    }
    println!("  {:<60} {:>10.1}", "keys of metadata, ms", client.time_us("/samples/metadata-keys") / US_PER_MS);
    for (name, conditions) in CONDITIONS {
        let mut times: Vec<f64> =
            (0..20).map(|step| client.time_us(&format!("/samples?where={}", conditions(step))) / US_PER_MS).collect();
        times.sort_by(f64::total_cmp);
        println!("  {:<60} {:>10.1}", format!("where, {name}, first time, ms"), times[times.len() / 2]);
    }
    for (name, path) in [
        ("all samples as CSV", "/samples.csv"),
        ("all samples as GeoJSON", "/samples?format=geojson"),
        // The columns of a wide table are found within the time of a request.
        ("all samples as a wide TSV", "/samples?format=tsv&metadata=wide"),
        ("samples with a temperature as a wide TSV", "/samples?format=tsv&metadata=wide&metadata_key=temperature"),
        ("the same as Parquet", "/samples?format=parquet&metadata=wide&metadata_key=temperature"),
    ] {
        let (num_bytes, elapsed) = client.stream(path);
        let seconds = elapsed.as_secs_f64();
        println!("  {name}: {:.0} MB/s, {:.0} MB", num_bytes / seconds / 1e6, num_bytes / 1e6);
    }
}
