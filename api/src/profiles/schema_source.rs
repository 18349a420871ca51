//! Schemas that are given by URL: fetched once, from hosts that the configuration names, and from no private address.

mod public_address;
mod resolver;

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};

use resolver::PublicResolver;

/// How long a schema may take, from looking up the host's name to the last byte.
const FETCH_TIMEOUT: Duration = Duration::from_secs(3);

/// Where URLs of schemas may lead.
const NOT_ACCEPTED: &str = "Schemas from this address are not accepted here.";

/// What is told of a fault whose cause is nobody's business but the administrator's.
const NOT_FETCHED: &str = "The schema could not be fetched.";

/// A host that schemas may come from: `[https://|http://]host[:port]`. Without a scheme it is `https`, without a port the scheme's own.
///
/// A host that is given by its address is used as it is: whoever names it knows where it leads. One that is given by its name must have
/// public addresses only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaHost {
    /// The root of the host.
    root: Url,
}

impl FromStr for SchemaHost {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let with_scheme = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
        let wrong = || format!("{text:?} is not of the form [https://|http://]host[:port]");
        let root = Url::parse(&with_scheme).map_err(|_| wrong())?;
        let is_root = root.path() == "/" && root.query().is_none() && root.fragment().is_none();
        if is_root && is_web(&root) && has_no_credentials(&root) { Ok(Self { root }) } else { Err(wrong()) }
    }
}

/// Fetches schemas.
pub struct SchemaSource {
    /// Where from.
    hosts: Vec<SchemaHost>,
    /// What asks; nothing without hosts.
    client: Option<Client>,
    /// How long a schema may take.
    timeout: Duration,
}

impl SchemaSource {
    /// Fetches from these hosts only.
    ///
    /// # Errors
    ///
    /// * The system has no roots of trust, or the like.
    pub fn new(hosts: Vec<SchemaHost>) -> Result<Self, String> {
        Self::with_timeout(hosts, FETCH_TIMEOUT)
    }

    /// Fetches from these hosts only, and gives each schema so much time.
    ///
    /// # Errors
    ///
    /// * See [`SchemaSource::new`].
    pub fn with_timeout(hosts: Vec<SchemaHost>, timeout: Duration) -> Result<Self, String> {
        let client = if hosts.is_empty() { None } else { Some(client(timeout)?) };
        Ok(Self { hosts, client, timeout })
    }

    /// Fetches a schema of so many bytes at most. The error is a sentence for the client.
    pub(crate) async fn fetch(&self, url: &str, bytes_max: usize) -> Result<String, String> {
        let Some(client) = &self.client else {
            return Err("Schemas are not accepted by URL here: give the schema itself.".to_owned());
        };
        let url = self.accepted(url)?;
        let fetched = async {
            let response = client.get(url).send().await.map_err(|error| self.not_fetched(error))?;
            if response.status() != StatusCode::OK {
                return Err(format!("The schema's server answered with status {}.", response.status().as_u16()));
            }
            let body = self.read(response, bytes_max).await?;
            String::from_utf8(body).map_err(|_| "The schema is not encoded in UTF-8.".to_owned())
        };
        // The client has a timeout of its own, but that of a body may begin anew.
        match tokio::time::timeout(self.timeout, fetched).await {
            Ok(schema) => schema,
            Err(_) => Err(self.too_slow()),
        }
    }

    /// Reads a URL that leads to one of the hosts.
    fn accepted(&self, text: &str) -> Result<Url, String> {
        let url = Url::parse(text).map_err(|_| "The URL of the schema is malformed.".to_owned())?;
        if !is_web(&url) || !has_no_credentials(&url) {
            return Err(NOT_ACCEPTED.to_owned());
        }
        // An empty fragment is what official URLs of schemas end in; any other names a part, which would be fetched as the whole.
        if url.fragment().is_some_and(|fragment| !fragment.is_empty()) {
            return Err("The URL of the schema must not have a fragment.".to_owned());
        }
        // An origin is scheme, host and port, in their one form.
        let origin = url.origin();
        if self.hosts.iter().all(|host| host.root.origin() != origin) {
            return Err(NOT_ACCEPTED.to_owned());
        }
        Ok(url)
    }

    /// Reads a body piece by piece, and stops when it is too long.
    async fn read(&self, mut response: Response, bytes_max: usize) -> Result<Vec<u8>, String> {
        let mut body = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(|error| self.not_fetched(error))? {
            if body.len() + piece.len() > bytes_max {
                return Err(format!("The schema has more than {bytes_max} bytes."));
            }
            body.extend_from_slice(&piece);
        }
        Ok(body)
    }

    /// Returns what the client is told of a fault; the log says more, but of the address no more than the host: the rest may be secret.
    fn not_fetched(&self, error: reqwest::Error) -> String {
        let (host, error) = loggable(error);
        tracing::info!(host, ?error, "a schema was not fetched");
        if error.is_timeout() { self.too_slow() } else { NOT_FETCHED.to_owned() }
    }

    /// Returns what is told of a host that takes its time.
    fn too_slow(&self) -> String {
        format!("The schema did not arrive within {} seconds.", self.timeout.as_secs())
    }
}

/// Returns what asks for schemas: nothing but what it is told to, and nobody but the host itself.
fn client(timeout: Duration) -> Result<Client, String> {
    Client::builder()
        .user_agent(concat!("mgdex/", env!("CARGO_PKG_VERSION")))
        .redirect(Policy::none())
        .no_proxy()
        .referer(false)
        .timeout(timeout)
        .pool_max_idle_per_host(0)
        .dns_resolver(Arc::new(PublicResolver))
        .build()
        .map_err(|error| format!("schemas cannot be fetched: {error}"))
}

/// Takes the address from a fault, but for its host.
fn loggable(error: reqwest::Error) -> (String, reqwest::Error) {
    let host = error.url().and_then(Url::host_str).unwrap_or_default().to_owned();
    (host, error.without_url())
}

/// Tells whether a URL is one of the web, with a host.
fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "https" | "http") && url.has_host()
}

/// Tells whether a URL has neither user name nor password.
fn has_no_credentials(url: &Url) -> bool {
    url.username().is_empty() && url.password().is_none()
}

#[cfg(test)]
mod tests;
