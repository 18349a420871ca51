//! A running `mgdex serve`.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

use tempfile::TempDir;
use tokio::net::TcpSocket;
use tokio::runtime;

use super::{PATIENCE, wait_for};

/// The prefix of the paths of the protein service.
const PROTEINS: &str = "/metagenomics/proteins/api/v1";

/// A server that is killed when it is dropped.
pub struct Server {
    process: Child,
    address: String,
    // Its output.
    output: TempDir,
}

impl Server {
    /// Starts a server on a free port.
    pub fn start(data: &Path) -> Self {
        let mut command = crate::program();
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data).stdin(Stdio::null());
        Self::of_command(&mut command)
    }

    /// Starts a command that serves, and waits until it accepts requests.
    pub fn of_command(command: &mut Command) -> Self {
        Self::try_command(command).unwrap_or_else(|(status, log)| panic!("the server ended, {status}: {log}"))
    }

    /// Starts a command that serves, and waits until it accepts requests. If it ends instead,
    /// returns its exit status and its log.
    pub fn try_command(command: &mut Command) -> Result<Self, (ExitStatus, String)> {
        let output = TempDir::new().expect("a temporary folder");
        let file = |name: &str| File::create(output.path().join(name)).expect("writable");
        let process = command.stdout(file("stdout")).stderr(file("stderr")).spawn().expect("the binary");
        let mut server = Self { process, address: String::new(), output };
        server.address = wait_for("the address of the server", || {
            let end = server.process.try_wait().expect("a child");
            let log = server.log();
            if let Some(status) = end {
                return Some(Err((status, log)));
            }
            // The address is complete only if its line is.
            let line = log.split_inclusive('\n').find(|line| line.ends_with('\n') && line.contains("serving on "))?;
            Some(Ok(line.split_once("http://")?.1.trim_end().to_owned()))
        })?;
        Ok(server)
    }

    /// Returns the number of the process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Returns the most memory that the process ever had.
    pub fn peak_bytes(&self) -> u64 {
        self.status("VmHWM:") << 10
    }

    /// Returns a number that the system reports for the process. Memory is in KiB.
    pub fn status(&self, name: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.id())).expect("a process");
        let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("a number");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// Returns the address that the server listens on.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Opens a connection.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("the server accepts");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        stream
    }

    /// Opens a connection from another address of this machine, `127.0.0.N`.
    pub fn connect_from(&self, number: u8) -> io::Result<TcpStream> {
        let address: SocketAddr = self.address.parse().expect("an address");
        let stream = runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
            let socket = TcpSocket::new_v4()?;
            socket.bind((Ipv4Addr::new(127, 0, 0, number), 0).into())?;
            socket.connect(address).await?.into_std()
        })?;
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(stream)
    }

    /// Sends a GET request on a connection of its own, and returns status and body.
    pub fn get(&self, path: &str) -> (u16, String) {
        self.get_with(path, &[])
    }

    /// Sends a GET request with more headers on a connection of its own, and returns status and
    /// body.
    pub fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
        let mut stream = self.connect();
        write!(stream, "GET {path} HTTP/1.0\r\nhost: mgdex.test\r\n").expect("the server reads");
        for (name, value) in headers {
            write!(stream, "{name}: {value}\r\n").expect("the server reads");
        }
        stream.write_all(b"\r\n").expect("the server reads");
        read_answer(&mut stream)
    }

    /// Sends a GET request below the prefix of the protein service.
    pub fn get_protein(&self, path: &str) -> (u16, String) {
        self.get(&format!("{PROTEINS}{path}"))
    }

    /// Returns the standard output of the server.
    pub fn stdout(&self) -> String {
        self.printed("stdout")
    }

    /// Returns the log of the server.
    pub fn log(&self) -> String {
        self.printed("stderr")
    }

    fn printed(&self, name: &str) -> String {
        fs::read_to_string(self.output.path().join(name)).expect("readable")
    }

    /// Tells the server to stop.
    pub fn terminate(&self) {
        let sent = Command::new("sh").args(["-c", "kill -TERM \"$0\"", &self.process.id().to_string()]).status();
        assert!(sent.expect("a shell").success());
    }

    /// Ends the process at once.
    pub fn kill(&mut self) {
        self.process.kill().expect("a child");
        self.process.wait().expect("a child");
    }

    /// Returns whether the process is running.
    pub fn is_running(&mut self) -> bool {
        self.process.try_wait().expect("a child").is_none()
    }

    /// Waits for the end of the process.
    pub fn wait(&mut self) -> ExitStatus {
        wait_for("the end of the server", || self.process.try_wait().expect("a child"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Reads an answer up to the end of the connection, and returns status and body.
pub fn read_answer(stream: &mut TcpStream) -> (u16, String) {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the server answers");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a whole head");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, body.to_owned())
}
