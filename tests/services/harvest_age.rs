//! The check of readiness and the portal report the source and the age of the harvested catalogue.

use std::fs;
use std::time::{Duration, SystemTime};

use indexer::Input;
use serde_json::{Value, json};
use support::{TestFolder, get};

/// Publishes a catalogue from the rows that a harvest wrote to a folder.
fn publish(folder: &TestFolder, report: Option<&Value>) {
    let inputs = folder.path().join("inputs");
    fs::create_dir_all(&inputs).expect("writable");
    fs::write(inputs.join("studies.jsonl"), json!({"type": "studies", "id": "MGYS1"}).to_string()).expect("writable");
    match report {
        Some(report) => fs::write(inputs.join("harvest.json"), report.to_string()).expect("writable"),
        None => fs::remove_file(inputs.join("harvest.json")).expect("it is there"),
    }
    folder.publish_catalogue(vec![Input::Path(inputs)]);
}

#[tokio::test]
async fn source_and_age_of_the_harvest_are_reported() {
    let folder = TestFolder::empty();
    let began = SystemTime::now() - Duration::from_hours(3 * 24 + 1);
    let (began, from) = (humantime::format_rfc3339_seconds(began).to_string(), "https://example.org/<api>/v2");
    publish(&folder, Some(&json!({"from": from, "began": began, "finished": "2030-01-01T00:00:00Z"})));
    let router = folder.router();
    let mut catalogue = get(&router, "/readyz").await.json()["catalogue"].clone();
    let age = catalogue["harvest"].as_object_mut().and_then(|harvest| harvest.remove("age_seconds")).expect("an age");
    assert!((73 * 3_600..74 * 3_600).contains(&age.as_u64().expect("a number")), "{age}");
    assert_eq!(catalogue["harvest"], json!({"from": from, "began": began, "finished": "2030-01-01T00:00:00Z"}));
    let page = String::from_utf8(get(&router, "/portal/status").await.body).expect("text");
    let (day, minute) = (&began[..10], &began[11..16]);
    let sentence = format!(
        "<code>https://example.org/&#60;api&#62;/v2</code>. The harvest started on {day} {minute} UTC, 3 days ago."
    );
    assert!(page.contains(&sentence), "{page}");

    // The clock of the harvester was ahead.
    publish(&folder, Some(&json!({"from": from, "began": "2999-01-01T00:00:00Z", "finished": "2999-01-01T00:00:00Z"})));
    assert_eq!(get(&folder.router(), "/readyz").await.json()["catalogue"]["harvest"]["age_seconds"], 0);

    publish(&folder, None);
    let router = folder.router();
    assert_eq!(get(&router, "/readyz").await.json()["catalogue"].get("harvest"), None);
    assert!(!String::from_utf8_lossy(&get(&router, "/portal/status").await.body).contains("harvested"));
}
