//! An HTTP/1.1 connection that stays open.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// The time limit for an answer.
const PATIENCE: Duration = Duration::from_mins(1);

/// An answer, read to its end.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    /// Returns a header, or an empty text where it is missing.
    pub fn header(&self, name: &str) -> &str {
        let lines = self.head.lines().filter_map(|line| line.split_once(':'));
        lines.into_iter().find(|(found, _)| found.eq_ignore_ascii_case(name)).map_or("", |(_, value)| value.trim())
    }

    /// Returns the body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// A connection to a server.
pub struct Connection {
    stream: TcpStream,
    received: Vec<u8>,
}

impl Connection {
    /// Connects to the server.
    pub fn open(address: &str) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self { stream, received: Vec::new() })
    }

    /// Sends a request with a token, with further header lines and with a body if one is given, and
    /// reads the answer.
    pub fn send(&mut self, request: &str, token: &str, headers: &str, body: Option<&str>) -> io::Result<Answer> {
        self.ask(request, &format!("authorization: Bearer {token}\r\n{headers}"), body)
    }

    /// Sends a request with header lines, and with a body if one is given, and reads the answer.
    pub fn ask(&mut self, request: &str, headers: &str, body: Option<&str>) -> io::Result<Answer> {
        let about_body = body.map_or_else(String::new, |body| {
            format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len())
        });
        let body = body.unwrap_or_default();
        let text = format!("{request} HTTP/1.1\r\nhost: mgdex.test\r\n{headers}{about_body}\r\n{body}");
        self.stream.write_all(text.as_bytes())?;
        self.receive()
    }

    /// Sends a GET request.
    pub fn get(&mut self, path: &str, token: &str) -> io::Result<Answer> {
        self.send(&format!("GET {path}"), token, "", None)
    }

    fn receive(&mut self) -> io::Result<Answer> {
        let head_bytes = loop {
            if let Some(at) = self.received.windows(4).position(|window| window == b"\r\n\r\n") {
                break at + 4;
            }
            self.receive_some()?;
        };
        let head = String::from_utf8_lossy(&self.received[..head_bytes]).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let mut answer = Answer { status: status.ok_or_else(|| invalid(&head))?, head, body: String::new() };
        let body_bytes: usize = answer.header("content-length").parse().map_err(|_| invalid(&answer.head))?;
        while self.received.len() < head_bytes + body_bytes {
            self.receive_some()?;
        }
        let rest = self.received.split_off(head_bytes + body_bytes);
        answer.body = String::from_utf8(self.received.split_off(head_bytes)).map_err(|_| invalid(&answer.head))?;
        self.received = rest;
        Ok(answer)
    }

    fn receive_some(&mut self) -> io::Result<()> {
        let mut buffer = [0; 16384];
        match self.stream.read(&mut buffer)? {
            0 => {
                let received = String::from_utf8_lossy(&self.received).into_owned();
                Err(io::Error::new(ErrorKind::UnexpectedEof, format!("the connection was closed after {received:?}")))
            }
            num_bytes => {
                self.received.extend_from_slice(&buffer[..num_bytes]);
                Ok(())
            }
        }
    }
}

fn invalid(head: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("no answer with a length: {head:?}"))
}
