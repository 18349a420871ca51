//! Posted forms: their fields, one of which can be a file.

use std::collections::HashSet;

use api_http::posted::{BodyKind, Contents, FORM, PARTS};
use api_proteins::BATCH_BYTES_MAX;

use crate::context::address::{ANY, Pairs};
use crate::context::problem::PortalProblem;

/// The limits of a form with a list as long as a batch, or with all proteins of the longest page.
pub(crate) const BODY: BodyKind =
    BodyKind { content_types: &[FORM, PARTS], bytes_max: BATCH_BYTES_MAX, values_max: (1_100, "fields"), copies: 8 };

/// List fields, which can be repeated like those with the prefix [`ANY`].
const LISTS: [&str; 4] = ["proteins", "file", "fields", "pfam"];

/// Reads the fields of a form.
///
/// # Errors
///
/// * The form is malformed or has too many fields, or a field other than a list is repeated.
pub(crate) fn fields(contents: Contents) -> Result<Pairs, PortalProblem> {
    let mut known = HashSet::new();
    let members = contents.members().map_err(PortalProblem::of_body)?;
    let is_list = |name: &str| LISTS.contains(&name) || name.starts_with(ANY);
    if let Some((name, _)) = members.iter().find(|(name, _)| !is_list(name) && !known.insert(name)) {
        return Err(PortalProblem::malformed(&format!("it has more than one {name:?}")));
    }
    Ok(Pairs::of_members(members))
}
