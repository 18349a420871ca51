//! The parameters of a request for a list, read before any look-up.

use std::borrow::Cow;
use std::collections::BTreeSet;

use api_http::error::shown;
use store_catalogue::model::{SAMPLES, document_members, num_listed_members};
use store_catalogue::{Condition, Order, RELEVANCE};

use super::kinds::Kind;
use super::refusal::{Refusal, invalid};
use super::values::{PAGING, Reader};
use crate::collections::{Collection, lookup};
use crate::render::wide::{self, METADATA};
use crate::request::conditions;
use crate::request::negotiation::Format;
use crate::request::ordering;
use crate::request::parameters::STRICT;
use crate::request::query::{Query, WHERE, bracketed};
use crate::snapshot::Snapshot;

/// The parameters of all lists that the real service lacks.
pub(super) const ADDED: [&str; 9] =
    ["after", "fields", "format", METADATA, "ordering", "sort", "safe", "strict", WHERE];

/// A list: its type, the members of its items, and whether the filters and orders of the type
/// apply.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    pub(super) kind: &'static Kind,
    pub(super) is_whole: bool,
    pub(super) is_selected: bool,
}

#[derive(Debug)]
pub(super) struct ListRequest {
    pub(super) conditions: Vec<Condition>,
    pub(super) orders: Vec<Order>,
    pub(super) start: Start,
    pub(super) size: usize,
    pub(super) fields: Fields,
    pub(super) format: Format,
    pub(super) is_wide: bool,
}

/// The beginning of a page.
#[derive(Debug, PartialEq)]
pub(super) enum Start {
    /// The page with this number, 1-based.
    Page(usize),
    /// The item after this accession, or the first item if it is empty. The answer has the
    /// accession for the next page.
    After(String),
}

/// The formats for streams of all items: those of all lists, then those of samples only. Other
/// formats have one page.
const STREAMS: [Format; 6] =
    [Format::Ndjson, Format::Csv, Format::Tsv, Format::GeoJson, Format::Parquet, Format::Arrow];
const NUM_OF_ALL_LISTS: usize = 3;

/// The requested members of items.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields(Option<BTreeSet<String>>);

impl Fields {
    pub(super) fn of(query: &Query) -> Self {
        Self(query.filled("fields").map(|list| list.split(',').map(|name| name.trim().to_owned()).collect()))
    }

    pub(super) fn is_all(&self) -> bool {
        self.0.is_none()
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.0.as_ref().is_none_or(|names| names.contains(name))
    }
}

/// Returns the formats for streams of lists of a type.
pub(super) fn streams_of(resource_type: &str) -> &'static [Format] {
    if resource_type == SAMPLES { &STREAMS } else { &STREAMS[..NUM_OF_ALL_LISTS] }
}

