//! Adding some samples to all, and removing them.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use support::measure::ratio;
use support::process::Process;

/// The number of samples that are added.
const NUM_ADDED: u64 = 1000;

/// Adds a table of samples to the catalogue and removes it again, each in a process of its own, and
/// prints what that took beside the load.
pub(crate) fn measure(data: &Path, load: Duration) {
    let mut table = "accession\tsample name\tlatitude\tbiome\tstudy\tlast update\tdepth (m)\n".to_owned();
    for number in 0..NUM_ADDED {
        let (day, depth) = (1 + number % 28, number % 100);
        writeln!(
            table,
            "own-{number}\tsample {number}\t46.5\troot:Environmental:Terrestrial:Soil\tMGYS00002072\t20{:02}-05-{day:02}\t{depth}",
            number % 27
        )
        .expect("memory");
    }
    let path = data.with_extension("tsv");
    fs::write(&path, table).expect("room on the disk");
    println!("\nchanging the catalogue by a table of {NUM_ADDED} samples");
    for command in ["add", "remove"] {
        let mut change = Command::new(env!("CARGO_BIN_EXE_mgdex"));
        change.args(["catalogue", command, "--quiet", "--strict", "--type", "samples", "--table"]).arg(&path);
        let process = Process::run(change.arg("--data").arg(data));
        let seconds = process.elapsed.as_secs_f64();
        println!(
            "  {command}: {seconds:.1} s, {:.1} s of processor time, {:.2} of the time of the load",
            process.cpu_s,
            ratio(seconds, load.as_secs_f64())
        );
    }
}
