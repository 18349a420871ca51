//! Bodies of any kind.

use std::cell::Cell;

use crate::{Answer, PROTEINS_V2, TestFolder};
use axum::http::{Method, StatusCode};
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};
use serde_json::{Map, Value, json};

use super::client::{Client, JSON};
use super::proteins::{QUERY, row};
use super::site::Site;

const FORM: [(&str, &str); 1] = [("content-type", "application/x-www-form-urlencoded")];

const MEMBERS: [&str; 9] = ["sequence", "fasta", "accession", "hmm", "q", "E", "Z", "fields", "x"];

/// Makes a folder with proteins that are parts of each other.
pub fn data() -> TestFolder {
    let rows = (1..=20).map(|number| row(number, &QUERY[number as usize..]));
    TestFolder::of_rows(&rows.collect::<String>())
}

/// A body with its headers.
pub type Body = (&'static [(&'static str, &'static str)], Vec<u8>);

fn any_value() -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (0..20_u8).prop_map(Value::from),
    ];
    let text = prop_oneof![
        any::<String>(),
        "[A-Za-z*\\- \n]{0,40}",
        "(length|pfam|biome|x|full_length|accession)?[:=]?[\\[\\]*()\" A-Z0-9]{0,12}( AND | OR | NOT )?",
        "-?[0-9]{0,25}(\\.[0-9]{0,3})?(e-?[0-9]{1,4})?",
        Just("selection".to_owned()),
        Just("release".to_owned()),
    ];
    let leaf = prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::from), number, text.prop_map(Value::from)];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let members = prop::collection::vec((any::<String>(), inner.clone()), 0..4);
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::from),
            members.prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Orders of which some members are anything.
pub fn orders() -> impl Strategy<Value = Body> {
    let members = prop::collection::vec((prop::sample::select(&MEMBERS[..]), any_value()), 1..3);
    // Some are good, whatever the others are.
    let members = prop_oneof![3 => members, 1 => Just(Vec::new())];
    (members, any::<bool>()).prop_map(|(members, has_query)| {
        let mut order = Map::new();
        if has_query {
            order.insert("sequence".to_owned(), json!(QUERY));
        }
        order.extend(members.into_iter().map(|(name, value)| (name.to_owned(), value)));
        (&JSON[..], Value::Object(order).to_string().into_bytes())
    })
}

/// Bytes of any kind, some with the names of members.
pub fn bytes() -> impl Strategy<Value = Body> {
    let part = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..20),
        prop::sample::select(&MEMBERS[..]).prop_map(|name| format!("&{name}=").into_bytes()),
        "[%&=+;{}\\[\\]:\",0-9A-Fa-f]{0,10}".prop_map(String::into_bytes),
    ];
    let headers = prop::sample::select(vec![&JSON[..], &FORM[..], &[][..]]);
    (headers, prop::collection::vec(part, 0..8)).prop_map(|(headers, parts)| (headers, parts.concat()))
}

/// Sequences in something like FASTA, as forms.
pub fn sequences() -> impl Strategy<Value = Body> {
    let text = "(>[ -~]{0,10}\r?\n)?[A-Z]{0,3}[A-Za-z*. \n-]{0,30}(\n>[a-z]{0,3}\n[A-Z]{0,5})?\\*?";
    // Some are good, whatever the others are.
    let text = prop_oneof![3 => text, 1 => (40..QUERY.len()).prop_map(|length| QUERY[..length].to_owned())];
    (prop::sample::select(vec!["fasta", "sequence"]), text).prop_map(|(name, text)| {
        let form = form_urlencoded::Serializer::new(String::new()).append_pair(name, &text).finish();
        (&FORM[..], form.into_bytes())
    })
}

/// A profile with changes.
pub fn profiles(text: String) -> impl Strategy<Value = Body> {
    let edits = (any::<prop::sample::Index>(), 0..200_usize, "[ -~\n]{0,20}");
    // Some are good, whatever the others are.
    let edits = prop_oneof![3 => prop::collection::vec(edits, 0..5), 1 => Just(Vec::new())];
    (edits, any::<bool>()).prop_map(move |(edits, is_near)| {
        let mut text = text.clone();
        for (start, num_removed, added) in edits {
            // Errors are more likely near the beginning.
            let start = start.index(if is_near { text.len().min(900) } else { text.len() } + 1);
            text.replace_range(start..text.len().min(start + num_removed), &added);
        }
        (&JSON[..], json!({ "hmm": text, "E": 10 }).to_string().into_bytes())
    })
}

/// Checks the answer to a body. Every accepted search ends.
fn check(client: Client, answer: &Answer, num_taken: &Cell<usize>) -> Result<(), TestCaseError> {
    let json: Value = serde_json::from_slice(&answer.body).map_err(|error| TestCaseError::fail(error.to_string()))?;
    match answer.status {
        StatusCode::OK | StatusCode::ACCEPTED => {
            num_taken.set(num_taken.get() + usize::from(answer.status == StatusCode::ACCEPTED));
            let id = json["id"].as_str().expect("an identifier");
            let state = client.wait(id);
            let hits = client.hits(id, "format=tsv&fields=accession,pfam").status;
            if state["state"] == "done" {
                prop_assert_eq!(hits, StatusCode::OK);
            } else {
                let problem = state["problem"].as_str().unwrap_or_default();
                prop_assert!(!problem.is_empty() && !problem.contains("/tmp"), "{}", state);
                prop_assert_eq!(hits, StatusCode::CONFLICT);
            }
        }
        StatusCode::BAD_REQUEST | StatusCode::UNSUPPORTED_MEDIA_TYPE => prop_assert!(json["detail"].is_string()),
        StatusCode::UNPROCESSABLE_ENTITY => {
            let is_list = json["detail"].as_array().is_some_and(|faults| !faults.is_empty());
            prop_assert!(is_list || json["detail"].is_string(), "{}", json);
        }
        _ => prop_assert!(false, "{:?}", answer),
    }
    Ok(())
}

/// Sends the given number of bodies: each is started or refused. Returns the number of accepted
/// searches.
pub fn check_all(site: &Site, num_cases: usize, bodies: impl Strategy<Value = Body>) -> usize {
    let server = site.serve(&[]);
    let (client, num_taken) = (Client::new(&server), Cell::new(0));
    let config = ProptestConfig { failure_persistence: None, max_shrink_iters: 200, ..Default::default() };
    let mut runner = TestRunner::new(ProptestConfig { cases: num_cases.try_into().expect("few"), ..config });
    let checked = runner.run(&bodies, |(headers, body)| {
        let answer = client.ask(Method::POST, &format!("{PROTEINS_V2}/searches"), headers, &body);
        check(client, &answer, &num_taken)
    });
    checked.expect("all are begun or refused");
    assert!(!server.log().contains("panicked"), "{}", server.log());
    num_taken.get()
}
