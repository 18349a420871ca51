//! HTTP: methods, headers, tags, permissions of pages of other origins, and addresses.

use axum::http::{Method, StatusCode};
use serde_json::json;
use support::{Answer, PROTEINS_V2};

use support::similarity::client::{Client, JSON, detail, id, order};
use support::similarity::engine::{AT_ONCE, WAITS};
use support::similarity::proteins::{QUERY, data};
use support::similarity::site::Site;

const UNKNOWN: &str = "3f2f3b5e-7f0c-4c1e-9c55-0f4a3d0f4b6a";

#[test]
fn states_have_the_url_and_the_parameters_of_the_search() {
    let site = Site::with_engine(data(), WAITS);
    let server = site.serve(&["--search-jobs", "1"]);
    let client = Client::new(&server);
    let first = client.begin(&order(0));
    site.wait_for_runs(1);
    let order = json!({ "sequence": "ACGT".repeat(10), "q": " length:[120 TO 130] ", "E": 0.5, "Z": 4711 });
    let posted = client.post(&order);
    let state = posted.json();
    let url = format!("http://mgdex.test{PROTEINS_V2}/searches/{}", id(&posted));
    assert_eq!(posted.status, StatusCode::ACCEPTED);
    assert_eq!((posted.header("location"), posted.header("cache-control")), (&*url, "no-store"));
    for (name, expected) in [
        ("state", json!("waiting")),
        ("position", json!(0)),
        ("query", json!("nucleotides")),
        ("query_length", json!(40)),
        ("q", json!("length:[120 TO 130]")),
        ("E", json!(0.5)),
        ("Z", json!(4711)),
        ("url", json!(url)),
        ("hits_url", json!(format!("{url}/hits"))),
    ] {
        assert_eq!(state[name], expected, "{name}");
    }
    assert!(state["note"].as_str().is_some_and(|note| note.contains("nucleotides")), "{state}");
    assert!(state["count"].as_u64().is_some_and(|count| count > 0 && count < 300), "{state}");
    for name in ["progress", "hits", "truncated", "skipped", "finished", "expires", "problem"] {
        assert!(state.get(name).is_none(), "{state}");
    }
    let running = client.state(&first);
    assert_eq!((&running["state"], running["progress"].as_u64().is_some()), (&json!("running"), true));
    let hits = client.hits(&first, "");
    assert_eq!((hits.status, hits.header("cache-control")), (StatusCode::CONFLICT, "no-store"));
    assert!(detail(&hits).contains("has not ended") && hits.header("etag").is_empty(), "{hits:?}");
    site.go();
    client.wait(&id(&posted));
    let known = client.post(&order);
    assert_eq!(known.status, StatusCode::OK);
    assert_eq!(site.run(&id(&known)), site.run(&id(&posted)));
    let done = client.wait(&first);
    assert_eq!((&done["hits"], &done["Z"], &done["skipped"]), (&json!(300), &json!(300), &json!(0)));
    assert!(done.get("position").is_none() && done.get("progress").is_none(), "{done}");
    let times = ["created", "finished", "expires"].map(|name| done[name].as_str().expect("a time").to_owned());
    assert!(times.is_sorted() && times.iter().all(|time| time.ends_with('Z') && time.len() == 20), "{times:?}");
    // Links use the requested host, or the configured one.
    let of_other = client.ask(Method::GET, &format!("{PROTEINS_V2}/searches/{first}"), &[("host", "other.org:81")], "");
    let other = format!("http://other.org:81{PROTEINS_V2}/searches/{first}");
    assert_eq!((&of_other.json()["url"], of_other.header("location")), (&json!(other), &*other));
    drop(server);
    let server = site.serve(&["--base-url", "https://public.org/x"]);
    let state = Client::new(&server).state(&first);
    assert_eq!(state["hits_url"], format!("https://public.org/x{PROTEINS_V2}/searches/{first}/hits"));
    let page = Client::new(&server).hits(&first, "limit=2&fields=length").json();
    let next = format!("https://public.org/x{PROTEINS_V2}/searches/{first}/hits?limit=2&fields=length&after=2");
    assert_eq!(page["next"], next);
}

