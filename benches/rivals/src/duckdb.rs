//! DuckDB over the files of the release, behind a small server in Python.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Instant;

use crate::release::Release;
use crate::system::{Process, System};

/// Starts the server, which reads the files at each question. With `with_genes`, it has a table of
/// them in memory.
pub(crate) fn start(release: &Release, samples: &Path, folder: &Path, with_genes: bool) -> System {
    let started = Instant::now();
    let mut serve = release.python("serve_duckdb.py");
    let (process, output) =
        Process::start(serve.arg(samples).args(with_genes.then_some("genes")), &folder.join("duckdb.log"));
    let mut port = String::new();
    BufReader::new(output).read_line(&mut port).expect("a pipe");
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port.trim_end().parse().expect("a port")));
    let (load_time, num_bytes) = (started.elapsed(), release.num_bytes());
    System { name: "DuckDB", address, load_time, num_bytes, _runtime: None, _process: Some(process) }
}
