//! Machines of a trial, on this one: each node has a network namespace and an address of its own,
//! and all of them are on one switch.
//!
//! It needs root and iproute2. Leftovers of a killed run are removed before its addresses are used
//! again.

use std::fs::{self, File};
use std::net::Ipv4Addr;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU8, Ordering};

use rustix::process::{Pid, Signal, geteuid, kill_process};

use crate::machine::run;

/// Has a file for each network, which is locked while the network is in use.
const CLAIMS: &str = "/run/mgdex-test-networks";

/// The folder in which `ip netns` keeps the names of namespaces.
const NAMESPACES: &str = "/run/netns";

/// The last part of the address of the tests themselves. Those of nodes count from 1.
const OWN_HOST: u8 = 254;

/// An unused address of the link layer.
const NOBODY: &str = "02:77:00:00:00:00";

/// A switch that nodes and the process itself are connected to. Everything in it ends when it is
/// dropped.
pub struct Network {
    number: u8,
    num_nodes: AtomicU8,
    /// Locked while it is open.
    _claim: File,
}

/// A machine on a network. It has `eth0` and `lo`, and reaches nothing but the other nodes and the
/// tests.
#[derive(Clone, Debug)]
pub struct Node {
    network: u8,
    host: u8,
    name: String,
}

impl Network {
    /// Makes a network whose addresses no other test has: 10.77.N.1 and so on.
    pub fn new() -> Result<Self, String> {
        if !geteuid().is_root() {
            return Err("network namespaces need root".to_owned());
        }
        ip("-Version")?;
        let (number, claim) = claim()?;
        let network = Self { number, num_nodes: AtomicU8::new(0), _claim: claim };
        remove(number);
        let switch = network.switch();
        ip(&format!("netns add {switch}"))?;
        ip(&format!("-netns {switch} link add switch type bridge forward_delay 0"))?;
        ip(&format!("-netns {switch} link set switch up"))?;
        ip(&format!("link add {} type veth peer name tests netns {switch}", own_link(number)))?;
        ip(&format!("-netns {switch} link set tests master switch up"))?;
        ip(&format!("address add {}/24 dev {}", network.address(), own_link(number)))?;
        ip(&format!("link set {} up", own_link(number)))?;
        Ok(network)
    }

    /// Connects one more node, with a name of its own.
    pub fn node(&self, name: &str) -> Node {
        let host = self.num_nodes.fetch_add(1, Ordering::SeqCst) + 1;
        let node = Node { network: self.number, host, name: name.to_owned() };
        let (switch, port, namespace) = (self.switch(), node.port(), node.namespace());
        must(&format!("netns add {namespace}"));
        must(&format!("-netns {switch} link add {port} type veth peer name eth0 netns {namespace}"));
        must(&format!("-netns {switch} link set {port} master switch up"));
        must(&format!("-netns {namespace} address add {}/24 dev eth0", node.address()));
        must(&format!("-netns {namespace} link set eth0 up"));
        must(&format!("-netns {namespace} link set lo up"));
        node
    }

    /// Returns the address of the tests themselves.
    pub fn address(&self) -> Ipv4Addr {
        address(self.number, OWN_HOST)
    }

    fn switch(&self) -> String {
        switch(self.number)
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        remove(self.number);
    }
}

impl Node {
    /// Returns the address of the node.
    pub fn address(&self) -> Ipv4Addr {
        address(self.network, self.host)
    }

    /// Returns the name of its network namespace.
    pub fn namespace(&self) -> String {
        format!("{}{}", namespaces(self.network), self.name)
    }

    /// Returns a command that runs a program on this node, without standard input. The process is
    /// that of the program.
    pub fn command(&self, program: &str) -> Command {
        self.on(&Command::new(program))
    }

