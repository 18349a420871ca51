//! Control groups that limit what a process takes of a core.

use std::fs;
use std::path::{Path, PathBuf};

/// The period within which a process may take its share, in microseconds.
const PERIOD_US: f64 = 10_000.0;

/// A control group, which is removed when it is dropped. Its processes must have ended.
pub(crate) struct Quota(PathBuf);

impl Quota {
    /// Limits a process to a share of a core.
    pub(crate) fn new(name: &str, process: u32, share: f64) -> Self {
        let quota_us = (PERIOD_US * share).round();
        let old = Path::new("/sys/fs/cgroup/cpu");
        let (root, limits): (&Path, _) = if old.is_dir() {
            (old, [("cpu.cfs_period_us", PERIOD_US.to_string()), ("cpu.cfs_quota_us", quota_us.to_string())])
        } else {
            let max = ("cpu.max", format!("{quota_us} {PERIOD_US}"));
            (Path::new("/sys/fs/cgroup"), [max.clone(), max])
        };
        let folder = root.join(format!("mgdex-bench-{name}"));
        fs::create_dir_all(&folder).expect("root may");
        for (file, limit) in limits {
            fs::write(folder.join(file), limit).expect("the controller of processors");
        }
        fs::write(folder.join("cgroup.procs"), process.to_string()).expect("a process");
        Self(folder)
    }
}

impl Drop for Quota {
    fn drop(&mut self) {
        // The processes in it go back to the group above.
        if let (Ok(processes), Some(above)) = (fs::read_to_string(self.0.join("cgroup.procs")), self.0.parent()) {
            for process in processes.lines() {
                let _ = fs::write(above.join("cgroup.procs"), process);
            }
        }
        let _ = fs::remove_dir(&self.0);
    }
}
