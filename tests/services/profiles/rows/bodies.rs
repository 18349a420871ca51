//! Shapes of bodies.

use serde_json::json;

use crate::services::profiles::harness::Role::{Admin, Manager, Member, Owner};
use crate::services::profiles::harness::{TEAM, World};

/// Row "Create body shape": refused bodies.
#[tokio::test]
async fn a_new_profile_has_one_owner_and_attributes() {
    let world = World::new();
    let (user, domain) = (json!({"userReference": Owner.user()}), json!({"domainReference": TEAM}));
    for body in [
        json!({}),
        json!({"attributes": {}}),
        json!({"user": user, "domain": domain}),
        json!({"user": null, "domain": null}),
        json!({"user": {}}),
        json!({"user": {"userReference": null}}),
        json!({"user": {"userReference": 1}}),
        json!({"user": "usr-1"}),
        json!({"domain": {}}),
        json!({"domain": []}),
        json!({"user": user, "attributes": []}),
        json!({"user": user, "attributes": "a"}),
        json!({"user": user, "attributes": {"a": 1}}),
        json!({"user": user, "attributes": {"": "a"}}),
        json!([]),
        json!("a"),
        json!(null),
        json!(1),
    ] {
        for role in [Owner, Manager, Admin] {
            let answer = world.post(role, &body).await;
            assert_eq!(answer.status, 400, "{body}: {answer:?}");
        }
    }
    for text in ["", " ", "{", "{}}", "{\"user\":}", "\u{feff}{}", "{'a':'b'}", "{\"a\":\"b\",}", "NaN", "// {}\n{}"] {
        let headers = [("content-type", "application/json")];
        let answer = world.ask("POST", "/profiles", Owner, &headers, text).await;
        assert_eq!(answer.status, 400, "{text:?}: {answer:?}");
    }
}

/// Row "Create body shape": ignored members.
#[tokio::test]
async fn members_that_clients_cannot_set_are_ignored() {
    let others = "prf-6b3c0b7d-1530-445a-859a-94c05b9c0a90";
    for body in [
        json!({"user": {"userReference": Owner.user()}}),
        json!({"user": {"userReference": Owner.user()}, "domain": null, "schema": null, "attributes": {}}),
        json!({"reference": others, "user": {"userName": "x", "email": 1, "userReference": Owner.user(), "fullName": {}, "domains": [1], "accountNonLocked": false}}),
        json!({"reference": 1, "colour": "red", "version": 9, "user": {"userReference": Owner.user(), "x": {"y": []}}, "attributes": {}}),
    ] {
        let world = World::new();
        let made = world.post(Owner, &body).await.is(201);
        assert_ne!(made.reference(), others);
        assert_eq!((made.attributes().as_str(), made.etag()), ("{}", "\"1\""), "{body}");
        assert_eq!(
            made.json()["user"],
            json!({"userName": null, "email": null, "userReference": Owner.user(), "fullName": null, "domains": null, "accountNonLocked": true})
        );
    }
    let world = World::new();
    let body = json!({
        "reference": others,
        "domain": {"domainName": "x", "domainDesc": "y", "domainReference": TEAM, "users": [{"userReference": Owner.user()}], "managers": [1], "authority": "ROLE_x"},
        "user": null,
    });
    let made = world.post(Manager, &body).await.is(201).json();
    // Row "`authority`".
    let domain = json!({"domainName": null, "domainDesc": null, "domainReference": TEAM, "users": [], "managers": [], "authority": "ROLE_null"});
    assert_eq!(made["domain"], domain);
}

/// Row "`schema` on a user profile".
#[tokio::test]
async fn a_users_profile_has_no_schema() {
    let world = World::new();
    for schema in ["{}", "", "https://schemas.test/a.json"] {
        let body = json!({"user": {"userReference": Owner.user()}, "schema": schema});
        world.post(Owner, &body).await.is(400);
        world.post(Admin, &body).await.is(400);
    }
    world.get(&format!("/users/{}/profile", Owner.user()), Admin).await.is(404);
}

