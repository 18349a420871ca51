//! Calls of the real program on its files that are made to fail, by a library between the program
//! and that of the system: `failing_calls.c`.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::io::Errno;
use tempfile::TempDir;

use crate::machine::run;
use crate::project;

/// The number of a call that never happens.
const NEVER: i64 = i64::MAX;

/// A way in which calls fail, from a call on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// One call fails with `EIO`.
    Eio,
    /// All further calls fail with `EIO`.
    EioForever,
    /// All further calls that may need room fail with `ENOSPC`.
    Full,
    /// One call writes half of its bytes.
    Short,
}

impl Fault {
    /// All faults.
    pub const ALL: [Self; 4] = [Self::Eio, Self::EioForever, Self::Full, Self::Short];

    /// Returns the error, or 0 for none.
    fn error(self) -> i64 {
        let error = match self {
            Self::Eio | Self::EioForever => Errno::IO,
            Self::Full => Errno::NOSPC,
            Self::Short => return 0,
        };
        error.raw_os_error().into()
    }
}

/// A call on a file.
#[derive(Clone, Debug)]
pub struct FileCall {
    /// `true` if it was made to fail.
    pub has_failed: bool,
    /// Its name.
    pub name: String,
    /// The file or folder.
    pub path: PathBuf,
}

/// The library, its orders and its record.
pub struct FailingCalls {
    folder: TempDir,
    control: File,
}

impl FailingCalls {
    /// Compiles the library. No call fails yet.
    pub fn new() -> Result<Self, String> {
        let folder = TempDir::new().expect("a temporary folder");
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(folder.path().join("library"));
        run(compiler.arg(project("tests/support/src/failing_calls.c")).arg("-ldl"))?;
        let control = File::options().write(true).create_new(true).open(folder.path().join("control")).expect("new");
        let calls = Self { folder, control };
        calls.stop();
        Ok(calls)
    }

    /// Lets the library watch a command, which is about to start, and its calls on a folder and all
    /// below it.
    pub fn watch<'a>(&self, command: &'a mut Command, files: &Path) -> &'a mut Command {
        command.env("LD_PRELOAD", self.folder.path().join("library"));
        command.env("FAILING_CALLS", self.folder.path()).env("FAILING_BELOW", files)
    }

    /// Forgets all calls. Calls fail from now on, beginning with the one of the given number, which
    /// is 1 for the next. With 0, none fails.
    pub fn fail(&self, first: usize, fault: Fault) {
        let first = i64::try_from(first).expect("small");
        let last = if matches!(fault, Fault::Eio | Fault::Short) { first } else { NEVER };
        // None fails while the numbers change.
        self.set([0, NEVER, 0, 0]);
        fs::write(self.folder.path().join("calls"), "").expect("writable");
        self.set([0, NEVER, last, fault.error()]);
        self.set([0, first, last, fault.error()]);
    }

    /// Lets no call fail from now on.
    pub fn stop(&self) {
        self.fail(0, Fault::Eio);
    }

    fn set(&self, numbers: [i64; 4]) {
        self.control.write_all_at(&numbers.map(i64::to_ne_bytes).concat(), 0).expect("writable");
    }

    /// Returns the calls.
    pub fn calls(&self) -> Vec<FileCall> {
        let text = fs::read_to_string(self.folder.path().join("calls")).expect("text");
        let call = |line: &str| {
            let mut words = line.splitn(3, ' ');
            let mut word = || words.next().expect("three words");
            FileCall { has_failed: word() == "failed", name: word().to_owned(), path: PathBuf::from(word()) }
        };
        text.lines().map(call).collect()
    }
}
