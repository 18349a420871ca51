//! Harvesting.

use std::fs;
use std::path::Path;
use std::process::Command;

use support::machine::Server;
use support::process::Process;

/// Amounts of analyses that a harvest asks for.
const AMOUNTS: [&str; 2] = ["lists", "details"];

/// Harvests what a server of its own serves, without a pause between requests, prints what that
/// took, and what it takes to find out that nothing has changed since.
pub(crate) fn measure(data: &Path) {
    let mut serve = Command::new(env!("CARGO_BIN_EXE_mgdex"));
    let server = Server::of_command(serve.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data));
    let from = format!("http://{}/metagenomics/api/v2", server.address());
    println!("\nharvesting by version 2, a request at a time");
    for amount in AMOUNTS {
        let to = data.with_extension(format!("harvest-{amount}"));
        // Removes the remains of an earlier run.
        let _ = fs::remove_dir_all(&to);
        for since in [false, true] {
            let mut harvest = Command::new(env!("CARGO_BIN_EXE_mgdex"));
            harvest.args(["catalogue", "harvest", "--quiet", "--rate", "none", "--analyses", amount, "--from", &from]);
            harvest.arg("--to").arg(&to);
            if since {
                harvest.arg("--since").arg(&to);
            }
            let process = Process::run(&mut harvest);
            let report = fs::read_to_string(to.join("harvest.json")).expect("a report");
            let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
            println!(
                "  --analyses {amount}{}: {} requests, {:.1} s, {:.1} s of processor time, peak memory {:.0} MB",
                if since { " --since it" } else { "" },
                report["requests"],
                process.elapsed.as_secs_f64(),
                process.cpu_s,
                report["peak_memory_bytes"].as_f64().expect("a number") / 1e6,
            );
        }
    }
    println!("  peak memory of the server: {:.0} MB", server.peak_bytes() as f64 / 1e6);
}
