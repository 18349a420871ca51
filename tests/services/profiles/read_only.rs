//! Profiles that are being moved to another store.

use serde_json::json;

use crate::services::profiles::harness::Role::{Admin, Manager, Owner, Search};
use crate::services::profiles::harness::{TEAM, World};

#[tokio::test]
async fn read_only_profiles_are_read_and_writes_can_be_retried() {
    let mut world = World::new();
    let reference = world.user_profile().await;
    let profile = world.get("/my/profile", Owner).await.is(200).text;
    let export = world.get("/profiles/export", Admin).await.is(200).text;
    world.setup.config.is_read_only = true;
    world.restart();
    let path = format!("/profiles/{reference}");
    let new = json!({"domain": {"domainReference": TEAM}, "attributes": {}});
    for answer in [
        world.patch(&reference, Owner, &json!({"a": "1"})).await,
        world.put(&reference, Owner, &json!({})).await,
        world.delete(&reference, Owner, "name").await,
        world.ask("DELETE", &path, Admin, &[], "").await,
        world.post(Manager, &new).await,
        // Their profile would be made.
        world.get("/my/profile", Manager).await,
    ] {
        let answer = answer.is(503);
        assert!(
            answer.text.contains("nothing was changed") && answer.headers.contains_key("retry-after"),
            "{answer:?}"
        );
    }
    assert_eq!(world.get("/my/profile", Owner).await.is(200).text, profile);
    assert_eq!(world.get("/profiles/export", Admin).await.is(200).text, export);
    assert_ne!(world.get("/users/profile/name?value=ajay", Search).await.is(200).text, "[]");
    world.setup.config.is_read_only = false;
    world.restart();
    world.patch(&reference, Owner, &json!({"a": "1"})).await.is(200);
}
