//! mgdex itself, as a user loads and starts it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::release::{Release, biomes, num_bytes, project, run};
use crate::system::{Process, System, wait_for};

/// Loads the release with options of `mgdex index`, and the bundled catalogue, and starts a server
/// with its log in a file. Returns it with the folder of the index.
pub(crate) fn start(release: &Release, folder: &Path, options: &[&str]) -> (System, PathBuf) {
    let data = folder.join("mgdex");
    let started = Instant::now();
    let mut index = Command::new(&release.program);
    index.args(["index", "--quiet"]).args(options).arg("--release").arg(&release.path).arg("--data").arg(&data);
    index.arg("--biomes").arg(biomes()).arg("--pfam").arg(project("data/proteins/Pfam-A.clans.tsv.gz"));
    let generation = PathBuf::from(run(&mut index).trim_end());
    let load_time = started.elapsed();
    let num_bytes = num_bytes(&data.join("proteins"));
    let mut load = Command::new(&release.program);
    run(load.args(["catalogue", "load", "--quiet", "--data"]).arg(&data).arg(project("data/catalogue/collections")));
    let log = folder.join("mgdex.log");
    let mut serve = Command::new(&release.program);
    // All connections are of one client, and none is refused, as rivals refuse none: 32 facets at a
    // time need more than the usual memory.
    serve.args(["serve", "--client-share", "100", "--answer-memory", "4G"]);
    serve.args(["--listen", "127.0.0.1:0", "--data"]).arg(&data);
    let (process, _) = Process::start(&serve, &log);
    let address = wait_for("the address of mgdex", || {
        let text = fs::read_to_string(&log).expect("readable");
        // The address is complete only if its line is.
        let line = text.split_inclusive('\n').find(|line| line.ends_with('\n') && line.contains("serving on "))?;
        line.trim_end().split_once("http://")?.1.parse().ok()
    });
    let system = System { name: "mgdex", address, load_time, num_bytes, _runtime: None, _process: Some(process) };
    (system, generation)
}