impl List {
    /// Returns the members of items, in their order.
    pub(super) fn members(self) -> &'static [&'static str] {
        let all = document_members(self.kind.resource_type);
        if self.is_whole { all } else { &all[..num_listed_members(self.kind.resource_type)] }
    }

    /// Returns whether the real service has a parameter for this list.
    fn has(self, name: &str) -> bool {
        let is_its_own = self.is_selected
            && (name == "order" && !self.kind.orders.is_empty()
                || self.kind.filters.iter().any(|filter| filter.name == name));
        is_its_own || PAGING.contains(&name)
    }

    pub(super) fn collection(self) -> Cow<'static, Collection> {
        lookup::of_type(self.kind.resource_type)
    }

    /// Reads the parameters of a request. Parameters without effect are refused only if the request
    /// is strict.
    pub(super) fn read(self, query: &Query, is_strict: bool, snapshot: &Snapshot) -> Result<ListRequest, Refusal> {
        let mut reader = Reader::new(query);
        let (mut conditions, mut orders) = (Vec::new(), Vec::new());
        if self.is_selected && !self.kind.orders.is_empty() && query.last("order").is_some() {
            let names = self.kind.order_names();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let order = reader.choice("literal_error", "order", &names).unwrap_or_default();
            let (name, is_descending) = order.strip_prefix('-').map_or((order, false), |name| (name, true));
            let field = self.kind.orders.iter().find(|(known, _)| *known == name);
            orders.extend(field.map(|(_, field)| Order { field: (*field).to_owned(), is_descending }));
        }
        conditions.extend(self.own_conditions(query, &mut reader));
        let (page, size) = reader.page(self.kind.page_size);
        let start = match (query.last("after"), page) {
            (None, page) => Start::Page(page.unwrap_or(1)),
            (Some(after), None) => Start::After(after.to_owned()),
            (Some(_), Some(_)) => {
                reader.refuse(invalid("query", "after", "Use either `page` or `after`."));
                Start::Page(1)
            }
        };
        let named = |name| STREAMS.into_iter().find(|known| known.name() == name);
        let format = query.last("format").and_then(named).unwrap_or(Format::Json);
        if format != Format::Json && !streams_of(self.kind.resource_type).contains(&format) {
            reader.refuse(invalid("query", "format", &format!("Only samples are available as {}.", format.name())));
        }
        let is_wide = wide::is_requested(query, self.kind.resource_type, format).unwrap_or_else(|text| {
            reader.refuse(invalid("query", METADATA, text));
            false
        });
        if [Format::Parquet, Format::Arrow].contains(&format) && !is_wide {
            let text = format!("{} is only available for samples with `metadata=wide`.", format.name());
            reader.refuse(invalid("query", "format", &text));
        }
        if is_strict {
            self.refuse_unknown(query, is_wide, &mut reader);
        }
        reader.finish()?;
        let of_version_1 = self.version_1_query(query);
        conditions.extend(conditions::query_conditions(&self.collection(), &of_version_1, snapshot)?);
        if orders.is_empty() {
            orders = ordering::orders(&self.collection(), &of_version_1);
        }
        let (default, is_descending) = self.kind.default_order;
        if orders.iter().all(|order| order.field != default && order.field != RELEVANCE) {
            orders.push(Order { field: default.to_owned(), is_descending });
        }
        Ok(ListRequest { conditions, orders, start, size, fields: Fields::of(query), format, is_wide })
    }

    /// Reads the parameters of a request that counts the items. Parameters that are neither filters
    /// nor in `others` are refused.
    pub(super) fn read_for_counting(
        self,
        query: &Query,
        snapshot: &Snapshot,
        others: &[&str],
    ) -> Result<Vec<Condition>, Refusal> {
        let mut reader = Reader::new(query);
        let mut conditions = self.own_conditions(query, &mut reader);
        let collection = self.collection();
        let filters = self.kind.filters.iter().map(|filter| filter.name);
        let filters: Vec<&str> = filters.chain(collection.filters().map(|filter| filter.name)).collect();
        let known: Vec<&str> = filters.iter().chain(others).copied().chain([WHERE, STRICT]).collect();
        let is_known =
            |name: &str| known.contains(&name) || bracketed(name).is_some_and(|name| filters.contains(&&*name));
        reader.refuse_others(is_known, &known);
        reader.finish()?;
        conditions.extend(conditions::query_conditions(&collection, &self.version_1_query(query), snapshot)?);
        Ok(conditions)
    }

    fn own_conditions(self, query: &Query, reader: &mut Reader<'_>) -> Vec<Condition> {
        let filters = self.kind.filters.iter().filter(|_| self.is_selected);
        filters.filter_map(|filter| filter.condition(query, reader)).collect()
    }

    /// Returns the parameters of version 1. A name in both versions has the meaning of version 2.
    fn version_1_query(self, query: &Query) -> Query {
        query.without(|name| self.has(name))
    }

    fn refuse_unknown(self, query: &Query, is_wide: bool, reader: &mut Reader<'_>) {
        let collection = self.collection();
        let filters: Vec<_> = collection.filters().map(|filter| filter.name).collect();
        let is_filter =
            |name: &str| filters.iter().any(|known| name == *known || bracketed(name).as_deref() == Some(known));
        let known = self.kind.filters.iter().map(|filter| filter.name).chain(filters.iter().copied());
        let known: Vec<&str> = known.chain(ADDED).chain(PAGING).collect();
        reader.refuse_others(|name| self.has(name) || ADDED.contains(&name) || is_filter(name), &known);
        for (name, value) in query.pairs() {
            if name == "format" && !STREAMS.iter().any(|known| known.name() == value) && value != "json" {
                let names: Vec<&str> = streams_of(self.kind.resource_type).iter().map(|format| format.name()).collect();
                reader.refuse(invalid("query", name, &format!("The formats are json, {}.", names.join(", "))));
            }
            let unknown =
                |field: &&str| !(field.is_empty() || self.members().contains(field) || is_wide && *field == METADATA);
            if name == "fields"
                && let Some(field) = value.split(',').map(str::trim).find(|field| unknown(field))
            {
                let text = format!("Unknown field {:?}. Choose from: {}.", shown(field), self.members().join(", "));
                reader.refuse(invalid("query", name, &text));
            }
        }
        for (parameter, name) in ordering::unknown(&collection, query) {
            reader.refuse(invalid("query", parameter, &format!("Unknown order {:?}.", shown(&name))));
        }
    }
}
