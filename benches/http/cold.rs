//! Warm requests beside cold ones, on a disk that is slow to read.
//!
//! The index is on a loop device whose file system was mounted anew, so that nothing of it is in memory, and the control group of the server
//! may read only so many blocks a second from it. Needs root and the blkio controller.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use store::{Generations, ProteinAccession, ProteinGeneration};
use support::machine::{Disk, Server};

use crate::client::{Load, Request};

const NUM_PROTEINS: &str = "200000";

const DISK_BYTES: u64 = 1 << 30;

/// How many reads of the disk a second are allowed.
const READS_PER_S: u32 = 200;

/// How many warm requests a second are sent.
const WARM_PER_S: f64 = 1000.0;

const CONTROL_GROUPS: &str = "/sys/fs/cgroup/blkio";

/// Latencies of warm requests, ascending: alone, and beside cold ones; and how many cold ones were answered meanwhile.
pub(crate) struct Measured {
    pub(crate) alone: Vec<Duration>,
    pub(crate) beside: Vec<Duration>,
    pub(crate) num_cold: u64,
}

/// Measures for so long each.
pub(crate) fn measure(warm: &str, duration: Duration) -> Result<Measured, String> {
    let mut disk = Disk::of_size(DISK_BYTES)?;
    let accessions = fill(&disk.path());
    disk.restart();
    let server = Server::start(&disk.path());
    let address = server.address().parse().expect("an address");
    let warm = Request::get(warm);
    let load = Load { num_connections: 8, duration };
    // The server finds out that they are warm.
    warm.saturate(address, Load { num_connections: 1, ..load });
    let _limit = ReadLimit::set(&disk.path(), server.id()).map_err(|error| format!("{CONTROL_GROUPS}: {error}"))?;
    let alone = warm.paced(address, load, WARM_PER_S);
    let is_over = AtomicBool::new(false);
    let (beside, num_cold) = thread::scope(|scope| {
        let cold = scope.spawn(|| {
            let mut num_cold = 0;
            // Far from each other, and none twice.
            for accession in (0..997).flat_map(|first| accessions.iter().skip(first).step_by(997)) {
                if is_over.load(Ordering::Relaxed) {
                    break;
                }
                Request::get(&api::paths::protein_detail(*accession)).ask(address);
                num_cold += 1;
            }
            num_cold
        });
        let beside = warm.paced(address, load, WARM_PER_S);
        is_over.store(true, Ordering::Relaxed);
        (beside, cold.join().expect("no panic"))
    });
    Ok(Measured { alone, beside, num_cold })
}

/// Indexes a synthetic release, and returns its accessions.
fn fill(data: &Path) -> Vec<ProteinAccession> {
    let release = data.join("release");
    let run = |arguments: &[&str], paths: &[&Path]| {
        let status = support::program().args(arguments).args(paths).stdout(Stdio::null()).status().expect("the binary");
        assert!(status.success(), "{arguments:?}");
    };
    run(&["synth", "--quiet", "--proteins", NUM_PROTEINS, "--out"], &[&release]);
    let (biomes, pfam) =
        (support::data("proteins/biomes_id_lineage.tsv"), support::data("proteins/Pfam-A.clans.tsv.gz"));
    let data_argument = [Path::new("--data"), data, Path::new("--biomes"), &biomes, Path::new("--pfam"), &pfam];
    run(&["index", "--quiet", "--release"], &[&[&*release], &data_argument[..]].concat());
    fs::remove_dir_all(&release).expect("written");
    let generation = ProteinGeneration::open_current(&Generations::new(data.join("proteins")));
    let mut accessions = Vec::new();
    let visit = |accession| -> store::Result<()> {
        accessions.push(accession);
        Ok(())
    };
    generation.expect("whole").expect("published").for_each_accession(visit).expect("whole");
    accessions
}

/// Limits how often a process reads a disk, until this is dropped.
struct ReadLimit(PathBuf);

impl ReadLimit {
    fn set(disk: &Path, process: u32) -> std::io::Result<Self> {
        let device = fs::metadata(disk)?.dev();
        let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
        let group = Self(Path::new(CONTROL_GROUPS).join(format!("mgdex-bench-{process}")));
        fs::create_dir(&group.0)?;
        fs::write(group.0.join("blkio.throttle.read_iops_device"), format!("{major}:{minor} {READS_PER_S}"))?;
        fs::write(group.0.join("cgroup.procs"), process.to_string())?;
        Ok(group)
    }
}

impl Drop for ReadLimit {
    fn drop(&mut self) {
        // A group can be removed once its processes have ended; it costs nothing while it is there.
        let _ = fs::remove_dir(&self.0);
    }
}
