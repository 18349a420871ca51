//! Searching users by an attribute.

use store_profiles::SearchKey;

use crate::answer;
use crate::audit::entry::AuditEntry;
use crate::context::Context;
use crate::problem::{ProfileProblem, ProfileResult};
use crate::wire::UserSummary;

const USERS_MAX: usize = 100;

pub(super) async fn search(context: &Context, entry: &mut AuditEntry) -> ProfileResult {
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