    /// Returns a command on this node with program, arguments, folder and environment of another
    /// one, without standard input.
    pub fn on(&self, command: &Command) -> Command {
        // `ip netns exec` would make a copy of all mounts, which keeps disks of other tests
        // mounted.
        let mut inside = Command::new("nsenter");
        inside
            .arg(format!("--net={NAMESPACES}/{}", self.namespace()))
            .arg(command.get_program())
            .args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => inside.env(name, value),
                None => inside.env_remove(name),
            };
        }
        if let Some(folder) = command.get_current_dir() {
            inside.current_dir(folder);
        }
        inside.stdin(Stdio::null());
        inside
    }

    /// Ends all its processes at once.
    pub fn kill(&self) {
        kill_inside(&self.namespace(), &[]);
    }

    /// Ends all its processes at once, except some.
    pub fn kill_others(&self, spared: &[u32]) {
        kill_inside(&self.namespace(), spared);
    }

    /// Sends a signal to all its processes.
    pub fn signal(&self, signal: Signal) {
        signal_inside(&self.namespace(), &[], signal);
    }

    /// Cuts its link in both directions: packets are dropped without an error.
    pub fn cut(&self) {
        must(&format!("-netns {} link set {} down", switch(self.network), self.port()));
    }

    /// Restores its link.
    pub fn restore(&self) {
        must(&format!("-netns {} link set {} up", switch(self.network), self.port()));
    }

    /// Cuts it off from one other node, both ways.
    pub fn cut_from(&self, other: &Self) {
        for (one, other) in [(self, other), (other, self)] {
            let (namespace, address) = (one.namespace(), other.address());
            must(&format!("-netns {namespace} neighbour replace {address} lladdr {NOBODY} dev eth0 nud permanent"));
        }
    }

    /// Connects it to that other node again.
    pub fn reconnect_to(&self, other: &Self) {
        for (one, other) in [(self, other), (other, self)] {
            must(&format!("-netns {} neighbour del {} dev eth0", one.namespace(), other.address()));
        }
    }

    fn port(&self) -> String {
        format!("port{}", self.host)
    }
}

/// Takes a number that no other network has.
fn claim() -> Result<(u8, File), String> {
    fs::create_dir_all(CLAIMS).map_err(|error| format!("{CLAIMS}: {error}"))?;
    let free = (0..OWN_HOST).find_map(|number| {
        let claim = File::options().create(true).append(true).open(format!("{CLAIMS}/{number}")).ok()?;
        claim.try_lock().ok().map(|()| (number, claim))
    });
    free.ok_or_else(|| format!("all networks in {CLAIMS} are in use"))
}

/// Removes all nodes of a network with their processes.
fn remove(number: u8) {
    // Its other end is removed with it, and its name is free at once.
    let _ = ip(&format!("link del {}", own_link(number)));
    let prefix = namespaces(number);
    for entry in fs::read_dir(NAMESPACES).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(&prefix) {
            kill_inside(&name, &[]);
            let _ = ip(&format!("netns del {name}"));
        }
    }
}

/// Ends all processes of a namespace, except some.
fn kill_inside(namespace: &str, spared: &[u32]) {
    // Killed processes may just have started others.
    while signal_inside(namespace, spared, Signal::KILL) {}
}

/// Sends a signal to all processes of a namespace, except some, and returns whether there were any.
fn signal_inside(namespace: &str, spared: &[u32], signal: Signal) -> bool {
    let listed = Command::new("ip").args(["netns", "pids", namespace]).output().expect("iproute2");
    let text = String::from_utf8_lossy(&listed.stdout).into_owned();
    let processes = text.lines().filter_map(|line| Pid::from_raw(line.trim().parse().ok()?));
    let processes: Vec<_> =
        processes.filter(|process| !spared.contains(&process.as_raw_nonzero().get().cast_unsigned())).collect();
    for process in &processes {
        // It may have ended.
        let _ = kill_process(*process, signal);
    }
    !processes.is_empty()
}

fn address(network: u8, host: u8) -> Ipv4Addr {
    Ipv4Addr::new(10, 77, network, host)
}

/// Returns the prefix of the names of all namespaces of a network.
fn namespaces(network: u8) -> String {
    format!("mgdex{network}-")
}

fn switch(network: u8) -> String {
    format!("{}switch", namespaces(network))
}

/// Returns the name of the link of the tests themselves.
fn own_link(network: u8) -> String {
    format!("mgdex{network}")
}

fn ip(arguments: &str) -> Result<(), String> {
    run(Command::new("ip").args(arguments.split(' ')))
}

fn must(arguments: &str) {
    ip(arguments).unwrap_or_else(|problem| panic!("{problem}"));
}
