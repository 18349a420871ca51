//! Rights: the status of each operation for each role.

use serde_json::json;

use crate::services::profiles::answer::Answer;
use crate::services::profiles::harness::Role::{self, Owner};
use crate::services::profiles::harness::{NO_DOMAIN, NO_PROFILE, NOT_IN_DIRECTORY, ROLES, SECOND, TEAM, World};

/// A request: method, path, body, and the statuses in the order of [`ROLES`].
type Row = (&'static str, &'static str, &'static str, [u16; 9]);

/// A profile of the owner. `U` is their reference, `P` that of the profile, `M` the body that makes
/// the profile.
#[rustfmt::skip]
const OF_A_USER: [Row; 12] = [
    //                                            owner other membr mangr mgr-o admin srch  lockd none
    ("GET",    "/users/U/profile",           "", [200,  403,  403,  403,  403,  200,  403,  401,  401]),
    ("GET",    "/users/U/profile/name",      "", [200,  403,  403,  403,  403,  200,  403,  401,  401]),
    ("GET",    "/users/U/profile/Name",      "", [404,  403,  403,  403,  403,  404,  403,  401,  401]),
    ("GET",    "/profiles/P",                "", [200,  403,  403,  403,  403,  200,  403,  401,  401]),
    ("GET",    "/profiles/P/name",           "", [200,  403,  403,  403,  403,  200,  403,  401,  401]),
    ("GET",    "/profiles/P/Name",           "", [404,  403,  403,  403,  403,  404,  403,  401,  401]),
    ("PUT",    "/profiles/P",              "{}", [200,  403,  403,  403,  403,  200,  403,  401,  401]),
    ("PATCH",  "/profiles/P",              "{}", [200,  403,  403,  403,  403,  200,  403,  401,  401]),
    ("POST",   "/profiles/P?_method=patch","{}", [200,  403,  403,  403,  403,  200,  403,  401,  401]),
    ("DELETE", "/profiles/P/name",           "", [200,  403,  403,  403,  403,  200,  403,  401,  401]),
    ("DELETE", "/profiles/P/Name",           "", [404,  403,  403,  403,  403,  404,  403,  401,  401]),
    ("POST",   "/profiles", r#"{"user":{"userReference":"U"}}"#,
                                                 [409,  403,  403,  403,  403,  409,  403,  401,  401]),
];

/// A profile of a domain. `D` is the reference of the domain.
#[rustfmt::skip]
const OF_A_DOMAIN: [Row; 12] = [
    //                                            owner other membr mangr mgr-o admin srch  lockd none
    ("GET",    "/domains/D/profile",         "", [403,  403,  200,  200,  200,  200,  403,  401,  401]),
    ("GET",    "/domains/D/profile/name",    "", [403,  403,  200,  200,  200,  200,  403,  401,  401]),
    ("GET",    "/domains/D/profile/Name",    "", [403,  403,  404,  404,  404,  404,  403,  401,  401]),
    ("GET",    "/profiles/P",                "", [403,  403,  200,  200,  200,  200,  403,  401,  401]),
    ("GET",    "/profiles/P/name",           "", [403,  403,  200,  200,  200,  200,  403,  401,  401]),
    ("GET",    "/profiles/P/Name",           "", [403,  403,  404,  404,  404,  404,  403,  401,  401]),
    ("PUT",    "/profiles/P",              "{}", [403,  403,  403,  200,  200,  200,  403,  401,  401]),
    ("PATCH",  "/profiles/P",              "{}", [403,  403,  403,  200,  200,  200,  403,  401,  401]),
    ("POST",   "/profiles/P?_method=patch","{}", [403,  403,  403,  200,  200,  200,  403,  401,  401]),
    ("DELETE", "/profiles/P/name",           "", [403,  403,  403,  200,  200,  200,  403,  401,  401]),
    ("DELETE", "/profiles/P/Name",           "", [403,  403,  403,  404,  404,  404,  403,  401,  401]),
    ("POST",   "/profiles", r#"{"domain":{"domainReference":"D"}}"#,
                                                 [403,  403,  403,  409,  409,  403,  403,  401,  401]),
];

/// Requests for unknown things. `S` is a domain without a profile, `X` are unknown references.
#[rustfmt::skip]
const OF_NOBODY: [Row; 20] = [
    //                                            owner other membr mangr mgr-o admin srch  lockd none
    ("GET",    "/users/N/profile",           "", [404,  404,  404,  404,  404,  404,  404,  401,  401]),
    ("GET",    "/users/N/profile/name",      "", [404,  404,  404,  404,  404,  404,  404,  401,  401]),
    ("GET",    "/users/usr-1/profile",       "", [404,  404,  404,  404,  404,  404,  404,  401,  401]),
    ("GET",    "/domains/S/profile",         "", [404,  404,  404,  404,  404,  404,  404,  401,  401]),
    ("GET",    "/domains/S/profile/name",    "", [404,  404,  404,  404,  404,  404,  404,  401,  401]),
    ("GET",    "/domains/X/profile",         "", [404,  404,  404,  404,  404,  404,  404,  401,  401]),
    ("GET",    "/domains/X/profile/name",    "", [404,  404,  404,  404,  404,  404,  404,  401,  401]),
    ("GET",    "/profiles/X",                "", [404,  404,  404,  404,  404,  404,  404,  401,  401]),
    ("GET",    "/profiles/prf-1",            "", [404,  404,  404,  404,  404,  404,  404,  401,  401]),
    ("GET",    "/profiles/X/name",           "", [404,  404,  404,  404,  404,  404,  404,  401,  401]),
    ("PUT",    "/profiles/X",              "{}", [404,  404,  404,  404,  404,  404,  404,  401,  401]),
    ("PATCH",  "/profiles/X",              "{}", [404,  404,  404,  404,  404,  404,  404,  401,  401]),
    ("POST",   "/profiles/X?_method=patch","{}", [404,  404,  404,  404,  404,  404,  404,  401,  401]),
    ("DELETE", "/profiles/X/name",           "", [404,  404,  404,  404,  404,  404,  404,  401,  401]),
    ("POST",   "/profiles", r#"{"domain":{"domainReference":"X"}}"#,
                                                 [404,  404,  404,  404,  404,  404,  404,  401,  401]),
    ("GET",    "/my/profile",                "", [200,  200,  200,  200,  200,  200,  200,  401,  401]),
    ("GET",    "/users/profile/name?value=a","", [403,  403,  403,  403,  403,  403,  200,  401,  401]),
    ("GET",    "/profiles/export",           "", [403,  403,  403,  403,  403,  200,  403,  401,  401]),
    ("GET",    "/profiles/info",             "", [200,  200,  200,  200,  200,  200,  200,  401,  401]),
    ("GET",    "/profiles/nothing/at/all",   "", [404,  404,  404,  404,  404,  404,  404,  401,  401]),
];

/// Makes the missing profiles, for each role in a new world.
#[rustfmt::skip]
const MAKING: [Row; 4] = [
    //                                            owner other membr mangr mgr-o admin srch  lockd none
    ("GET",    "/users/U/profile",           "", [200,  404,  404,  404,  404,  404,  404,  401,  401]),
    ("POST",   "/profiles", r#"{"user":{"userReference":"U"}}"#,
                                                 [201,  403,  403,  403,  403,  201,  403,  401,  401]),
    ("POST",   "/profiles", r#"{"user":{"userReference":"N"}}"#,
                                                 [403,  403,  403,  403,  403,  201,  403,  401,  401]),
    ("POST",   "/profiles", r#"{"domain":{"domainReference":"S"}}"#,
                                                 [403,  403,  403,  201,  201,  403,  403,  401,  401]),
];

/// Sends the request of each row as each role, and lists all unexpected statuses. Each request
/// finds the profile unchanged.
async fn compare(rows: &[Row], is_of_domain: bool) {
    let mut differences = String::new();
    let world = World::new();
    let before = json!({"name": "a"});
    let reference =
        if is_of_domain { world.domain_profile(TEAM, before.clone()).await } else { world.user_profile().await };
    for &(method, path, body, expected) in rows {
        for (role, expected) in ROLES.into_iter().zip(expected) {
            world.put(&reference, Role::Admin, &before).await.is(200);
            differences.extend(difference(&world, method, path, body, role, expected, &reference).await);
        }
    }
    assert!(differences.is_empty(), "\n{differences}");
}

/// Sends a request as a role, and returns a line if the status is unexpected.
async fn difference(
    world: &World,
    method: &str,
    path: &str,
    body: &str,
    role: Role,
    expected: u16,
    reference: &str,
) -> Option<String> {
    let nothing = if path.starts_with("/profiles/") { NO_PROFILE } else { NO_DOMAIN };
    let user = Owner.user().to_string();
    let filled = |text: &str, before: &str, after: &str| {
        let names = [
            ("U", user.as_str()),
            ("P", reference),
            ("D", TEAM),
            ("S", SECOND),
            ("N", NOT_IN_DIRECTORY),
            ("X", nothing),
        ];
        names.into_iter().fold(text.to_owned(), |text, (name, value)| {
            text.replace(&format!("{before}{name}{after}"), &format!("{before}{value}{after}"))
        })
    };
    let (path, body) = (filled(&format!("{path}/"), "/", "/"), filled(body, "\"", "\""));
    let path = filled(path.trim_end_matches('/'), "/", "?");
    let answer = world.ask(method, &path, role, &[], &body).await;
    let Answer { status, text, .. } = answer;
    (status != expected).then(|| format!("{method} {path} {body} as {role:?}: {status}, not {expected}: {text}\n"))
}

#[tokio::test]
async fn rights_to_a_users_profile() {
    compare(&OF_A_USER, false).await;
}

#[tokio::test]
async fn rights_to_a_domains_profile() {
    compare(&OF_A_DOMAIN, true).await;
}

#[tokio::test]
async fn rights_to_unknown_references() {
    compare(&OF_NOBODY, false).await;
}

#[tokio::test]
async fn rights_to_make_profiles() {
    let mut differences = String::new();
    for (method, path, body, expected) in MAKING {
        for (role, expected) in ROLES.into_iter().zip(expected) {
            let world = World::new();
            differences.extend(difference(&world, method, path, body, role, expected, NO_PROFILE).await);
        }
    }
    assert!(differences.is_empty(), "\n{differences}");
}

/// A user who is only in their token has the same rights as others.
#[tokio::test]
async fn users_missing_from_the_directory_have_profiles() {
    let world = World::new();
    let user = NOT_IN_DIRECTORY.parse().expect("a reference");
    let authorization =
        format!("Bearer {}", crate::services::profiles::signing::token(user, "nina", "nina@alibaba.com", &[]));
    let headers = [("authorization", authorization.as_str())];
    let answer = world.send("GET", &format!("/users/{NOT_IN_DIRECTORY}/profile"), &headers, "").await.is(200);
    assert_eq!(answer.json()["user"]["accountNonLocked"], true);
    assert_eq!(answer.attributes(), r#"{"name":"nina","email":"nina@alibaba.com"}"#);
}
