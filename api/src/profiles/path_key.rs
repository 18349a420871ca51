//! Keys of attributes in paths.

use percent_encoding::percent_decode_str;

use super::attribute_rules;
use super::context::Context;
use super::problem::ProfileProblem;

/// Reads the key in a segment of the path, percent-decoded once.
pub(super) fn key(context: &Context, segment: usize) -> Result<String, ProfileProblem> {
    let key = percent_decode_str(context.segment(segment)).decode_utf8();
    let key = key.map_err(|_| ProfileProblem::invalid("The key of an attribute is not UTF-8."))?;
    attribute_rules::check_key(&key, context.config()).map_err(ProfileProblem::invalid)?;
    Ok(key.into_owned())
}
