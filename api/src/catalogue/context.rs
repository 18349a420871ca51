//! A request that is understood, with the data that answer it.

use store::{Listing, Ordinal};

use super::collection::Collection;
use super::fields::SparseFields;
use super::links::{OwnedLinkStyle, PageLinks};
use super::negotiation::Format;
use super::problem::CatalogueProblem;
use super::query::Query;
use super::resource::Resource;
use super::snapshot::Snapshot;
use super::table::Formulas;

/// A request that is understood, with the data that answer it.
pub(super) struct Context {
    pub(super) snapshot: Snapshot,
    pub(super) query: Query,
    pub(super) format: Format,
    /// Whether path or query name the format, rather than the `Accept` header.
    pub(super) is_format_named: bool,
    pub(super) links: OwnedLinkStyle,
    /// The path below the prefix as requested, without a slash at its end.
    pub(super) path: String,
}

impl Context {
    pub(super) fn page_links(&self) -> PageLinks {
        PageLinks::new(&self.links.prefix, &self.path, &self.query)
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
        self.resources(&[ordinal])?.pop().ok_or(CatalogueProblem::NotFound)
    }

    pub(super) fn resources(&self, ordinals: &[Ordinal]) -> Result<Vec<Resource>, CatalogueProblem> {
        Ok(self.snapshot.resources(ordinals, self.links.style())?)
    }

    pub(super) fn all_resources(&self, listing: &Listing) -> Result<Vec<Resource>, CatalogueProblem> {
        self.resources(&listing.ordinals(0..listing.len()))
    }
}
