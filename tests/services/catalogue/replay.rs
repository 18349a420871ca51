//! The recorded answers of the real program over the same resources, request by request.
//!
//! Every answer must have the same meaning, except for three rules that apply everywhere and two
//! tables of single requests. [`decided`] lists those that mgdex answers differently on purpose,
//! [`never_given`] those for which the real program had data that are not bundled. If a request of
//! a table is answered as recorded, the table is wrong.

mod decided;
mod further_types;
mod never_given;

use std::collections::BTreeSet;
use std::io::Read;

use axum::http::Method;
use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use serde_json::Value;

use crate::services::catalogue::real::{BASE_URL, CATALOGUE, ask};
use support::{Answer, send};

/// A request, and the answer of the real program.
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
    /// Its body, if it was JSON.
    pub(crate) json: Option<Value>,
    /// Its body, if it was CSV.
    pub(crate) text: Option<String>,
}

/// A request that is answered differently.
pub(crate) struct Difference {
    /// The method.
    pub(crate) method: &'static str,
    /// The path below the prefix of the service, and the accepted type if it matters.
    pub(crate) request: (&'static str, Option<&'static str>),
    /// The reason.
    pub(crate) reason: &'static str,
    /// Checks the answer.
    pub(crate) check: fn(&Recorded, &Answer),
}

impl Difference {
    /// A difference in the answer to GET, for any accepted type.
    pub(crate) fn get(path: &'static str, reason: &'static str, check: fn(&Recorded, &Answer)) -> Self {
        Self { method: "GET", request: (path, None), reason, check }
    }

    /// Returns whether the difference applies to a request.
    fn is_about(&self, recorded: &Recorded) -> bool {
        let (path, accept) = self.request;
        let accepted = recorded.request_headers.get("Accept").map(String::as_str);
        self.method == recorded.method
            && recorded.path.strip_prefix(CATALOGUE) == Some(path)
            && (accept.is_none() || accept == accepted)
    }
}

impl Recorded {
    /// Returns the recorded requests with their answers, with links of this server.
    fn all() -> Vec<Self> {
        let files = [
            &include_bytes!("answers/lists_default.jsonl.gz")[..],
            include_bytes!("answers/lists_json.jsonl.gz"),
            include_bytes!("answers/detail_related.jsonl.gz"),
            include_bytes!("answers/negotiation_methods.jsonl.gz"),
            include_bytes!("answers/runs.jsonl.gz"),
            include_bytes!("answers/analyses.jsonl.gz"),
            include_bytes!("answers/publications_pipelines.jsonl.gz"),
            include_bytes!("answers/related_more.jsonl.gz"),
        ];
        let mut all = Vec::new();
        for file in files {
            let mut text = String::new();
            MultiGzDecoder::new(file).read_to_string(&mut text).expect("bundled");
            let lines = text.replace("{base_url}", BASE_URL);
            all.extend(lines.lines().map(|line| serde_json::from_str::<Self>(line).expect("a recorded answer")));
        }
        assert_eq!(all.len(), 440);
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

    /// Returns the first difference between an answer and this one. The differences that apply
    /// everywhere are ignored: `Vary` has the headers that this server varies by, errors have a
    /// title, and `meta` lists the parameters without effect, which the real program ignores
    /// silently. Its clients read `meta.pagination` alone.
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
        let meta = json.get_mut("meta").and_then(Value::as_object_mut);
        for ignored in meta.and_then(|meta| meta.remove("ignored")).iter().filter_map(Value::as_array).flatten() {
            if !self.path.contains(ignored.as_str().unwrap_or_default()) {
                return Some(format!("{ignored} is ignored, which was not asked for"));
            }
        }
        for error in json.get_mut("errors").and_then(Value::as_array_mut).into_iter().flatten() {
            let title = error.as_object_mut().expect("an error").remove("title");
            if title.as_ref().and_then(Value::as_str).is_none_or(str::is_empty) {
                return Some(format!("an error without a title: {error}"));
            }
        }
        json_difference("", &json, recorded)
    }
}

/// Returns the first difference of two values below a path.
fn json_difference(path: &str, ours: &Value, recorded: &Value) -> Option<String> {
    match (ours, recorded) {
        (Value::Object(ours), Value::Object(recorded)) => {
            let names: BTreeSet<_> = ours.keys().chain(recorded.keys()).collect();
            let member = |members: &serde_json::Map<String, Value>, name| members.get(name).cloned();
            names.into_iter().find_map(|name| match (member(ours, name), member(recorded, name)) {
                (Some(ours), Some(recorded)) => json_difference(&format!("{path}/{name}"), &ours, &recorded),
                (Some(ours), None) => Some(format!("{path}/{name} is not recorded: {ours}")),
                (_, recorded) => Some(format!("{path}/{name} is missing: {recorded:?}")),
            })
        }
        (Value::Array(ours), Value::Array(recorded)) if ours.len() == recorded.len() => {
            let mut pairs = ours.iter().zip(recorded).enumerate();
            pairs
                .find_map(|(position, (ours, recorded))| json_difference(&format!("{path}/{position}"), ours, recorded))
        }
        _ => (ours != recorded).then(|| format!("{path}: {ours} in place of {recorded}")),
    }
}

/// Returns the lines around the first difference of two texts.
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
async fn recorded_answers_are_reproduced() {
    let differences: Vec<Difference> =
        decided::table().into_iter().chain(further_types::table()).chain(never_given::table()).collect();
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
async fn alias_answers_like_its_version() {
    let router = crate::services::catalogue::real::router();
    for path in ["/cogs", "/studies?page=2&format=json", "/samples/ERS074453", "/studies/nope"] {
        let versioned = send(router, Method::GET, &format!("{CATALOGUE}{path}"), &[]).await;
        let latest = send(router, Method::GET, &format!("/metagenomics/api/latest{path}"), &[]).await;
        assert_eq!(latest.status, versioned.status, "{path}");
        assert_eq!(latest.json()["data"], versioned.json()["data"], "{path}");
    }
}
