//! Paths that imitate others.

use serde_json::json;

use super::soon;
use crate::services::profiles::harness::Role::{Admin, Nobody, Other, Owner};
use crate::services::profiles::harness::{TEAM, World};

/// Paths are used literally: no segment is dropped, joined or decoded twice.
#[tokio::test]
async fn odd_paths_are_refused() {
    let world = World::new();
    let reference = world.user_profile().await;
    world.domain_profile(TEAM, json!({"a": "b"})).await;
    let user = Owner.user();
    for path in [
        format!("/users/{user}/../{}/profile", Other.user()),
        format!("/users/{}/../{user}/profile", Other.user()),
        format!("/users/..%2F{user}/profile"),
        format!("/users/{user}%2Fprofile"),
        format!("/users/{user}%00/profile"),
        format!("/users/%2e%2e/profiles/{reference}"),
        format!("/users//{user}/profile"),
        format!("/users/{user}//profile"),
        format!("/users/{user};x=1/profile"),
        format!("/users/{user}/profile%2Fname"),
        format!("/users/{user}/profile%00"),
        "/my/../my/profile".to_owned(),
        "/my/./profile".to_owned(),
        "/my/profile/name".to_owned(),
        "/my/Profile".to_owned(),
        format!("/domains/{TEAM}/../{TEAM}/profile"),
        format!("/domains/{TEAM}%2F..%2F{TEAM}/profile"),
        "/domains/../my/profile".to_owned(),
        "/domains/dom-../profile".to_owned(),
        format!("/profiles/../profiles/{reference}"),
        format!("/profiles/%2e%2e%2fprofiles%2f{reference}"),
        format!("/profiles//{reference}"),
        format!("/profiles/{reference}/name/extra"),
        format!("/profiles/./{reference}"),
        "/profiles/..%2fexport".to_owned(),
        "/profiles/%65xport%00".to_owned(),
        "/users/profile/..".to_owned() + "/name/x",
        "/profiles/".to_owned(),
    ] {
        let answer = soon(&path, world.get(&path, Owner)).await;
        assert!([404, 405].contains(&answer.status), "{path}: {answer:?}");
    }
    for path in ["/users", "/users/", "/users/x", "/my", "/my/", "/domains/x/y", "/profiles/a/b/c", "/profiles//"] {
        world.get(path, Owner).await.is(404);
        for method in ["GET", "POST", "DELETE", "OPTIONS"] {
            assert_eq!(world.ask(method, path, Nobody, &[], "").await.error(), (401, "NO_TOKEN".to_owned()), "{path}");
        }
    }
    // Other paths belong to other services.
    for path in ["/MY/profile", "/my%2Fprofile", "//my/profile", "//profiles/info", "/..//my/profile"] {
        let answer = world.send("GET", path, &[("authorization", &format!("Bearer {}", Owner.token()))], "").await;
        assert_eq!(answer.status, 404, "{path}: {answer:?}");
    }
}

/// Keys are names, even if they look like paths.
#[tokio::test]
async fn keys_that_look_like_paths_are_keys() {
    let world = World::new();
    let reference = world.user_profile().await;
    world
        .put(&reference, Owner, &json!({"../../etc/passwd": "a", "..": "b", "info": "c", "export": "d"}))
        .await
        .is(200);
    for (path, value) in [("..%2F..%2Fetc%2Fpasswd", "a"), ("%2e%2e", "b"), ("..", "b"), ("info", "c"), ("export", "d")]
    {
        let path = format!("/profiles/{reference}/{path}");
        assert_eq!(world.get(&path, Owner).await.is(200).text, value, "{path}");
        world.get(&path, Other).await.is(403);
        world.get(&path, Nobody).await.is(401);
    }
}

#[tokio::test]
async fn long_uris_are_refused_for_all_roles() {
    let world = World::new();
    let reference = world.user_profile().await;
    for path in [format!("/profiles/{}", "a".repeat(9000)), format!("/profiles/{reference}/{}", "%61".repeat(3000))] {
        for role in [Owner, Admin, Nobody] {
            let answer = soon("a long path", world.get(&path, role)).await;
            assert_eq!(answer.error(), (414, "URI_TOO_LONG".to_owned()));
        }
    }
}
