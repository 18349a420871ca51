//! Answers as bytes.

/// The error page of the real server.
const PAGE: &str =
    "<!doctype html>\n<html><head><title>Server Error</title></head><body><h1>Server Error (500)</h1></body></html>\n";

/// An answer.
#[derive(Clone)]
pub(in crate::harvest) struct Reply {
    pub(in crate::harvest) status: u16,
    pub(in crate::harvest) headers: Vec<(&'static str, String)>,
    pub(in crate::harvest) body: Vec<u8>,
    /// The number of bytes of the body sent before the connection is cut.
    pub(in crate::harvest) cut: Option<usize>,
}

impl Reply {
    pub(in crate::harvest) fn new(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers: vec![("content-type", content_type.to_owned())], body: body.into(), cut: None }
    }

    /// Returns a page for people.
    pub(in crate::harvest) fn page(status: u16) -> Self {
        Self::new(status, "text/html; charset=utf-8", PAGE)
    }

    pub(in crate::harvest) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub(super) fn into_bytes(mut self) -> Vec<u8> {
        let headers: Vec<String> = self.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let (status, num_bytes, headers) = (self.status, self.body.len(), headers.concat());
        let head = format!("HTTP/1.1 {status} -\r\ncontent-length: {num_bytes}\r\n{headers}connection: close\r\n\r\n");
        self.body.truncate(self.cut.unwrap_or(usize::MAX));
        [head.into_bytes(), self.body].concat()
    }
}
