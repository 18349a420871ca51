//! Equal searches of several clients: they run once, and nobody sees or removes those of others.

use axum::http::StatusCode;

use support::similarity::client::{Client, detail, id, order};
use support::similarity::engine::WAITS;
use support::similarity::proteins::data;
use support::similarity::site::Site;

#[test]
fn equal_searches_are_private_to_each_client() {
    let site = Site::with_engine(data(), WAITS);
    let server = site.serve(&["--search-jobs", "1"]);
    let client = |number| Client { server: &server, number };
    let first = client(9).post(&order(0)).json();
    site.wait_for_runs(1);
    let second = client(2).post(&order(0)).json();
    let text = |state: &serde_json::Value, name: &str| state[name].as_str().expect("a text").to_owned();
    for name in ["id", "secret", "url"] {
        assert_ne!(text(&first, name), text(&second, name));
    }
    // Neither the identifier nor another secret removes the search.
    let [own, of_other] = [text(&first, "id"), text(&second, "id")];
    for headers in [&[][..], &[("x-search-secret", &*text(&second, "secret"))], &[("x-search-secret", &own)]] {
        let refused = client(2).remove_with(&own, headers);
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{refused:?}");
        assert!(detail(&refused).contains("X-Search-Secret"), "{refused:?}");
    }
    assert!(client(9).state(&own).get("secret").is_none());
    assert_eq!(client(9).remove(&own).status, StatusCode::NO_CONTENT);
    assert_eq!(client(9).get(&format!("/searches/{own}")).status, StatusCode::NOT_FOUND);
    assert_eq!(client(2).state(&of_other)["state"], "running");
    site.go();
    assert_eq!(client(2).wait(&of_other)["hits"], 300);
    // A search for known hits ends at the time of its creation.
    let late = client(3).post(&order(0));
    let state = late.json();
    assert_eq!((late.status, text(&state, "finished")), (StatusCode::OK, text(&state, "created")));
    assert_eq!(client(2).remove(&of_other).status, StatusCode::NO_CONTENT);
    assert_eq!(client(3).text(&id(&late), "format=ndjson").lines().count(), 300);
    assert_eq!(client(3).remove(&id(&late)).status, StatusCode::NO_CONTENT);
    assert!(site.files().is_empty() && site.num_runs() == 1);
}
