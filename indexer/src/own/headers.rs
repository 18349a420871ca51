//! Headers of FASTA, as gene finders and others write them.

use super::entry::Facts;
use super::features::{attribute, is_complete};
use super::locus::{is_reverse, range};
use super::{DESCRIPTION_BYTES_MAX, TEXT_BYTES_MAX};
use crate::run::{Reason, Rejection};
use crate::values::{self, quoted};

/// Parses a header without its `>`: the name of the protein, and what follows it.
pub(super) fn parse_header(header: &[u8]) -> Result<(String, Facts), Rejection> {
    let text = values::utf8(header)?;
    let (name, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
    check_name(name)?;
    let facts = match prodigal(name, rest.trim()) {
        Some(facts) => facts?,
        None => {
            let description = rest.trim().replace('\t', " ");
            values::text("description", &description, DESCRIPTION_BYTES_MAX)?;
            Facts { description, ..Facts::default() }
        }
    };
    Ok((name.to_owned(), facts))
}

/// Checks the name of a protein.
pub(super) fn check_name(name: &str) -> Result<(), Rejection> {
    if name.is_empty() {
        return Err(Rejection::new(Reason::BadName, "the name is missing"));
    }
    if name.contains('/') {
        return Err(Rejection::new(Reason::BadName, format!("name {} has a slash", quoted(name))));
    }
    values::text("name", name, TEXT_BYTES_MAX).map_err(|bad| Rejection { reason: Reason::BadName, ..bad })?;
    Ok(())
}

/// Parses what Prodigal writes behind the name, as in `contig_3 # 2 # 181 # -1 # ID=1_3;partial=00;start_type=ATG`, or returns `None` for
/// any other text.
fn prodigal(name: &str, rest: &str) -> Option<Result<Facts, Rejection>> {
    let mut fields = rest.strip_prefix("# ")?.splitn(4, " # ");
    let start = values::whole(fields.next()?)?;
    let end = values::whole(fields.next()?)?;
    let is_reverse = Some(is_reverse(fields.next()?)?);
    let full_length = attribute(fields.next()?, "partial").map(is_complete);
    let (contig, _) = name.rsplit_once('_').unwrap_or_default();
    let facts = |range| Facts { contig: contig.to_owned(), range, is_reverse, full_length, ..Facts::default() };
    Some(range("gene", (start, end)).map(Some).map(facts))
}
