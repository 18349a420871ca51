//! The recorded answers of the real program over the same documents, request by request. Values are
//! compared, and members in their order. Answers that differ on purpose are in
//! [`exceptions`](super::exceptions). If an exception is answered as recorded, its table is wrong.

use std::collections::BTreeMap;

use axum::http::Method;
use serde::Deserialize;
use serde_json::{Value, json};
use support::{Answer, data_text};

use super::asking::{V2, ask};
use super::exceptions::{Expected, expected};

/// A request, and the answer of the real program.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Recorded {
    #[serde(default)]
    pub(crate) method: Option<String>,
    /// Below the prefix.
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) request_headers: BTreeMap<String, String>,
    pub(crate) status: u16,
    pub(crate) body: Value,
    /// Items with equal values in this member may be in any order.
    #[serde(default)]
    ties: Option<String>,
    /// Only count and size are determined.
    #[serde(default)]
    unordered: bool,
}

impl Recorded {
    fn all(file: &str) -> Vec<Self> {
        let text = data_text(&format!("catalogue-v2/{file}.jsonl.gz"));
        text.lines().map(|line| serde_json::from_str(line).expect("a recorded answer")).collect()
    }

    pub(crate) fn method(&self) -> Method {
        self.method.as_deref().unwrap_or("GET").parse().expect("a method")
    }

    async fn ask(&self, path: &str) -> Answer {
        let headers: Vec<_> =
            self.request_headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        ask(self.method(), path, &headers).await
    }

    /// Returns the first difference between an answer and this one.
    fn difference(&self, answer: &Answer) -> Option<String> {
        if answer.status.as_u16() != self.status {
            return Some(format!("status {} in place of {}", answer.status, self.status));
        }
        if self.body.is_null() {
            // Pages and descriptions that the real program wrote itself are not bundled.
            return None;
        }
        let text = || Value::from(String::from_utf8_lossy(&answer.body).into_owned());
        let body = serde_json::from_slice(&answer.body).unwrap_or_else(|_| text());
        if self.unordered {
            let size = |body: &Value| (body["count"].clone(), body["items"].as_array().map(Vec::len));
            return (size(&self.body) != size(&body)).then(|| "count or size".to_owned());
        }
        if let Some(tie) = &self.ties {
            return difference(&without_ties(&self.body, tie), &without_ties(&body, tie), "");
        }
        difference(&self.body, &body, "")
    }
}

/// Sorts the items of a list within groups of equal values. The first and the last group may
/// continue on other pages, so only their values are kept.
fn without_ties(list: &Value, tie: &str) -> Value {
    let mut items = list["items"].as_array().expect("items").clone();
    let ends = [items.first(), items.last()].map(|item| item.map(|item| item[tie].clone()));
    for item in &mut items {
        if ends.contains(&Some(item[tie].clone())) {
            *item = item[tie].clone();
        }
    }
    for group in items.chunk_by_mut(|left, right| left[tie] == right[tie]) {
        group.sort_by_key(ToString::to_string);
    }
    json!({"count": list["count"], "items": items})
}

/// Returns the first difference of two values. The order of members matters, except in free-form
/// objects, which the database of the real program orders.
fn difference(one: &Value, other: &Value, path: &str) -> Option<String> {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            const FREE: [&str; 6] =
                ["metadata", "status", "other_stats", "quality_control_summary", "annotations", "."];
            let is_free = FREE.iter().any(|name| path.contains(name)) || path.is_empty();
            let names = |members: &serde_json::Map<String, Value>| {
                let mut names: Vec<String> = members.keys().cloned().collect();
                if is_free {
                    names.sort_unstable();
                }
                names
            };
            if names(one) != names(other) {
                return Some(format!("{path}: members {:?} and {:?}", names(one), names(other)));
            }
            one.iter().find_map(|(name, value)| difference(value, &other[name], &format!("{path}/{name}")))
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => one
            .iter()
            .zip(other)
            .enumerate()
            .find_map(|(position, (one, other))| difference(one, other, &format!("{path}/{position}"))),
        _ => (one != other).then(|| format!("{path}: {one} and {other}")),
    }
}

async fn replay(file: &str, num_answers: usize, num_exceptions: usize) {
    let all = Recorded::all(file);
    assert_eq!(all.len(), num_answers);
    let (mut wrong, mut excepted) = (Vec::new(), 0);
    for recorded in &all {
        let answer = recorded.ask(&recorded.path).await;
        let as_recorded = recorded.difference(&answer);
        let request = format!("{} {} {:?}", recorded.method(), recorded.path, recorded.request_headers);
        let Some((reason, expected)) = expected(recorded) else {
            wrong.extend(as_recorded.map(|difference| format!("{request}: {difference}")));
            continue;
        };
        excepted += 1;
        let is_as_expected = match expected {
            Expected::Like(path) => {
                let other = recorded.ask(&path).await;
                (other.status, &other.body) == (answer.status, &answer.body)
            }
            Expected::Answer(check) => check(&answer),
        };
        if as_recorded.is_none() || !is_as_expected {
            let (status, body) = (answer.status, String::from_utf8_lossy(&answer.body).into_owned());
            wrong.push(format!("{request}: not as excepted ({reason}): {status} {body:.200}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {num_answers} below {V2}:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(excepted, num_exceptions);
}

#[tokio::test]
async fn recorded_answers_are_reproduced() {
    replay("answers", 384, 24).await;
}

#[tokio::test]
async fn methods_headers_and_tokens_are_answered_as_decided() {
    replay("answers-other", 92, 55).await;
}
