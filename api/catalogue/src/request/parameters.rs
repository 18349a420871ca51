//! The known parameters of requests, and the refusal of others.

use std::borrow::Cow;

use api_http::error::shown;
use store_catalogue::model::SAMPLES;
use store_catalogue::{CatalogueContents, RELEVANCE};

use super::negotiation::Format;
use super::query::{AFTER, Query, WHERE, bracketed};
use super::similar_names::advice;
use super::{fields, ordering};
use crate::collections::collection::Collection;
use crate::collections::lookup;
use crate::facets;
use crate::problem::CatalogueProblem;
use crate::render::wide::METADATA;
use crate::routing::Route;

/// The parameters of all requests, in addition to `fields[…]`.
const READING: [&str; 4] = ["format", "fields", "safe", STRICT];

/// The parameters for counting resources and for listing the keys of metadata.
const COUNTING: [&str; 5] = {
    let [by, limit, ranges] = facets::PARAMETERS;
    [by, limit, ranges, "format", "strict"]
};
const LISTING_KEYS: [&str; 3] = [facets::LIMIT, "format", "strict"];

const PAGING: [&str; 4] = ["page", "page_size", "page[number]", "page[size]"];

const ORDERING: [&str; 2] = ["ordering", "sort"];

const INCLUDE: &str = "include";

/// The most parameters of a URI. Each of them is compared with all known ones.
const PARAMETERS_MAX: usize = 1_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unknown {
    /// They are ignored, and the answer lists them.
    Ignored,
    Refused,
    /// They are refused with the text of the real service.
    RefusedAsByRealService,
}

pub(crate) struct Parameters {
    /// The parameters that do not depend on the collection.
    reading: &'static [&'static str],
    is_paged: bool,
    is_stream: bool,
    may_include: bool,
    /// The collection whose filters and orders apply.
    members: Option<Cow<'static, Collection>>,
    unknown: Unknown,
}