#[test]
fn wrong_methods_get_405_with_allow() {
    let site = Site::with_engine(data(), AT_ONCE);
    let server = site.serve(&[]);
    let client = Client::new(&server);
    let id = client.search(&order(0));
    let allowed = [
        (format!("{PROTEINS_V2}/searches"), "POST"),
        (format!("{PROTEINS_V2}/searches/"), "POST"),
        (format!("{PROTEINS_V2}/searches/{id}"), "GET,HEAD,DELETE"),
        (format!("{PROTEINS_V2}/searches/{id}/hits"), "GET,HEAD"),
        (format!("{PROTEINS_V2}/searches/{UNKNOWN}"), "GET,HEAD,DELETE"),
    ];
    let methods = [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::TRACE];
    for (path, names) in &allowed {
        for method in methods.iter().filter(|method| !names.split(',').any(|name| name == method.as_str())) {
            let answer = client.ask(method.clone(), path, &[], "");
            let expected = (StatusCode::METHOD_NOT_ALLOWED, *names);
            assert_eq!((answer.status, answer.header("allow")), expected, "{method} {path}");
            assert!(*method == Method::HEAD || detail(&answer).contains(method.as_str()), "{answer:?}");
        }
        let headers = [
            ("origin", "https://elsewhere.org"),
            ("access-control-request-method", "DELETE"),
            ("access-control-request-headers", "content-type"),
        ];
        let answer = client.ask(Method::OPTIONS, path, &headers, "");
        assert!(answer.status.is_success() && answer.body.is_empty(), "{path}: {answer:?}");
        assert_eq!(answer.header("access-control-allow-methods"), format!("{names},OPTIONS"), "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), "*");
        assert_eq!(answer.header("access-control-allow-headers"), "*");
    }
    // The search still exists.
    assert_eq!((client.state(&id)["state"].as_str(), site.num_runs()), (Some("done"), 1));
    let origin = ("origin", "https://elsewhere.org");
    let started = client.ask(Method::POST, &allowed[0].0, &[origin, JSON[0]], order(0).to_string());
    let state = started.json();
    let secret = ("x-search-secret", state["secret"].as_str().expect("a text"));
    let removed = client.remove_with(&support::similarity::client::id(&started), &[origin, secret]);
    assert_eq!((started.status, removed.status), (StatusCode::OK, StatusCode::NO_CONTENT));
    for answer in [&started, &removed] {
        assert_eq!(answer.header("access-control-allow-origin"), "*", "{answer:?}");
        let exposed: Vec<_> = answer.header("access-control-expose-headers").split(',').collect();
        assert!(exposed.contains(&"location") && exposed.contains(&"retry-after"), "{exposed:?}");
    }
    for path in ["/searches/x/y", "/searches/x/hits/y", "/search"] {
        assert_eq!(client.get(path).status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[test]
fn head_has_the_headers_of_get() {
    let site = Site::with_engine(data(), AT_ONCE);
    let server = site.serve(&[]);
    let client = Client::new(&server);
    let id = client.search(&order(0));
    for path in [
        format!("/searches/{id}"),
        format!("/searches/{id}/hits"),
        format!("/searches/{id}/hits?format=tsv"),
        format!("/searches/{id}/hits?format=parquet"),
        format!("/searches/{UNKNOWN}"),
        format!("/searches/{UNKNOWN}/hits"),
    ] {
        let path = format!("{PROTEINS_V2}{path}");
        let whole = client.ask(Method::GET, &path, &[], "");
        let head = client.ask(Method::HEAD, &path, &[], "");
        assert_eq!((head.status, head.body.len()), (whole.status, 0), "{path}");
        for name in ["content-type", "etag", "cache-control", "link", "location", "vary", "content-disposition"] {
            assert_eq!(head.header(name), whole.header(name), "{path} {name}");
        }
    }
}

#[test]
fn unchanged_hits_are_304() {
    let site = Site::with_engine(data(), AT_ONCE);
    let server = site.serve(&[]);
    let client = Client::new(&server);
    let id = client.search(&json!({ "sequence": QUERY, "q": "length:[1 TO 130]" }));
    let with = |method: Method, parameters: &str, headers: &[(&str, &str)]| -> Answer {
        client.ask(method, &format!("{PROTEINS_V2}/searches/{id}/hits{parameters}"), headers, "")
    };
    let mut tags = Vec::new();
    for (parameters, content_type, file) in [
        ("", "application/json", ""),
        ("?limit=2", "application/json", ""),
        ("?format=ndjson", "application/x-ndjson", "hits.ndjson"),
        ("?format=tsv", "text/tab-separated-values; charset=utf-8", "hits.tsv"),
        ("?format=fasta", "text/x-fasta; charset=utf-8", "hits.fasta"),
        ("?format=a3m", "text/x-a3m", "hits.a3m"),
        ("?format=parquet", "application/vnd.apache.parquet", "hits.parquet"),
        ("?format=arrow", "application/vnd.apache.arrow.stream", "hits.arrows"),
    ] {
        let answer = with(Method::GET, parameters, &[]);
        assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, content_type));
        let expected = if file.is_empty() { String::new() } else { format!("attachment; filename=\"{file}\"") };
        assert_eq!(answer.header("content-disposition"), expected);
        let tag = answer.header("etag").to_owned();
        for method in [Method::GET, Method::HEAD] {
            let again = with(method, parameters, &[("if-none-match", &tag)]);
            assert_eq!((again.status, again.header("etag"), again.body.len()), (StatusCode::NOT_MODIFIED, &*tag, 0));
            assert_eq!(again.header("cache-control"), answer.header("cache-control"));
        }
        assert_eq!(with(Method::GET, parameters, &[("if-none-match", "W/\"other\"")]).body, answer.body);
        tags.push(tag);
    }
    let of_json = tags[0].clone();
    let num = tags.len();
    tags.sort();
    tags.dedup();
    assert!(tags.len() == num && tags.iter().all(|tag| tag.starts_with("W/\"gen-")), "{tags:?}");
    // A client gets the format that it accepts, and each format has its own tag.
    for accepted in ["text/x-fasta", "application/x-ndjson"] {
        let answer = with(Method::GET, "", &[("accept", accepted)]);
        assert_eq!(answer.header("content-type").split(';').next(), Some(accepted));
        assert_eq!(with(Method::GET, "", &[("accept", accepted), ("if-none-match", &of_json)]).body, answer.body);
        assert!(answer.header("vary").to_ascii_lowercase().contains("accept"), "{answer:?}");
    }
    assert_eq!(with(Method::GET, "", &[("accept", "image/png")]).status, StatusCode::NOT_ACCEPTABLE);
    // Text is compressed for clients that accept it.
    let packed = with(Method::GET, "?format=tsv", &[("accept-encoding", "gzip")]);
    assert_eq!((packed.status, packed.header("content-encoding")), (StatusCode::OK, "gzip"));
    assert!(packed.body.len() < with(Method::GET, "?format=tsv", &[]).body.len());
    // Removed hits are 404 also for clients that show their tag.
    assert_eq!(client.remove(&id).status, StatusCode::NO_CONTENT);
    assert_eq!(with(Method::GET, "", &[("if-none-match", &of_json)]).status, StatusCode::NOT_FOUND);
}

#[test]
fn searches_are_described_in_the_openapi_document() {
    let site = Site::with_engine(data(), AT_ONCE);
    let server = site.serve(&[]);
    let client = Client::new(&server);
    let description = client.get("/openapi.json").json();
    let paths = description["paths"].as_object().expect("paths");
    let operations = |suffix: &str| {
        let found = paths.iter().find(|(path, _)| path.ends_with(suffix));
        let found = found.unwrap_or_else(|| panic!("{suffix}: {:?}", paths.keys().collect::<Vec<_>>()));
        found.1.as_object().expect("operations").clone()
    };
    assert!(operations("/searches").contains_key("post"));
    let state = operations("/searches/{id}");
    assert!(state.contains_key("get") && state.contains_key("delete"));
    assert!(operations("/searches/{id}/hits").contains_key("get"));
    // All members of the answer are described.
    let schema = &description["components"]["schemas"]["SearchState"]["properties"];
    let id = client.begin(&order(0));
    for state in [client.state(&id), client.wait(&id)] {
        let members = state.as_object().expect("an object").keys();
        let undescribed: Vec<&String> = members.filter(|name| schema.get(name).is_none()).collect();
        assert!(undescribed.is_empty(), "{undescribed:?}");
    }
}
