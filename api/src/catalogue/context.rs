//! A request that is understood, with the data that answer it.

use store::{LinkStyle, Ordinal};

use super::collection::Collection;
use super::fields::SparseFields;
use super::links::PageAddresses;
use super::negotiation::Format;
use super::problem::CatalogueProblem;
use super::query::Query;
use super::resource::Resource;
use super::snapshot::Snapshot;
use super::table::Formulas;

pub(super) struct Context {
    pub(super) snapshot: Snapshot,
    pub(super) query: Query,
    pub(super) format: Format,
    /// Whether path or query name the format, rather than the `Accept` header.
    pub(super) is_format_named: bool,
    pub(super) links: LinkStyle,
    /// The path below the prefix as requested, without a slash at its end.
    pub(super) path: String,
    /// The parameters that change nothing, which the answer names.
    pub(super) ignored: Vec<String>,
}

impl Context {
    pub(super) fn page_links(&self) -> PageAddresses {
        PageAddresses::new(self.links.prefix(), &self.path, &self.query)
    }

    pub(super) fn fields(&self) -> SparseFields {
        SparseFields::parse(&self.query)
    }

    /// Returns how cells of a table are written that look like formulas: disarmed with `safe=1`.
    pub(super) fn formulas(&self) -> Formulas {
        if self.query.last("safe") == Some("1") { Formulas::Disarmed } else { Formulas::Kept }
    }

    /// Refuses a stream of what can be given in JSON only: 404 if a name asks for it, 406 if the client accepts nothing else.
    pub(super) fn only_json(&self) -> Result<(), CatalogueProblem> {
        match (self.format.is_stream(), self.is_format_named) {
            (false, _) => Ok(()),
            (true, true) => Err(CatalogueProblem::NotFound),
            (true, false) => Err(CatalogueProblem::NotAcceptable),
        }
    }

    /// Finds a resource by any of its identifiers; a missing one is 404.
    pub(super) fn find(&self, collection: &Collection, id: &str) -> Result<Ordinal, CatalogueProblem> {
        self.snapshot.find(&collection.resource_type, id)?.ok_or(CatalogueProblem::NotFound)
    }

    pub(super) fn resource(&self, ordinal: Ordinal) -> Result<Resource, CatalogueProblem> {
        Ok(Resource::render(&*self.snapshot.resource(ordinal)?, &self.links)?)
    }
}
