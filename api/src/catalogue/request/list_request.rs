//! All parameters of a request for a list, read before its resources are looked up.

use store::{Condition, Order};

use super::context::Context;
use super::negotiation::Format;
use super::paging::PageRequest;
use super::{filters, ordering};
use crate::catalogue::collections::Collection;
use crate::catalogue::problem::CatalogueProblem;
use crate::catalogue::relations::include::Include;

#[derive(Debug, Default)]
pub(crate) struct ListRequest {
    pub(crate) conditions: Vec<Condition>,
    /// Empty for the default order of the list.
    pub(crate) orders: Vec<Order>,
    /// `None` for a stream: it has no pages and includes nothing, and its fields are read as it is written.
    pub(crate) page: Option<(PageRequest, Include)>,
}

impl ListRequest {
    pub(crate) fn parse(context: &Context, collection: &Collection) -> Result<Self, CatalogueProblem> {
        let conditions = filters::conditions(collection, &context.query, &context.snapshot)?;
        let orders = ordering::orders(collection, &context.query);
        Ok(Self { conditions, orders, ..Self::of_all(context, collection)? })
    }

    /// Reads a request for a list that has neither filters nor orders.
    pub(crate) fn of_all(context: &Context, collection: &Collection) -> Result<Self, CatalogueProblem> {
        if context.format.is_stream() {
            context.only(Format::streams_of(&collection.resource_type))?;
            return Ok(Self::default());
        }
        let include = Include::parse(collection, true, &context.query)?;
        Ok(Self { page: Some((PageRequest::parse(&context.query)?, include)), ..Self::default() })
    }
}
