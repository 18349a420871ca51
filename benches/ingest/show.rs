//! The results as Markdown tables.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::blocks::Size;
use crate::floor::Floor;
use crate::own::{NUM_OWN, Own};
use crate::release::Release;
use crate::run::Run;

/// A million.
const M: f64 = 1e6;

/// Shows how large records are.
pub(crate) fn sizes(sizes: &[Size], run: &Run) {
    println!("\n| records of {} | bytes a record | × mgdex |\n|---|---|---|", run.name);
    for Size { name, bytes_per_record } in sizes {
        println!("| {name} | {bytes_per_record:.1} | {:.2} |", bytes_per_record / sizes[0].bytes_per_record);
    }
}

pub(crate) fn runs(runs: &[Run]) {
    println!(
        "\n| release, `--memory` | indexed | s | processor s | proteins/s | peak memory | bytes a record | index | stages |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for run in runs {
        let stages: Vec<String> = run.stages().iter().map(|(name, seconds)| format!("{name} {seconds:.1}")).collect();
        println!(
            "| {} | {} | {:.1} | {:.1} | {:.0} | {:.0} MB | {:.1} | {:.0} MB | {} |",
            run.name,
            run.num_indexed(),
            run.process.elapsed.as_secs_f64(),
            run.process.cpu_s,
            per_second(run.num_indexed(), run.process.elapsed),
            run.number("peak_memory_bytes") as f64 / M,
            run.number("record_bytes") as f64 / run.num_indexed() as f64,
            run.number("index_bytes") as f64 / M,
            stages.join(", ")
        );
    }
}

/// Shows what own proteins take beside a release.
pub(crate) fn own(own: &[Own]) {
    println!(
        "\n| {NUM_OWN} own proteins beside | add, s | processor s | × indexing all | MB | of the index | replace, s | remove, s |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for Own { name, index, index_bytes, add, added_bytes, replace, remove } in own {
        println!(
            "| {name} | {:.1} | {:.1} | {:.3} | {:.1} | {:.1} % | {:.1} | {:.1} |",
            add.elapsed.as_secs_f64(),
            add.cpu_s,
            add.elapsed.as_secs_f64() / index.as_secs_f64(),
            *added_bytes as f64 / M,
            *added_bytes as f64 / *index_bytes as f64 * 100.0,
            replace.as_secs_f64(),
            remove.as_secs_f64()
        );
    }
}

/// Shows what only decoding takes.
pub(crate) fn floors(floors: &[(Release, Floor)]) {
    println!("\n| floor: decoding | M rows | MB | s, one thread | M rows/s | MB/s |\n|---|---|---|---|---|---|");
    for (release, floor) in floors {
        for table in &floor.tables {
            println!(
                "| {}: {} | {:.2} | {:.1} | {:.2} | {:.1} | {:.0} |",
                release.name(),
                table.name,
                table.num_rows as f64 / M,
                table.size_bytes as f64 / M,
                table.elapsed.as_secs_f64(),
                table.rows_per_s() / M,
                per_second(table.size_bytes, table.elapsed) / M
            );
        }
        println!("| {}: all at once | | | {:.2} | | |", release.name(), floor.together.as_secs_f64());
    }
}

/// Shows what the runs have read.
pub(crate) fn tables(runs: &[Run]) {
    println!("\n| run | table | M rows | passed over | MB on disk | M rows/s | MB/s |\n|---|---|---|---|---|---|---|");
    for run in runs {
        for (name, rows) in &run.tables {
            println!(
                "| {} | {name} | {:.2} | {:.2} | {:.1} | {:.2} | {:.1} |",
                run.name,
                rows.num_rows as f64 / M,
                rows.num_passed_over as f64 / M,
                rows.size_bytes as f64 / M,
                per_second(rows.num_rows, run.process.elapsed) / M,
                per_second(rows.size_bytes, run.process.elapsed) / M
            );
        }
    }
}

/// Shows the processor time of the threads, where they have names.
pub(crate) fn threads(runs: &[Run]) {
    let names: BTreeSet<&String> = runs.iter().flat_map(|run| run.process.thread_cpu_s.keys()).collect();
    if names.is_empty() {
        println!("\nThe threads have no names: their processor time cannot be told apart.");
        return;
    }
    let names: Vec<_> = names.into_iter().collect();
    let titles: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    println!("\n| processor s by thread | {} |", titles.join(" | "));
    println!("|---|{}", "---|".repeat(names.len()));
    for run in runs {
        let seconds = names.iter().map(|name| run.process.thread_cpu_s.get(*name).copied().unwrap_or_default());
        let seconds: Vec<String> = seconds.map(|seconds| format!("{seconds:.2}")).collect();
        println!("| {} | {} |", run.name, seconds.join(" | "));
    }
}

/// Returns an amount a second.
fn per_second(number: u64, elapsed: Duration) -> f64 {
    number as f64 / elapsed.as_secs_f64()
}
