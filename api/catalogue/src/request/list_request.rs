//! All parameters of a request for a list, read before its resources are looked up.

use store_catalogue::{Condition, Order};

use super::context::Context;
use super::negotiation::Format;
use super::paging::PageRequest;
use super::{conditions, ordering};
use crate::collections::Collection;
use crate::problem::CatalogueProblem;
use crate::relations::include::Include;
use crate::render::wide;

#[derive(Debug, Default)]
pub(crate) struct ListRequest {
    pub(crate) conditions: Vec<Condition>,
    /// The requested orders; none for the default order of the list.
    pub(crate) orders: Vec<Order>,
    /// `None` for a stream. A stream has no pages and includes nothing, and its fields are read
    /// while it is written.
    pub(crate) page: Option<(PageRequest, Include)>,
    /// Set if the stream is a wide table of metadata.
    pub(crate) is_wide: bool,
}

impl ListRequest {
    pub(crate) fn parse(context: &Context, collection: &Collection) -> Result<Self, CatalogueProblem> {
        let conditions = conditions::query_conditions(collection, &context.query, &context.snapshot)?;
        let orders = ordering::orders(collection, &context.query);
        Ok(Self { conditions, orders, ..Self::of_all(context, collection)? })
    }

    /// Reads a request for a list that has neither filters nor orders.
    pub(crate) fn of_all(context: &Context, collection: &Collection) -> Result<Self, CatalogueProblem> {
        let is_wide = wide::is_requested(&context.query, &collection.resource_type, context.format)
            .map_err(|detail| CatalogueProblem::refused(wide::METADATA, detail))?;
        if context.format.is_stream() {
            context.check_streams(Format::streams_of(&collection.resource_type))?;
            if !is_wide && [Format::Tsv, Format::Parquet, Format::Arrow].contains(&context.format) {
                let text = "Samples in tsv, parquet or arrow need `metadata=wide`.";
                return Err(if context.is_format_named {
                    CatalogueProblem::refused("format", text)
                } else {
                    CatalogueProblem::NotAcceptable
                });
            }
            return Ok(Self { is_wide, ..Self::default() });
        }
        let include = Include::parse(collection, true, &context.query)?;
        Ok(Self { page: Some((PageRequest::parse(&context.query)?, include)), ..Self::default() })
    }
}
