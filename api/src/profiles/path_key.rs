//! The key of an attribute in a path.

use percent_encoding::percent_decode_str;

use super::attribute_rules;
use super::context::Context;
use super::problem::ProfileProblem;

/// Reads the key that is a segment of the path, decoded once.
///
/// # Errors
///
/// * It is empty, no UTF-8, too long, or has control characters.
pub(super) fn key(context: &Context, segment: usize) -> Result<String, ProfileProblem> {
    let invalid = |problem: String| ProfileProblem::Invalid(problem);
    let key = percent_decode_str(context.segment(segment)).decode_utf8();
    let key = key.map_err(|_| invalid("The key of an attribute is no UTF-8.".to_owned()))?;
    attribute_rules::check_key(&key, context.config()).map_err(invalid)?;
    Ok(key.into_owned())
}
