//! The operations on profiles, and their table.

mod change;
mod creation;
mod erasure;
mod export;
mod reading;
mod search;

use std::future::ready;
use std::sync::Arc;

use api_http::routes::Route;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use self::change::change;
use self::creation::create;
use self::erasure::erase;
use self::export::export;
use self::reading::{
    get_attribute, get_domain_attribute, get_domain_profile, get_my_profile, get_profile, get_user_attribute,
    get_user_profile, service_info,
};
use self::search::search;
use crate::audit::Action;
use crate::audit::entry::Auditing;
use crate::context::Context;
use crate::problem::ProfileResult;

type Reading = for<'a> fn(&'a Arc<Context>) -> BoxFuture<'a, ProfileResult>;

/// An operation of a path.
#[derive(Clone, Copy)]
pub(super) struct Operation {
    /// `GET` also stands for `HEAD`.
    pub(super) method: &'static str,
    pub(super) work: Work,
}

/// The function that answers, and whether it must complete once it has begun.
#[derive(Clone, Copy)]
pub(super) enum Work {
    /// It is cancelled when its client leaves.
    Read(Reading),
    /// It always runs to its end, which is recorded in the audit log.
    Audited(Action, Auditing),
}

const fn get(answer: Reading) -> Operation {
    Operation { method: "GET", work: Work::Read(answer) }
}

const fn audited(method: &'static str, action: Action, answer: Auditing) -> Operation {
    Operation { method, work: Work::Audited(action, answer) }
}

const MY_PROFILE: Operation = get(|context| get_my_profile(context).boxed());
const USER_PROFILE: Operation = get(|context| get_user_profile(context).boxed());
const USER_ATTRIBUTE: Operation = get(|context| get_user_attribute(context).boxed());
const SEARCH: Operation = audited("GET", Action::Search, |context, _, entry| search(context, entry).boxed());
const DOMAIN_PROFILE: Operation = get(|context| get_domain_profile(context).boxed());
const DOMAIN_ATTRIBUTE: Operation = get(|context| get_domain_attribute(context).boxed());
const CREATE: Operation = audited("POST", Action::Create, |context, body, entry| create(context, body, entry).boxed());
const PROFILE: Operation = get(|context| get_profile(context).boxed());
const REPLACE: Operation = audited("PUT", Action::Replace, |context, body, entry| change(context, body, entry).boxed());
const MERGE: Operation = audited("PATCH", Action::Merge, |context, body, entry| change(context, body, entry).boxed());
const MERGE_BY_POST: Operation = Operation { method: "POST", ..MERGE };
const ERASE: Operation = audited("DELETE", Action::Erase, |context, _, entry| erase(context, entry).boxed());
const ATTRIBUTE: Operation = get(|context| get_attribute(context).boxed());
const REMOVE: Operation =
    audited("DELETE", Action::Remove, |context, body, entry| change(context, body, entry).boxed());
const SERVICE_INFO: Operation = get(|_| ready(service_info()).boxed());
const EXPORT: Operation = audited("GET", Action::Export, |context, _, _| export(context).boxed());

const fn route(pattern: &'static str, operations: &'static [Operation]) -> Route<&'static [Operation]> {
    Route::new(pattern, pattern, operations)
}

/// The operations by their paths; the first matching row counts. A slash at the end begins an empty
/// key where a key may follow, and has no effect otherwise.
static ROUTES: [Route<&[Operation]>; 12] = [
    route("/my/profile", &[MY_PROFILE]),
    route("/users/profile/{attribute_key}", &[SEARCH]),
    route("/users/{user_reference}/profile/{attribute_key}", &[USER_ATTRIBUTE]),
    route("/users/{user_reference}/profile", &[USER_PROFILE]),
    route("/domains/{domain_reference}/profile/{attribute_key}", &[DOMAIN_ATTRIBUTE]),
    route("/domains/{domain_reference}/profile", &[DOMAIN_PROFILE]),
    route("/profiles", &[CREATE]),
    route("/profiles/info", &[SERVICE_INFO]),
    route("/profiles/export", &[EXPORT]),
    // Changes affect the profile, reads and removals affect its attribute with the empty key.
    route("/profiles/{profile_reference}/", &[REPLACE, MERGE, MERGE_BY_POST, ATTRIBUTE, REMOVE]),
    route("/profiles/{profile_reference}", &[PROFILE, REPLACE, MERGE, MERGE_BY_POST, ERASE]),
    route("/profiles/{profile_reference}/{attribute_key}", &[ATTRIBUTE, REMOVE]),
];

/// Finds the route of a path.
pub(super) fn find(path: &str) -> Option<&'static Route<&'static [Operation]>> {
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    let without_slash = segments.split_last().filter(|(last, _)| last.is_empty()).map(|(_, others)| others);
    ROUTES.iter().find(|route| {
        let others = without_slash.filter(|_| !route.label.ends_with('/'));
        route.matches(&segments) || others.is_some_and(|segments| route.matches(segments))
    })
}
