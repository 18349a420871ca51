//! A store that speaks S3, whose objects survive a kill.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Stdio};

use support::network::Node;
use support::{TestFolder, needed_python, project};

/// `moto` does not check signatures, but wants one.
const SIGNATURE: &str =
    "AWS4-HMAC-SHA256 Credential=test/20200101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=none";

/// `moto` on a node of its own.
pub(crate) struct S3 {
    pub(crate) node: Node,
    python: PathBuf,
    changes: TestFolder,
    process: Option<Child>,
}

impl S3 {
    /// Starts a server with an empty bucket.
    pub(crate) fn start(node: Node) -> Self {
        let python = needed_python("tests/python/requirements.txt").expect("moto");
        let mut server = Self { node, python, changes: TestFolder::empty(), process: None };
        server.restart();
        assert_eq!(server.ask("PUT", "", &[]).0, 200);
        server
    }

    pub(crate) fn settings(&self) -> Vec<(&'static str, String)> {
        let settings = [
            ("AWS_ENDPOINT", &*format!("http://{}:5000", self.node.address())),
            ("AWS_ALLOW_HTTP", "true"),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ACCESS_KEY_ID", "test"),
            ("AWS_SECRET_ACCESS_KEY", "test"),
        ];
        settings.map(|(name, value)| (name, value.to_owned())).into()
    }

    pub(crate) fn kill(&mut self) {
        self.node.kill();
        self.process.take().expect("running").wait().expect("a child");
    }

    /// Starts it with the objects that it had. It cannot be reached before they are all there.
    pub(crate) fn restart(&mut self) {
        self.node.cut();
        let mut command = self.node.on(&std::process::Command::new(&self.python));
        command.arg(project("tests/tiers/object-store/durable_s3.py")).arg(self.changes.path().join("changes"));
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("python");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("piped")).read_line(&mut line).expect("a pipe");
        assert_eq!(line, "ready\n");
        self.process = Some(process);
        self.node.restore();
    }

    /// Returns an object.
    pub(crate) fn get(&self, path: &str) -> Option<Vec<u8>> {
        let (status, body) = self.ask("GET", path, &[]);
        (status == 200).then_some(body)
    }

    pub(crate) fn put(&self, path: &str, content: &[u8]) {
        assert_eq!(self.ask("PUT", path, content).0, 200);
    }

    pub(crate) fn remove(&self, path: &str) {
        assert_eq!(self.ask("DELETE", path, &[]).0, 204);
    }

    fn ask(&self, method: &str, path: &str, content: &[u8]) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect((self.node.address(), 5000)).expect("moto accepts");
        let (host, length) = (self.node.address(), content.len());
        let head = format!(
            "{method} /bucket/{path} HTTP/1.0\r\nhost: {host}:5000\r\nauthorization: {SIGNATURE}\r\n\
             content-type: application/octet-stream\r\ncontent-length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(content)).expect("moto reads");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("moto answers");
        let head_bytes = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("a whole head") + 4;
        let body = answer.split_off(head_bytes);
        let status = String::from_utf8_lossy(&answer).split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.expect("a status"), body)
    }
}

impl Drop for S3 {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}
