//! The generation that answers a request.

use std::ops::Deref;
use std::sync::Arc;

use api_http::SourceError;
use api_http::blocking::Turn;
use api_http::following::Following;
use api_http::generations::Generations;
use api_http::limits::Permit;
use store_catalogue::{
    CatalogueGeneration, Condition, Effort, FacetCounts, FacetField, Faceted, Listing, Order, Selection,
};
use store_proteins::ProteinGeneration;

use super::request::query::{Query, WHERE};

/// The current catalogue generation of a folder, and the newer ones as they are published.
pub type LocalCatalogue = Following<CatalogueGeneration>;

/// The memory of a resource while an answer is made, as a multiple of its stored size. The stored
/// resource has a text and a document. There are two more copies of one of them: the written one,
/// and the one in the answer.
const COPIES: usize = 2;

/// The most work for an answer in a short turn, in units of [`Effort`].
const SHORT_WORK: u64 = 100_000_000;

/// The most work for an answer, in units of [`Effort`], to which some is added for each resource of
/// the catalogue, since several links may reach each of them.
const WORK_MAX: u64 = 1_000_000_000;
const WORK_OF_RESOURCE: u64 = 4_000;

/// Kept resources that are made from stored ones.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    /// A study with its relationship to other studies.
    WithStudies,
    /// A document of version 2 with other documents in it.
    WithEmbedded,
    /// Like [`Form::WithEmbedded`], with the members that lists show.
    ListedWithEmbedded,
}

/// A single generation, even if newer ones are published. Its answers may have to wait for the
/// disk.
#[derive(Clone)]
pub struct Snapshot {
    pub(super) data: Arc<CatalogueGeneration>,
    /// The proteins that conditions can ask for.
    pub(super) proteins: Option<Arc<ProteinGeneration>>,
    /// Cancelled when no client waits for the answer any more.
    pub(super) effort: Arc<Effort>,
}

impl Deref for Snapshot {
    type Target = CatalogueGeneration;

    fn deref(&self) -> &CatalogueGeneration {
        &self.data
    }
}

impl Snapshot {
    /// Begins the work of a request on a generation.
    pub fn new(data: Arc<CatalogueGeneration>) -> Self {
        let effort = Arc::new(Effort::new(work_max(&data)));
        Self { data, proteins: None, effort }
    }

    /// Adds the proteins that conditions can ask for.
    #[must_use]
    pub fn with_proteins(self, proteins: Option<Arc<ProteinGeneration>>) -> Self {
        Self { proteins, ..self }
    }

    /// Adds the current proteins if the query has conditions, which may ask for them.
    pub(crate) fn with_proteins_for(self, query: &Query, proteins: &Following<ProteinGeneration>) -> Self {
        let has_conditions = !query.filter(WHERE).is_empty();
        self.with_proteins(if has_conditions { proteins.current() } else { None })
    }

    /// Returns the generation.
    pub fn generation(&self) -> Arc<CatalogueGeneration> {
        Arc::clone(&self.data)
    }

    /// Returns the names of the generations that the answer depends on.
    pub(super) fn generations(&self) -> Generations {
        Generations(self.data.name(), self.proteins.as_ref().map(|proteins| proteins.name()))
    }

    pub(super) fn select(
        &self,
        resource_type: &str,
        conditions: Vec<Condition>,
        orders: Vec<Order>,
    ) -> Result<Arc<Listing>, SourceError> {
        let selection = Selection { resource_type: resource_type.to_owned(), conditions, orders };
        let listing = self.data.select_unless(&selection, &self.effort)?;
        listing.filter(|_| !self.effort.is_spent()).ok_or_else(|| self.unfinished())
    }

    /// Counts the resources of a listing of a type by a field, or returns `None` if it has too many
    /// values; see [`CatalogueGeneration::facet`].
    pub(super) fn facet(
        &self,
        resource_type: &str,
        listing: &Listing,
        field: &FacetField,
        num_texts: usize,
        num_ranges: usize,
    ) -> Result<Option<FacetCounts>, SourceError> {
        match self.data.facet(resource_type, listing, field, num_texts, num_ranges, &self.effort)? {
            Faceted::Counted(counts) => Ok(Some(counts)),
            Faceted::TooMany => Ok(None),
            Faceted::Cancelled => Err(self.unfinished()),
        }
    }

    /// Returns whether a client still waits for the answer, and work is left for it.
    pub(super) fn is_wanted(&self) -> bool {
        self.effort.may_continue()
    }

    /// Answers with the work of a turn, or returns `None` if a long turn allows more work.
    ///
    /// # Errors
    ///
    /// * The answer takes more work than is allowed.
    pub(super) fn within<T, E: From<SourceError>>(
        &self,
        turn: Turn,
        answer: impl FnOnce() -> Result<T, E>,
    ) -> Result<Option<T>, E> {
        self.effort.renew(if turn == Turn::Short { SHORT_WORK } else { work_max(&self.data) });
        let answer = answer();
        match turn {
            _ if !self.effort.is_spent() => answer.map(Some),
            Turn::Short => Ok(None),
            Turn::Long => Err(SourceError::TooMuchWork.into()),
        }
    }

    pub(super) fn unfinished(&self) -> SourceError {
        let unwanted = || SourceError::Fault("no client waits for this answer any more".into());
        if self.effort.is_spent() { SourceError::TooMuchWork } else { unwanted() }
    }

    /// Returns the position after a resource in a listing, or `None` if it is not in the listing.
    /// The resource is found by an identifier in the first of the types that has it. The listing is
    /// scanned.
    pub(super) fn position_after(
        &self,
        resource_types: &[&str],
        listing: &Listing,
        id: &str,
    ) -> Result<Option<usize>, SourceError> {
        for resource_type in resource_types {
            if let Some(ordinal) = self.data.find(resource_type, id)? {
                return Ok(listing.position(ordinal).map(|position| position + 1));
            }
        }
        Ok(None)
    }

    /// Reserves memory for resources of an answer before they are read, based on the mean size of
    /// resources.
    pub(super) fn take_memory(&self, num_resources: usize) -> Result<(), SourceError> {
        let mean_bytes = self.contents().mean_resource_bytes();
        let num_bytes = num_resources.saturating_mul(mean_bytes).saturating_mul(COPIES);
        Permit::take_memory(num_bytes).then_some(()).ok_or(SourceError::Overloaded)
    }
}

/// Returns the most work for an answer.
fn work_max(data: &CatalogueGeneration) -> u64 {
    WORK_MAX + WORK_OF_RESOURCE * u64::from(data.contents().num_resources)
}

/// Cancels the answer of a snapshot when it is dropped.
pub struct CancelOnDrop(Arc<Effort>);

impl CancelOnDrop {
    /// Guards the work on a snapshot.
    pub fn new(snapshot: &Snapshot) -> Self {
        Self(Arc::clone(&snapshot.effort))
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
