//! The pages of the portal: a form, and a search that is refreshed until it has hits.

use axum::http::{Method, StatusCode};
use support::Answer;
use support::machine::wait_for;

use support::similarity::client::Client;
use support::similarity::engine::{AT_ONCE, WAITS, profile};
use support::similarity::proteins::{QUERY, data};
use support::similarity::site::Site;

const FORM: [(&str, &str); 1] = [("content-type", "application/x-www-form-urlencoded")];

/// Returns a page with its status.
fn page(client: Client, path: &str) -> (StatusCode, String) {
    let answer = client.ask(Method::GET, path, &[], "");
    (answer.status, String::from_utf8(answer.body).expect("text"))
}

/// Starts a search, and returns the address of its page, and the cookie that a browser sends for
/// that page alone.
fn start(client: Client, form: &str) -> (String, String) {
    let answer = client.ask(Method::POST, "/portal/similar", &FORM, form);
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    let path = answer.header("location").to_owned();
    let (cookie, rest) = answer.header("set-cookie").split_once("; ").expect("attributes");
    assert_eq!(rest, format!("Path={path}; Max-Age=2592000; HttpOnly; SameSite=Strict"));
    (path, format!("other=1; {cookie}"))
}

/// Presses the button that removes a search.
fn remove(client: Client, path: &str, headers: &[(&str, &str)]) -> Answer {
    client.ask(Method::POST, path, &[&FORM[..], headers].concat(), "")
}

#[test]
fn searches_show_hits_with_coverage_and_alignments() {
    let site = Site::with_engine(data(), AT_ONCE);
    let server = site.serve(&[]);
    let client = Client::new(&server);
    let (status, form) = page(client, "/portal/similar?query=MGYP000000000012&q=length:%5B1+TO+*%5D");
    assert_eq!(status, StatusCode::OK);
    assert!(form.contains(">MGYP000000000012</textarea>") && form.contains("value=\"length:[1 TO *]\""), "{form}");
    let (path, cookie) = start(client, &format!("query=%3Eone%0A{QUERY}&min_length=1&E=1&Z="));
    let (status, shown) = page(client, &path);
    assert_eq!(status, StatusCode::OK);
    let length = QUERY.len();
    for part in [
        "<h2 id=\"hits\">300 hits</h2>",
        &format!("<svg class=\"coverage\" viewBox=\"0 0 {length} 10\""),
        "<details><summary>1 alignment",
        "100 % identical",
        "<code>length:[1 TO *]</code>",
        "/hits?format=parquet\" download>",
        &format!(">{QUERY}</textarea>"),
        &format!("<strong>one</strong>, a sequence of {length} residues"),
        &format!("aria-label=\"Query sequence\">&#62;one\n{}\n{}</pre>", &QUERY[..60], &QUERY[60..]),
        "HMMER 3.",
        "<p class=\"note\">The sequence and its hits are kept until ",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!shown.contains("http-equiv=\"refresh\"") && shown.matches("<tr class=\"alignments\">").count() == 50);
    let form = form_urlencoded::Serializer::new(String::new()).append_pair("query", &profile(QUERY)).finish();
    let (_, of_profile) = page(client, &start(client, &form).0);
    assert!(of_profile.contains(&format!("<strong>PF00005</strong>, a profile of {length} positions")), "{of_profile}");
    assert!(!of_profile.contains("Query sequence"), "{of_profile}");
    // A page shows fifty hits.
    let mut next = Some(path.clone());
    let mut ranks = 0;
    while let Some(path) = next {
        let (_, shown) = page(client, &path);
        ranks += shown.matches("<svg class=\"coverage\"").count();
        let link = shown.split("<a href=\"").find(|rest| rest.contains("rel=\"next\""));
        next = link.and_then(|rest| Some(rest.split_once('"')?.0.to_owned()));
    }
    assert_eq!(ranks, 300);
    assert_eq!(page(client, &format!("{path}?after={}", u64::MAX)).0, StatusCode::OK);
    // Others can see the search, but not remove it.
    assert!(
        shown.contains("Only the browser that started the search can remove it")
            && !shown.contains("Remove the search"),
        "{shown}"
    );
    let (_, of_other) = start(client, &format!("query={QUERY}&min_length=1&E=1&Z="));
    for headers in [&[][..], &[("cookie", &*of_other)], &[("cookie", "search-secret=")]] {
        assert_eq!(remove(client, &path, headers).status, StatusCode::FORBIDDEN);
    }
    let headers = [("cookie", &*cookie)];
    let own = client.ask(Method::GET, &path, &headers, "");
    assert!(String::from_utf8_lossy(&own.body).contains("Remove the search"), "{own:?}");
    let removed = remove(client, &path, &headers);
    assert_eq!((removed.status, removed.header("location")), (StatusCode::SEE_OTHER, "/portal/similar"));
    assert_eq!(page(client, &path).0, StatusCode::NOT_FOUND);
}

