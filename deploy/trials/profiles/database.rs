//! Three machines with PostgreSQL, Patroni and etcd, set up by the files of `deploy/postgres`.

mod node;

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::machine::wait_for;
use support::network::Network;
use support::project;
use tempfile::TempDir;

use self::node::DatabaseNode;

/// The required programs, with the files of their packages that show that they are installed.
const NEEDED: [(&str, &str); 6] = [
    ("patroni", "/usr/bin/patroni"),
    ("python3-idna", "/usr/lib/python3/dist-packages/idna"),
    ("etcd-server", "/usr/bin/etcd"),
    ("postgresql-15", "/usr/lib/postgresql/15/bin/initdb"),
    ("openssl", "/usr/bin/openssl"),
    ("curl", "/usr/bin/curl"),
];

const NUM_NODES: usize = 3;

/// The time limit for a cluster to be whole again: standbys may have to be copied again.
const WHOLE_PATIENCE: Duration = Duration::from_mins(3);

const LOOK_INTERVAL: Duration = Duration::from_millis(200);

/// The times after which a dead leader is replaced, in seconds.
#[derive(Clone, Copy)]
pub(super) struct Timing {
    pub(super) ttl: u32,
    pub(super) loop_wait: u32,
    pub(super) retry_timeout: u32,
}

impl Timing {
    /// The times in the configuration files.
    pub(super) const SHIPPED: Self = Self { ttl: 20, loop_wait: 5, retry_timeout: 5 };
    /// For tests that must not take long.
    pub(super) const SHORT: Self = Self { ttl: 9, loop_wait: 1, retry_timeout: 4 };
}

/// The cluster.
pub(super) struct Database {
    pub(super) nodes: [DatabaseNode; NUM_NODES],
    folder: TempDir,
    password: String,
}

/// A machine that follows the leader.
struct Standby {
    name: String,
    /// `false` if it must not become leader.
    is_synchronous: bool,
}

impl Database {
    /// Starts a new cluster, and waits until it is whole.
    pub(super) fn start(network: &Network, timing: Timing) -> Result<Self, String> {
        if let Some((package, path)) = NEEDED.iter().find(|(_, path)| !Path::new(path).try_exists().unwrap_or(false)) {
            return Err(format!("{package} is needed: {path} is missing"));
        }
        let folder = TempDir::with_prefix("mgdex-cluster-").expect("a temporary folder");
        // Each user finds its own files in it.
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("own folder");
        let nodes = [1, 2, 3].map(|number| {
            let name = format!("db{number}");
            let (node, folder) = (network.node(&name), folder.path().join(&name));
            DatabaseNode::new(node, name, folder)
        });
        let database = Self { nodes, folder, password: password() };
        database.certify();
        database.configure(timing);
        for node in &database.nodes {
            node.start();
        }
        database.wait_until_whole();
        Ok(database)
    }

    /// Returns the address for the option `--profiles`.
    pub(super) fn address(&self) -> String {
        let hosts = self.nodes.each_ref().map(|node| node.node.address().to_string()).join(",");
        format!("postgres://mgdex:{}@{hosts}/mgdex?sslmode=require", self.password)
    }

    /// Returns the certificate of the authority that signed the certificates of the nodes.
    pub(super) fn authority(&self) -> PathBuf {
        self.folder.path().join("tls/ca.pem")
    }

    /// Returns the leader, once there is one.
    pub(super) fn wait_for_leader(&self) -> &DatabaseNode {
        wait_for("a leader", || self.nodes.iter().find(|node| self.standbys_of(node).is_some()))
    }

    /// Waits until another node leads.
    pub(super) fn wait_for_other_leader(&self, leader: &DatabaseNode) {
        let others = || self.nodes.iter().filter(|node| node.name != leader.name);
        wait_for("another leader", || others().find(|node| self.standbys_of(node).is_some()));
    }

    /// Returns the standby that may become leader, once there is one.
    pub(super) fn wait_for_synchronous_standby(&self) -> &DatabaseNode {
        wait_for("a synchronous standby", || {
            let standbys = self.nodes.iter().find_map(|node| self.standbys_of(node))?;
            let name = standbys.into_iter().find(|standby| standby.is_synchronous)?.name;
            self.nodes.iter().find(|node| node.name == name)
        })
    }

    /// Waits until there is a leader with two standbys, one of them synchronous.
    pub(super) fn wait_until_whole(&self) {
        let started = Instant::now();
        loop {
            let standbys = self.nodes.iter().find_map(|node| self.standbys_of(node)).unwrap_or_default();
            if standbys.len() == NUM_NODES - 1 && standbys.iter().any(|standby| standby.is_synchronous) {
                return;
            }
            assert!(started.elapsed() < WHOLE_PATIENCE, "the cluster does not become whole again: {}", self.logs());
            thread::sleep(LOOK_INTERVAL);
        }
    }

    /// Returns the last lines of all logs.
    pub(super) fn logs(&self) -> String {
        let logs = self.nodes.iter().flat_map(|node| ["etcd", "patroni"].map(|name| (node, name)));
        let logs = logs.map(|(node, name)| {
            let text = fs::read(node.folder.join(name).with_extension("log"))
                .unwrap_or_else(|error| error.to_string().into_bytes());
            let text = String::from_utf8_lossy(&text).into_owned();
            let lines: Vec<_> = text.lines().collect();
            format!("\n{} {name}:\n{}", node.name, lines[lines.len().saturating_sub(20)..].join("\n"))
        });
        logs.collect()
    }

