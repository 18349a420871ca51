//! The order that a list is asked for.

use store::Order;

use super::collection::Collection;
use super::query::Query;

const ORDERING: &str = "ordering";

/// Returns the order that a query asks for: a comma list of names, a dash before one that falls. Names that the collection does not
/// have are left out, as is a name that came before; if none is left, the order is the default one.
pub(super) fn orders(collection: &Collection, query: &Query) -> Vec<Order> {
    let names = query.filled(ORDERING).into_iter().flat_map(|list| list.split(',')).map(str::trim);
    let mut orders: Vec<Order> = Vec::new();
    for name in names {
        let (name, is_descending) = name.strip_prefix('-').map_or((name, false), |falling| (falling, true));
        // Behind its first occurrence a field decides nothing any more.
        if collection.orders.iter().any(|(known, _)| *known == name) && orders.iter().all(|order| order.field != name) {
            orders.push(Order { field: name.to_owned(), is_descending });
        }
    }
    orders
}

#[cfg(test)]
mod tests {
    use super::super::collection::COLLECTIONS;
    use super::*;

    fn asked(path: &str, query: &str) -> Vec<(String, bool)> {
        let collection = COLLECTIONS.iter().find(|collection| collection.path == path).unwrap();
        let orders = orders(collection, &Query::parse(query));
        orders.into_iter().map(|order| (order.field, order.is_descending)).collect()
    }

    #[test]
    fn names_come_in_their_order_with_their_direction() {
        let expected = vec![("study_name".to_owned(), true), ("accession".to_owned(), false)];
        assert_eq!(asked("studies", "ordering=-study_name,+accession"), expected);
    }

    #[test]
    fn what_is_no_name_is_dropped() {
        assert_eq!(
            asked("studies", "ordering=nope,--study_id,-,,samples_count"),
            [("samples_count".to_owned(), false)]
        );
        assert_eq!(asked("studies", "ordering=study-name"), []);
        assert_eq!(asked("studies", "ordering="), []);
        assert_eq!(asked("studies", ""), []);
        assert_eq!(asked("pipeline-tools", "ordering=tool_name"), []);
    }

    #[test]
    fn a_field_counts_once() {
        let long = format!("ordering={}-name", "name,-name,".repeat(500));
        assert_eq!(asked("cogs", &long), [("name".to_owned(), false)]);
    }

    #[test]
    fn the_last_parameter_counts() {
        assert_eq!(asked("cogs", "ordering=name&ordering=-name"), [("name".to_owned(), true)]);
    }
}
