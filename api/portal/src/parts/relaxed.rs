//! Conditions of an empty list whose removal gives results.

use api_catalogue::Collection;

use crate::context::address::{ANY, Pairs};
use crate::context::page_context::PageContext;
use crate::parts::metadata_rows;
use crate::parts::number::Number;
use crate::parts::resource_query::for_api;
use crate::parts::words::label;

/// The maximum number of conditions removed one by one.
const RELAXED_MAX: usize = 10;

/// Returns the conditions whose removal gives results: texts, counts and addresses. `path` is the
/// path of the list in the API, `own` its address here, and `pairs` has only conditions.
pub(crate) fn relaxed(
    context: &PageContext,
    collection: &Collection,
    (path, own): (&str, &str),
    pairs: &Pairs,
) -> Vec<(String, Number, String)> {
    let (filters, rows) = (metadata_rows::without(pairs), metadata_rows::read(pairs));
    let mut names: Vec<&str> = filters.iter().map(|(name, _)| name).collect();
    names.dedup();
    let of_filters = names.into_iter().map(|name| {
        let values: Vec<_> = filters.values(name).collect();
        (format!("{}: {}", label(name.strip_prefix(ANY).unwrap_or(name)), values.join(", ")), pairs.without(&[name]))
    });
    let of_rows = rows.iter().map(|row| (row.condition(), pairs.filtered(|name| !row.has(name))));
    let mut relaxed = Vec::new();
    for (condition, without) in of_filters.chain(of_rows).take(RELAXED_MAX) {
        let query = for_api(collection, &without).with("page_size", "1").to_query();
        // The work of the page may be used up.
        let Ok(document) = context.document(path, query.trim_start_matches('?')) else { break };
        let count = document.pagination().count;
        if count > 0 && without != Pairs::default() {
            relaxed.push((condition, Number(count), format!("{own}{}", without.to_query())));
        }
    }
    relaxed
}
