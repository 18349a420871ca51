//! Comparing a store with the expectations of its writers.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use rand::RngExt;
use rand::rngs::StdRng;
use serde_json::{Map, Value, json};

use super::writer::NAMES;
use super::{Access, Connection, Writer};
use crate::machine::{Server, read_answer};

/// The most users that a search names.
const FOUND_MAX: usize = 100;

/// The number of emails searched for after each restart.
const EMAILS_SEARCHED: usize = 8;

/// The pause between two exports.
const EXPORT_PAUSE: Duration = Duration::from_millis(100);

/// A version of a profile.
#[derive(Clone, PartialEq)]
pub struct State {
    pub version: u64,
    pub attributes: Map<String, Value>,
}

impl State {
    /// Returns an attribute, or an empty text where it is missing.
    pub fn attribute(&self, key: &str) -> &str {
        self.attributes.get(key).map_or("", |value| value.as_str().expect("a text"))
    }
}

impl fmt::Debug for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The largest profiles would fill the screen.
        write!(formatter, "version {} with {} attributes:", self.version, self.attributes.len())?;
        self.attributes.iter().try_for_each(|(key, value)| {
            let text = value.as_str().expect("a text");
            write!(formatter, " {key}={}", &text[..text.len().min(48)])
        })
    }
}

/// A profile as its writer expects it.
#[derive(Clone, Debug)]
pub struct Known {
    /// Its owner.
    pub user: String,
    /// Its reference, once the writer has learnt it.
    pub reference: Option<String>,
    /// The state that was acknowledged last.
    pub acknowledged: Option<State>,
    /// The state that was sent and is not acknowledged.
    pub under_way: Option<State>,
    /// An email that an acknowledged write has replaced.
    pub former_email: Option<String>,
}

/// Reference and state of each user's profile.
#[derive(Debug, Default, PartialEq)]
pub struct Contents(pub BTreeMap<String, (String, State)>);

impl Contents {
    /// Returns the profiles that a store must hold after the last acknowledgement of some writers.
    pub fn known(writers: &[Writer]) -> Self {
        let entry = |known: &Known| Some((known.user.clone(), (known.reference.clone()?, known.acknowledged.clone()?)));
        Self(writers.iter().flat_map(|writer| &writer.profiles).filter_map(entry).collect())
    }

    /// Returns the lines of an export.
    pub fn lines(&self) -> String {
        let line = |(user, (reference, State { version, attributes })): (&String, &(String, State))| {
            format!("{}\n", json!({"reference": reference, "user": user, "version": version, "attributes": attributes}))
        };
        self.0.iter().map(line).collect()
    }

    /// Reads the lines of an export.
    pub fn of_export(lines: &str, context: &str) -> Self {
        assert!(lines.is_empty() || lines.ends_with('\n'), "the last line is cut off; {context}");
        let mut contents = Self::default();
        for line in lines.lines() {
            let mut line: Value =
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}; {context}"));
            let text = |value: &Value| value.as_str().expect("a text").to_owned();
            let (user, reference) = (text(&line["user"]), text(&line["reference"]));
            let version = line["version"].as_u64().expect("a number");
            let Value::Object(attributes) = line["attributes"].take() else { panic!("no attributes; {context}") };
            let known = contents.0.insert(user.clone(), (reference, State { version, attributes }));
            assert!(known.is_none(), "{user} has two profiles; {context}");
        }
        contents
    }

    /// Reads the export of a running server.
    pub fn of_server(server: &Server, access: &Access, context: &str) -> Self {
        let mut stream = server.connect();
        stream.write_all(export_request(access).as_bytes()).expect("the server reads");
        let (status, body) = read_answer(&mut stream);
        assert_eq!(status, 200, "{body}; {context}");
        Self::of_export(&body, context)
    }
}

/// Returns a request for all profiles, whose answer ends with the connection.
fn export_request(access: &Access) -> String {
    format!("GET /profiles/export HTTP/1.0\r\nauthorization: Bearer {}\r\n\r\n", access.administrator)
}

/// Reads all profiles repeatedly until the server fails or ends.
pub fn export_until_failure(address: &str, access: &Access) {
    let mut answer = String::from("HTTP/1.0 200");
    while answer.starts_with("HTTP/1.0 200") {
        answer.clear();
        let sent = TcpStream::connect(address).and_then(|mut stream| {
            stream.write_all(export_request(access).as_bytes())?;
            stream.read_to_string(&mut answer)
        });
        if sent.is_err() {
            return;
        }
        thread::sleep(EXPORT_PAUSE);
    }
}

