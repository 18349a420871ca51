//! A request to the portal, with the generations that its page is made from.

use std::borrow::Cow;
use std::sync::Arc;

use askama::Template;
use axum::http::request::Parts;
use axum::response::{Html, IntoResponse, Response};
use store::{CatalogueGeneration, ProteinGeneration};

use super::PortalService;
use super::common_families::FamilyCounts;
use super::document::Document;
use super::layout::Layout;
use super::problem::PortalProblem;
use crate::Services;
use crate::access::Access;
use crate::blocking::blocking;
use crate::{catalogue, proteins};

/// One request: all of its page is of one generation of each kind.
pub(super) struct Visit<'a> {
    service: &'a PortalService,
    proteins: Option<Arc<ProteinGeneration>>,
    catalogue: Option<Arc<CatalogueGeneration>>,
    /// What addresses of this server begin with: scheme, host, and perhaps a path.
    base: String,
    query: &'a str,
    access: Access,
}

impl<'a> Visit<'a> {
    pub(super) fn new(service: &'a PortalService, parts: &'a Parts, access: Access) -> Self {
        Self {
            service,
            proteins: service.services.proteins.generation(),
            catalogue: service.services.catalogue.current(),
            base: service.base_url.link(&parts.headers, ""),
            query: parts.uri.query().unwrap_or_default(),
            access,
        }
    }

    pub(super) fn access(&self) -> Access {
        self.access
    }

    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// Returns what paths of this server begin with.
    pub(super) fn root(&self) -> &str {
        self.service.base_url.root()
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
        Layout::new(title.into(), self.root())
    }

    /// Returns the query part of the address, encoded.
    pub(super) fn query(&self) -> &str {
        self.query
    }

    /// Returns the parameters that are not empty.
    pub(super) fn parameters(&self) -> impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)> {
        form_urlencoded::parse(self.query.as_bytes()).filter(|(_, value)| !value.trim().is_empty())
    }

    /// Returns the value of a parameter, without white space around it; nothing if it is not there.
    pub(super) fn parameter(&self, name: &str) -> String {
        let found = self.parameters().find(|(given, _)| given == name);
        found.map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
    }

    pub(super) fn loaded_proteins(&self) -> Option<&Arc<ProteinGeneration>> {
        self.proteins.as_ref()
    }

    pub(super) fn loaded_catalogue(&self) -> Option<&Arc<CatalogueGeneration>> {
        self.catalogue.as_ref()
    }

    pub(super) fn proteins(&self) -> Result<&Arc<ProteinGeneration>, PortalProblem> {
        self.proteins.as_ref().ok_or_else(|| proteins::absence(&*self.services().proteins).into())
    }

    pub(super) fn catalogue(&self) -> Result<&Arc<CatalogueGeneration>, PortalProblem> {
        self.catalogue.as_ref().ok_or_else(|| catalogue::absence(&self.services().catalogue).into())
    }

    /// Reads from the proteins, on a thread that may wait for the disk.
    ///
    /// # Errors
    ///
    /// * No proteins are loaded, or whatever the work fails with.
    pub(super) async fn read_proteins<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Arc<ProteinGeneration>) -> Result<T, PortalProblem> + Send + 'static,
    ) -> Result<T, PortalProblem> {
        let data = Arc::clone(self.proteins()?);
        let span = self.access.span();
        blocking(move || span.in_scope(|| read(&data))).await
    }

    /// Returns the numbers of proteins of all families.
    ///
    /// # Errors
    ///
    /// * No proteins are loaded, or they cannot be read.
    pub(super) async fn family_counts(&self) -> Result<FamilyCounts, PortalProblem> {
        let families = Arc::clone(&self.service.families);
        self.read_proteins(move |data| Ok(families.of(data)?)).await
    }

    /// Asks the catalogue for a document, as a client would.
    ///
    /// # Errors
    ///
    /// * No catalogue is loaded, or the catalogue refuses the request.
    pub(super) async fn document(&self, path: &str, query: &str) -> Result<Document, PortalProblem> {
        let (status, json) = self.service.catalogue.document(self.catalogue()?, path, query, self.access).await;
        Document::read(status, &json)
    }

    /// Asks the catalogue for the places of samples.
    ///
    /// # Errors
    ///
    /// * No catalogue is loaded.
    pub(super) async fn places(&self) -> Result<Response, PortalProblem> {
        Ok(self.service.catalogue.places(self.catalogue()?, self.query, self.access).await)
    }
}

/// Answers with a page.
pub(super) fn page(page: &impl Template) -> Result<Response, PortalProblem> {
    Ok(Html(page.render()?).into_response())
}
