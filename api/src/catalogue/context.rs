//! What all answers are made from.

use std::sync::Arc;

use store::Ordinal;

use super::collection::Collection;
use super::document;
use super::fields::SparseFields;
use super::include::{self, Include};
use super::linked::LinkedResource;
use super::links::{OwnedLinkStyle, PageLinks};
use super::negotiation::Format;
use super::problem::CatalogueProblem;
use super::query::Query;
use super::source::CatalogueSnapshot;
use super::table::Formulas;
use crate::blocking::blocking;

/// A request that is understood, and the state of the data that it is answered from.
pub(super) struct Context {
    /// The data.
    pub(super) snapshot: Arc<dyn CatalogueSnapshot>,
    /// The parameters.
    pub(super) query: Query,
    /// The format of the answer.
    pub(super) format: Format,
    /// Whether path or query name the format, rather than what the client accepts.
    pub(super) is_format_named: bool,
    /// How links are written.
    pub(super) links: OwnedLinkStyle,
    /// The path below the prefix as requested, without a slash at its end.
    pub(super) path: String,
}

impl Context {
    /// Returns the links to pages of the list that is asked for.
    pub(super) fn page_links(&self) -> PageLinks {
        PageLinks::new(&self.links.prefix, &self.path, &self.query)
    }

    /// Returns the fields that are asked for.
    pub(super) fn fields(&self) -> SparseFields {
        SparseFields::parse(&self.query)
    }

    /// Returns what becomes of texts in a table that look like formulas: they are disarmed with `safe=1`.
    pub(super) fn formulas(&self) -> Formulas {
        if self.query.last("safe") == Some("1") { Formulas::Disarmed } else { Formulas::Kept }
    }

    /// Refuses a stream of what there is in JSON only.
    ///
    /// # Errors
    ///
    /// * A stream is asked for: by name there is no such thing, else nothing that the client accepts.
    pub(super) fn only_json(&self) -> Result<(), CatalogueProblem> {
        match (self.format.is_stream(), self.is_format_named) {
            (false, _) => Ok(()),
            (true, true) => Err(CatalogueProblem::NotFound),
            (true, false) => Err(CatalogueProblem::NotAcceptable),
        }
    }

    /// Finds a resource by any of its identifiers.
    ///
    /// # Errors
    ///
    /// * There is none.
    /// * The engine fails.
    pub(super) async fn find(&self, collection: &Collection, id: &str) -> Result<Ordinal, CatalogueProblem> {
        let found = self.snapshot.find(&collection.resource_type, id).await?;
        found.ok_or(CatalogueProblem::NotFound)
    }

    /// Returns a resource in JSON, with the links of this answer.
    ///
    /// # Errors
    ///
    /// * The engine fails.
    pub(super) async fn rendered(&self, ordinal: Ordinal) -> Result<Vec<u8>, CatalogueProblem> {
        let bodies = self.snapshot.resources(vec![ordinal]).await?;
        let body = bodies.first().ok_or(CatalogueProblem::NotFound)?;
        Ok(document::rendered(body, self.links.style()))
    }

    /// Adds to rendered resources what the request includes, leaves away the fields that it does not ask for, and returns the insides
    /// of the lists of resources and of included ones.
    ///
    /// # Errors
    ///
    /// * Too much is to be included, or the engine fails.
    pub(super) async fn complete(
        &self,
        collection: &Collection,
        include: &Include,
        rendered: Vec<Vec<u8>>,
    ) -> Result<(Vec<u8>, Option<Vec<u8>>), CatalogueProblem> {
        let (mut data, mut included) = (rendered, None);
        if !include.is_empty() {
            let snapshot = self.snapshot.as_ref();
            let gathered = include::gather(include, collection, data, &self.links, snapshot).await?;
            (data, included) = (gathered.data, Some(gathered.included));
        }
        let fields = self.fields();
        let join = move || {
            let data = reduced_and_joined(&fields, data)?;
            let included = included.map(|included| reduced_and_joined(&fields, included)).transpose()?;
            Ok((data, included))
        };
        blocking(join).await
    }
}

/// Leaves away the fields of resources that are not asked for, and returns the inside of the list of them.
fn reduced_and_joined(fields: &SparseFields, mut resources: Vec<Vec<u8>>) -> Result<Vec<u8>, CatalogueProblem> {
    if !fields.is_all() {
        for resource in &mut resources {
            let resource_type = LinkedResource::parse(resource)?.resource_type;
            *resource = fields.apply(&resource_type, resource)?;
        }
    }
    Ok(document::join(&resources))
}
