//! A server that is measured.

use std::fs::File;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;

/// The timeout of starting.
const PATIENCE: Duration = Duration::from_mins(3);

/// mgdex or a rival, which stops when it is dropped.
pub(crate) struct System {
    pub(crate) name: &'static str,
    pub(crate) address: SocketAddr,
    /// The time from the release to a server that can answer.
    pub(crate) load_time: Duration,
    /// The size of its files of proteins.
    pub(crate) num_bytes: u64,
    /// Threads of this process that answer.
    pub(crate) _runtime: Option<Runtime>,
    /// A process that answers.
    pub(crate) _process: Option<Process>,
}

/// A shell that ends its process at the end of standard input, however this one ends.
const SCRIPT: &str = r#""$@" & server=$!; read -r line; kill $server; wait $server"#;

/// A process that ends when it is dropped.
pub(crate) struct Process(Child);

impl Process {
    /// Starts a server with its messages in a file, and returns it with its standard output.
    pub(crate) fn start(command: &Command, log: &Path) -> (Self, ChildStdout) {
        let mut shell = Command::new("sh");
        shell.args(["-c", SCRIPT, "sh"]).arg(command.get_program()).args(command.get_args()).current_dir("/");
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(File::create(log).expect("writable"));
        let mut child = shell.spawn().expect("sh");
        let output = child.stdout.take().expect("piped");
        (Self(child), output)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        // It may have ended by itself.
        let _ = self.0.wait();
    }
}

/// Waits until there is a result.
pub(crate) fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(started.elapsed() < PATIENCE, "waited in vain for {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Returns the number of queries that a rival answers at a time.
pub(crate) fn num_at_a_time() -> usize {
    4 * thread::available_parallelism().expect("cores").get()
}
