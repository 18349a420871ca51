//! A publisher, a folder as the store, two replicas and `haproxy`.

use std::fs::{self, File};
use std::io::Write;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use store::{GenerationName, Generations, Manifest};
use store_proteins::ProteinContents;
use support::machine::{Server, mgdex, wait_for};
use support::network::Network;
use support::profile_writers::Connection;
use support::{SAMPLE, data, program, project};
use tempfile::TempDir;

use crate::CORE_SHARE;
use crate::quota::Quota;

/// Clients, each with a connection that it keeps.
const NUM_CLIENTS: usize = 16;

pub(crate) struct Site {
    publisher: TempDir,
    store: TempDir,
    quotas: Vec<Quota>,
    /// With one and with two replicas.
    balancers: [(String, Child); 2],
    replicas: Vec<(Server, TempDir)>,
    _network: Network,
}

impl Site {
    /// Starts everything, with the bundled sample.
    pub(crate) fn new() -> Self {
        let network = Network::new().expect("root and iproute2");
        let folder = || TempDir::with_prefix_in("cluster-bench-", env!("CARGO_TARGET_TMPDIR")).expect("writable");
        let (publisher, store) = (folder(), folder());
        let mut index = mgdex("index", publisher.path());
        index.arg("--portal").arg(data(SAMPLE)).arg("--biomes").arg(data("proteins/biomes_id_lineage.tsv"));
        index.arg("--pfam").arg(data("proteins/Pfam-A.clans.tsv.gz")).stdout(Stdio::null());
        assert!(index.status().expect("the binary").success());
        let replicas: Vec<_> = ["replica1", "replica2"].map(|name| (network.node(name), folder())).into();
        let addresses: Vec<_> = replicas.iter().map(|(node, _)| node.address()).collect();
        let balancers = [1, 2].map(|num_replicas| {
            let node = network.node(&format!("balancer{num_replicas}"));
            let mut settings = fs::read_to_string(project("deploy/haproxy.cfg")).expect("shipped");
            settings = settings.replace("10.0.0.11", &addresses[0].to_string());
            settings = settings.replace("10.0.0.12", &addresses[num_replicas - 1].to_string());
            let file = store.path().join(format!("haproxy{num_replicas}.cfg"));
            fs::write(&file, settings).expect("writable");
            let mut command = node.command("haproxy");
            let process = command.arg("-db").arg("-f").arg(file).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
            (format!("{}:80", node.address()), process.expect("HAProxy"))
        });
        let replicas: Vec<_> = replicas
            .into_iter()
            .map(|(node, folder)| {
                let mut command = program();
                command.args(["serve", "--services", "proteins", "--trust-proxy", "--follow"]);
                command.arg(store.path().join("store")).args(["--listen", &format!("{}:8080", node.address())]);
                command.arg("--data").arg(folder.path());
                (Server::of_command(&mut node.on(&command)), folder)
            })
            .collect();
        let mut site = Self { publisher, store, quotas: Vec::new(), balancers, replicas, _network: network };
        site.publish();
        let name = site.generations().current().expect("readable").expect("loaded");
        wait_for("the replicas", || site.all_serve(name).then_some(()));
        for (address, _) in &site.balancers {
            wait_for("the load balancer", || Connection::open(address).ok()?.get("/readyz", "").ok());
        }
        let limited = (1..).zip(&site.replicas);
        site.quotas =
            limited.map(|(number, (server, _))| Quota::new(&format!("{number}"), server.id(), CORE_SHARE)).collect();
        site
    }

    /// Returns the answers per second through the load balancer of `num_replicas` replicas.
    pub(crate) fn throughput(&self, path: &str, num_replicas: usize, duration: Duration) -> f64 {
        let (address, _) = &self.balancers[num_replicas - 1];
        let (num_answers, started) = (AtomicU64::new(0), Instant::now());
        thread::scope(|scope| {
            for _ in 0..NUM_CLIENTS {
                scope.spawn(|| {
                    let mut connection = Connection::open(address).expect("HAProxy accepts");
                    while started.elapsed() < duration {
                        let answer = connection.ask(&format!("GET {path}"), "", None).expect("an answer");
                        assert_eq!(answer.status, 200, "{}", answer.body);
                        num_answers.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        });
        num_answers.into_inner() as f64 / started.elapsed().as_secs_f64()
    }

    /// Gives replicas all that the machine has.
    pub(crate) fn lift_quotas(&mut self) {
        self.quotas.clear();
    }

    /// Makes a generation current at the publisher with one more file of random bytes, its size in GB.
    pub(crate) fn enlarge(&self, size_gb: u64) -> GenerationName {
        let generations = self.generations();
        let name = generations.current().expect("readable").expect("loaded");
        let from = generations.path(name);
        let Manifest { origin, contents, files, .. } = Manifest::<ProteinContents>::read(&from).expect("whole");
        let draft = generations.begin().expect("free");
        for file in files {
            let to = draft.path().join(&file.path);
            fs::create_dir_all(to.parent().expect("inside")).expect("new");
            fs::copy(from.join(&file.path), to).expect("room");
        }
        let mut large = File::create(draft.path().join("large")).expect("writable");
        let mut bytes = vec![0; 10_000_000];
        StdRng::seed_from_u64(1).fill_bytes(&mut bytes);
        for number in 0..size_gb * 100 {
            // No two objects are equal.
            bytes[..8].copy_from_slice(&number.to_le_bytes());
            large.write_all(&bytes).expect("room");
        }
        draft.publish(origin, contents, Vec::new()).expect("room")
    }

    /// Publishes what is current, and returns how long that took.
    pub(crate) fn publish(&self) -> Duration {
        let started = Instant::now();
        let mut publish = mgdex("publish", self.publisher.path());
        publish.arg("--to").arg(self.store.path().join("store")).stdout(Stdio::null());
        assert!(publish.status().expect("the binary").success());
        started.elapsed()
    }

    pub(crate) fn all_serve(&self, name: GenerationName) -> bool {
        let served = format!("\"generation\":\"{name}\"");
        self.replicas.iter().all(|(server, _)| server.get("/readyz").1.contains(&served))
    }

    fn generations(&self) -> Generations {
        Generations::new(self.publisher.path().join("proteins"))
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        for (_, balancer) in &mut self.balancers {
            let _ = balancer.kill();
            let _ = balancer.wait();
        }
    }
}
