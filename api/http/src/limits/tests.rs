use std::sync::{Arc, mpsc};

use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Extension, Router};

use super::*;
use crate::blocking::{blocking, in_long_turn, in_turn};
use crate::front;

/// Routes within limits.
struct Limited {
    routes: Router,
    limits: Limits,
}

async fn ask(Limited { routes, limits }: &Limited, path: &str) -> Response {
    let request = Request::get(path).body(Body::empty()).expect("a request");
    front::tests::ask(routes, limits, request).await
}

fn service(routes: Router, requests_max: usize) -> Limited {
    let request_timeout = Duration::from_millis(100);
    let config = ServiceConfig { requests_max, request_timeout, ..ServiceConfig::default() };
    Limited { routes, limits: Limits::new(&config) }
}

#[tokio::test]
async fn answers_hold_their_permit_until_the_last_byte_is_dropped() {
    let routes = service(Router::new().route("/", get(|| async { "text" })), 1);
    let unread = ask(&routes, "/").await;
    assert_eq!(ask(&routes, "/").await.status(), StatusCode::SERVICE_UNAVAILABLE);
    let bytes = axum::body::to_bytes(unread.into_body(), 100).await.expect("a body");
    assert_eq!(ask(&routes, "/").await.status(), StatusCode::SERVICE_UNAVAILABLE);
    drop(bytes);
    assert_eq!(ask(&routes, "/").await.status(), StatusCode::OK);
}

#[tokio::test]
async fn streams_leave_places_for_requests() {
    let routes = Router::new()
        .route("/whole", get(|| async { "text" }))
        .route("/streamed", get(|| async { (Extension(Streamed), "text") }));
    let routes = service(routes, 2);
    let unread = ask(&routes, "/streamed").await;
    assert_eq!(unread.status(), StatusCode::OK);
    assert_eq!(ask(&routes, "/streamed").await.status(), StatusCode::SERVICE_UNAVAILABLE, "there is one place");
    let (one, other) = (ask(&routes, "/whole").await, ask(&routes, "/whole").await);
    assert_eq!((one.status(), other.status()), (StatusCode::OK, StatusCode::OK));
    drop(unread);
    drop(other);
    assert_eq!(ask(&routes, "/streamed").await.status(), StatusCode::OK);
}

#[tokio::test]
async fn arriving_bodies_have_separate_places() {
    let config = ServiceConfig { requests_max: 2, body_timeout: Duration::from_millis(200), ..Default::default() };
    let limits = Limits::new(&config);
    let (requests, arriving) = (limits.requests.clone(), limits.arriving.clone());
    let slow = limits.clone();
    let read = async move || slow.arrival(std::future::pending::<()>()).await;
    let routes = Router::new().route("/", get(|| async { "text" })).route("/slow", get(read));
    let routes = Limited { routes, limits: limits.clone() };
    let (first, second) = tokio::join!(ask(&routes, "/slow"), async {
        while arriving.num_left() > 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        assert_eq!(requests.num_left(), 2);
        assert_eq!(ask(&routes, "/").await.status(), StatusCode::OK);
        ask(&routes, "/slow").await
    });
    assert_eq!((first.status(), second.status()), (StatusCode::REQUEST_TIMEOUT, StatusCode::SERVICE_UNAVAILABLE));
    drop((first, second));
    assert_eq!((requests.num_left(), arriving.num_left()), (2, 1));
    // A body that has arrived counts as a request again.
    let read = tokio::time::sleep(ARRIVAL_GRACE * 2);
    let nobody = Holders::default();
    let permit = Permit::take(&requests, nobody, &limits.memory, &limits.turns).expect("a free place");
    let others = requests.try_take(nobody, 1).expect("a free place");
    let arrived = permit.clone().scope(limits.arrival(read)).await;
    assert!(arrived.is_ok() && requests.num_left() == 0 && arriving.num_left() == 1);
    drop((permit, others));
}

#[tokio::test]
async fn long_work_has_separate_turns() {
    let limits = Limits::new(&ServiceConfig::default());
    let permit = limits.permit(&HeaderMap::new(), &Extensions::new()).expect("a free place");
    let mut taken = Vec::new();
    while let Some(turn) = permit.long_turn(Duration::ZERO).await {
        taken.push(turn);
    }
    assert_eq!(limits.turns.long.num_left(), 0);
    assert!(!taken.is_empty());
    assert_eq!(permit.clone().scope(in_turn(Duration::ZERO, || 5)).await.ok(), Some(5));
    taken.pop();
    assert_eq!(permit.scope(in_long_turn(|| 7)).await.ok(), Some(7));
}

#[tokio::test]
async fn abandoned_work_keeps_its_permit() {
    let (done, is_done) = mpsc::channel::<()>();
    let is_done = Arc::new(std::sync::Mutex::new(is_done));
    let slow = async move || {
        let is_done = Arc::clone(&is_done);
        blocking(move || is_done.lock().expect("no panic").recv().is_err()).await;
        "late"
    };
    let routes = Router::new().route("/", get(|| async { "text" })).route("/slow", get(slow));
    let routes = service(routes, 1);
    assert_eq!(ask(&routes, "/slow").await.status(), StatusCode::SERVICE_UNAVAILABLE, "it took too long");
    assert_eq!(ask(&routes, "/").await.status(), StatusCode::SERVICE_UNAVAILABLE, "it still works");
    done.send(()).expect("it waits");
    while ask(&routes, "/").await.status() != StatusCode::OK {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
