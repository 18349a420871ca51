//! A program that runs under guards: limited in memory, time and output, in its own process group,
//! and killed when the thread that started it ends.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::param::clock_ticks_per_second;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::guards::Guards;
use crate::limits::Limits;
use crate::{Result, SearchError};

/// The file with the standard output and standard error of a program. Results are in separate
/// files.
const OUTPUT: &str = "said";

/// The most bytes that are read of this output.
const OUTPUT_BYTES_MAX: u64 = 4096;

/// The intervals of checking whether a program has ended.
const LOOK_MIN: Duration = Duration::from_millis(1);
const LOOK_MAX: Duration = Duration::from_millis(20);

/// The interval of checking whether input is still wanted.
const INPUT_LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// Larger pipes need fewer switches between the processes.
const PIPE_BYTES: usize = 1 << 20;

/// The settings for running a program.
pub(crate) struct Guarded<'a> {
    pub(crate) guards: &'a Guards,
    pub(crate) limits: &'a Limits,
    /// The folder that it runs in.
    pub(crate) folder: &'a Path,
    /// Called from time to time with the processor time that a program has used, and a last time
    /// when it has ended. If it returns false, the program is stopped.
    pub(crate) may_continue: &'a dyn Fn(Duration) -> bool,
}

/// The standard input of a program.
pub(crate) enum Input<'a> {
    Nothing,
    File(File),
    /// The output of a function, on a separate thread.
    Written(&'a mut (dyn FnMut(&mut dyn Write) -> Result<()> + Send)),
}

/// The end of a program.
pub(crate) struct Exit {
    pub(crate) status: ExitStatus,
    /// The beginning of its standard output and standard error.
    pub(crate) output: String,
}

impl Guarded<'_> {
    /// Runs a program to its end. Neither it nor any process that it has started is left when this
    /// returns.
    pub(crate) fn run(&self, program: &Path, arguments: &[&OsStr], input: Input) -> Result<Exit> {
        self.guards.give(self.folder).map_err(SearchError::io("cannot change the owner of", self.folder))?;
        let path = self.folder.join(OUTPUT);
        // It is read through the same descriptor, because the program may replace the file.
        let file = File::options().read(true).write(true).create_new(true).open(&path);
        let mut file = file.map_err(SearchError::io("cannot create", &path))?;
        let share = || file.try_clone().map_err(SearchError::io("cannot use", &path));
        let mut command = self.guards.command(self.limits);
        command.arg(program).args(arguments).env_clear().current_dir(self.folder).process_group(0);
        command.stdout(share()?).stderr(share()?);
        let mut writer = None;
        match input {
            Input::Nothing => command.stdin(Stdio::null()),
            Input::File(file) => command.stdin(file),
            Input::Written(write) => {
                writer = Some(write);
                command.stdin(Stdio::piped())
            }
        };
        let has_ended = AtomicBool::new(false);
        let (status, written) = thread::scope(|scope| -> Result<_> {
            // A thread cannot regain privileges that it drops, so a separate thread starts the
            // program. The thread lives as long as the program: when it ends, the kernel kills the
            // program.
            let (started, start) = mpsc::channel();
            let (_running, end) = mpsc::channel::<()>();
            let (guards, folder) = (self.guards, self.folder);
            scope.spawn(move || {
                let _ = started.send(guards.restrict(folder).and_then(|()| command.spawn()));
                let _ = end.recv();
            });
            let child = start.recv().unwrap_or_else(|_| Err(io::Error::other("its thread has ended")));
            let mut group = Group::new(child.map_err(SearchError::io("cannot start", program))?);
            let stdin = group.child.stdin.take();
            let writing = writer.zip(stdin).map(|(write, stdin)| {
                let has_ended = &has_ended;
                scope.spawn(move || write(&mut Pipe::new(stdin, has_ended)))
            });
            let waited = self.wait(group.leader);
            let status = group.end();
            has_ended.store(true, Ordering::Release);
            Ok((waited.and(status), writing.map(thread::ScopedJoinHandle::join)))
        })?;
        let status = status?;
        match written {
            // The program itself reports why it stops reading.
            None | Some(Ok(Err(SearchError::Io { .. }) | Ok(()))) => {}
            Some(Ok(Err(error))) => return Err(error),
            Some(Err(panic)) => std::panic::resume_unwind(panic),
        }
        let mut text = Vec::new();
        let read = file.rewind().and_then(|()| file.take(OUTPUT_BYTES_MAX).read_to_end(&mut text));
        read.and_then(|_| fs::remove_file(&path)).map_err(SearchError::io("cannot read", &path))?;
        Ok(Exit { status, output: String::from_utf8_lossy(&text).into_owned() })
    }

    /// Waits until a program has ended. Its process number is not reused before its status is
    /// collected.
    fn wait(&self, leader: Pid) -> Result<()> {
        let began = Instant::now();
        let mut pause = LOOK_MIN;
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        loop {
            let has_ended = waitid(WaitId::Pid(leader), options).map_err(cannot_wait)?.is_some();
            let may_continue = (self.may_continue)(cpu_time(leader).unwrap_or_else(|| began.elapsed()));
            if has_ended {
                return Ok(());
            }
            if !may_continue {
                return Err(SearchError::Cancelled);
            }
            if let Some(time) = self.limits.time
                && began.elapsed() >= time
            {
                return Err(SearchError::TooLong(time));
            }
            thread::sleep(pause);
            pause = LOOK_MAX.min(pause * 2);
        }
    }
}

