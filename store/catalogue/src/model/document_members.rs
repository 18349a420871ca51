//! The members of documents.

use std::collections::HashMap;
use std::sync::LazyLock;

struct Members {
    names: Vec<&'static str>,
    num_listed: usize,
}

/// By type. A row of the table has the type, the members that lists show, and those that only
/// details show.
static MEMBERS: LazyLock<HashMap<&str, Members>> = LazyLock::new(|| {
    let members = |row: &'static str| {
        let (resource_type, names) = row.split_once('\t')?;
        let num_listed = names.split('\t').next()?.split(' ').count();
        Some((resource_type, Members { names: names.split(['\t', ' ']).collect(), num_listed }))
    };
    include_str!("document_members.tsv").lines().filter_map(members).collect()
});

/// Returns the members of the document of a type, in the order in which version 2 serves them. The
/// list is empty for types that version 2 does not have.
pub fn document_members(resource_type: &str) -> &'static [&'static str] {
    MEMBERS.get(resource_type).map_or(&[], |members| &members.names)
}

/// Returns the number of these members that lists show; details show all.
pub fn num_listed_members(resource_type: &str) -> usize {
    MEMBERS.get(resource_type).map_or(0, |members| members.num_listed)
}
