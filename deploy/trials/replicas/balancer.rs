//! The load balancer of a site, as shipped except for the addresses.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};

use support::machine::wait_for;
use support::network::Node;
use support::profile_writers::Connection;
use support::{TestFolder, project};

/// A program that balances load.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Program {
    HaProxy,
    Nginx,
}

pub(crate) struct Balancer {
    pub(crate) node: Node,
    process: Child,
    _folder: TestFolder,
}

impl Balancer {
    /// Starts it in front of a writer and of replicas.
    pub(crate) fn start(
        program: Program,
        node: Node,
        writer: Ipv4Addr,
        replicas: [Ipv4Addr; 2],
    ) -> Result<Self, String> {
        let folder = TestFolder::empty();
        let (name, shipped) = match program {
            Program::HaProxy => ("haproxy", "deploy/haproxy.cfg"),
            Program::Nginx => ("nginx", "deploy/nginx.conf"),
        };
        Command::new(name).arg("-v").output().map_err(|error| format!("{name}: {error}"))?;
        let mut settings = fs::read_to_string(project(shipped)).expect("shipped");
        let addresses = [("10.0.0.10", writer), ("10.0.0.11", replicas[0]), ("10.0.0.12", replicas[1])];
        for (shipped, address) in addresses {
            assert!(settings.contains(&format!("{shipped}:8080")));
            settings = settings.replace(&format!("{shipped}:8080"), &format!("{address}:8080"));
        }
        // There may be several on this machine.
        let settings = settings.replace("/run/nginx.pid", &folder.path().join("pid").to_string_lossy());
        let file = folder.path().join("settings");
        fs::write(&file, settings).expect("writable");
        for line in fs::read_to_string(project("deploy/sysctl.conf")).expect("shipped").lines() {
            if let Some((name, value)) = line.split_once(" = ") {
                let path = format!("/proc/sys/{}", name.replace('.', "/"));
                let set = node.command("sh").args(["-c", "echo $1 >$0", &path, value]).status();
                assert!(set.expect("sh").success(), "{line}");
            }
        }
        let mut command = node.command(name);
        match program {
            Program::HaProxy => command.arg("-db").arg("-f").arg(file),
            Program::Nginx => command.args(["-g", "daemon off;", "-p"]).arg(folder.path()).arg("-c").arg(file),
        };
        let log = fs::File::create(folder.path().join("log")).expect("writable");
        let process = command.stdout(Stdio::null()).stderr(log).spawn().expect("a load balancer");
        let balancer = Self { node, process, _folder: folder };
        wait_for("the load balancer", || TcpStream::connect(balancer.address()).ok());
        Ok(balancer)
    }

    /// Checks that no request to profiles reaches replicas: all are sent to the writer, which is
    /// not running.
    pub(crate) fn check_ways(&self) {
        for path in ["/profiles", "/profiles/prf-1", "/my/profile", "/users/usr-1/profile", "/domains/dom-1/profile"] {
            let mut connection = Connection::open(&self.address().to_string()).expect("it accepts");
            let answer = connection.ask(&format!("GET {path}"), "", None).expect("an answer");
            assert!(answer.status >= 502 && !answer.body.contains("does not serve profiles"), "{path}: {answer:?}");
        }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        (self.node.address(), 80).into()
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        self.node.kill();
        let _ = self.process.wait();
    }
}
