//! Lines of the audit log that are committed together with writes.

use serde_json::{Value, json};
use support::postgres::{new_schema, run};

use super::server;
use crate::services::profiles::harness::Role::{Admin, Owner};

/// Returns the lines in the order in which they were written, without the moment of their writing.
fn lines(text: &str) -> Vec<Value> {
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines
        .map(|mut line| {
            line.as_object_mut().expect("an object").remove("time");
            line
        })
        .collect()
}

#[tokio::test]
async fn writes_are_logged_in_the_database_as_in_the_file() {
    let address = new_schema();
    let world = server(&address);
    let reference = world.user_profile().await;
    world.patch(&reference, Owner, &json!({"a": "secret", "b\"": "2"})).await.is(200);
    world.put(&reference, Owner, &json!({"c": "3"})).await.is(200);
    world.delete(&reference, Owner, "c").await.is(200);
    world.delete(&reference, Owner, "c").await.is(404);
    let stale = [("if-match", "\"1\"")];
    world.ask("PATCH", &format!("/profiles/{reference}"), Owner, &stale, "{}").await.is(412);
    world.get("/profiles/export", Admin).await.is(200);
    world.ask("DELETE", &format!("/profiles/{reference}"), Admin, &[], "").await.is(204);
    world.settle();
    let mut file = lines(&std::fs::read_to_string(world.audit_path()).expect("a log"));
    file.retain(|line| line["action"] != "export" && line["outcome"].as_u64().is_some_and(|status| status < 300));
    let rows = run(&address, "SELECT line FROM profiles_audit ORDER BY number");
    assert_eq!(lines(&rows), file);
    assert_eq!(file.len(), 5);
    assert!(!rows.contains("secret"));
    assert_eq!(run(&address, "SELECT DISTINCT 'prf-' || profile FROM profiles_audit"), reference);
}

#[tokio::test]
async fn old_lines_are_deleted() {
    let address = new_schema();
    let world = server(&address);
    let reference = world.user_profile().await;
    world.patch(&reference, Owner, &json!({"a": "1"})).await.is(200);
    run(&address, "UPDATE profiles_audit SET written_at = now() - interval '25 hours' WHERE number = 1");
    run(
        &address,
        "INSERT INTO profiles_audit (number, written_at, profile, line) OVERRIDING SYSTEM VALUE \
         SELECT -number, now() - interval '2 days', gen_random_uuid(), '{}' FROM generate_series(1, 25000) AS number",
    );
    // Opening the database looks for them first.
    let other = server(&address);
    for _ in 0..600 {
        if run(&address, "SELECT string_agg(number::text, ',') FROM profiles_audit") == "2" {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    drop(other);
    panic!("there are still old lines");
}
