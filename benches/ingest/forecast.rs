//! Scales the measured times to the real release, linearly.

use std::fmt::Write;

use crate::floor::Floor;
use crate::release::Release;
use crate::run::Run;

/// The number of proteins of the release of July 2026.
const REAL_PROTEINS: f64 = 5_739_566_171.0;

/// The number of its representatives.
const REAL_REPRESENTATIVES: f64 = 1_661_142_385.0;

/// The number of rows of each table, and whether that is known or estimated.
const REAL_ROWS: [(&str, f64, &str); 5] = [
    ("mgy_clusters", REAL_REPRESENTATIVES, ""),
    ("mgy_protein_sequences", REAL_PROTEINS, ""),
    ("mgy_biomes", 6_048_290_337.0, ""),
    ("mgy_proteins_pfam", 4e9, "about "),
    ("mgy_proteins_metadata", 6.5e9, "about "),
];

/// The numbers of cores in the forecast.
const NUM_CORES: [f64; 2] = [2.0, 16.0];

/// Prefixes of the names of threads whose number depends on the number of cores.
const GROWING: [&str; 3] = ["worker", "merge", "decode"];

/// Extrapolates from a run over a release with members and one over representatives only.
pub(crate) fn of(run: &Run, of_representatives: &Run, release: &Release, floor: &Floor) -> String {
    let times = REAL_PROTEINS / release.num_proteins as f64;
    let hours = |seconds: f64| seconds * times / 3600.0;
    let (num_indexed, num_members) = (run.num_indexed() as f64, (release.num_proteins - run.num_indexed()) as f64);
    // The time of the representatives is known from the other run. The rest is for rows that are
    // passed over.
    let split = |of_all: f64, of_others: f64| {
        let each = of_others / of_representatives.num_indexed() as f64;
        (each, (of_all - num_indexed * each) / num_members)
    };
    let real_hours = |(each, member): (f64, f64)| {
        (REAL_REPRESENTATIVES * each + (REAL_PROTEINS - REAL_REPRESENTATIVES) * member) / 3600.0
    };
    let seconds = |run: &Run| run.process.elapsed.as_secs_f64();
    let wall = split(seconds(run), seconds(of_representatives));
    let cpu = split(run.process.cpu_s, of_representatives.process.cpu_s);
    let mut text = format!(
        "\nThe release of July 2026 has {:.2} G proteins, {times:.0} times those of “{}”, and {:.2} G of them are representatives. \
         A representative with its rows takes {:.2} µs ({:.2} µs of a processor), a protein that is passed over {:.2} µs ({:.2} µs). \
         Linearly, without what a cold disk adds:\n\n",
        REAL_PROTEINS / 1e9,
        run.name,
        REAL_REPRESENTATIVES / 1e9,
        wall.0 * 1e6,
        cpu.0 * 1e6,
        wall.1 * 1e6,
        cpu.1 * 1e6
    );
    let mut line = |words: String| writeln!(text, "- {words}").expect("memory");
    line(format!("on this machine: {:.1} h, of which processors are busy {:.1} h", real_hours(wall), real_hours(cpu)));
    for cores in NUM_CORES {
        line(format!("{cores} cores, all busy: {:.1} h at best", real_hours(cpu) / cores));
    }
    line(
        "with more cores, decoding, joining, encoding, indexing and merging grow faster; each table is cut into slices by one \
         thread, and ranges are planned by one"
            .to_owned(),
    );
    let mut slowest: Option<(f64, &str)> = None;
    for (name, real_rows, prefix) in REAL_ROWS {
        let Some(table) = floor.tables.iter().find(|table| table.name == name) else { continue };
        let needed = real_rows / table.rows_per_s() / 3600.0;
        let rate = table.rows_per_s() / 1e6;
        line(format!(
            "{name}: {prefix}{:.2} G rows, {needed:.1} h to decode on one thread at {rate:.1} M/s",
            real_rows / 1e9
        ));
        slowest = slowest.filter(|(most, _)| *most > needed).or(Some((needed, name)));
    }
    if let Some((needed, name)) = slowest {
        line(format!("below eight cores, one thread decodes each table, so that {name} takes {needed:.1} h at least"));
    }
    let singles =
        run.process.thread_cpu_s.iter().filter(|(name, _)| !GROWING.iter().any(|growing| name.starts_with(growing)));
    for (name, seconds) in singles {
        line(format!("thread “{name}”, of which there is one: {:.1} h", hours(*seconds)));
    }
    let index_bytes = run.number("index_bytes") as f64 / run.num_indexed() as f64 * REAL_REPRESENTATIVES;
    line(format!("the index takes {:.0} GB, and what is being merged is there twice", index_bytes / 1e9));
    text
}