/// Row "Non-string attribute value, `null`".
#[tokio::test]
async fn values_that_are_not_texts_are_refused_by_name() {
    let world = World::new();
    let reference = world.user_profile().await;
    let tunnel = format!("/profiles/{reference}?_method=patch");
    for value in [json!(null), json!(1), json!(1.5), json!(true), json!([]), json!({}), json!(["a"]), json!({"a": "b"})]
    {
        let attributes = json!({"car": "Volvo", "pet": value});
        let create = json!({"user": {"userReference": Owner.user()}, "attributes": attributes});
        for answer in [
            world.put(&reference, Owner, &attributes).await,
            world.patch(&reference, Owner, &attributes).await,
            world.ask("POST", &tunnel, Owner, &[], &attributes.to_string()).await,
            world.post(Owner, &create).await,
        ] {
            let message = answer.is(400).message();
            assert!(message.contains("pet") && !message.contains("car"), "{value}: {message}");
        }
    }
    for body in [json!([]), json!("a"), json!(null), json!(1), json!(true)] {
        world.put(&reference, Owner, &body).await.is(400);
        world.patch(&reference, Owner, &body).await.is(400);
    }
    assert_eq!(world.get("/my/profile", Owner).await.etag(), "\"1\"");
}

/// Row "Wrong verb / media type": malformed JSON and duplicate keys.
#[tokio::test]
async fn duplicate_keys_are_refused() {
    let world = World::new();
    let reference = world.user_profile().await;
    let user = Owner.user();
    for text in [r#"{"a":"b","a":"b"}"#, r#"{"a":"b","c":"d","a":"e"}"#, r#"{"a":"b","\u0061":"c"}"#] {
        for method in ["PUT", "PATCH"] {
            let answer = world.ask(method, &format!("/profiles/{reference}"), Owner, &[], text).await.is(400);
            assert!(answer.message().contains('a'), "{answer:?}");
        }
        let body = format!(r#"{{"user":{{"userReference":"{user}"}},"attributes":{text}}}"#);
        world.ask("POST", "/profiles", Owner, &[], &body).await.is(400);
    }
    for text in [
        format!(r#"{{"user":{{"userReference":"{user}"}},"user":{{"userReference":"{user}"}}}}"#),
        format!(r#"{{"user":{{"userReference":"{user}","userReference":"{user}"}}}}"#),
        format!(r#"{{"user":{{"userReference":"{user}"}},"attributes":{{}},"attributes":{{}}}}"#),
    ] {
        world.ask("POST", "/profiles", Owner, &[], &text).await.is(400);
    }
    assert_eq!(world.get("/my/profile", Owner).await.etag(), "\"1\"");
}

/// Row "Wrong verb / media type": the type of a body.
#[tokio::test]
async fn bodies_must_be_declared_as_json() {
    let world = World::new();
    let reference = world.user_profile().await;
    let path = format!("/profiles/{reference}");
    for (kind, expected) in [
        ("application/json", 200),
        ("application/json;charset=UTF-8", 200),
        ("Application/JSON; charset=utf-8", 200),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data; boundary=a", 415),
        ("application/xml", 415),
        ("application/jsonp", 415),
        ("text/json+x", 415),
        ("application/octet-stream", 415),
        ("x", 415),
    ] {
        for (method, path) in [("PUT", path.as_str()), ("PATCH", &path), ("POST", &format!("{path}?_method=patch"))] {
            let answer = world.ask(method, path, Owner, &[("content-type", kind)], "{}").await;
            assert_eq!(answer.status, expected, "{method} {kind}: {answer:?}");
        }
        let body = json!({"domain": {"domainReference": TEAM}}).to_string();
        let answer = world.ask("POST", "/profiles", Member, &[("content-type", kind)], &body).await;
        assert_eq!(answer.status, if expected == 200 { 403 } else { 415 }, "{kind}: {answer:?}");
    }
}
