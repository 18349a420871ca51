//! Health and readiness of the server: without data, with data, and with newer data.

use axum::http::StatusCode;
use serde_json::json;

use crate::services::proteins::{detail, rows};
use support::generation::current_name;
use support::{PROTEINS_V2, TestFolder, get, get_protein};

#[tokio::test]
async fn health_and_readiness_are_reported() {
    let folder = TestFolder::of_rows(&rows());
    let router = folder.router();
    let health = get(&router, "/healthz").await;
    assert_eq!((health.status, health.json()), (StatusCode::OK, json!({"status": "ok"})));
    let generation = current_name(&folder).to_string();
    let readiness = get(&router, "/readyz").await;
    assert_eq!(readiness.status, StatusCode::OK);
    assert_eq!(readiness.json()["proteins"], json!({"status": "ready", "generation": generation, "num_records": 5}));
    let services: Vec<String> = readiness.json().as_object().expect("an object").keys().cloned().collect();
    assert_eq!(services, ["proteins", "catalogue", "directory", "profiles", "similarity"]);
}

#[tokio::test]
async fn answers_without_data_say_how_to_load_some() {
    let folder = TestFolder::empty();
    let router = folder.router();
    for path in ["/protein/12", "/protein/search?biome_id=132", "/protein/search"] {
        let answer = get_protein(&router, path).await;
        let text = detail(&answer, StatusCode::SERVICE_UNAVAILABLE);
        assert!(text.contains("mgdex index"), "{text}");
        assert!(!answer.header("retry-after").is_empty());
    }
    let second = get(&router, &format!("{PROTEINS_V2}/proteins")).await;
    assert!(detail(&second, StatusCode::SERVICE_UNAVAILABLE).contains("mgdex index"), "{second:?}");
    assert_eq!(get_protein(&router, "/openapi.json").await.status, StatusCode::OK);
    assert_eq!(get(&router, "/healthz").await.status, StatusCode::OK);
    let readiness = get(&router, "/readyz").await;
    assert_eq!(readiness.status, StatusCode::OK, "there is nothing that should be served and is not");
    for service in ["proteins", "catalogue", "directory", "profiles"] {
        assert_eq!(readiness.json()[service], json!({"status": "not loaded"}), "{service}");
    }
}
