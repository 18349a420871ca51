//! A publisher, an object store, two replicas and a load balancer, each on a machine of its own.

use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::Ordering;

use support::machine::{Inputs, acknowledged, generations, mgdex};
use support::network::{Network, Node};
use support::{TestFolder, program};

use super::balancer::{Balancer, Program};
use super::load::{Load, Window};
use super::replica::{Published, Replica};
use super::states::studies;
use super::store::Store;

pub(crate) struct Site {
    balancer: Balancer,
    pub(crate) replicas: [Replica; 2],
    pub(crate) store: Store,
    publisher: Node,
    data: TestFolder,
    inputs: Inputs,
    published: Option<Published>,
    _network: Network,
}

impl Site {
    /// Makes a site whose replicas serve the first state.
    pub(crate) fn new(program: Program, store: impl FnOnce(&Network) -> Store) -> Result<Self, String> {
        let network = Network::new()?;
        let store = store(&network);
        let publisher = network.node("publisher");
        store.mount_on(&publisher);
        let replica = |name, drain| Replica::start(network.node(name), &store, drain);
        // One of the replicas ends at once.
        let replicas = [replica("replica1", "2s")?, replica("replica2", "0s")?];
        let addresses = replicas.each_ref().map(|replica| replica.node.address());
        let balancer = Balancer::start(program, network.node("balancer"), publisher.address(), addresses)?;
        let (data, inputs) = (TestFolder::empty(), Inputs::new());
        Ok(Self { balancer, replicas, store, publisher, data, inputs, published: None, _network: network })
    }

    /// Runs an action on the site under load.
    pub(crate) fn under_load(&mut self, seed: u64, work: impl FnOnce(&mut Trial)) {
        let (address, window) = (self.address(), Window::default());
        let mut site = Trial { site: self, window: &window, load: None };
        site.publish_next();
        site.wait_until_served();
        site.site.balancer.check_ways();
        let Trial { site, .. } = site;
        Load::during(address, &window, seed, |load| work(&mut Trial { site, window: &window, load: Some(load) }));
    }

    pub(crate) fn balancer_node(&self) -> Node {
        self.balancer.node.clone()
    }

    fn address(&self) -> SocketAddr {
        self.balancer.address()
    }
}

/// A site and its readers.
pub(crate) struct Trial<'a> {
    pub(crate) site: &'a mut Site,
    window: &'a Window,
    load: Option<&'a Load<'a>>,
}

impl Trial<'_> {
    /// Sets the name of the current phase.
    pub(crate) fn begin(&self, fault: &str) {
        self.load.expect("under load").begin(fault);
    }

    /// Loads the next state at the publisher.
    pub(crate) fn load_next(&mut self) {
        let Site { publisher, data, inputs, published, .. } = &mut *self.site;
        let number = published.map_or(1, |published| published.number + 1);
        let indexed = publisher.on(&inputs.index(data.path(), number)).stderr(Stdio::piped()).output();
        let proteins = acknowledged(&indexed.expect("the binary"));
        let mut command = program();
        command.args(["catalogue", "load", "--quiet", "--keep-sealed", "--data"]).arg(data.path());
        command.arg(inputs.write("studies.jsonl", &studies(number)));
        succeeded(&publisher.on(&command).output().expect("the binary"));
        let catalogue = store::Generations::new(data.path().join("catalogue")).current().expect("readable");
        let catalogue = catalogue.expect("loaded");
        assert_eq!(generations(data.path()).current().expect("readable"), Some(proteins));
        *published = Some(Published { number, proteins, catalogue });
        self.window.newest.store(number, Ordering::SeqCst);
    }

    /// Returns the command that publishes the last loaded state.
    pub(crate) fn publish_command(&self, arguments: &[&str]) -> Command {
        let Site { store, publisher, data, .. } = &*self.site;
        let mut command = mgdex("publish", data.path());
        command.arg("--to").arg(store.url(publisher)).args(arguments).envs(store.settings());
        let mut command = publisher.on(&command);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn publish(&self) {
        succeeded(&self.publish_command(&[]).output().expect("the binary"));
    }

    pub(crate) fn publish_next(&mut self) {
        self.load_next();
        self.publish();
    }

    /// Returns the last loaded state.
    pub(crate) fn newest(&self) -> Published {
        self.site.published.expect("loaded")
    }

    /// Waits until one replica serves the last loaded state.
    pub(crate) fn wait_until_served_by(&mut self, replica: usize) {
        let newest = self.newest();
        self.site.replicas[replica].wait_until_served(&newest);
        self.raise_oldest();
    }

    /// Waits until all replicas serve the last loaded state.
    pub(crate) fn wait_until_served(&mut self) {
        for replica in 0..self.site.replicas.len() {
            self.wait_until_served_by(replica);
        }
    }

    pub(crate) fn kill_replica(&mut self, replica: usize) {
        self.site.replicas[replica].kill();
    }

    /// Starts a replica with the data that it had, which may be older than what others serve.
    pub(crate) fn restart_replica(&mut self, replica: usize) {
        self.window.oldest.fetch_min(self.site.replicas[replica].served, Ordering::SeqCst);
        self.site.replicas[replica].restart();
    }

    /// Rolls a replica to another program.
    pub(crate) fn update_replica(&mut self, replica: usize, program: &Path) {
        self.site.replicas[replica].update(program);
    }

    /// No running replica returns to an older state.
    fn raise_oldest(&self) {
        let running = self.site.replicas.iter().filter(|replica| replica.is_running());
        let oldest = running.map(|replica| replica.served).min().expect("one is running");
        self.window.oldest.store(oldest, Ordering::SeqCst);
    }
}

/// Checks that a command has succeeded.
pub(crate) fn succeeded(output: &Output) {
    assert!(output.status.success(), "{output:?}");
}
