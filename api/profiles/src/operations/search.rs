//! Searching users by an attribute.

use std::sync::Arc;

use axum::extract::Extension;
use axum::response::Response;
use futures_util::FutureExt;
use store_profiles::SearchKey;

use crate::answer;
use crate::audit::Action;
use crate::audit::entry::{AuditEntry, audited};
use crate::context::Context;
use crate::described::{SearchResponses, SearchedKey};
use crate::problem::{ProfileProblem, ProfileResult};
use crate::wire::UserSummary;

const USERS_MAX: usize = 100;

/// Search users by an attribute
///
/// Returns at most 100 users whose own profile has exactly this value, ordered by reference. `email` is compared ignoring the case of ASCII
/// letters. There are no wildcards. For tokens whose `domains` name the search group.
#[utoipa::path(
    get, path = "/users/profile/{attribute_key}", tag = "users",
    params(
        ("attribute_key" = inline(SearchedKey), Path, description = "The key whose values are compared."),
        (
            "value" = String, Query, min_length = 1, description = "The whole value. If it is repeated, the last one counts.",
            example = "ajay@alibaba.com",
        ),
    ),
    responses(SearchResponses),
)]
pub(crate) async fn search_users(Extension(context): Extension<Arc<Context>>) -> Response {
    audited(context, Action::Search, |context, entry| search(context, entry).boxed()).await
}

async fn search(context: &Context, entry: &mut AuditEntry) -> ProfileResult {
    if !context.caller.may_search {
        return Err(ProfileProblem::may_not_search());
    }
    let key = context.key(2)?;
    entry.keys = vec![key.clone()];
    let search_key = match key.as_str() {
        "email" => SearchKey::Email,
        "name" => SearchKey::Name,
        _ => return Err(ProfileProblem::invalid("Users can be searched by `email` and `name` only.")),
    };
    let value = context.parameter("value").filter(|value| !value.is_empty());
    let value = value.ok_or_else(|| ProfileProblem::invalid("The parameter `value` is missing or empty."))?;
    let users = context.profiles().search(search_key, value.into_owned(), USERS_MAX).await?;
    let users: Vec<_> = users.into_iter().map(|user| UserSummary::new(user, context.is_locked(user))).collect();
    answer::json(&users)
}
