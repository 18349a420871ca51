//! The recorded answers of the real program over the same resources, request by request.
//!
//! Every answer must mean the same, but for two rules that hold everywhere and two tables of single requests: [`decided`] lists where
//! mgdex answers otherwise on purpose, [`never_given`] where the real program knew data that are not among the bundled resources. A
//! request of a table that is answered as recorded is an error of the table.

mod decided;
mod never_given;

use std::collections::BTreeSet;
use std::io::Read;

use axum::http::Method;
use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use serde_json::Value;

use crate::catalogue::real::{BASE_URL, CATALOGUE, ask};
use support::{Answer, send};

/// A request, and how the real program answered it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Recorded {
    /// The method.
    pub(crate) method: String,
    /// The path, with the prefix of the service.
    pub(crate) path: String,
    /// The headers of the request.
    pub(crate) request_headers: std::collections::BTreeMap<String, String>,
    /// The status of the answer.
    pub(crate) status: u16,
    /// Its headers, in lower case.
    pub(crate) headers: std::collections::BTreeMap<String, String>,
    /// Its body, where it was JSON.
    pub(crate) json: Option<Value>,
    /// Its body, where it was CSV.
    pub(crate) text: Option<String>,
}

/// A request that is answered otherwise.
pub(crate) struct Difference {
    /// The method.
    pub(crate) method: &'static str,
    /// The path below the prefix of the service, and what the request accepts, where that matters.
    pub(crate) request: (&'static str, Option<&'static str>),
    /// Why.
    pub(crate) reason: &'static str,
    /// Checks the answer.
    pub(crate) check: fn(&Recorded, &Answer),
}

impl Difference {
    /// A difference in the answer to GET, whatever it accepts.
    pub(crate) fn get(path: &'static str, reason: &'static str, check: fn(&Recorded, &Answer)) -> Self {
        Self { method: "GET", request: (path, None), reason, check }
    }

    /// Tells whether it is about a request.
    fn is_about(&self, recorded: &Recorded) -> bool {
        let (path, accept) = self.request;
        let accepted = recorded.request_headers.get("Accept").map(String::as_str);
        self.method == recorded.method
            && recorded.path.strip_prefix(CATALOGUE) == Some(path)
            && (accept.is_none() || accept == accepted)
    }
}

impl Recorded {
    /// Returns the recorded requests with their answers, as this server would link.
    fn all() -> Vec<Self> {
        let files = [
            &include_bytes!("answers/lists_default.jsonl.gz")[..],
            include_bytes!("answers/lists_json.jsonl.gz"),
            include_bytes!("answers/detail_related.jsonl.gz"),
            include_bytes!("answers/negotiation_methods.jsonl.gz"),
        ];
        let mut all = Vec::new();
        for file in files {
            let mut text = String::new();
            MultiGzDecoder::new(file).read_to_string(&mut text).expect("bundled");
            let lines = text.replace("{base_url}", BASE_URL);
            all.extend(lines.lines().map(|line| serde_json::from_str::<Self>(line).expect("a recorded answer")));
        }
        assert_eq!(all.len(), 144);
        all
    }

    /// Sends the request.
    async fn ask(&self) -> Answer {
        let headers: Vec<_> =
            self.request_headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let method: Method = self.method.parse().expect("a method");
        let path = self.path.strip_prefix(CATALOGUE).expect("a path of the service");
        ask(method, &path.replace(' ', "%20"), &headers).await
    }

    /// Returns the header of the recorded answer.
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// Returns in what an answer differs from this one, but for what differs everywhere: `Vary` names what this server varies by, and
    /// errors have a title.
    fn difference(&self, answer: &Answer) -> Option<String> {
        if answer.status.as_u16() != self.status {
            return Some(format!("status {} in place of {}", answer.status, self.status));
        }
        for (name, value) in self.headers.iter().filter(|(name, _)| *name != "vary") {
            if answer.header(name) != value {
                return Some(format!("{name}: {:?} in place of {value:?}", answer.header(name)));
            }
        }
        if self.header("vary").contains("Accept") && !answer.header("vary").split(", ").any(|name| name == "Accept") {
            return Some(format!("vary: {:?}", answer.header("vary")));
        }
        if let Some(text) = &self.text {
            let body = String::from_utf8_lossy(&answer.body);
            return (body != *text).then(|| format!("another text: {}", first_difference(&body, text)));
        }
        if self.method == "HEAD" && !answer.body.is_empty() {
            return Some("a body".to_owned());
        }
        let recorded = self.json.as_ref()?;
        let mut json = answer.json();
        for error in json.get_mut("errors").and_then(Value::as_array_mut).into_iter().flatten() {
            let title = error.as_object_mut().expect("an error").remove("title");
            if title.as_ref().and_then(Value::as_str).is_none_or(str::is_empty) {
                return Some(format!("an error without a title: {error}"));
            }
        }
        (json != *recorded)
            .then(|| format!("other JSON: {}", first_difference(&json.to_string(), &recorded.to_string())))
    }
}

/// Returns the lines around the first place at which two texts differ.
fn first_difference(ours: &str, recorded: &str) -> String {
    let position = ours.bytes().zip(recorded.bytes()).take_while(|(left, right)| left == right).count();
    let around = |text: &str| {
        let bytes = text.as_bytes();
        let part = &bytes[position.saturating_sub(200).min(bytes.len())..(position + 200).min(bytes.len())];
        String::from_utf8_lossy(part).into_owned()
    };
    format!("byte {position}\n  ours:     {}\n  recorded: {}", around(ours), around(recorded))
}

#[tokio::test]
async fn every_recorded_answer_is_given_again() {
    let differences: Vec<Difference> = decided::table().into_iter().chain(never_given::table()).collect();
    let mut seen = BTreeSet::new();
    let mut problems = Vec::new();
    for recorded in Recorded::all() {
        let answer = recorded.ask().await;
        let request = format!("{} {} {:?}", recorded.method, recorded.path, recorded.request_headers);
        let found = differences.iter().position(|difference| difference.is_about(&recorded));
        match (recorded.difference(&answer), found) {
            (None, None) => {}
            (None, Some(_)) => problems.push(format!("{request}: a table lists it, but it is answered as recorded")),
            (Some(difference), None) => problems.push(format!("{request}: {difference}")),
            (Some(_), Some(index)) => {
                assert!(!differences[index].reason.is_empty());
                (differences[index].check)(&recorded, &answer);
                seen.insert(index);
            }
        }
    }
    for (index, difference) in differences.iter().enumerate() {
        if !seen.contains(&index) {
            problems.push(format!("{} {:?}: no recorded request", difference.method, difference.request));
        }
    }
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}

#[tokio::test]
async fn the_alias_answers_as_the_version_that_it_stands_for() {
    let router = crate::catalogue::real::router();
    for path in ["/cogs", "/studies?page=2&format=json", "/samples/ERS074453", "/studies/nope"] {
        let versioned = send(router, Method::GET, &format!("{CATALOGUE}{path}"), &[]).await;
        let latest = send(router, Method::GET, &format!("/metagenomics/api/latest{path}"), &[]).await;
        assert_eq!(latest.status, versioned.status, "{path}");
        assert_eq!(latest.json()["data"], versioned.json()["data"], "{path}");
    }
}
