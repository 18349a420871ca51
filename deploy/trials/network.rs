//! The network of these tests itself.

use std::io::{BufRead, BufReader};
use std::net::Ipv4Addr;
use std::process::{Child, Command, Stdio};

use support::machine::{or_skip, wait_for};
use support::network::{Network, Node};

/// Answers every connection by closing it.
const LISTENER: &str = "
import socket
listener = socket.create_server(('', 7))
print('listening', flush=True)
while True:
    listener.accept()[0].close()
";

/// Connects, and fails after a second.
const CALLER: &str = "import socket, sys; socket.create_connection((sys.argv[1], 7), timeout=1)";

fn listen(node: &Node) -> Child {
    let mut command = node.command("python3");
    let mut listener = command.args(["-c", LISTENER]).stdout(Stdio::piped()).spawn().expect("python3");
    let mut line = String::new();
    BufReader::new(listener.stdout.take().expect("piped")).read_line(&mut line).expect("a pipe");
    assert_eq!(line, "listening\n");
    listener
}

fn reaches(mut caller: Command, address: Ipv4Addr) -> bool {
    let outcome = caller.args(["-c", CALLER, &address.to_string()]).stderr(Stdio::null()).status();
    outcome.expect("python3").success()
}

fn wait_until_reached(from: &Node, to: &Node) {
    wait_for("the link", || reaches(from.command("python3"), to.address()).then_some(()));
}

#[test]
fn links_are_cut_and_restored_both_ways_and_nodes_end_with_the_network() {
    let Some(network) = or_skip(Network::new()) else { return };
    let [one, two, three] = ["one", "two", "three"].map(|name| network.node(name));
    let mut waiting = [&one, &two, &three].map(listen);
    assert!(reaches(Command::new("python3"), one.address()));
    assert!(reaches(one.command("python3"), two.address()));
    one.cut();
    assert!(!reaches(one.command("python3"), two.address()));
    assert!(!reaches(two.command("python3"), one.address()));
    assert!(reaches(two.command("python3"), three.address()));
    one.restore();
    wait_until_reached(&two, &one);
    wait_until_reached(&one, &two);
    one.cut_from(&three);
    assert!(!reaches(one.command("python3"), three.address()));
    assert!(!reaches(three.command("python3"), one.address()));
    assert!(reaches(one.command("python3"), two.address()));
    assert!(reaches(Command::new("python3"), three.address()));
    three.reconnect_to(&one);
    wait_until_reached(&one, &three);
    wait_until_reached(&three, &one);
    two.kill();
    assert!(!waiting[1].wait().expect("a child").success());
    assert!(!reaches(one.command("python3"), two.address()));
    // Other tests have networks of their own.
    let other = Network::new().expect("there are others");
    assert_ne!(other.address(), network.address());
    drop(network);
    assert!(!waiting[2].wait().expect("a child").success());
    let names = Command::new("ip").args(["netns", "list"]).output().expect("iproute2");
    assert!(!String::from_utf8_lossy(&names.stdout).contains(&three.namespace()));
    let _ = waiting[0].wait();
}
