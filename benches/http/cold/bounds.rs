//! A server in control groups (version 1, as root), whose files no cache has at first.

use std::fs::{self, File};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::fs::Advice;
use support::machine::Server;
use support::program;
use tempfile::TempDir;

use super::run;

const PROGRAM: &str = "mgdex";

/// Control groups with a server, which are removed when they are dropped.
pub(super) struct Bounds {
    // Killed before the groups are removed.
    server: Option<Server>,
    groups: [PathBuf; 2],
    /// A folder in memory with the program.
    program: TempDir,
}

impl Bounds {
    /// Bounds the memory, with the parts of files that the kernel caches, and the reads a second of
    /// the disk of a folder.
    pub(super) fn new(folder: &Path, memory_bytes: u64, reads_per_second: u32) -> Self {
        let groups = ["memory", "blkio"].map(|name| Path::new("/sys/fs/cgroup").join(name).join("mgdex-bench"));
        for group in &groups {
            fs::create_dir_all(group).expect("control groups of version 1, and root");
        }
        let memory = TempDir::with_prefix_in("mgdex-bench-", "/dev/shm").expect("a file system in memory");
        let copy = memory.path().join(PROGRAM);
        fs::copy(program().get_program(), &copy).expect("room in memory");
        run(Command::new("strip").arg(&copy));
        let bounds = Self { server: None, groups, program: memory };
        bounds.set(0, "memory.limit_in_bytes", &memory_bytes.to_string());
        bounds.set(1, "blkio.throttle.read_iops_device", &format!("{} {reads_per_second}", disk_number(folder)));
        bounds
    }

    fn set(&self, group: usize, name: &str, value: &str) {
        fs::write(self.groups[group].join(name), value).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    /// Starts a server in place of an earlier one, and returns its process and its address. Before,
    /// the files of its data folder are dropped from the kernel's cache.
    pub(super) fn serve(&mut self, data_folder: &Path, options: &[&str]) -> (u32, SocketAddr) {
        self.server = None;
        run(Command::new("sync").arg("-f").arg(data_folder));
        drop_cached(data_folder);
        let enter = "for group in \"$1\" \"$2\"; do echo $$ > \"$group/cgroup.procs\"; done; shift 2; exec \"$@\"";
        let mut command = Command::new("sh");
        command.args(["-c", enter, "sh"]).args(&self.groups).arg(self.program.path().join(PROGRAM));
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data_folder).args(options);
        let server = self.server.insert(Server::of_command(&mut command));
        (server.id(), server.address().parse().expect("an address"))
    }

    /// Returns the number of reads that the server has sent to disks.
    pub(super) fn num_reads(&self) -> u64 {
        let text = fs::read_to_string(self.groups[1].join("blkio.throttle.io_serviced")).expect("a control group");
        let reads = text.lines().filter_map(|line| line.split_once(" Read ")?.1.parse::<u64>().ok());
        reads.sum()
    }
}

impl Drop for Bounds {
    fn drop(&mut self) {
        self.server = None;
        for group in &self.groups {
            let _ = fs::remove_dir(group);
        }
    }
}

/// Returns the number of the device that a folder is on, as the system writes it.
pub(super) fn disk_number(folder: &Path) -> String {
    let device = rustix::fs::stat(folder).expect("it is there").st_dev;
    format!("{}:{}", rustix::fs::major(device), rustix::fs::minor(device))
}

/// Drops all files of a folder from the kernel's cache.
fn drop_cached(folder: &Path) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("readable");
        if entry.metadata().expect("readable").is_dir() {
            drop_cached(&entry.path());
        } else {
            let file = File::open(entry.path()).expect("readable");
            rustix::fs::fadvise(&file, 0, None, Advice::DontNeed).expect("a file");
        }
    }
}
