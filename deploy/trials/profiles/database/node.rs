//! A machine of the cluster, and its programs.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::Mutex;

use rustix::process::{Pid, Signal, kill_process};
use support::network::Node;

/// Runs a program as a user, on a machine whose folders are below `$1`.
const RUN: &str = r#"
cd "$1"
mount --bind etcd /var/lib/etcd
mount --bind patroni /etc/patroni
mount --bind postgresql /var/lib/postgresql
mount --bind run /run/postgresql
set -a
. "./$2.env"
user=$3
shift 3
cd /
exec setpriv --reuid="$user" --regid="$user" --init-groups "$@"
"#;

/// A machine of the cluster.
pub(crate) struct DatabaseNode {
    pub(crate) node: Node,
    pub(crate) name: String,
    pub(super) folder: PathBuf,
    etcd: Mutex<Option<Child>>,
    patroni: Mutex<Option<Child>>,
}

impl DatabaseNode {
    pub(super) fn new(node: Node, name: String, folder: PathBuf) -> Self {
        Self { node, name, folder, etcd: Mutex::default(), patroni: Mutex::default() }
    }

    /// Starts the programs that are not running.
    pub(crate) fn start(&self) {
        self.start_program(&self.etcd, "etcd", "etcd", &["etcd"]);
        self.start_program(&self.patroni, "patroni", "postgres", &["patroni", "/etc/patroni/config.yml"]);
    }

    /// Ends the machine at once, as if its power were cut.
    pub(crate) fn kill(&self) {
        self.node.kill();
        for program in [&self.etcd, &self.patroni] {
            if let Some(mut process) = program.lock().expect("no panic").take() {
                process.wait().expect("a child");
            }
        }
    }

    /// Ends PostgreSQL and Patroni at once; etcd continues.
    pub(crate) fn kill_database(&self) {
        let etcd = self.etcd.lock().expect("no panic").as_ref().map(Child::id);
        self.node.kill_others(&etcd.into_iter().collect::<Vec<_>>());
        if let Some(mut process) = self.patroni.lock().expect("no panic").take() {
            process.wait().expect("a child");
        }
    }

    /// Stops all its programs, without ending them.
    pub(crate) fn pause(&self) {
        self.node.signal(Signal::STOP);
    }

    /// Stops Patroni, without ending it.
    pub(crate) fn pause_patroni(&self) {
        let patroni = self.patroni.lock().expect("no panic");
        kill_process(Pid::from_child(patroni.as_ref().expect("started")), Signal::STOP).expect("a child");
    }

    /// Resumes the stopped programs.
    pub(crate) fn resume(&self) {
        self.node.signal(Signal::CONT);
    }

    fn start_program(&self, process: &Mutex<Option<Child>>, name: &str, user: &str, command: &[&str]) {
        let mut process = process.lock().expect("no panic");
        if let Some(running) = &mut *process
            && running.try_wait().expect("a child").is_none()
        {
            return;
        }
        let log = File::options().create(true).append(true).open(self.folder.join(name).with_extension("log"));
        let log = log.expect("writable");
        let mut shell = self.node.command("unshare");
        shell.args(["--mount", "sh", "-c", RUN, "sh"]).arg(&self.folder).args([name, user]).args(command);
        shell.env("HOME", "/var/lib/postgresql").env("LC_ALL", "C.UTF-8").stdin(Stdio::null());
        shell.stdout(log.try_clone().expect("a file")).stderr(log);
        *process = Some(shell.spawn().expect("util-linux"));
    }
}