/// A program, and all processes that it starts.
struct Group {
    child: Child,
    leader: Pid,
    has_ended: bool,
}

impl Group {
    /// Wraps a program that was started as the leader of a group.
    fn new(child: Child) -> Self {
        let leader = Pid::from_child(&child);
        Self { child, leader, has_ended: false }
    }

    /// Kills the remaining processes, and returns the exit status of the program.
    fn end(&mut self) -> Result<ExitStatus> {
        if !std::mem::replace(&mut self.has_ended, true) {
            // There may be no processes left.
            let _ = kill_process_group(self.leader, Signal::KILL);
        }
        self.child.wait().map_err(cannot_wait)
    }
}

/// Also runs when the input function panics.
impl Drop for Group {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// Returns the processor time of a program that runs, or has just ended.
fn cpu_time(leader: Pid) -> Option<Duration> {
    /// The number of fields between the name and the times. The times are those of the program, and
    /// of the processes that it has started and waited for.
    const NUM_BEFORE: usize = 11;
    let stat = fs::read_to_string(format!("/proc/{}/stat", leader.as_raw_nonzero())).ok()?;
    // The name may contain parentheses and blanks.
    let numbers = stat.rsplit_once(')')?.1.split_whitespace().skip(NUM_BEFORE).take(4);
    let num_ticks: u64 = numbers.filter_map(|number| number.parse::<u64>().ok()).sum();
    Some(Duration::from_millis(num_ticks * 1000 / clock_ticks_per_second()))
}

fn cannot_wait(error: impl Into<io::Error>) -> SearchError {
    SearchError::io("cannot wait for", Path::new("a program"))(error.into())
}

/// The writing end of a pipe. Unlike that of the standard library, it does not wait for a reader
/// when the program has ended, while a process that it has started still holds the other end.
struct Pipe<'a> {
    pipe: ChildStdin,
    has_ended: &'a AtomicBool,
}

impl<'a> Pipe<'a> {
    fn new(pipe: ChildStdin, has_ended: &'a AtomicBool) -> Self {
        // It also works with a smaller pipe, but takes longer.
        let _ = rustix::pipe::fcntl_setpipe_size(&pipe, PIPE_BYTES);
        let _ = rustix::io::ioctl_fionbio(&pipe, true);
        Self { pipe, has_ended }
    }
}

impl Write for Pipe<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.pipe.write(bytes) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                written => return written,
            }
            if self.has_ended.load(Ordering::Acquire) {
                return Err(ErrorKind::BrokenPipe.into());
            }
            poll(&mut [PollFd::new(&self.pipe, PollFlags::OUT)], Some(&INPUT_LOOK))?;
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Exit {
    /// Returns the signal that has ended the program, if any. Shells and other guards report it as
    /// an exit code.
    pub(crate) fn signal(&self) -> Option<i32> {
        self.status.signal().or_else(|| self.status.code()?.checked_sub(128).filter(|signal| *signal > 0))
    }
}
