//! A client that writes.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Access, Answer, Connection, Contents, Known, State};

/// The names that all profiles share.
pub(super) const NAMES: [&str; 3] = ["Ada", "Björn", "Chloé"];

/// The number of longest values of the largest profile.
const NUM_LONGEST: usize = 54;

/// The most characters of a value.
const VALUE_CHARS_MAX: usize = 4096;

/// The attribute that is merged and removed.
const MERGED: &str = "merged";

/// The kinds of profiles that a writer writes.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    /// The number of profiles made early. Further ones follow occasionally.
    pub num_profiles: usize,
    /// The share of the largest profiles.
    pub share_of_largest: f64,
}

impl Mix {
    /// Small profiles only.
    pub const SMALL: Self = Self { num_profiles: 12, share_of_largest: 0.0 };
    /// Some of the largest.
    pub const MIXED: Self = Self { num_profiles: 8, share_of_largest: 0.2 };
    /// Only the largest.
    pub const LARGEST: Self = Self { num_profiles: 5, share_of_largest: 1.0 };
}

/// A generated write. Its outcome is unknown until it is acknowledged.
pub struct Attempt {
    /// The place of the profile.
    at: usize,
    marker: String,
    request: String,
    headers: String,
    body: Option<String>,
}

impl Attempt {
    /// Sends the write.
    pub fn send(&self, connection: &mut Connection, access: &Access) -> io::Result<Answer> {
        connection.send(&self.request, &access.administrator, &self.headers, self.body.as_deref())
    }

    /// Makes the write safe to repeat: the profile must still have the version that it changes. A
    /// second creation is refused anyway.
    pub fn repeat_once(&mut self, known: &Known) {
        if let Some(State { version, .. }) = known.acknowledged {
            self.headers = if_match(version);
        }
    }
}

/// A client with profiles of its own, of which it writes one after the other.
pub struct Writer {
    number: usize,
    random: StdRng,
    mix: Mix,
    num_writes: u64,
    /// The number of acknowledged writes.
    pub num_acknowledged: u64,
    /// A unique text of each acknowledged write, unless it removed something.
    pub markers: Vec<String>,
    /// The profiles as the writer expects them.
    pub profiles: Vec<Known>,
}

impl Writer {
    /// Makes a writer. A seed and its number determine its writes.
    pub fn new(number: usize, seed: u64, mix: Mix) -> Self {
        let random = StdRng::seed_from_u64(seed.wrapping_add(number as u64));
        Self { number, random, mix, num_writes: 0, num_acknowledged: 0, markers: Vec::new(), profiles: Vec::new() }
    }

    /// Makes writers, each with another of the mixes.
    pub fn several(num_writers: usize, seed: u64, mixes: &[Mix]) -> Vec<Self> {
        (0..num_writers).map(|number| Self::new(number, seed, mixes[number % mixes.len()])).collect()
    }

    /// Writes once: makes a profile, replaces one, merges into one or removes an attribute. An
    /// answer is a success or a failure of the server; after a failure the outcome is unknown.
    pub fn write(&mut self, connection: &mut Connection, access: &Access) -> io::Result<Answer> {
        let attempt = self.begin();
        let answer = attempt.send(connection, access)?;
        if answer.status < 500 {
            self.acknowledge(&attempt, &answer);
        }
        Ok(answer)
    }

    /// Generates a write, and records its expected result.
    pub fn begin(&mut self) -> Attempt {
        self.num_writes += 1;
        let chance_of_new = if self.profiles.len() < self.mix.num_profiles { 0.15 } else { 0.002 };
        let is_new = self.profiles.is_empty() || self.random.random_bool(chance_of_new);
        let marker = format!("w{}-{}-{:016x}", self.number, self.num_writes, self.random.random::<u64>());
        if !is_new {
            return self.change(marker);
        }
        let user = format!("usr-{}", Uuid::from_u128(self.random.random()));
        let attributes = self.attributes(&marker);
        let body = Some(json!({"user": {"userReference": user}, "attributes": attributes}).to_string());
        let under_way = Some(State { version: 1, attributes });
        self.profiles.push(Known { user, reference: None, acknowledged: None, under_way, former_email: None });
        let (request, headers) = ("POST /profiles".to_owned(), String::new());
        Attempt { at: self.profiles.len() - 1, marker, request, headers, body }
    }

    /// Records the answer of a successful write, which must match the write.
    pub fn acknowledge(&mut self, attempt: &Attempt, answer: &Answer) {
        let is_new = self.profiles[attempt.at].acknowledged.is_none();
        assert_eq!(answer.status, if is_new { 201 } else { 200 }, "{}: {answer:?}", attempt.request);
        self.num_acknowledged += 1;
        if answer.body.contains(&attempt.marker) {
            self.markers.push(attempt.marker.clone());
        }
        self.take_over(attempt, answer);
    }

