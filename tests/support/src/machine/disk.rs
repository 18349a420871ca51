//! Disks that can be filled, write-protected and cut off.
//!
//! Mounting needs root, loop devices and a few system tools. Tests that need them are skipped with
//! a message where they are missing, except in CI (`CI=true`), where they must run.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Instant;

use tempfile::TempDir;

use super::{LOOK_INTERVAL, PATIENCE, run};

/// Cuts off an ext4 file system at once and without writing its journal (`EXT4_IOC_SHUTDOWN`), as a
/// power cut does. It is started before it is needed, so that the cut happens at the moment of the
/// request.
const POWER_SWITCH: &str = r#"
import fcntl, os, struct, sys
folder = os.open(sys.argv[1], os.O_RDONLY)
print("ready", flush=True)
if sys.stdin.readline():
    fcntl.ioctl(folder, 0x8004587d, struct.pack("I", 2))
    print("off", flush=True)
"#;

/// A mounted file system, which is unmounted when it is dropped.
pub struct Mount {
    path: PathBuf,
}

impl Mount {
    /// Mounts with the given arguments of `mount`, in front of the mount point.
    pub fn new<I: AsRef<OsStr>>(arguments: impl IntoIterator<Item = I>, path: &Path) -> Result<Self, String> {
        run(Command::new("mount").args(arguments).arg(path))?;
        Ok(Self { path: path.to_owned() })
    }

    /// Mounts a file system in memory, of a size such as `10m`.
    pub fn tmpfs(size: &str, path: &Path) -> Result<Self, String> {
        Self::new(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"], path)
    }

    /// Shows a folder write-protected at another place.
    pub fn read_only(folder: &Path, path: &Path) -> Result<Self, String> {
        let mount = Self::new([OsStr::new("--bind"), folder.as_os_str()], path)?;
        run(Command::new("mount").args(["-o", "remount,bind,ro"]).arg(path))?;
        Ok(mount)
    }

    /// Returns the mount point.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Fills it with ballast until only the given number of bytes is free.
    pub fn fill(&self, free_bytes: u64) {
        let mut ballast = File::options().create(true).append(true).open(self.ballast()).expect("writable");
        let statistics = rustix::fs::statvfs(&self.path).expect("a disk");
        let available = statistics.f_bavail * statistics.f_frsize;
        let length = usize::try_from(available.saturating_sub(free_bytes)).expect("a small disk");
        ballast.write_all(&vec![1; length]).expect("room for what was counted");
    }

    /// Frees the room that [`Mount::fill`] has used.
    pub fn remove_ballast(&self) {
        fs::remove_file(self.ballast()).expect("writable");
    }

    fn ballast(&self) -> PathBuf {
        self.path.join("ballast")
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let deadline = Instant::now() + PATIENCE;
        while run(Command::new("umount").arg(&self.path)).is_err() {
            if Instant::now() > deadline {
                // Processes that still use it keep it, and no others see it.
                let _ = run(Command::new("umount").arg("--lazy").arg(&self.path));
                return;
            }
            thread::sleep(LOOK_INTERVAL);
        }
    }
}

/// The default size of a disk.
const DISK_BYTES: u64 = 256 << 20;

/// A disk whose power can be cut: an ext4 image on a loop device.
pub struct Disk {
    // Unmounted before the folder is removed.
    mount: Option<Mount>,
    folder: TempDir,
}

impl Disk {
    /// Makes and mounts an empty disk.
    pub fn new() -> Result<Self, String> {
        Self::of_size(DISK_BYTES)
    }

    /// Makes and mounts an empty disk of a size.
    pub fn of_size(size_bytes: u64) -> Result<Self, String> {
        run(Command::new("python3").arg("--version"))?;
        let folder = TempDir::new().expect("a temporary folder");
        let mut disk = Self { mount: None, folder };
        fs::create_dir(disk.path()).expect("new");
        File::create(disk.image()).and_then(|image| image.set_len(size_bytes)).expect("a sparse file");
        run(Command::new("mkfs.ext4").args(["-q", "-F"]).arg(disk.image()))?;
        disk.mount()?;
        Ok(disk)
    }

    /// Returns the folder that is on the disk.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("disk")
    }

    /// Prepares a power cut.
    pub fn switch(&self) -> PowerSwitch {
        PowerSwitch::new(&self.path())
    }

    /// Restarts the machine after a power cut: the file system recovers by its journal.
    pub fn restart(&mut self) {
        self.mount = None;
        self.mount().expect("a file system that recovers");
    }

    fn image(&self) -> PathBuf {
        self.folder.path().join("image")
    }

    fn mount(&mut self) -> Result<(), String> {
        let arguments = ["-t", "ext4", "-o", "loop"].map(OsStr::new);
        let image = self.image();
        self.mount = Some(Mount::new(arguments.into_iter().chain([image.as_os_str()]), &self.path())?);
        Ok(())
    }
}

/// A prepared power cut.
pub struct PowerSwitch {
    process: Child,
    request: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl PowerSwitch {
    fn new(path: &Path) -> Self {
        let mut process = Command::new("python3")
            .args(["-c", POWER_SWITCH])
            .arg(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3");
        let request = process.stdin.take().expect("piped");
        let answers = BufReader::new(process.stdout.take().expect("piped"));
        let mut switch = Self { process, request, answers };
        assert_eq!(switch.answer(), "ready\n", "the disk cannot be opened");
        switch
    }

    /// Cuts the power: from now on nothing reaches the disk.
    pub fn cut(mut self) {
        writeln!(self.request).expect("the switch waits");
        assert_eq!(self.answer(), "off\n", "the file system cannot be shut down");
    }

    fn answer(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("text");
        line
    }
}

impl Drop for PowerSwitch {
    fn drop(&mut self) {
        // The process holds the mount point open until it has ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
