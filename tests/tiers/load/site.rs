//! Servers over data of every kind, and the resources that they use.

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use store::GenerationName;
use support::machine::{Server, acknowledged, wait_for};
use support::profile_writers::{Access, copy_folder};
use support::replicas::readiness;
use support::similarity::engine::AT_ONCE;
use support::similarity::site::Site as Searched;
use support::{TestFolder, data, program};

/// The data, which are loaded once.
static DATA: LazyLock<TestFolder> = LazyLock::new(|| {
    let folder = TestFolder::of_sample();
    let mut command = program();
    command.args(["catalogue", "load", "--quiet", "--keep-sealed", "--data"]).arg(folder.path());
    command.args(
        ["biomes", "studies", "publications"].map(|name| data(&format!("catalogue/collections/{name}.jsonl.gz"))),
    );
    acknowledged(&command.arg("--v2").arg(data("catalogue-v2/documents")).output().expect("the binary"));
    folder
});

/// One test at a time has the machine.
static MACHINE: Mutex<()> = Mutex::new(());

/// A data folder with proteins, a catalogue of both versions and profiles, an engine of the test
/// that searches, and tokens.
pub(crate) struct Site {
    pub(crate) searched: Searched,
    pub(crate) access: Access,
    _machine: MutexGuard<'static, ()>,
}

/// The resources that a server uses, in bytes or as numbers.
#[derive(Clone, Copy)]
pub(crate) struct Usage {
    /// Memory without pages of files, which the system may take back.
    pub(crate) anonymous: u64,
    pub(crate) descriptors: u64,
    pub(crate) threads: u64,
    pub(crate) disk: u64,
}

impl Site {
    pub(crate) fn new() -> Self {
        let machine = MACHINE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = TestFolder::empty();
        copy_folder(DATA.path(), folder.path());
        Self { searched: Searched::with_engine(folder, AT_ONCE), access: Access::new(), _machine: machine }
    }

    pub(crate) fn data(&self) -> &Path {
        self.searched.data.path()
    }

    /// Returns the command that serves the folder.
    pub(crate) fn command(&self) -> Command {
        self.searched.with_programs(self.access.serve(self.data()))
    }

    /// Publishes a generation by a command over the folder.
    pub(crate) fn change(&self, arguments: &[impl AsRef<OsStr>]) -> GenerationName {
        acknowledged(
            &program().args(arguments).args(["--quiet", "--data"]).arg(self.data()).output().expect("the binary"),
        )
    }
}

/// Waits until a server serves a generation.
pub(crate) fn wait_until_served(server: &Server, kind: &str, generation: GenerationName) {
    wait_for("the generation to be served", || {
        (readiness(server).1[kind]["generation"] == generation.to_string()).then_some(())
    });
}

impl Usage {
    /// Measures a server, and the folders that it and its publisher write to.
    pub(crate) fn of(server: &Server, folders: &[&Path]) -> Self {
        let descriptors = fs::read_dir(format!("/proc/{}/fd", server.id())).expect("a process").count() as u64;
        Self {
            anonymous: server.status("RssAnon:") << 10,
            descriptors,
            threads: server.status("Threads:"),
            disk: folders.iter().map(|folder| bytes_below(folder)).sum(),
        }
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { anonymous, descriptors, threads, disk } = self;
        let [anonymous, disk] = [anonymous, disk].map(|bytes| bytes >> 20);
        write!(formatter, "{anonymous} MiB of memory, {descriptors} descriptors, {threads} threads, {disk} MiB of disk")
    }
}

/// Returns the bytes of all files of a folder. Those that are removed meanwhile do not count.
fn bytes_below(folder: &Path) -> u64 {
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => bytes_below(&entry.path()),
        metadata => metadata.map_or(0, |metadata| metadata.len()),
    };
    fs::read_dir(folder).into_iter().flatten().flatten().map(size).sum()
}
