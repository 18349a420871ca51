//! Random requests.

use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use serde_json::{Map, Value, json};

use super::expected::Model;
use super::kept::Subject;
use crate::services::profiles::harness::{NO_DOMAIN, NO_PROFILE, ROLES, Role, SECOND, TEAM};

/// Keys, and their form in paths.
const KEYS: [(&str, &str); 7] = [
    ("name", "name"),
    ("email", "email"),
    ("address", "address"),
    ("car", "car"),
    ("centre name", "centre%20name"),
    ("a/b", "a%2Fb"),
    ("é%", "%C3%A9%25"),
];

/// Values, and their form in queries.
const VALUES: [(&str, &str); 7] = [
    ("", ""),
    ("a", "a"),
    ("ajay", "ajay"),
    ("Ajay@X.org", "Ajay%40X.org"),
    ("ajay@x.ORG", "ajay@x.ORG"),
    ("Straße \u{1f600}", "Stra%C3%9Fe+%F0%9F%98%80"),
    ("two\nlines", "two%0Alines"),
];

/// The schema of profiles with one.
pub(super) const SCHEMA: &str =
    r#"{"title":"T","properties":{"name":{"minLength":2}},"required":["address"],"maxProperties":4}"#;

/// The operation.
#[derive(Clone, Debug)]
pub(super) enum What {
    /// Reads the caller's own profile.
    Mine,
    /// Reads the profile of a subject, or one attribute.
    Of(Subject, Option<String>),
    /// Reads a profile, or one attribute.
    Read(String, Option<String>),
    /// Makes a profile with an owner, with or without a schema, and with attributes.
    Create(Subject, bool, Map<String, Value>),
    /// Replaces the attributes.
    Replace(String, Map<String, Value>),
    /// Adds attributes.
    Merge(String, Map<String, Value>),
    /// Removes an attribute.
    Remove(String, String),
    /// Erases a profile.
    Erase(String),
    /// Searches for users with a value.
    Search(String, String),
    /// Exports all profiles.
    Export,
}

/// A request.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) method: &'static str,
    pub(super) path: String,
    pub(super) role: Role,
    pub(super) if_match: Option<String>,
    pub(super) body: String,
    pub(super) what: What,
}

/// Returns a random item.
fn pick<T: Clone>(random: &mut StdRng, some: &[T]) -> T {
    some.choose(random).expect("some").clone()
}

/// Returns random attributes, few of which have an invalid value.
fn random_attributes(random: &mut StdRng) -> Map<String, Value> {
    let mut attributes = Map::new();
    // The schema requires it.
    if random.random_bool(0.5) {
        attributes.insert("address".to_owned(), json!("South"));
    }
    for _ in 0..random.random_range(0..5) {
        let value = if random.random_bool(0.03) { json!(7) } else { json!(pick(random, &VALUES).0) };
        attributes.insert(pick(random, &KEYS).0.to_owned(), value);
    }
    attributes
}

/// Returns a subject that may have a profile.
fn random_subject(random: &mut StdRng) -> Subject {
    if random.random_bool(0.4) {
        Subject::Domain(pick(random, &[TEAM, TEAM, SECOND, SECOND, NO_DOMAIN]).to_owned())
    } else if random.random_bool(0.3) {
        // A user who is not in the directory.
        let number = random.random_range(0..8);
        Subject::User(format!("usr-00000000-0000-4000-8000-0000000000f{number}").parse().expect("a reference"))
    } else {
        Subject::User(pick(random, &ROLES).user())
    }
}

impl Request {
    /// Returns the request that makes a profile with a schema at the beginning.
    pub(super) fn first() -> Self {
        let subject = Subject::Domain(TEAM.to_owned());
        let mut body = subject.as_owner();
        body["schema"] = json!(SCHEMA);
        body["attributes"] = json!({"address": "South"});
        let attributes = body["attributes"].as_object().expect("an object").clone();
        Self {
            method: "POST",
            path: "/profiles".to_owned(),
            role: Role::Manager,
            if_match: None,
            body: body.to_string(),
            what: What::Create(subject, true, attributes),
        }
    }

