//! Fetching schemas given by URL: once, from configured hosts, and never from private addresses.

mod public_address;
mod resolver;

use std::error::Error;
use std::iter;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};

use resolver::PublicResolver;

/// The time for a schema, from the DNS lookup to the last byte.
const FETCH_TIMEOUT: Duration = Duration::from_secs(3);

const NOT_ACCEPTED: &str = "This server does not accept schemas from this address.";

/// The cause is only logged.
const NOT_FETCHED: &str = "The schema could not be fetched.";

/// A host that schemas may be fetched from: `[https://|http://]host[:port]`. The default scheme is
/// `https`, the default port that of the scheme.
///
/// A host that is an address is used without a check. A host name must only have public addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaHost {
    root: Url,
}

impl FromStr for SchemaHost {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let with_scheme = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
        let wrong = || format!("{text:?} is not of the form [https://|http://]host[:port]");
        let root = Url::parse(&with_scheme).map_err(|_| wrong())?;
        let is_root = root.path() == "/" && root.query().is_none() && root.fragment().is_none();
        if is_root && is_web(&root) { Ok(Self { root }) } else { Err(wrong()) }
    }
}

/// Fetches schemas.
pub struct SchemaSource {
    hosts: Vec<SchemaHost>,
    /// `None` if there are no hosts.
    client: Option<Client>,
    timeout: Duration,
}

impl SchemaSource {
    /// Fetches from these hosts.
    ///
    /// # Errors
    ///
    /// * The TLS client cannot be set up: the system has no root certificates, for example.
    pub fn new(hosts: Vec<SchemaHost>) -> Result<Self, String> {
        Self::with_timeout(hosts, FETCH_TIMEOUT)
    }

    /// Fetches from these hosts, with a time limit for each schema.
    pub fn with_timeout(hosts: Vec<SchemaHost>, timeout: Duration) -> Result<Self, String> {
        let client = if hosts.is_empty() { None } else { Some(client(timeout)?) };
        Ok(Self { hosts, client, timeout })
    }

    /// Fetches a schema of at most `bytes_max` bytes. The error is a sentence for the client.
    pub(crate) async fn fetch(&self, url: &str, bytes_max: usize) -> Result<String, String> {
        let Some(client) = &self.client else {
            return Err("This server does not accept schemas by URL: send the schema itself.".to_owned());
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
        // The client's own timeout may start again with the body.
        match tokio::time::timeout(self.timeout, fetched).await {
            Ok(schema) => schema,
            Err(_) => Err(self.too_slow()),
        }
    }

    /// Parses the URL, and checks that it belongs to one of the hosts.
    fn accepted(&self, text: &str) -> Result<Url, String> {
        let url = Url::parse(text).map_err(|_| "The URL of the schema is malformed.".to_owned())?;
        if !is_web(&url) {
            return Err(NOT_ACCEPTED.to_owned());
        }
        // Official URLs of schemas end in an empty fragment. Any other fragment names a part, but
        // the whole would be fetched.
        if url.fragment().is_some_and(|fragment| !fragment.is_empty()) {
            return Err("The URL of the schema must not have a fragment.".to_owned());
        }
        let origin = url.origin();
        if self.hosts.iter().all(|host| host.root.origin() != origin) {
            return Err(NOT_ACCEPTED.to_owned());
        }
        Ok(url)
    }

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

    /// Returns the message for the client, and logs the cause with only the host of the URL: the
    /// rest may be secret.
    fn not_fetched(&self, error: reqwest::Error) -> String {
        let (host, error) = loggable(error);
        tracing::info!(host, error = with_causes(&error), "a schema was not fetched");
        if error.is_timeout() { self.too_slow() } else { NOT_FETCHED.to_owned() }
    }

    fn too_slow(&self) -> String {
        format!("The schema did not arrive within {} seconds.", self.timeout.as_secs())
    }
}

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

fn loggable(error: reqwest::Error) -> (String, reqwest::Error) {
    let host = error.url().and_then(Url::host_str).unwrap_or_default().to_owned();
    (host, error.without_url())
}

/// Returns the text of an error and of its causes.
fn with_causes(error: &dyn Error) -> String {
    let causes = iter::successors(error.source(), |&cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

/// Returns whether a URL is an HTTP URL without credentials.
fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "https" | "http") && url.has_host() && url.username().is_empty() && url.password().is_none()
}

#[cfg(test)]
mod tests;
