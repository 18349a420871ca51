//! A request to the portal, with the generations that its page is made from.

use std::borrow::Cow;
use std::sync::Arc;

use askama::Template;
use axum::http::request::Parts;
use axum::response::{Html, IntoResponse, Response};
use store::ProteinGeneration;

use super::PortalService;
use super::document::Document;
use super::layout::Layout;
use super::problem::PortalProblem;
use crate::catalogue::{self, CancelOnDrop, Snapshot};
use crate::http::access::Access;
use crate::proteins::Release;
use crate::proteins::shared::family_counts::FamilyCounts;
use crate::{Services, proteins};

/// One request: all of its page is of one generation of each kind. Its methods may take long, and wait for the disk.
pub(super) struct Visit {
    service: Arc<PortalService>,
    pub(super) proteins: Option<Arc<ProteinGeneration>>,
    pub(super) catalogue: Option<Snapshot>,
    /// The prefix of all addresses of this server: scheme, host, and perhaps a path.
    base: String,
    query: String,
    pub(super) access: Access,
}

impl Visit {
    pub(super) fn new(service: &Arc<PortalService>, parts: &Parts, access: Access) -> Self {
        Self {
            proteins: service.services.proteins.current(),
            catalogue: service.services.catalogue.current().map(Snapshot::new),
            base: service.front.base_url.link(&parts.headers, ""),
            query: parts.uri.query().unwrap_or_default().to_owned(),
            access,
            service: Arc::clone(service),
        }
    }

    /// Returns a guard that ends the work when it is dropped.
    pub(super) fn cancel_on_drop(&self) -> Option<CancelOnDrop> {
        self.catalogue.as_ref().map(CancelOnDrop::new)
    }

    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// Returns the prefix of all paths of this server.
    pub(super) fn root(&self) -> &str {
        self.service.front.base_url.root()
    }

    pub(super) fn services(&self) -> &Services {
        &self.service.services
    }

    /// Returns the names of the generations, which change with the pages.
    pub(super) fn generations(&self) -> String {
        let proteins = self.proteins.as_ref().map(|data| data.name().to_string());
        let catalogue = self.catalogue.as_ref().map(|data| data.name().to_string());
        format!("{}+{}", proteins.unwrap_or_default(), catalogue.unwrap_or_default())
    }

    pub(super) fn layout(&self, title: impl Into<String>) -> Layout {
        let finds_sequences = self.proteins.as_ref().is_some_and(|data| data.checksums().is_some());
        let finds_names = self.proteins.as_ref().is_some_and(|data| !data.sources().is_empty());
        Layout { finds_names, finds_sequences, ..Layout::new(title.into(), self.root()) }
    }

    pub(super) fn query(&self) -> &str {
        &self.query
    }

    pub(super) fn parameters(&self) -> impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)> {
        form_urlencoded::parse(self.query.as_bytes()).filter(|(_, value)| !value.trim().is_empty())
    }

    /// Returns the value of a parameter, without white space around it; empty if it is missing.
    pub(super) fn parameter(&self, name: &str) -> String {
        let found = self.parameters().find(|(given, _)| given == name);
        found.map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
    }

    pub(super) fn proteins(&self) -> Result<&Arc<ProteinGeneration>, PortalProblem> {
        self.proteins.as_ref().ok_or_else(|| proteins::absence(&self.services().proteins).into())
    }

    pub(super) fn catalogue(&self) -> Result<&Snapshot, PortalProblem> {
        self.catalogue.as_ref().ok_or_else(|| catalogue::absence(&self.services().catalogue).into())
    }

    /// Returns the proteins, with what names things in them.
    ///
    /// # Errors
    ///
    /// * No proteins are loaded.
    pub(super) fn release(&self) -> Result<Release, PortalProblem> {
        let catalogue = self.catalogue.as_ref().map(Snapshot::generation);
        Ok(Release::served(Arc::clone(self.proteins()?), catalogue, &self.service.families))
    }

    /// Returns the numbers of proteins of all families.
    ///
    /// # Errors
    ///
    /// * No proteins are loaded, or they cannot be read.
    pub(super) fn family_counts(&self) -> Result<FamilyCounts, PortalProblem> {
        Ok(self.service.families.of(self.proteins()?)?)
    }

    /// Asks the catalogue for a document, as a client would.
    ///
    /// # Errors
    ///
    /// * No catalogue is loaded, or the catalogue refuses the request.
    pub(super) fn document(&self, path: &str, query: &str) -> Result<Document, PortalProblem> {
        let (status, json) = self.service.catalogue.document(self.catalogue()?, path, query);
        Document::read(status, &json)
    }

    /// Asks the catalogue for the places of samples.
    ///
    /// # Errors
    ///
    /// * No catalogue is loaded.
    pub(super) fn places(&self) -> Result<Response, PortalProblem> {
        Ok(self.service.catalogue.places(self.catalogue()?, &self.query))
    }
}

pub(super) fn page(page: &impl Template) -> Result<Response, PortalProblem> {
    Ok(Html(page.render()?).into_response())
}