    /// Makes a random request.
    pub(super) fn random(random: &mut StdRng, model: &Model) -> Self {
        let mut role = pick(random, &ROLES);
        // Most requests are sent by users with many rights.
        if random.random_bool(0.6) {
            role = pick(random, &[Role::Admin, Role::Admin, Role::Admin, Role::Manager, Role::Owner]);
        }
        let references: Vec<String> = model.profiles.iter().map(|kept| kept.reference.clone()).collect();
        let reference = match references.choose(random) {
            Some(_) if random.random_bool(0.3) => references[0].clone(),
            Some(reference) if random.random_bool(0.95) => reference.clone(),
            _ => NO_PROFILE.to_owned(),
        };
        let (key, key_in_path) = pick(random, &KEYS);
        let is_of_key = random.random_bool(0.3);
        let (key_end, read_key) =
            if is_of_key { (format!("/{key_in_path}"), Some(key.to_owned())) } else { (String::new(), None) };
        let attributes = random_attributes(random);
        let text = Value::Object(attributes.clone()).to_string();
        let profile = format!("/profiles/{reference}");
        let (method, path, body, what) = match random.random_range(0..21) {
            0 | 1 => ("GET", "/my/profile".to_owned(), String::new(), What::Mine),
            2..=4 => {
                let subject = random_subject(random);
                ("GET", format!("{}/profile{key_end}", subject.path()), String::new(), What::Of(subject, read_key))
            }
            5 | 6 => ("GET", format!("{profile}{key_end}"), String::new(), What::Read(reference, read_key)),
            7 | 8 => {
                let subject = random_subject(random);
                let has_schema = matches!(subject, Subject::Domain(_)) && random.random_bool(0.9);
                let mut body = subject.as_owner();
                body["attributes"] = Value::Object(attributes.clone());
                if has_schema {
                    body["schema"] = json!(SCHEMA);
                }
                ("POST", "/profiles".to_owned(), body.to_string(), What::Create(subject, has_schema, attributes))
            }
            9..=11 => ("PUT", profile, text, What::Replace(reference, attributes)),
            12 | 13 => ("PATCH", profile, text, What::Merge(reference, attributes)),
            14 => ("POST", format!("{profile}?_method=patch"), text, What::Merge(reference, attributes)),
            15 | 16 => {
                ("DELETE", format!("{profile}/{key_in_path}"), String::new(), What::Remove(reference, key.to_owned()))
            }
            20 => ("DELETE", profile, String::new(), What::Erase(reference)),
            17 => {
                let key = pick(random, &["name", "email", "name", "email", "car"]);
                let (value, value_in_query) = pick(random, &VALUES);
                let path = format!("/users/profile/{key}?value={value_in_query}");
                ("GET", path, String::new(), What::Search(key.to_owned(), value.to_owned()))
            }
            18 => {
                role = Role::Search;
                let (value, value_in_query) = pick(random, &VALUES[1..]);
                let key = pick(random, &["name", "email"]);
                let path = format!("/users/profile/{key}?value={value_in_query}");
                ("GET", path, String::new(), What::Search(key.to_owned(), value.to_owned()))
            }
            _ => ("GET", "/profiles/export".to_owned(), String::new(), What::Export),
        };
        let is_write = matches!(what, What::Replace(..) | What::Merge(..) | What::Remove(..) | What::Erase(_));
        let if_match = (is_write && random.random_bool(0.3)).then(|| match random.random_range(0..5) {
            0 => "*".to_owned(),
            1 => "\"0\", W/\"1\"".to_owned(),
            _ => {
                let version = model.version_in_path(&path).unwrap_or(1);
                format!("\"{}\"", version.saturating_sub(random.random_range(0..2)))
            }
        });
        Self { method, path, role, if_match, body, what }
    }
}
