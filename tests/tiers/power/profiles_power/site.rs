//! A disk, a store on it, and its writers.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rand::RngExt;
use rand::rngs::StdRng;

use support::machine::{Disk, Server};
use support::profile_writers::{
    Access, Contents, Mix, Strace, Writer, check_over_http, export, export_until_failure, exported, print_survived,
    profiles, settle, try_settle, write_until_failure,
};

/// The size of the disk, most of which is never written. The store wants 64 MiB free.
const DISK_BYTES: u64 = 2 << 30;

/// The longest time for opening a store; most need far less.
const OPENING_TIME: Duration = Duration::from_millis(400);

/// The pause between two looks at an import.
const LOOK_INTERVAL: Duration = Duration::from_millis(1);

/// A disk with a store of profiles.
pub(crate) struct Site {
    // Users of the disk are dropped before it.
    server: Option<Server>,
    disk: Disk,
    access: Access,
    data: PathBuf,
    writers: Vec<Writer>,
}

impl Site {
    /// Makes an empty disk. The data folder does not exist yet.
    pub(crate) fn new(num_writers: usize, seed: u64, mixes: &[Mix]) -> Result<Self, String> {
        let disk = Disk::of_size(DISK_BYTES)?;
        let data = disk.path().join("new/data");
        Ok(Self { server: None, disk, access: Access::new(), data, writers: Writer::several(num_writers, seed, mixes) })
    }

    /// Returns the number of acknowledged writes.
    pub(crate) fn num_acknowledged(&self) -> u64 {
        self.writers.iter().map(|writer| writer.num_acknowledged).sum()
    }

    /// Returns the number of profiles.
    pub(crate) fn num_profiles(&self) -> usize {
        self.writers.iter().map(|writer| writer.profiles.len()).sum()
    }

    /// Lets some of the writers write for a while, during an export if there are several, and cuts
    /// the power under the server. No matter when it arrives, an acknowledgement counts: after the
    /// cut no sync can succeed.
    pub(crate) fn write_until_cut(&mut self, num_writers: usize, time: Duration) {
        let mut server = self.server.take().unwrap_or_else(|| self.access.start(&self.data));
        let switch = self.disk.switch();
        let (is_cut, access) = (AtomicBool::new(false), &self.access);
        let address = server.address().to_owned();
        thread::scope(|scope| {
            for writer in &mut self.writers[..num_writers] {
                scope.spawn(|| write_until_failure(writer, &address, access, &is_cut));
            }
            if num_writers > 1 {
                scope.spawn(|| export_until_failure(&address, access));
            }
            thread::sleep(time);
            is_cut.store(true, Ordering::SeqCst);
            switch.cut();
            server.kill();
        });
        self.disk.restart();
    }

    /// Cuts the power while a server opens the store, or makes it.
    pub(crate) fn cut_while_opening(&mut self, random: &mut StdRng) {
        let switch = self.disk.switch();
        let mut command = self.access.serve(&self.data);
        let mut process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary");
        thread::sleep(OPENING_TIME.mul_f64(random.random::<f64>().powi(2)));
        switch.cut();
        process.kill().expect("a child");
        process.wait().expect("a child");
        self.disk.restart();
    }

    /// Imports for some time or to the end, cuts the power, and returns whether the import was
    /// acknowledged.
    pub(crate) fn import_until_cut(&mut self, lines: &Path, time: Duration) -> bool {
        let switch = self.disk.switch();
        let mut command = profiles("import", &self.data);
        let mut process = command.arg(lines).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary");
        let started = Instant::now();
        while started.elapsed() < time && process.try_wait().expect("a child").is_none() {
            thread::sleep(LOOK_INTERVAL);
        }
        switch.cut();
        process.kill().expect("a child");
        let is_acknowledged = process.wait().expect("a child").success();
        self.disk.restart();
        is_acknowledged
    }

    /// Returns the profiles after a cut; there may be none.
    pub(crate) fn exported_or_empty(&self, context: &str) -> Contents {
        let is_there = self.data.join("profiles/db").try_exists().expect("readable");
        if is_there { exported(&self.data, context) } else { Contents::default() }
    }

    /// Checks the profiles after a cut with a server that keeps running, and sometimes with the
    /// command that exports.
    pub(crate) fn restart_and_check(&mut self, random: &mut StdRng, context: &str) {
        if random.random() {
            settle(&mut self.writers, exported(&self.data, context), context);
        }
        let server = self.access.start(&self.data);
        check_over_http(&server, &self.access, &mut self.writers, random, context);
        self.server = Some(server);
    }

    /// Makes the syncs of the running server succeed without doing anything from now on.
    pub(crate) fn without_syncs(&mut self) -> Result<Strace, String> {
        let server = self.server.get_or_insert_with(|| self.access.start(&self.data));
        let calls = "fsync,fdatasync,sync_file_range";
        Strace::attach(server, &["-e", &format!("trace={calls}"), "-e", &format!("inject={calls}:retval=0")])
    }

    /// Returns whether the store does not open after a cut, or has lost acknowledged writes.
    pub(crate) fn has_lost(&mut self) -> bool {
        let output = export(&self.data);
        let text = String::from_utf8_lossy(&output.stdout);
        !output.status.success() || try_settle(&mut self.writers, Contents::of_export(&text, "without syncs")).is_err()
    }

    /// Prints the successful attempts.
    pub(crate) fn report(&self, what: &str) {
        print_survived(what, self.num_acknowledged(), self.num_profiles());
    }
}
