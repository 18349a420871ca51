//! The orders of lists.

use std::borrow::Cow;

use store_catalogue::model::SortKey;
use store_catalogue::{CatalogueContents, Order, RELEVANCE, Shape};

use super::query::Query;
use crate::collections::collection::Collection;

const ORDERING: &str = "ordering";

/// The filter that relevance depends on.
const SEARCH: &str = "search";

/// The parameter of JSON:API for the order. Its names may have dashes.
const SORT: &str = "sort";

/// Returns the orders of a query. They are a comma list of names; a dash before a name means
/// descending. Unknown and repeated names are skipped. If no name is left, the default order is
/// used.
pub(crate) fn orders(collection: &Collection, query: &Query) -> Vec<Order> {
    let mut orders: Vec<Order> = Vec::new();
    for RequestedOrder { name, is_descending, .. } in requested(query).filter(|order| is_known(collection, &order.name))
    {
        // A repeated field has no effect.
        if orders.iter().all(|order| order.field != name) {
            orders.push(Order { field: name.into_owned(), is_descending });
        }
    }
    orders
}

/// Returns the names of orders that the collection does not have, each with its parameter.
pub(crate) fn unknown<'a>(
    collection: &'a Collection,
    query: &'a Query,
) -> impl Iterator<Item = (&'static str, Cow<'a, str>)> {
    let unknown = requested(query).filter(|order| !order.name.is_empty() && !is_known(collection, &order.name));
    unknown.map(|order| (order.parameter, order.name))
}

/// Returns the known orders that have no effect, each with its parameter: by attributes that no
/// resource has, and by relevance without a search.
pub(crate) fn without_effect(
    collection: &Collection,
    query: &Query,
    contents: &CatalogueContents,
) -> Vec<(&'static str, &'static str)> {
    let attributes = contents.types.get(&*collection.resource_type);
    let attributes = attributes.and_then(|contents| contents.shape.members.get("attributes"));
    let is_there = |key: SortKey| {
        let present = |attributes: &Shape| key.attribute().is_none_or(|name| attributes.members.contains_key(name));
        attributes.is_none_or(present)
    };
    let is_searched = query.filter(SEARCH).last().is_some_and(|text| !text.is_empty());
    let mut found = Vec::new();
    for order in requested(query) {
        let key = collection.orders.iter().find(|(known, _)| *known == order.name);
        match key {
            Some((name, key)) if !is_there(*key) => found.push((order.parameter, *name)),
            None if order.name == RELEVANCE && collection.is_searched() && !is_searched => {
                found.push((order.parameter, RELEVANCE));
            }
            _ => {}
        }
    }
    found
}

struct RequestedOrder<'a> {
    parameter: &'static str,
    name: Cow<'a, str>,
    is_descending: bool,
}

fn requested(query: &Query) -> impl Iterator<Item = RequestedOrder<'_>> {
    let (parameter, list) = match (query.last(ORDERING), query.last(SORT)) {
        (None, Some(list)) => (SORT, list),
        (list, _) => (ORDERING, list.unwrap_or_default()),
    };
    list.split(',').map(str::trim).map(move |name| {
        let (name, is_descending) = name.strip_prefix('-').map_or((name, false), |name| (name, true));
        let name = if parameter == SORT { Cow::Owned(name.replace('-', "_")) } else { Cow::Borrowed(name) };
        RequestedOrder { parameter, name, is_descending }
    })
}

/// Relevance is known if the texts are searched. Without a search it has no effect.
fn is_known(collection: &Collection, name: &str) -> bool {
    collection.orders.iter().any(|(known, _)| *known == name) || name == RELEVANCE && collection.is_searched()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collections::lookup;

    fn requested_orders(resource_type: &str, query: &str) -> Vec<(String, bool)> {
        let collection = &lookup::of_type(resource_type);
        let orders = orders(collection, &Query::parse(query));
        orders.into_iter().map(|order| (order.field, order.is_descending)).collect()
    }

    #[test]
    fn orders_keep_their_sequence_and_direction() {
        let expected = vec![("study_name".to_owned(), true), ("accession".to_owned(), false)];
        assert_eq!(requested_orders("studies", "ordering=-study_name,+accession"), expected);
    }

    #[test]
    fn unknown_orders_are_skipped() {
        assert_eq!(
            requested_orders("studies", "ordering=nope,--study_id,-,,samples_count"),
            [("samples_count".to_owned(), false)]
        );
        assert_eq!(requested_orders("studies", "ordering=study-name"), []);
        assert_eq!(requested_orders("studies", "ordering="), []);
        assert_eq!(requested_orders("studies", ""), []);
        assert_eq!(requested_orders("pipeline-tools", "ordering=tool_name"), []);
    }

    #[test]
    fn the_parameter_of_json_api_is_accepted() {
        assert_eq!(requested_orders("studies", "sort=-study-name,nope"), [("study_name".to_owned(), true)]);
        assert_eq!(requested_orders("studies", "sort=-study-name&ordering="), []);
        assert_eq!(requested_orders("studies", "ordering=relevance"), [("relevance".to_owned(), false)]);
        assert_eq!(requested_orders("cog-cats", "ordering=relevance"), []);
        let studies = &lookup::of_type("studies");
        let query = Query::parse("sort=study-name,a-b,-c");
        assert_eq!(unknown(studies, &query).map(|(_, name)| name.into_owned()).collect::<Vec<_>>(), ["a_b", "c"]);
    }

    #[test]
    fn a_field_counts_once() {
        let long = format!("ordering={}-name", "name,-name,".repeat(500));
        assert_eq!(requested_orders("cog-cats", &long), [("name".to_owned(), false)]);
    }

    #[test]
    fn the_last_parameter_counts() {
        assert_eq!(requested_orders("cog-cats", "ordering=name&ordering=-name"), [("name".to_owned(), true)]);
    }
}
