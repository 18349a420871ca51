//! Searches of users by an attribute.

use std::fmt::Write;

use serde_json::json;

use crate::services::profiles::harness::Role::{Admin, Manager, Member, Other, Owner, Search};
use crate::services::profiles::harness::{TEAM, World};

/// Returns the references that a search finds.
async fn found(world: &World, path: &str) -> Vec<String> {
    let answer = world.get(path, Search).await.is(200).json();
    let users = answer.as_array().expect("a list").iter();
    users.map(|user| user["userReference"].as_str().expect("a reference").to_owned()).collect()
}

/// Row "Search match": values.
#[tokio::test]
async fn whole_values_match_and_only_addresses_ignore_case() {
    let world = World::new();
    let body = json!({"user": {"userReference": Owner.user()}, "attributes": {"name": "Ajay É*", "email": "Ajay.É@Alibaba.com", "car": "Volvo"}});
    world.post(Owner, &body).await.is(201);
    world.domain_profile(TEAM, json!({"name": "Ajay É*", "email": "ajay.É@alibaba.com"})).await;
    let owner = vec![Owner.user().to_string()];
    for (path, is_found) in [
        ("email?value=Ajay.%C3%89%40Alibaba.com", true),
        ("email?value=ajay.%C3%89@alibaba.COM", true),
        // Letter case matters in letters beyond ASCII.
        ("email?value=ajay.%C3%A9@alibaba.com", false),
        ("email?value=ajay.%C3%89", false),
        ("email?value=%40alibaba.com", false),
        ("email?value=%20ajay.%C3%89%40alibaba.com", false),
        ("email?value=*", false),
        ("email?value=%25", false),
        ("name?value=Ajay%20%C3%89*", true),
        ("name?value=Ajay+%C3%89*", true),
        ("name?value=ajay+%C3%89*", false),
        ("name?value=Ajay", false),
        ("name?value=A*", false),
        ("name?value=Volvo", false),
        ("name?value=x&value=Ajay+%C3%89*", true),
        ("name?value=Ajay+%C3%89*&value=x", false),
        ("name?x=1&value=Ajay+%C3%89*&value2=x", true),
    ] {
        let expected = if is_found { owner.clone() } else { Vec::new() };
        assert_eq!(found(&world, &format!("/users/profile/{path}")).await, expected, "{path}");
    }
}

/// Long values are compared completely, and a value under one key is not found by another.
#[tokio::test]
async fn long_values_and_keys_are_distinguished() {
    let world = World::new();
    let long = "n".repeat(3000);
    for (role, name, email) in
        [(Owner, format!("{long}1"), "x"), (Other, format!("{long}2"), "ab"), (Member, "a".to_owned(), "b")]
    {
        let body = json!({"user": {"userReference": role.user()}, "attributes": {"name": name, "email": email}});
        world.post(role, &body).await.is(201);
    }
    for (path, expected) in [
        (format!("name?value={long}1"), vec![Owner]),
        (format!("name?value={long}2"), vec![Other]),
        (format!("name?value={long}"), vec![]),
        (format!("email?value={long}1"), vec![]),
        ("name?value=x".to_owned(), vec![]),
        ("name?value=ab".to_owned(), vec![]),
        ("email?value=ab".to_owned(), vec![Other]),
        ("email?value=b".to_owned(), vec![Member]),
    ] {
        let expected: Vec<String> = expected.into_iter().map(|role| role.user().to_string()).collect();
        assert_eq!(
            found(&world, &format!("/users/profile/{path}")).await,
            expected,
            "{}",
            &path[path.len().saturating_sub(20)..]
        );
    }
}

/// Row "Search match": order and cap.
#[tokio::test]
async fn results_are_ordered_and_limited_to_a_hundred() {
    let world = World::new();
    let mut users = Vec::new();
    for number in (0..105_u32).rev() {
        let mut user = String::new();
        write!(user, "usr-{:08x}-0000-4000-8000-000000000000", number.wrapping_mul(0x9e37_79b9)).expect("a text");
        let body = json!({"user": {"userReference": user}, "attributes": {"name": "many", "email": format!("{number}@a.org")}});
        world.post(Admin, &body).await.is(201);
        users.push(user);
    }
    users.sort();
    users.truncate(100);
    assert_eq!(found(&world, "/users/profile/name?value=many").await, users);
    assert_eq!(found(&world, "/users/profile/email?value=7@a.org").await.len(), 1);
}

/// Row "Search bad input", after the check of the group (row "Search").
#[tokio::test]
async fn malformed_searches_are_bad_requests() {
    let world = World::new();
    world.user_profile().await;
    for path in [
        "car?value=Volvo",
        "Email?value=ajay@alibaba.com",
        "profile?value=ajay",
        "%20name?value=ajay",
        "userReference?value=a",
        "email",
        "email?",
        "email?value",
        "email?value=",
        "name?Value=ajay",
        "name?value=ajay&value=",
        "?value=ajay",
    ] {
        let path = format!("/users/profile/{path}");
        let answer = world.get(&path, Search).await;
        assert_eq!(answer.status, 400, "{path}: {answer:?}");
        for role in [Owner, Other, Member, Manager, Admin] {
            assert_eq!(world.get(&path, role).await.status, 403, "{path} as {role:?}");
        }
    }
}