/// Checks that a store has exactly the profiles that its writers expect, and records the outcome of
/// the writes under way.
pub fn settle(writers: &mut [Writer], contents: Contents, context: &str) {
    try_settle(writers, contents).unwrap_or_else(|problem| panic!("{problem}; {context}"));
}

/// Like the function above, but returns an error that names the lost, torn or added profile.
pub fn try_settle(writers: &mut [Writer], mut contents: Contents) -> Result<(), String> {
    for known in writers.iter_mut().flat_map(|writer| &mut writer.profiles) {
        let Some((reference, state)) = contents.0.remove(&known.user) else {
            if known.acknowledged.is_some() {
                return Err(format!("LOST: {known:?}"));
            }
            known.under_way = None;
            continue;
        };
        let is_known = [&known.acknowledged, &known.under_way].into_iter().flatten().any(|known| *known == state);
        if !is_known || known.reference.as_ref().is_some_and(|written| *written != reference) {
            return Err(format!("LOST OR TORN: there is {reference} with {state:?}, and its writer knows {known:?}"));
        }
        if let Some(replaced) = &known.acknowledged
            && replaced.attribute("email") != state.attribute("email")
        {
            known.former_email = Some(replaced.attribute("email").to_owned());
        }
        known.reference = Some(reference);
        known.acknowledged = Some(state);
        known.under_way = None;
    }
    if !contents.0.is_empty() {
        return Err(format!("nobody wrote {contents:?}"));
    }
    for writer in writers {
        writer.profiles.retain(|known| known.acknowledged.is_some());
    }
    Ok(())
}

/// Checks all answers of a server about profiles: the export, each profile on both paths, and
/// searches.
pub fn check_over_http(server: &Server, access: &Access, writers: &mut [Writer], random: &mut StdRng, context: &str) {
    settle(writers, Contents::of_server(server, access, context), context);
    let mut connection = Connection::open(server.address()).expect("the server accepts");
    let profiles: Vec<_> = writers.iter().flat_map(|writer| &writer.profiles).collect();
    for (number, known) in profiles.iter().enumerate() {
        let state = known.acknowledged.as_ref().expect("settled");
        let reference = known.reference.as_ref().expect("settled");
        let path =
            if number % 2 == 0 { format!("/users/{}/profile", known.user) } else { format!("/profiles/{reference}") };
        let answer = connection.get(&path, &access.administrator).expect("an answer");
        assert_eq!(answer.status, 200, "{path}: {answer:?}; {context}");
        let body = answer.json();
        assert_eq!(answer.header("etag"), format!("\"{}\"", state.version), "{path}; {context}");
        assert_eq!(
            (&body["reference"], &body["user"]["userReference"]),
            (&Value::from(&**reference), &Value::from(&*known.user))
        );
        assert!(body["attributes"].as_object() == Some(&state.attributes), "{path}: not {state:?}; {context}");
    }
    for _ in 0..EMAILS_SEARCHED.min(profiles.len()) {
        let known = profiles[random.random_range(0..profiles.len())];
        let email = known.acknowledged.as_ref().expect("settled").attribute("email");
        assert_eq!(search(&mut connection, access, "email", email), [&*known.user], "{email}; {context}");
        if let Some(former) = &known.former_email {
            assert_eq!(search(&mut connection, access, "email", former), [""; 0], "{former} was replaced; {context}");
        }
    }
    for name in NAMES {
        let with_name =
            profiles.iter().filter(|known| known.acknowledged.as_ref().expect("settled").attribute("name") == name);
        let mut users: Vec<_> = with_name.map(|known| &*known.user).collect();
        users.sort_unstable();
        users.truncate(FOUND_MAX);
        assert_eq!(search(&mut connection, access, "name", name), users, "{name}; {context}");
    }
}

/// Returns the references of the users that a search finds.
fn search(connection: &mut Connection, access: &Access, key: &str, value: &str) -> Vec<String> {
    let path = format!("/users/profile/{key}?value={}", value.replace('@', "%40"));
    let answer = connection.get(&path, &access.searcher).expect("an answer");
    assert_eq!(answer.status, 200, "{answer:?}");
    let found = answer.json();
    let users = found.as_array().expect("a list").iter();
    users.map(|user| user["userReference"].as_str().expect("a text").to_owned()).collect()
}
