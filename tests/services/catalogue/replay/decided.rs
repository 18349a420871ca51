//! Answers that differ on purpose.

use serde_json::{Value, json};

use super::{Difference, Recorded};
use crate::services::catalogue::real::BASE_URL;
use support::Answer;

/// The reason for requiring parents to exist.
pub(super) const UNKNOWN_PARENT: &str = "what hangs on an unknown resource is 404 always, not an empty list";

/// The reason for not serving HTML.
pub(super) const JSON_ALWAYS: &str = "every answer is JSON: clients that parse errors stumble over HTML pages";

/// The reason for ignoring a slash at the end.
pub(super) const SLASH: &str = "a trailing slash is ignored";

/// The reason for not asking for credentials.
const NO_LOGIN: &str = "there is nothing to log in to: a method that writes is not allowed";

/// The reason for different forms.
const RENDERS: &str = "NDJSON is another form, HTML is not offered, and JSON:API has its content type";

/// Returns the table.
pub(super) fn table() -> Vec<Difference> {
    let mut table = vec![
        Difference::get("/studies/nope/downloads?format=json", UNKNOWN_PARENT, not_found),
        Difference::get("/samples/nope/metadata?format=json", UNKNOWN_PARENT, not_found),
        Difference::get("/assemblies/nope/extra-annotations?format=json", UNKNOWN_PARENT, not_found),
        Difference::get("/nothing", JSON_ALWAYS, not_found),
        Difference::get("/pipeline-tools/Biopython?format=json", JSON_ALWAYS, not_found),
        Difference::get("/assemblies/ERZ477906/samples?format=json", JSON_ALWAYS, not_found),
        Difference::get("/cogs/", SLASH, |_, answer| {
            assert_eq!(list(answer)["links"]["first"], format!("{COGS}?page=1"));
        }),
        Difference::get("/studies/", SLASH, |_, answer| assert_eq!(list(answer)["meta"]["pagination"]["count"], 125)),
        Difference::get("/cogs/1/", SLASH, |_, answer| assert_eq!(list(answer)["data"]["attributes"]["name"], "A")),
        Difference::get("", SLASH, |_, answer| assert_eq!(list(answer)["data"]["cogs"], COGS)),
        Difference::get(
            "/samples?format=csv",
            "CSV is streamed whole, whatever its length, and `format` wins over what is accepted",
            |_, answer| {
                assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, "text/csv"));
                assert_eq!(csv::Reader::from_reader(&answer.body[..]).records().count(), 9_159);
            },
        ),
    ];
    let accepting =
        |accept, reason, check| Difference { method: "GET", request: ("/cogs", Some(accept)), reason, check };
    table.extend([
        accepting("application/vnd.api+json", "JSON:API's own content type is served", |_, answer| {
            assert_eq!(answer.header("content-type"), "application/vnd.api+json");
            assert_eq!(answer.json()["meta"]["pagination"]["count"], 26);
        }),
        accepting("text/html", JSON_ALWAYS, json_page),
        accepting("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", JSON_ALWAYS, json_page),
    ]);
    for method in ["POST", "PUT", "PATCH", "DELETE", "TRACE"] {
        table.push(Difference { method, request: ("/cogs", None), reason: NO_LOGIN, check: not_allowed });
    }
    for (method, path) in
        [("POST", "/runs"), ("POST", "/runs/SRR873599"), ("DELETE", "/analyses"), ("PUT", "/publications")]
    {
        table.push(Difference { method, request: (path, None), reason: NO_LOGIN, check: not_allowed });
    }
    let described = ["/cogs", "/studies", "/samples", "/assemblies", "/pipeline-tools", "/studies/MGYS00000257"];
    let further = ["/publications", "/super-studies", "/genome-catalogues", "/genomeset"];
    for path in described.into_iter().chain(further) {
        table.push(Difference { method: "OPTIONS", request: (path, None), reason: RENDERS, check: options });
    }
    table
}

/// The address of the categories.
const COGS: &str = "http://mgdex.test/metagenomics/api/v1/cogs";

/// Checks that the answer is successful JSON, and returns it.
pub(super) fn list(answer: &Answer) -> Value {
    assert!(COGS.starts_with(BASE_URL));
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, "application/json"));
    answer.json()
}

/// Checks that the answer is the same page as without the header.
fn json_page(_: &Recorded, answer: &Answer) {
    assert_eq!(list(answer)["meta"]["pagination"], json!({"page": 1, "pages": 2, "count": 26}));
}

/// Checks that the answer is 404 in JSON.
pub(super) fn not_found(_: &Recorded, answer: &Answer) {
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (404, "application/json"));
    let expected = json!({"title": "Not Found", "detail": "Not found.", "status": "404", "code": "not_found"});
    assert_eq!(answer.json(), json!({"errors": [expected]}));
}

/// Checks that the method is refused.
fn not_allowed(recorded: &Recorded, answer: &Answer) {
    assert_eq!((answer.status.as_u16(), answer.header("allow")), (405, "GET, HEAD, OPTIONS"));
    let error = answer.json()["errors"][0].clone();
    assert_eq!(error["detail"], format!("Method \"{}\" not allowed.", recorded.method));
    assert_eq!((&error["code"], &error["title"]), (&json!("method_not_allowed"), &json!("Method Not Allowed")));
}

/// Checks a description, or the answer to a preflight request of a browser.
fn options(recorded: &Recorded, answer: &Answer) {
    assert_eq!(answer.status.as_u16(), 200);
    let Some(recorded_json) = &recorded.json else {
        assert!(answer.body.is_empty());
        for name in ["access-control-allow-origin", "access-control-max-age"] {
            assert_eq!(answer.header(name), recorded.header(name));
        }
        let mut methods: Vec<_> = answer.header("access-control-allow-methods").split(',').map(str::trim).collect();
        methods.sort_unstable();
        assert_eq!(methods, ["GET", "HEAD", "OPTIONS"]);
        return;
    };
    let mut json = answer.json();
    let renders = json["data"]["renders"].take();
    let recorded_renders = &recorded_json["data"]["renders"];
    assert!(renders.as_array().expect("a list").iter().any(|form| form == "application/x-ndjson"));
    json["data"]["renders"] = recorded_renders.clone();
    // Some real descriptions have a sentence about the list.
    json["data"]["description"] = recorded_json["data"]["description"].clone();
    assert_eq!(json, *recorded_json);
}