impl Parameters {
    pub(crate) fn of(route: &Route, format: Format, contents: &CatalogueContents) -> Self {
        let none = Self {
            reading: &READING,
            is_paged: false,
            is_stream: format.is_stream(),
            may_include: false,
            members: None,
            unknown: Unknown::Ignored,
        };
        let list = |members: Cow<'static, Collection>| {
            // The parameters that are effective are unknown for types without a record.
            let unknown = if lookup::is_modelled(&members) { Unknown::Ignored } else { Unknown::Refused };
            Self { is_paged: true, may_include: true, members: Some(members), unknown, ..none }
        };
        match route {
            Route::Root | Route::TopBiomes(_) => none,
            Route::Single(..) => Self { may_include: true, ..none },
            Route::Recent(_) => Self { is_paged: true, may_include: true, ..none },
            Route::List(collection) if collection.refuses_unknown => {
                Self { unknown: Unknown::RefusedAsByRealService, ..list(collection.clone()) }
            }
            Route::List(collection) => list(collection.clone()),
            // Only this service has searches, so their clients use our documentation, and typos are
            // refused.
            Route::Search(collection) => Self { unknown: Unknown::Refused, ..list(collection.clone()) },
            // Facets are not in the real service either.
            Route::Facets(collection) => {
                Self { reading: &COUNTING, members: Some(collection.clone()), unknown: Unknown::Refused, ..none }
            }
            Route::MetadataKeys(_) => Self { reading: &LISTING_KEYS, unknown: Unknown::Refused, ..none },
            Route::Related(collection, _, relation) => {
                let members = match collection.relation(relation) {
                    Some(modelled) => lookup::of_members(modelled),
                    None => lookup::at_path(relation, contents).or_else(|| Some(lookup::of_type(relation))),
                };
                members.map_or(Self { is_paged: true, ..none }, list)
            }
        }
    }

    /// Refuses unknown parameters if the data, the request or the server require it, and returns
    /// those that are ignored.
    pub(crate) fn check(
        &self,
        query: &Query,
        is_strict: bool,
        contents: &CatalogueContents,
    ) -> Result<Vec<String>, CatalogueProblem> {
        let mut ignored = Vec::new();
        for (name, _) in query.pairs().filter(|(name, _)| !self.contains(name)) {
            match self.unknown {
                Unknown::Ignored if !is_strict => ignored.push(name.to_owned()),
                Unknown::RefusedAsByRealService => {
                    let detail = format!("invalid query parameter: {}", shown(name));
                    return Err(CatalogueProblem::Request { detail, code: "invalid" });
                }
                Unknown::Ignored | Unknown::Refused => return Err(self.refused(name)),
            }
        }
        for (parameter, name) in self.members.iter().flat_map(|members| ordering::unknown(members, query)) {
            if is_strict || self.unknown == Unknown::Refused {
                let orders = self.members.iter().flat_map(|members| members.orders).map(|(name, _)| *name);
                let orders: Vec<_> = orders.chain([RELEVANCE]).collect();
                let name = shown(&name);
                let detail = format!("Unknown order {name:?}{}", advice(&name, &orders));
                return Err(CatalogueProblem::refused(parameter, detail));
            }
            ignored.push(format!("{parameter}={name}"));
        }
        let refuses = is_strict || self.unknown == Unknown::Refused;
        for (name, value, detail) in self.without_effect(query, contents) {
            if refuses {
                return Err(CatalogueProblem::refused(shown(name).into_owned(), detail));
            }
            ignored.push(format!("{name}={value}"));
        }
        ignored.dedup();
        Ok(ignored)
    }

    /// Returns the values of known parameters that have no effect, each with its name and an
    /// explanation: values before the last one of filters that use one value, fields that no
    /// resource has, and orders by attributes that no resource has.
    fn without_effect<'a>(&self, query: &'a Query, contents: &CatalogueContents) -> Vec<(&'a str, &'a str, String)> {
        let mut found = Vec::new();
        for filter in self.members.iter().flat_map(|members| members.filters()) {
            let values = query.named_filter(filter.name);
            if let ([dropped @ .., _], false) = (&*values, filter.kind.is_repeatable()) {
                let detail = |name| format!("Enter {name:?} only once, or combine conditions in \"{WHERE}\".");
                found.extend(dropped.iter().map(|(name, value)| (*name, *value, detail(*name))));
            }
        }
        for (name, list) in query.pairs().filter(|(name, _)| name.starts_with("fields[")) {
            found
                .extend(fields::unknown(name, list, contents).into_iter().map(|(field, detail)| (name, field, detail)));
        }
        let orders = self.members.iter().flat_map(|members| ordering::without_effect(members, query, contents));
        found.extend(orders.map(|(parameter, order)| {
            (parameter, order, format!("No resource has the values that {:?} sorts by.", shown(order)))
        }));
        found
    }

    fn contains(&self, name: &str) -> bool {
        let is_filter = |filter: &str| name == filter || bracketed(name).as_deref() == Some(filter);
        self.reading.contains(&name)
            || self.reading == READING && name.starts_with("fields[")
            || self.is_paged && PAGING.contains(&name)
            || self.is_paged && self.is_stream && name == AFTER
            || self.is_stream && self.is_of_samples() && name == METADATA
            || self.may_include && name == INCLUDE
            || self.is_ordered() && ORDERING.contains(&name)
            || self.members.is_some() && is_filter(WHERE)
            || self.members.as_ref().is_some_and(|members| members.filters().any(|filter| is_filter(filter.name)))
    }

    fn is_of_samples(&self) -> bool {
        self.members.as_ref().is_some_and(|members| members.resource_type == SAMPLES)
    }

    fn is_ordered(&self) -> bool {
        // Only lists are ordered.
        self.is_paged
            && self.members.as_ref().is_some_and(|members| !members.orders.is_empty() || members.is_searched())
    }

    fn refused(&self, name: &str) -> CatalogueProblem {
        let mut possible: Vec<&str> =
            self.members.iter().flat_map(|members| members.filters()).map(|filter| filter.name).collect();
        possible.extend(self.members.is_some().then_some(WHERE));
        possible.extend(ORDERING.into_iter().take(usize::from(self.is_ordered())));
        possible.extend(PAGING.into_iter().take(if self.is_paged { 2 } else { 0 }));
        possible.extend((self.is_paged && self.is_stream).then_some(AFTER));
        possible.extend((self.is_stream && self.is_of_samples()).then_some(METADATA));
        possible.extend(self.may_include.then_some(INCLUDE));
        possible.extend(self.reading);
        let name = shown(name);
        let detail = format!("Unknown parameter {name:?}{}", advice(&name, &possible));
        CatalogueProblem::refused(name.into_owned(), detail)
    }
}

/// The parameter that refuses unknown parameters.
pub(crate) const STRICT: &str = "strict";

/// Returns whether a query refuses unknown parameters.
pub(crate) fn is_strict_requested(query: &Query) -> Result<bool, CatalogueProblem> {
    match &*query.last(STRICT).unwrap_or_default().trim().to_lowercase() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "" | "0" | "false" | "no" | "off" => Ok(false),
        _ => Err(CatalogueProblem::refused(STRICT, "Enter 1 (or true, yes, on) or 0 (or false, no, off).")),
    }
}

/// Refuses the query part of a URI with too many parameters, before they are read.
pub(crate) fn check_number(text: &str) -> Result<(), CatalogueProblem> {
    if text.bytes().filter(|byte| *byte == b'&').count() <= PARAMETERS_MAX {
        return Ok(());
    }
    let detail = format!("A URI can have at most {PARAMETERS_MAX} parameters.");
    Err(CatalogueProblem::Request { detail, code: "invalid" })
}

#[cfg(test)]
mod tests;
