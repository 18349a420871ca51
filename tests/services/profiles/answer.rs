//! An answer of the service, and the checks that apply to all answers.

use axum::http::{HeaderMap, Method};
use serde_json::Value;

/// The headers that every answer has.
const ALWAYS: [(&str, &str); 5] = [
    ("x-content-type-options", "nosniff"),
    ("cache-control", "no-cache, no-store, max-age=0, must-revalidate"),
    ("pragma", "no-cache"),
    ("expires", "0"),
    ("x-frame-options", "DENY"),
];

/// The names that statuses have in errors.
const STATUS_NAMES: [(u16, &str); 14] = [
    (400, "BAD_REQUEST"),
    (401, "UNAUTHORIZED"),
    (403, "FORBIDDEN"),
    (404, "NOT_FOUND"),
    (405, "METHOD_NOT_ALLOWED"),
    (408, "REQUEST_TIMEOUT"),
    (409, "CONFLICT"),
    (412, "PRECONDITION_FAILED"),
    (413, "PAYLOAD_TOO_LARGE"),
    (414, "URI_TOO_LONG"),
    (415, "UNSUPPORTED_MEDIA_TYPE"),
    (422, "UNPROCESSABLE_ENTITY"),
    (500, "INTERNAL_SERVER_ERROR"),
    (503, "SERVICE_UNAVAILABLE"),
];

/// Texts that no error contains: names of types, files and internal errors.
const NEVER_TOLD: [&str; 9] =
    ["::", ".rs", "panicked", "stack backtrace", "serde", "sled", "jsonwebtoken", "src/", "Some("];

/// The type of all answers but values and exports.
pub(crate) const JSON: &str = "application/json;charset=UTF-8";

/// The type of a value.
pub(crate) const TEXT: &str = "text/plain;charset=UTF-8";

/// The type of an export.
pub(crate) const LINES: &str = "application/x-ndjson";

/// An answer, read to its end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    /// Checks the properties of all answers to a request for a URL, which is given without its
    /// query.
    pub(crate) fn check(&self, method: &Method, url: &str) {
        let context = format!("{method} {url}: {self:?}");
        for (name, value) in ALWAYS {
            assert_eq!(self.header(name), value, "{name}; {context}");
        }
        assert_eq!(self.header("x-request-id").len(), 36, "{context}");
        assert_eq!(self.header("access-control-allow-origin"), "", "{context}");
        // A strong tag identifies bytes, so a compressed answer would not have it.
        assert_eq!(self.header("content-encoding"), "", "{context}");
        if self.status >= 400 {
            assert_eq!(self.header("content-type"), JSON, "{context}");
        }
        if method == Method::HEAD {
            assert_eq!(self.text, "", "{context}");
            return;
        }
        match self.status {
            200 | 201 => assert!([JSON, TEXT, LINES].contains(&self.header("content-type")), "{context}"),
            204 | 304 => assert_eq!(self.text, "", "{context}"),
            400.. => self.check_error(url, &context),
            _ => panic!("{context}"),
        }
    }

    /// Checks the shape of an error.
    fn check_error(&self, url: &str, context: &str) {
        let body = self.json();
        let names: Vec<&str> = body.as_object().expect(context).keys().map(String::as_str).collect();
        let expected: &[&str] = match self.status {
            422 => &["timestamp", "status", "error", "message", "path", "details"],
            _ => &["timestamp", "status", "error", "message", "path"],
        };
        assert_eq!(names, expected, "{context}");
        let name = STATUS_NAMES.iter().find(|(status, _)| *status == self.status).expect(context).1;
        assert_eq!(body["status"], name, "{context}");
        assert_eq!(body["path"], url, "{context}");
        assert!(is_timestamp(body["timestamp"].as_str().expect(context)), "{context}");
        let code = body["error"].as_str().expect(context);
        let is_code = |letter: char| letter.is_ascii_uppercase() || letter == '_';
        assert!(!code.is_empty() && code.chars().all(is_code), "{context}");
        let message = body["message"].as_str().expect(context);
        assert!(!message.is_empty(), "{context}");
        let leaked = NEVER_TOLD.iter().find(|word| message.contains(**word));
        assert_eq!(leaked, None, "{context}");
        if let Some(details) = body.get("details") {
            let details = details.as_array().expect(context);
            assert!(!details.is_empty() && details.iter().all(Value::is_string), "{context}");
        }
        let challenge = self.header("www-authenticate");
        assert!(
            if challenge.is_empty() { self.status != 401 } else { [400, 401, 403].contains(&self.status) },
            "{context}"
        );
    }

    /// Checks the status, and shows the answer if it is a different one.
    #[track_caller]
    pub(crate) fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        self
    }

    /// Returns status and code of an error.
    pub(crate) fn error(&self) -> (u16, String) {
        (self.status, self.json()["error"].as_str().unwrap_or_default().to_owned())
    }

    /// Returns the message of an error.
    pub(crate) fn message(&self) -> String {
        self.json()["message"].as_str().expect("a message").to_owned()
    }

    /// Returns the details of an error.
    pub(crate) fn details(&self) -> Vec<String> {
        let body = self.json();
        let details = body["details"].as_array().expect("details").iter();
        details.map(|detail| detail.as_str().expect("a text").to_owned()).collect()
    }

    /// Returns the body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Returns the attributes of a profile, as they are written.
    pub(crate) fn attributes(&self) -> String {
        self.json()["attributes"].to_string()
    }

    /// Returns the reference of a profile.
    pub(crate) fn reference(&self) -> String {
        self.json()["reference"].as_str().expect("a profile").to_owned()
    }

    /// Returns a header as text, or an empty text if it is missing.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("printable"))
    }

    /// Returns the version tag.
    pub(crate) fn etag(&self) -> &str {
        self.header("etag")
    }

    /// Returns the body with `prf-…` in place of references of profiles, and a fixed time in place
    /// of the time of an error.
    pub(crate) fn redacted(&self) -> String {
        let mut text = String::new();
        let mut rest = self.text.as_str();
        while let Some(start) = rest.find("prf-") {
            text.push_str(&rest[..start]);
            text.push_str("prf-…");
            let reference = rest.get(start..start + 40).expect("a reference");
            reference.parse::<store::ProfileReference>().expect(reference);
            rest = &rest[start + 40..];
        }
        text.push_str(rest);
        match text.strip_prefix("{\"timestamp\":\"").and_then(|rest| rest.split_once('"')) {
            Some((timestamp, rest)) if is_timestamp(timestamp) => format!("{{\"timestamp\":\"…\"{rest}"),
            _ => text,
        }
    }
}

/// Returns whether a text is a time of the form `yyyy.MM.dd.HH.mm.ss`, in this century.
fn is_timestamp(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    let numbers: Vec<u32> = parts.iter().filter_map(|part| part.parse().ok()).collect();
    lengths == [4, 2, 2, 2, 2, 2] && matches!(numbers[..], [2024..=2099, 1..=12, 1..=31, 0..=23, 0..=59, 0..=60])
}
