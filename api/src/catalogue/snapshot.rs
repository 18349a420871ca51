//! The generation that a request is answered from.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use store::{
    CatalogueGeneration, Condition, FacetCounts, FacetField, Faceted, Listing, Order, ProteinGeneration, Selection,
};

use super::request::query::{Query, WHERE};
use crate::SourceError;
use crate::following::Following;
use crate::generations::Generations;
use crate::http::limits::Permit;

/// The current catalogue generation of a folder, and the newer ones as they are published.
pub type LocalCatalogue = Following<CatalogueGeneration>;

/// The copies of a stored resource in memory while an answer is made of it: as it was stored and, of its text or its document, as it is written
/// and in the answer.
const COPIES: usize = 2;

/// The forms of resources that are made of stored ones and kept.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    /// A study with its relationship to other studies.
    WithStudies,
    /// A document of version 2 with other documents in it.
    WithEmbedded,
    /// The same, of what lists show of it.
    ListedWithEmbedded,
}

/// One generation, whatever is published meanwhile. Its answers may have to wait for the disk.
#[derive(Clone)]
pub(crate) struct Snapshot {
    pub(super) data: Arc<CatalogueGeneration>,
    /// The proteins that conditions can ask for.
    pub(super) proteins: Option<Arc<ProteinGeneration>>,
    /// Set when nobody waits for the answer any more.
    pub(super) is_cancelled: Arc<AtomicBool>,
}

impl Deref for Snapshot {
    type Target = CatalogueGeneration;

    fn deref(&self) -> &CatalogueGeneration {
        &self.data
    }
}

impl Snapshot {
    pub(crate) fn new(data: Arc<CatalogueGeneration>) -> Self {
        Self { data, proteins: None, is_cancelled: Arc::default() }
    }

    /// Lets the conditions of a query ask for proteins, if it has any.
    pub(crate) fn with_proteins(self, proteins: &Following<ProteinGeneration>, query: &Query) -> Self {
        let has_conditions = !query.filter(WHERE).is_empty();
        Self { proteins: if has_conditions { proteins.current() } else { None }, ..self }
    }

    pub(crate) fn generation(&self) -> Arc<CatalogueGeneration> {
        Arc::clone(&self.data)
    }

    /// Returns the names of the generations that an answer is made from.
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
        let listing = self.data.select_unless(&selection, &self.is_cancelled)?;
        listing.ok_or_else(unwanted)
    }

    /// Counts the resources of a listing of a type by a field, or returns `None` if it has too many values; see
    /// [`CatalogueGeneration::facet`].
    pub(super) fn facet(
        &self,
        of: (&str, &Listing),
        field: &FacetField,
        sizes: (usize, usize),
    ) -> Result<Option<FacetCounts>, SourceError> {
        match self.data.facet(of, field, sizes, &self.is_cancelled)? {
            Faceted::Counted(counts) => Ok(Some(counts)),
            Faceted::TooMany => Ok(None),
            Faceted::Cancelled => Err(unwanted()),
        }
    }

    /// Returns the condition that a resource of a type satisfies any of some conditions, which are evaluated as they are made.
    pub(super) fn any_of<E: From<store::Error>>(
        &self,
        resource_type: &str,
        conditions: impl Iterator<Item = Result<Condition, E>>,
    ) -> Result<Condition, E> {
        self.data.collect(resource_type, conditions, &self.is_cancelled)
    }

    /// Returns whether somebody still waits for the answer.
    pub(super) fn is_wanted(&self) -> bool {
        !self.is_cancelled.load(Ordering::Relaxed)
    }

    /// Returns the position in a listing behind the resource that an identifier finds in the first of these types that has it, or `None` if it is
    /// not in the listing, which is looked through.
    pub(super) fn position_behind(
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

    /// Takes memory for resources of an answer before they are read, as much as resources have on average.
    pub(super) fn take_memory(&self, num_resources: usize) -> Result<(), SourceError> {
        let mean_bytes = self.contents().mean_resource_bytes();
        let num_bytes = num_resources.saturating_mul(mean_bytes).saturating_mul(COPIES);
        Permit::take_memory(num_bytes).then_some(()).ok_or(SourceError::Overloaded)
    }
}

fn unwanted() -> SourceError {
    SourceError::Fault("nobody waits for this answer any more".into())
}

/// Cancels the answer of a snapshot when it is dropped.
pub(crate) struct CancelOnDrop(Arc<AtomicBool>);

impl CancelOnDrop {
    pub(crate) fn new(snapshot: &Snapshot) -> Self {
        Self(Arc::clone(&snapshot.is_cancelled))
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