    /// Records a profile from an answer, which must match the write under way.
    pub fn take_over(&mut self, attempt: &Attempt, answer: &Answer) {
        let Attempt { at, request, .. } = attempt;
        let known = &mut self.profiles[*at];
        let state = known.under_way.take().expect("begun");
        assert_eq!(answer.header("etag"), format!("\"{}\"", state.version), "{request}");
        let profile = answer.json();
        assert!(profile["attributes"].as_object() == Some(&state.attributes), "{request}: not {state:?}");
        known.reference = Some(profile["reference"].as_str().expect("a text").to_owned());
        if let Some(replaced) = known.acknowledged.replace(state)
            && replaced.attribute("email") != profile["attributes"]["email"]
        {
            known.former_email = Some(replaced.attribute("email").to_owned());
        }
    }

    /// Returns the profile of a write.
    pub fn written(&self, attempt: &Attempt) -> &Known {
        &self.profiles[attempt.at]
    }

    /// Chooses a change, and records its expected result.
    fn change(&mut self, marker: String) -> Attempt {
        // The first one is hot.
        let at = if self.random.random_bool(0.5) { 0 } else { self.random.random_range(0..self.profiles.len()) };
        let State { version, mut attributes } = self.profiles[at].acknowledged.clone().expect("settled");
        let reference = self.profiles[at].reference.clone().expect("settled");
        let headers = if self.random.random() { if_match(version) } else { String::new() };
        let (request, body) = match self.random.random_range(0..10) {
            0 if attributes.contains_key(MERGED) => {
                attributes.remove(MERGED);
                (format!("DELETE /profiles/{reference}/{MERGED}"), None)
            }
            0..=3 => {
                let mut merged = Map::from_iter([(MERGED.to_owned(), Value::from(&*marker))]);
                if self.random.random() {
                    merged.insert("email".to_owned(), email(&marker));
                }
                attributes.extend(merged.clone());
                (format!("PATCH /profiles/{reference}"), Some(Value::from(merged)))
            }
            _ => {
                attributes = self.attributes(&marker);
                (format!("PUT /profiles/{reference}"), Some(Value::from(attributes.clone())))
            }
        };
        self.profiles[at].under_way = Some(State { version: version + 1, attributes });
        let body = body.map(|body: Value| body.to_string());
        Attempt { at, marker, request, headers, body }
    }

    /// Generates the attributes of a small profile or of a largest one.
    fn attributes(&mut self, marker: &str) -> Map<String, Value> {
        let name = NAMES[self.random.random_range(0..NAMES.len())];
        let mut attributes = Map::from_iter([
            ("email".to_owned(), email(marker)),
            ("name".to_owned(), name.into()),
            ("marker".to_owned(), marker.into()),
        ]);
        if self.random.random_bool(self.mix.share_of_largest) {
            for number in 0..NUM_LONGEST {
                let value = format!("{:016x}", self.random.random::<u64>()).repeat(VALUE_CHARS_MAX / 16);
                attributes.insert(format!("v{number}"), value.into());
            }
        }
        attributes
    }

    /// Generates profiles that are not written.
    pub fn generate(&mut self, num_profiles: u64) -> Contents {
        let mut contents = Contents::default();
        for number in 1..=num_profiles {
            let [user, profile] = [(); 2].map(|()| Uuid::from_u128(self.random.random()));
            let attributes = self.attributes(&format!("m{number}"));
            let state = State { version: number, attributes };
            contents.0.insert(format!("usr-{user}"), (format!("prf-{profile}"), state));
        }
        contents
    }

    /// Assumes that the failed write has changed nothing.
    pub fn give_up(&mut self) {
        for known in &mut self.profiles {
            known.under_way = None;
        }
        self.profiles.retain(|known| known.acknowledged.is_some());
    }
}

fn if_match(version: u64) -> String {
    format!("if-match: \"{version}\"\r\n")
}

fn email(marker: &str) -> Value {
    format!("{marker}@mgdex.test").into()
}

/// Writes until the server fails or stops, which must not happen before it is allowed. Returns its
/// last answer, if that was a failure.
pub fn write_until_failure(
    writer: &mut Writer,
    address: &str,
    access: &Access,
    may_fail: &AtomicBool,
) -> Option<Answer> {
    let written = Connection::open(address).and_then(|mut connection| {
        loop {
            let answer = writer.write(&mut connection, access)?;
            if answer.status >= 500 {
                return Ok(answer);
            }
        }
    });
    assert!(may_fail.load(Ordering::SeqCst), "failed before there was a reason to: {written:?}");
    written.ok()
}
