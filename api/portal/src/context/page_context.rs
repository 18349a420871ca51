//! The context of a page: the request and the generations.

use std::borrow::Cow;
use std::sync::Arc;

use api_catalogue::{CancelOnDrop, CatalogueService, Snapshot, lookup};
use api_http::access::Access;
use api_http::error::Problem;
use api_http::limits::Permit;
use api_http::readiness::{time_at, written_date};
use api_proteins::{Citation, FamilyCounts, Release};
use askama::Template;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use serde_json::Value;
use store_proteins::ProteinGeneration;

use crate::context::address::{Pairs, segment};
use crate::context::assets;
use crate::context::document::{Document, refusal};
use crate::context::layout::{Layout, Origin, PLOT};
use crate::context::problem::PortalProblem;
use crate::context::service::{PortalService, PortalServices};

/// Memory of JSON values per byte of JSON.
const BYTES_OF_VALUES: usize = 8;

/// A request with the generations of its page. Methods may block on the disk for a long time.
pub(crate) struct PageContext {
    service: Arc<PortalService>,
    pub(crate) proteins: Option<Arc<ProteinGeneration>>,
    pub(crate) catalogue: Option<Snapshot>,
    /// The prefix of all addresses of this server: scheme, host and an optional path.
    base: String,
    path: String,
    /// The query without the parameter for a file of a plot.
    query: String,
    /// The name of the requested file of a plot; may be empty.
    plot: String,
    /// The fields of a posted form.
    posted: Option<Pairs>,
    pub(crate) access: Access,
}

impl PageContext {
    pub(crate) fn new(service: &Arc<PortalService>, parts: &Parts, access: Access) -> Self {
        let proteins = service.services.proteins.current();
        let catalogue = service.services.catalogue.source().current();
        let query = parts.uri.query().unwrap_or_default();
        let plot = Pairs::parse(query).value(PLOT).to_owned();
        Self {
            query: if plot.is_empty() { query.to_owned() } else { without_plot(query) },
            plot,
            path: parts.uri.path().to_owned(),
            catalogue: catalogue.map(|data| Snapshot::new(data).with_proteins(proteins.clone())),
            proteins,
            base: service.front.base_url.link(&parts.headers, ""),
            posted: None,
            access,
            service: Arc::clone(service),
        }
    }

    pub(crate) fn with_posted(self, posted: Pairs) -> Self {
        Self { posted: Some(posted), ..self }
    }

    pub(crate) fn is_posted(&self) -> bool {
        self.posted.is_some()
    }

