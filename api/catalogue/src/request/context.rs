//! A parsed request, with the data that answer it.

use store_catalogue::{LinkStyle, Ordinal};

use super::fields::SparseFields;
use super::negotiation::Format;
use super::query::Query;
use crate::collections::collection::Collection;
use crate::problem::CatalogueProblem;
use crate::relations::links::PageAddresses;
use crate::render::resource::Resource;
use crate::snapshot::Snapshot;

pub(crate) struct Context {
    pub(crate) snapshot: Snapshot,
    pub(crate) query: Query,
    pub(crate) format: Format,
    /// Set if the path or the query has the format, instead of the `Accept` header.
    pub(crate) is_format_named: bool,
    pub(crate) links: LinkStyle,
    /// The path below the prefix as requested, without a slash at its end.
    pub(crate) path: String,
    /// The parameters without effect, which the answer lists.
    pub(crate) ignored: Vec<String>,
}

impl Context {
    pub(crate) fn page_links(&self) -> PageAddresses {
        PageAddresses::new(self.links.prefix(), &self.path, &self.query)
    }

    pub(crate) fn fields(&self) -> SparseFields {
        SparseFields::parse(&self.query)
    }

    /// Refuses a stream of an answer that only exists in JSON.
    pub(crate) fn only_json(&self) -> Result<(), CatalogueProblem> {
        self.check_streams(&[])
    }

    /// Refuses streams in formats other than these: 404 if the format is in the path or the query,
    /// 406 if the client accepts nothing else.
    pub(crate) fn check_streams(&self, streams: &[Format]) -> Result<(), CatalogueProblem> {
        match self.is_format_named {
            _ if !self.format.is_stream() || streams.contains(&self.format) => Ok(()),
            true => Err(CatalogueProblem::NotFound),
            false => Err(CatalogueProblem::NotAcceptable),
        }
    }

    /// Finds a resource by any of its identifiers. If it does not exist, the error is a 404.
    pub(crate) fn find(&self, collection: &Collection, id: &str) -> Result<Ordinal, CatalogueProblem> {
        self.snapshot.find(&collection.resource_type, id)?.ok_or(CatalogueProblem::NotFound)
    }

    pub(crate) fn resource(&self, ordinal: Ordinal) -> Result<Resource, CatalogueProblem> {
        Ok(Resource::render(&*self.snapshot.resource(ordinal)?, &self.links)?)
    }
}