    /// Returns the standbys that follow a node, or nothing if it is not the leader.
    fn standbys_of(&self, node: &DatabaseNode) -> Option<Vec<Standby>> {
        let answer = self.ask(node, "leader")?;
        // A standby that the leader already waits for may not be allowed to succeed it yet.
        let cluster = self.ask(node, "cluster")?;
        let is_synchronous = |name: &str| {
            let mut members = cluster["members"].as_array().into_iter().flatten();
            members.any(|member| member["name"] == name && member["role"] == "sync_standby")
        };
        let standbys = answer["replication"].as_array().into_iter().flatten();
        let names =
            standbys.filter(|standby| standby["state"] == "streaming").map(|standby| &standby["application_name"]);
        let names = names.map(|name| name.as_str().expect("a name").to_owned());
        Some(names.map(|name| Standby { is_synchronous: is_synchronous(&name), name }).collect())
    }

    /// Returns the answer of Patroni, unless it is an error.
    fn ask(&self, node: &DatabaseNode, path: &str) -> Option<Value> {
        let mut curl = Command::new("curl");
        curl.args(["--silent", "--fail", "--max-time", "2", "--cacert"]).arg(self.authority());
        let asked = curl.arg(format!("https://{}:8008/{path}", node.node.address())).output().expect("curl");
        serde_json::from_slice(&asked.stdout).ok()
    }

    /// Makes an authority, and a certificate of each node, which both of its programs may read.
    fn certify(&self) {
        let nodes = self.nodes.each_ref().map(|node| format!("{}={}", node.name, node.node.address()));
        must(Command::new(project("deploy/postgres/certify")).arg(self.folder.path().join("tls")).args(nodes));
        for node in &self.nodes {
            for name in ["etcd/tls", "patroni/tls", "postgresql", "run"] {
                let folder = node.folder.join(name);
                fs::create_dir_all(&folder).expect("writable");
                if name.ends_with("tls") {
                    for (from, to) in [
                        ("ca.pem", "ca.pem"),
                        (&format!("{}.pem", node.name), "node.pem"),
                        (&format!("{}.key", node.name), "node.key"),
                    ] {
                        fs::copy(self.folder.path().join("tls").join(from), folder.join(to)).expect("certified");
                    }
                }
            }
        }
    }

    /// Writes the configurations, with passwords and with times.
    fn configure(&self, timing: Timing) {
        let file = file("patroni_env.conf");
        let values = file.lines().filter(|line| line.ends_with('=')).map(|line| {
            let password = if line == "MGDEX_PASSWORD=" { self.password.clone() } else { password() };
            format!("{line}{password}\n")
        });
        let passwords: String = values.collect();
        let addresses = self.nodes.each_ref().map(|node| node.node.address().to_string());
        let network = format!("{}.0/24", addresses[0].rsplit_once('.').expect("four parts").0);
        for node in &self.nodes {
            let configured = |template: &str| {
                let mut configure = Command::new(project("deploy/postgres/configure"));
                configure.arg(project("deploy/postgres").join(template)).args([&node.name, &network]).args(&addresses);
                let configured = configure.output().expect("a script");
                assert!(configured.status.success(), "{configured:?}");
                String::from_utf8(configured.stdout).expect("text")
            };
            let Timing { ttl, loop_wait, retry_timeout } = timing;
            let mut patroni = configured("patroni.yml.in");
            for (name, shipped, value) in [
                ("ttl", Timing::SHIPPED.ttl, ttl),
                ("loop_wait", Timing::SHIPPED.loop_wait, loop_wait),
                ("retry_timeout", Timing::SHIPPED.retry_timeout, retry_timeout),
            ] {
                let shipped = format!(" {name}: {shipped}\n");
                assert!(patroni.contains(&shipped), "{shipped} is not there any more");
                patroni = patroni.replace(&shipped, &format!(" {name}: {value}\n"));
            }
            let etcd = format!("{}ETCD_DATA_DIR=/var/lib/etcd/default\n", configured("etcd.in"));
            fs::write(node.folder.join("etcd.env"), etcd).expect("writable");
            fs::write(node.folder.join("patroni.env"), &passwords).expect("writable");
            fs::write(node.folder.join("patroni/config.yml"), patroni).expect("writable");
            let script = "create-database";
            fs::copy(project("deploy/postgres").join(script), node.folder.join("patroni").join(script))
                .expect("writable");
            for (user, folder) in
                [("etcd", "etcd"), ("postgres", "patroni"), ("postgres", "postgresql"), ("postgres", "run")]
            {
                must(Command::new("chown").args(["-R", &format!("{user}:")]).arg(node.folder.join(folder)));
            }
        }
    }
}

fn file(name: &str) -> String {
    fs::read_to_string(project(&format!("deploy/postgres/{name}"))).expect("readable")
}

fn password() -> String {
    uuid::Uuid::new_v4().simple().to_string()
}

fn must(command: &mut Command) {
    let done: io::Result<_> = command.status();
    assert!(done.is_ok_and(|status| status.success()), "{command:?}");
}