    /// Returns the fields of the posted form, or the parameters of the address.
    pub(crate) fn given(&self) -> Cow<'_, Pairs> {
        self.posted.as_ref().map_or_else(|| Cow::Owned(Pairs::parse(&self.query)), Cow::Borrowed)
    }

    /// Returns a guard that cancels the work when dropped.
    pub(crate) fn cancel_on_drop(&self) -> Option<CancelOnDrop> {
        self.catalogue.as_ref().map(CancelOnDrop::new)
    }

    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// Returns the prefix of all paths of this server.
    pub(crate) fn root(&self) -> &str {
        self.service.front.base_url.root()
    }

    /// Redirects to another page of the portal.
    pub(crate) fn redirect(&self, path: &str) -> Response {
        redirect(&format!("{}/portal/{path}", self.root()))
    }

    pub(crate) fn services(&self) -> &PortalServices {
        &self.service.services
    }

    /// Returns whether similar proteins can be searched for.
    pub(crate) fn finds_similar(&self) -> bool {
        self.proteins.is_some() && self.services().similarity.engine().is_ok()
    }

    /// Returns the names of the generations. Pages change with them.
    pub(crate) fn generations(&self) -> String {
        let proteins = self.proteins.as_ref().map(|data| data.name().to_string());
        let catalogue = self.catalogue.as_ref().map(|data| data.name().to_string());
        format!("{}+{}", proteins.unwrap_or_default(), catalogue.unwrap_or_default())
    }

    pub(crate) fn layout(&self, title: impl Into<String>) -> Layout {
        let finds_sequences = self.proteins.as_ref().is_some_and(|data| data.checksums().is_some());
        let finds_names = self.proteins.as_ref().is_some_and(|data| !data.sources().is_empty());
        let has_contigs = self.proteins.as_ref().is_some_and(|data| data.contigs().next().is_some());
        Layout {
            title: title.into(),
            root: self.root().to_owned(),
            base: self.base.clone(),
            assets: assets::prefix(self.root()),
            finds_names,
            finds_sequences,
            near_example: if has_contigs { "near(PF00528, PF00465, 2)" } else { "" },
            has_profiles: self.services().has_profiles,
            query: (!self.is_posted()).then(|| self.query.clone()),
            ..Layout::default()
        }
    }

    pub(crate) fn query(&self) -> &str {
        &self.query
    }

    /// Returns the name of the requested file of a plot, or an empty text.
    pub(crate) fn plot(&self) -> &str {
        &self.plot
    }

    /// Returns the address of the page.
    pub(crate) fn address(&self) -> String {
        let query = if self.query.is_empty() { String::new() } else { format!("?{}", self.query) };
        format!("{}{}{query}", self.host(), self.path)
    }

    /// Returns the scheme and host of this server.
    pub(crate) fn host(&self) -> &str {
        self.base.strip_suffix(self.root()).unwrap_or(&self.base)
    }

    /// Returns the source of the data of a plot, with its date.
    pub(crate) fn source(&self, origin: Origin) -> String {
        match origin {
            Origin::Proteins => {
                let citation = self.proteins.as_ref().and_then(|data| Citation::of(data));
                citation.map_or_else(|| "own data".to_owned(), |citation| citation.line)
            }
            Origin::Catalogue => {
                let origin = self.catalogue.as_ref().map(|data| &data.manifest().origin);
                let loaded = origin.and_then(|origin| time_at(origin.finished_unix_s)).map(written_date);
                loaded.map_or_else(
                    || "catalogue of MGnify".to_owned(),
                    |date| format!("catalogue of MGnify, loaded {date}"),
                )
            }
        }
    }

    /// Returns the trimmed value of a parameter, or an empty text.
    pub(crate) fn parameter(&self, name: &str) -> String {
        let values = form_urlencoded::parse(self.query.as_bytes()).filter(|(given, _)| given == name);
        values.map(|(_, value)| value.trim().to_owned()).find(|value| !value.is_empty()).unwrap_or_default()
    }

    pub(crate) fn proteins(&self) -> Result<&Arc<ProteinGeneration>, PortalProblem> {
        self.proteins.as_ref().ok_or_else(|| self.services().proteins.absence(api_proteins::HOW_TO_LOAD).into())
    }

    pub(crate) fn catalogue(&self) -> Result<&Snapshot, PortalProblem> {
        self.catalogue
            .as_ref()
            .ok_or_else(|| self.services().catalogue.source().absence(api_catalogue::HOW_TO_LOAD).into())
    }

    /// Returns the proteins and the names that refer to them.
    ///
    /// # Errors
    ///
    /// * No proteins are loaded.
    pub(crate) fn release(&self) -> Result<Release, PortalProblem> {
        let catalogue = self.catalogue.as_ref().map(Snapshot::generation);
        Ok(Release::served(Arc::clone(self.proteins()?), catalogue, &self.services().families))
    }

    /// Returns the number of proteins of each family.
    ///
    /// # Errors
    ///
    /// * No proteins are loaded, or they cannot be read.
    pub(crate) fn family_counts(&self) -> Result<FamilyCounts, PortalProblem> {
        Ok(self.services().families.of(self.proteins()?)?)
    }

    /// Requests a document from the catalogue, like a client. The query may begin with a question
    /// mark.
    ///
    /// # Errors
    ///
    /// * No catalogue is loaded, or the catalogue rejects the request.
    pub(crate) fn document(&self, path: &str, query: &str) -> Result<Document, PortalProblem> {
        let (status, json) = self.services().catalogue.document(self.catalogue()?, path, query.trim_start_matches('?'));
        Document::read(status, &json)
    }

    /// Requests an object of version 2 from the catalogue, like a client. Returns `None` for 404.
    ///
    /// # Errors
    ///
    /// * No catalogue is loaded, or the catalogue rejects the request.
    /// * Too little memory is left by concurrent answers.
    pub(crate) fn document_v2(&self, path: &str) -> Result<Option<Value>, PortalProblem> {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let (status, json) = CatalogueService::document_v2(self.catalogue()?, path, query);
        match status {
            StatusCode::OK if !Permit::take_memory(json.len() * BYTES_OF_VALUES) => Err(Problem::Overloaded.into()),
            StatusCode::OK => Ok(Some(serde_json::from_slice(&json)?)),
            StatusCode::NOT_FOUND => Ok(None),
            _ => Err(refusal(status, &json)),
        }
    }

    /// Returns the address of the page of a resource, if it is loaded.
    pub(crate) fn page_of(&self, collection: &str, id: &str) -> Result<Option<String>, PortalProblem> {
        let Some(catalogue) = self.catalogue.as_ref() else { return Ok(None) };
        let Some(known) = lookup::at_path(collection, catalogue.contents()) else { return Ok(None) };
        let is_loaded = catalogue.find(&known.resource_type, id)?.is_some();
        Ok(is_loaded.then(|| format!("{}/portal/{collection}/{}", self.root(), segment(id))))
    }

    /// Returns whether any sample that matches a query has coordinates. The query may begin with a
    /// question mark.
    ///
    /// # Errors
    ///
    /// * The catalogue cannot be read.
    pub(crate) fn has_places(&self, query: &str) -> Result<bool, PortalProblem> {
        let Some(catalogue) = self.catalogue.as_ref() else { return Ok(false) };
        Ok(self.services().catalogue.has_places(catalogue, query.trim_start_matches('?'))?)
    }
}

fn without_plot(query: &str) -> String {
    Pairs::parse(query).without(&[PLOT]).to_query().trim_start_matches('?').to_owned()
}

pub(crate) fn render(page: &impl Template) -> Result<Response, PortalProblem> {
    Ok(Html(page.render().map_err(Problem::fault)?).into_response())
}

/// Redirects to an address.
pub(crate) fn redirect(location: &str) -> Response {
    match HeaderValue::try_from(location) {
        Ok(location) => (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response(),
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}
