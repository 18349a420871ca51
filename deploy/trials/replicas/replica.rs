//! A replica on a machine of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use store::GenerationName;
use support::TestFolder;
use support::machine::{Mount, Server, wait_for};
use support::network::Node;
use support::program;

use super::store::Store;

/// The size of its disk.
const DISK: &str = "160m";

/// The generations of a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Published {
    pub(crate) number: u64,
    pub(crate) proteins: GenerationName,
    pub(crate) catalogue: GenerationName,
}

pub(crate) struct Replica {
    server: Option<Server>,
    pub(crate) node: Node,
    /// The state that it has served.
    pub(crate) served: u64,
    serve: Command,
    program: PathBuf,
    disk: Mount,
    _folder: TestFolder,
}

impl Replica {
    /// Starts a replica without data, which drains for some time before it ends.
    pub(crate) fn start(node: Node, store: &Store, drain: &str) -> Result<Self, String> {
        store.mount_on(&node);
        let folder = TestFolder::empty();
        let disk = Mount::tmpfs(DISK, folder.path())?;
        let mut serve = program();
        serve.args(["serve", "--services", "proteins,catalogue", "--trust-proxy", "--drain", drain]);
        serve.args(["--listen", &format!("{}:8080", node.address()), "--follow", &store.url(&node)]);
        serve.args(["--follow-interval", "200ms", "--data"]).arg(disk.path()).envs(store.settings());
        let program = serve.get_program().into();
        let mut replica = Self { server: None, node, served: 0, serve, program, disk, _folder: folder };
        replica.restart();
        Ok(replica)
    }

    /// Starts it with the data that it had.
    pub(crate) fn restart(&mut self) {
        let mut command = Command::new(&self.program);
        command.args(self.serve.get_args());
        for (name, value) in self.serve.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        self.server = Some(Server::of_command(&mut self.node.on(&command)));
    }

    pub(crate) fn kill(&mut self) {
        self.server.take().expect("running").kill();
    }

    /// Stops it as for an update, and starts another program in its place.
    pub(crate) fn update(&mut self, program: &Path) {
        let mut server = self.server.take().expect("running");
        server.terminate();
        assert!(server.wait().success(), "{}", server.log());
        program.clone_into(&mut self.program);
        self.restart();
    }

    pub(crate) fn is_running(&self) -> bool {
        self.server.is_some()
    }

    /// Waits until it serves a state.
    pub(crate) fn wait_until_served(&mut self, published: &Published) {
        wait_for("a replica to serve what is published", || {
            let readiness = self.readiness();
            let serves = |kind: &str, name: GenerationName| readiness[kind]["generation"] == name.to_string();
            (serves("proteins", published.proteins) && serves("catalogue", published.catalogue)).then_some(())
        });
        self.served = published.number;
    }

    /// Waits until it reports why it does not switch to new proteins: one of these kinds of
    /// problems.
    pub(crate) fn wait_for_problem(&self, kinds: &[&str]) {
        wait_for("the problem of a replica", || {
            self.readiness()["proteins"]["problem"].as_str().filter(|problem| kinds.contains(problem)).map(|_| ())
        });
    }

    /// Fills its disk to the last byte, and returns the file that does.
    pub(crate) fn fill(&self) -> PathBuf {
        let filler = self.disk.path().join("filler");
        let _ = fs::write(&filler, vec![0; 256 << 20]);
        filler
    }

    fn readiness(&self) -> Value {
        let (_, body) = self.server.as_ref().expect("running").get("/readyz");
        serde_json::from_str(&body).expect("JSON")
    }
}
