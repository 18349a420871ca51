//! System calls of a running server: traced, and made to fail.

use std::collections::HashMap;
use std::fs::{self, File};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::machine::{Server, wait_for};

/// The tracer of a server.
pub struct Strace {
    process: Child,
    folder: TempDir,
}

impl Strace {
    /// Starts to trace all threads of a server. The arguments select the calls and the faults to
    /// inject.
    pub fn attach(server: &Server, arguments: &[&str]) -> Result<Self, String> {
        let folder = TempDir::new().expect("a temporary folder");
        let log = folder.path().join("log");
        let mut command = Command::new("strace");
        command.args(["-f", "-ttt", "-y", "-o"]).arg(folder.path().join("trace")).args(arguments);
        command.args(["-p", &server.id().to_string()]).stdin(Stdio::null());
        command.stderr(File::create(&log).expect("writable"));
        let process = command.spawn().map_err(|error| format!("strace: {error}"))?;
        let mut strace = Self { process, folder };
        wait_for("the tracer", || {
            let trace = fs::read_to_string(&log).expect("text");
            if let Some(status) = strace.process.try_wait().expect("a child") {
                return Some(Err(format!("strace, {status}: {trace}")));
            }
            trace.contains("attached").then_some(Ok(()))
        })?;
        Ok(strace)
    }

    /// Detaches from the server if it has not ended, and returns the trace.
    pub fn finish(mut self) -> String {
        if self.process.try_wait().expect("a child").is_none() {
            kill_process(Pid::from_child(&self.process), Signal::TERM).expect("a child");
        }
        wait_for("the end of the tracer", || self.process.try_wait().expect("a child"));
        String::from_utf8_lossy(&fs::read(self.folder.path().join("trace")).expect("readable")).into_owned()
    }
}

impl Drop for Strace {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A system call.
#[derive(Debug)]
pub struct Call<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its arguments, as far as they were traced when it began.
    pub arguments: &'a str,
    /// The line of the trace at which it began.
    pub begin: usize,
    /// The line at which it ended, if it did.
    pub end: Option<usize>,
    /// The returned number, if it is one.
    pub result: Option<i64>,
}

/// Reads a trace. Calls are in the order of their beginnings.
pub fn calls(trace: &str) -> Vec<Call<'_>> {
    let mut calls: Vec<Call> = Vec::new();
    let mut unfinished = HashMap::new();
    for (number, line) in trace.lines().enumerate() {
        let Some((thread, rest)) = line.split_once(' ') else { continue };
        let Some((_, event)) = rest.trim_start().split_once(' ') else { continue };
        let result = event.rsplit_once(" = ").and_then(|(_, result)| result.split(' ').next()?.parse().ok());
        if event.starts_with("<... ") {
            if let Some(at) = unfinished.remove(thread) {
                let call: &mut Call = &mut calls[at];
                (call.end, call.result) = (Some(number), result);
            }
        } else if let Some((name, arguments)) = event.split_once('(')
            && !event.starts_with(['+', '-'])
        {
            let is_whole = !event.ends_with("<unfinished ...>");
            if !is_whole {
                unfinished.insert(thread, calls.len());
            }
            let (end, result) = if is_whole { (Some(number), result) } else { (None, None) };
            calls.push(Call { name, arguments, begin: number, end, result });
        }
    }
    calls
}
