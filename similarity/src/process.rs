//! A program that runs under guards: limited in memory, time and output, in a group of its own, and killed if whoever started it ends.

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

/// What a program says on standard output and standard error is in this file. Results have files of their own.
const SAID: &str = "said";

/// The most bytes that are read of what a program says.
const SAID_BYTES_MAX: u64 = 4096;

/// The intervals of looking whether a program has ended.
const LOOK_MIN: Duration = Duration::from_millis(1);
const LOOK_MAX: Duration = Duration::from_millis(20);

/// The interval of looking whether input is still wanted.
const INPUT_LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// Larger pipes take fewer changes between the processes.
const PIPE_BYTES: usize = 1 << 20;

/// How a program runs.
pub(crate) struct Guarded<'a> {
    pub(crate) guards: &'a Guards,
    pub(crate) limits: &'a Limits,
    /// The folder that it runs in.
    pub(crate) folder: &'a Path,
    /// Is asked from time to time whether a program goes on that has used so much time of the processor, the last time when it has ended.
    pub(crate) goes_on: &'a dyn Fn(Duration) -> bool,
}

/// What a program reads from standard input.
pub(crate) enum Input<'a> {
    Nothing,
    File(File),
    /// What a function writes, on a thread of its own.
    Written(&'a mut (dyn FnMut(&mut dyn Write) -> Result<()> + Send)),
}

/// How a program has ended.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    /// The beginning of what it said.
    pub(crate) said: String,
}

impl Guarded<'_> {
    /// Runs a program to its end. Nothing of it, or of what it has started, is left when this returns.
    pub(crate) fn run(&self, program: &Path, arguments: &[&OsStr], input: Input) -> Result<Ended> {
        self.guards.give(self.folder).map_err(SearchError::io("cannot give away", self.folder))?;
        let said = self.folder.join(SAID);
        // It is read by the same descriptor: the program may put another file in its place.
        let file = File::options().read(true).write(true).create_new(true).open(&said);
        let mut file = file.map_err(SearchError::io("cannot create", &said))?;
        let share = || file.try_clone().map_err(SearchError::io("cannot use", &said));
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
            // A thread cannot take back what it gives up, so that one of its own starts the program. It lives as long: when it ends, the kernel kills
            // the program.
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
            // The program says itself why it does not read on.
            None | Some(Ok(Err(SearchError::Io { .. }) | Ok(()))) => {}
            Some(Ok(Err(error))) => return Err(error),
            Some(Err(panic)) => std::panic::resume_unwind(panic),
        }
        let mut text = Vec::new();
        let read = file.rewind().and_then(|()| file.take(SAID_BYTES_MAX).read_to_end(&mut text));
        read.and_then(|_| fs::remove_file(&said)).map_err(SearchError::io("cannot read", &said))?;
        Ok(Ended { status, said: String::from_utf8_lossy(&text).into_owned() })
    }

    /// Waits until a program has ended. Its number is not given to another process before it is asked for its status.
    fn wait(&self, leader: Pid) -> Result<()> {
        let began = Instant::now();
        let mut pause = LOOK_MIN;
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        loop {
            let has_ended = waitid(WaitId::Pid(leader), options).map_err(cannot_wait)?.is_some();
            let goes_on = (self.goes_on)(cpu_time(leader).unwrap_or_else(|| began.elapsed()));
            if has_ended {
                return Ok(());
            }
            if !goes_on {
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

/// A program, and all that it starts.
struct Group {
    child: Child,
    leader: Pid,
    has_ended: bool,
}

impl Group {
    /// Takes a program that was started as the leader of a group.
    fn new(child: Child) -> Self {
        let leader = Pid::from_child(&child);
        Self { child, leader, has_ended: false }
    }

    /// Kills what is left, and returns how the program has ended.
    fn end(&mut self) -> Result<ExitStatus> {
        if !std::mem::replace(&mut self.has_ended, true) {
            // Nothing may be left.
            let _ = kill_process_group(self.leader, Signal::KILL);
        }
        self.child.wait().map_err(cannot_wait)
    }
}

/// Also when what it is fed with panics.
impl Drop for Group {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// Returns the time of the processor that a program has used that runs, or has just ended.
fn cpu_time(leader: Pid) -> Option<Duration> {
    /// The numbers between the name and the times: those of the program, and of what it has started and waited for.
    const NUM_BEFORE: usize = 11;
    let stat = fs::read_to_string(format!("/proc/{}/stat", leader.as_raw_nonzero())).ok()?;
    // The name may have parentheses and blanks.
    let numbers = stat.rsplit_once(')')?.1.split_whitespace().skip(NUM_BEFORE).take(4);
    let num_ticks: u64 = numbers.filter_map(|number| number.parse::<u64>().ok()).sum();
    Some(Duration::from_millis(num_ticks * 1000 / clock_ticks_per_second()))
}

fn cannot_wait(error: impl Into<io::Error>) -> SearchError {
    SearchError::io("cannot wait for", Path::new("a program"))(error.into())
}

/// The end of a pipe that is written to. Unlike the standard library's, it does not wait for a reader when the program has ended, and something that it
/// has started still holds the other end.
struct Pipe<'a> {
    pipe: ChildStdin,
    has_ended: &'a AtomicBool,
}

impl<'a> Pipe<'a> {
    fn new(pipe: ChildStdin, has_ended: &'a AtomicBool) -> Self {
        // With a smaller pipe, it takes longer.
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

impl Ended {
    /// Returns the signal that has ended the program, if any has. Shells and other guards tell it as an exit code.
    pub(crate) fn signal(&self) -> Option<i32> {
        self.status.signal().or_else(|| self.status.code()?.checked_sub(128).filter(|signal| *signal > 0))
    }
}
