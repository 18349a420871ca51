//! Changing attributes.

use std::sync::Arc;

use axum::body::Body;
use store_profiles::{AttributeChange, Profile, ProfileWrite};

use crate::answer;
use crate::audit::Action;
use crate::audit::entry::AuditEntry;
use crate::context::{Context, profile_not_found};
use crate::problem::{ProfileProblem, ProfileResult};
use crate::rules::{body, precondition};

/// Changes a profile. Checks its existence first, then the permission, the request, the
/// precondition, and the schema.
pub(super) async fn change(context: &Arc<Context>, body: Body, entry: &mut AuditEntry) -> ProfileResult {
    let (action, reference) = (entry.action, context.reference(profile_not_found)?);
    entry.profile = Some(reference);
    let profile = context.profile(reference).await?;
    entry.set_subject(&profile);
    context.authorise(action, &profile.owner)?;
    let change = match action {
        Action::Remove => AttributeChange::Remove(key_to_remove(context, &profile, entry)?),
        Action::Replace => {
            let attributes = body::attributes(context, body, entry).await?;
            // Attributes that are missing from the request are removed.
            let others = profile.attributes.iter().filter(|(key, _)| attributes.get(key).is_none());
            entry.keys.extend(others.map(|(key, _)| key.to_owned()));
            AttributeChange::Replace(attributes)
        }
        _ => AttributeChange::Merge(body::attributes(context, body, entry).await?),
    };
    let precondition = precondition::parse(&context.headers).map_err(ProfileProblem::invalid)?;
    context.authorise(action, &profile.owner)?;
    let write = ProfileWrite::Change(profile.reference, change, precondition);
    let changed = entry.write(write, Some(profile)).await;
    let profile = changed.map_err(|fault| entry.write_failed(fault))?;
    answer::profile(context, &profile)
}

/// Reads the key that is to be removed. A missing attribute is answered before the precondition is
/// checked.
fn key_to_remove(context: &Context, profile: &Profile, entry: &mut AuditEntry) -> Result<String, ProfileProblem> {
    let key = context.key(2)?;
    entry.keys = vec![key.clone()];
    match profile.attributes.get(&key) {
        Some(_) => Ok(key),
        None => Err(answer::attribute_not_found(&key)),
    }
}