#[test]
fn pages_of_running_searches_refresh_and_can_cancel() {
    let site = Site::with_engine(data(), WAITS);
    let server = site.serve(&["--search-jobs", "1"]);
    let client = Client::new(&server);
    let [(runs, cookie), (waits, of_other)] =
        [0, 1].map(|number| start(client, &format!("query={}", &QUERY[number..])));
    site.wait_for_runs(1);
    for (path, cookie, expected) in
        [(&runs, &cookie, "proteins have been searched"), (&waits, &of_other, "This search starts next")]
    {
        let answer = client.ask(Method::GET, path, &[("cookie", cookie)], "");
        let shown = String::from_utf8(answer.body).expect("text");
        assert!(answer.status == StatusCode::OK && shown.contains(expected), "{shown}");
        assert!(shown.contains("<meta http-equiv=\"refresh\" content=\"1\">") && shown.contains("Cancel the search"));
        assert!(shown.contains("The sequence and its hits are kept until "), "{shown}");
    }
    assert_eq!(remove(client, &runs, &[("cookie", &cookie)]).status, StatusCode::SEE_OTHER);
    site.go();
    let shown = wait_for("the hits", || {
        let (_, shown) = page(client, &waits);
        (!shown.contains("http-equiv=\"refresh\"")).then_some(shown)
    });
    assert!(shown.contains("300 hits"), "{shown}");
}

#[test]
fn invalid_queries_are_shown_with_their_errors() {
    let site = Site::with_engine(data(), AT_ONCE);
    let server = site.serve(&["--search-proteins", "299"]);
    let client = Client::new(&server);
    for (form, expected) in [
        ("query=M7+K&q=length:%5B1+TO+9%5D", "Invalid residue &#39;7&#39;"),
        ("query=", "The sequence is missing."),
        ("query=MGYP999999999999", "does not identify a single protein"),
        ("query=MKV&biome=root:None", "no biome has this lineage"),
        ("query=MKV&E=99", "E is a number above 0"),
        ("query=MKV", "a search can have at most 299"),
        ("query=%3Ca%3EMKV&pfam=%22%3E", "Possible here"),
    ] {
        let answer = client.ask(Method::POST, "/portal/similar", &FORM, form);
        let shown = String::from_utf8(answer.body).expect("text");
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{form}: {shown}");
        assert!(shown.contains(expected) && shown.contains("<textarea"), "{form}: {shown}");
        assert!(!shown.contains("<a>MKV"), "{form}: {shown}");
    }
    assert_eq!(site.num_runs(), 0);
    assert_eq!(page(client, "/portal/similar/nothing").0, StatusCode::NOT_FOUND);
}

#[test]
fn other_pages_link_to_the_search_if_it_is_served() {
    let site = Site::with_engine(data(), AT_ONCE);
    for (more, is_led) in [(&[][..], true), (&["--no-similarity"], false)] {
        let server = site.serve(more);
        let client = Client::new(&server);
        for path in ["/portal/", "/portal/proteins/MGYP000000000001", &format!("/portal/find?text={QUERY}K")] {
            let (status, shown) = page(client, path);
            assert_eq!(status, StatusCode::OK, "{path}: {shown}");
            assert_eq!(shown.contains("/portal/similar"), is_led, "{path}: {shown}");
        }
        let (_, status) = page(client, "/portal/status");
        assert_eq!(status.contains("Similar proteins are found by HMMER"), is_led, "{status}");
        let ready = client.ask(Method::GET, "/readyz", &[], "").json();
        assert_eq!(ready["similarity"]["status"], if is_led { "ready" } else { "off" });
        let (_, form) = page(client, "/portal/similar");
        assert_eq!(form.contains("<textarea"), is_led, "{form}");
    }
}
