//! An HTTP/1.1 connection that stays open.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
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
    stream: BufReader<TcpStream>,
}

impl Connection {
    /// Connects to the server.
    pub fn open(address: &str) -> io::Result<Self> {
        Self::over(TcpStream::connect(address)?)
    }

    /// Uses a connected stream.
    pub fn over(stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self { stream: BufReader::new(stream) })
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
        self.stream.get_mut().write_all(text.as_bytes())?;
        self.receive()
    }

    /// Sends a GET request.
    pub fn get(&mut self, path: &str, token: &str) -> io::Result<Answer> {
        self.send(&format!("GET {path}"), token, "", None)
    }

    fn receive(&mut self) -> io::Result<Answer> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if self.stream.read_line(&mut head)? == 0 {
                return Err(io::Error::new(
                    ErrorKind::UnexpectedEof,
                    format!("the connection was closed after {head:?}"),
                ));
            }
        }
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let mut answer = Answer { status: status.ok_or_else(|| invalid(&head))?, head, body: String::new() };
        let mut body = Vec::new();
        if answer.header("transfer-encoding") == "chunked" {
            while self.receive_chunk(&mut body)? {}
        } else {
            self.receive_some(&mut body, answer.header("content-length").parse().map_err(|_| invalid(&answer.head))?)?;
        }
        answer.body = String::from_utf8(body).map_err(|_| invalid(&answer.head))?;
        Ok(answer)
    }

    /// Receives a chunk of a body. Returns whether it is not the last one, which is empty.
    fn receive_chunk(&mut self, body: &mut Vec<u8>) -> io::Result<bool> {
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let num_bytes = u64::from_str_radix(line.trim_end(), 16).map_err(|_| invalid(&line))?;
        self.receive_some(body, num_bytes)?;
        self.receive_some(&mut Vec::new(), 2)?;
        Ok(num_bytes > 0)
    }

    fn receive_some(&mut self, body: &mut Vec<u8>, num_bytes: u64) -> io::Result<()> {
        let num_read = self.stream.by_ref().take(num_bytes).read_to_end(body)?;
        let is_whole = num_read as u64 == num_bytes;
        is_whole.then_some(()).ok_or_else(|| io::Error::new(ErrorKind::UnexpectedEof, "the body is cut"))
    }
}

fn invalid(head: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("no answer with a length: {head:?}"))
}
