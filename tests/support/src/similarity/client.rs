//! Clients that search.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::sync::Mutex;

use crate::machine::{Server, wait_for};
use crate::{Answer, PROTEINS_V2};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use serde_json::{Value, json};

use super::proteins::QUERY;

pub const JSON: [(&str, &str); 1] = [("content-type", "application/json")];

/// The secrets of the searches that were started.
static SECRETS: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

/// A client with an address of its own, `127.0.0.N`.
#[derive(Clone, Copy)]
pub struct Client<'a> {
    pub server: &'a Server,
    pub number: u8,
}

impl<'a> Client<'a> {
    pub fn new(server: &'a Server) -> Self {
        Self { server, number: 1 }
    }

    /// Sends a request on a connection of its own, unless the server is gone.
    #[expect(clippy::needless_pass_by_value, reason = "methods are constants")]
    pub fn try_ask(self, method: Method, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Option<Answer> {
        let mut stream = self.server.connect_from(self.number).ok()?;
        let mut head = format!("{method} {path} HTTP/1.0\r\n");
        if headers.iter().all(|(name, _)| *name != "host") {
            head += "host: mgdex.test\r\n";
        }
        for (name, value) in headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        if !body.is_empty() {
            head.extend(["content-length: ", &body.len().to_string(), "\r\n"]);
        }
        stream.write_all(&[head.as_bytes(), b"\r\n", body].concat()).ok()?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).ok()?;
        read(&answer)
    }

    /// Sends a request, which is answered.
    #[expect(clippy::needless_pass_by_value, reason = "methods are constants")]
    pub fn ask(self, method: Method, path: &str, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Answer {
        let answer = self.try_ask(method.clone(), path, headers, body.as_ref());
        answer.unwrap_or_else(|| panic!("{method} {path} is not answered: {}", self.server.log()))
    }

    pub fn get(self, path: &str) -> Answer {
        self.ask(Method::GET, &format!("{PROTEINS_V2}{path}"), &[], "")
    }

    pub fn post(self, order: &Value) -> Answer {
        let answer = self.ask(Method::POST, &format!("{PROTEINS_V2}/searches"), &JSON, order.to_string());
        if answer.status.is_success() {
            let state = answer.json();
            let [id, secret] = ["id", "secret"].map(|name| state[name].as_str().expect("a text").to_owned());
            SECRETS.lock().expect("no panic").insert(id, secret);
        }
        answer
    }

    /// Starts a search, which must be accepted, and returns its identifier.
    pub fn begin(self, order: &Value) -> String {
        let answer = self.post(order);
        assert!(matches!(answer.status, StatusCode::OK | StatusCode::ACCEPTED), "{answer:?}");
        id(&answer)
    }

    /// Begins a search, and waits until it has found its hits.
    pub fn search(self, order: &Value) -> String {
        let id = self.begin(order);
        let state = self.wait(&id);
        assert_eq!(state["state"], "done", "{state}");
        id
    }

    pub fn state(self, id: &str) -> Value {
        let answer = self.get(&format!("/searches/{id}"));
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        answer.json()
    }

    /// Waits for the end of a search.
    pub fn wait(self, id: &str) -> Value {
        wait_for("the end of a search", || {
            let answer = self.get(&format!("/searches/{id}?wait=20"));
            assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
            Some(answer.json()).filter(|state| state["state"] == "done" || state["state"] == "failed")
        })
    }

    /// Removes a search with its secret.
    pub fn remove(self, id: &str) -> Answer {
        let secret = SECRETS.lock().expect("no panic").get(id).cloned();
        self.remove_with(id, &[("x-search-secret", secret.as_deref().unwrap_or("none"))])
    }

    pub fn remove_with(self, id: &str, headers: &[(&str, &str)]) -> Answer {
        self.ask(Method::DELETE, &format!("{PROTEINS_V2}/searches/{id}"), headers, "")
    }

    /// Returns the hits, in a form and with other parameters.
    pub fn hits(self, id: &str, parameters: &str) -> Answer {
        self.get(&format!("/searches/{id}/hits?{parameters}"))
    }

    /// Returns the hits in a form that is a text.
    pub fn text(self, id: &str, parameters: &str) -> String {
        let answer = self.hits(id, parameters);
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        String::from_utf8(answer.body).expect("text")
    }
}

/// Reads an answer, unless it is cut off.
fn read(answer: &[u8]) -> Option<Answer> {
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&answer[..end]).ok()?;
    let mut lines = head.split("\r\n");
    let status = StatusCode::from_bytes(lines.next()?.split(' ').nth(1)?.as_bytes()).ok()?;
    let header = |line: &str| {
        let (name, value) = line.split_once(": ")?;
        Some((HeaderName::from_bytes(name.as_bytes()).ok()?, HeaderValue::from_str(value).ok()?))
    };
    let headers = lines.map(header).collect::<Option<HeaderMap>>()?;
    Some(Answer { status, headers, body: answer[end + 4..].to_vec() })
}

/// Returns the identifier in the state of a search.
pub fn id(answer: &Answer) -> String {
    answer.json()["id"].as_str().unwrap_or_else(|| panic!("{answer:?}")).to_owned()
}

/// Returns the error message of an answer.
pub fn detail(answer: &Answer) -> String {
    let answer = answer.json();
    answer["detail"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

/// Returns an order that differs from those of other numbers.
pub fn order(number: usize) -> Value {
    json!({ "sequence": &QUERY[number % 20..], "q": format!("length:[{} TO *]", 1 + number / 20), "E": 1 })
}
