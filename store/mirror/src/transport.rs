//! Requests to stores over HTTP: the memory of an answer is bounded, and redirects are not
//! followed.

use std::time::Duration;

use async_trait::async_trait;
use http_body_util::Limited;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody, HttpService,
};
use object_store::{ClientConfigKey, ClientOptions};
use reqwest::Client;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::redirect::Policy;

/// The longest answer that reports an error.
const ERROR_BYTES_MAX: usize = 1 << 20;

/// The longest answer that the library collects, such as a page of a list.
const COLLECTED_BYTES_MAX: usize = 16 << 20;

/// Marks requests whose answer is read in pieces by a caller that limits its length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted;

/// Connects to stores. Redirects are not followed, the length of bodies is limited whatever their
/// headers say, and URLs have no password.
#[derive(Debug, Default)]
pub(crate) struct Connector {
    pub(crate) authorization: Option<HeaderValue>,
}

#[derive(Debug)]
struct Bounded(Client);

impl HttpConnector for Connector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let setting = |key| options.get_config_value(&key);
        let duration = |key| humantime::parse_duration(&setting(key)?).ok();
        let mut client = Client::builder()
            .user_agent(concat!("mgdex/", env!("CARGO_PKG_VERSION")))
            .https_only(setting(ClientConfigKey::AllowHttp).is_none_or(|allowed| allowed != "true"))
            .connect_timeout(duration(ClientConfigKey::ConnectTimeout).unwrap_or(Duration::from_secs(5)))
            .redirect(Policy::none());
        if let Some(silence) = duration(ClientConfigKey::ReadTimeout) {
            client = client.read_timeout(silence);
        }
        if let Some(authorization) = &self.authorization {
            client = client.default_headers(HeaderMap::from_iter([(AUTHORIZATION, authorization.clone())]));
            // A proxy would get the password.
            if setting(ClientConfigKey::AllowHttp).is_some_and(|allowed| allowed == "true") {
                client = client.no_proxy();
            }
        }
        let failed = |error| object_store::Error::Generic { store: "HTTP client", source: Box::new(error) };
        Ok(HttpClient::new(Bounded(client.build().map_err(failed)?)))
    }
}

#[async_trait]
impl HttpService for Bounded {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let is_counted = request.extensions().get::<Counted>().is_some();
        let (head, body) = self.0.call(request).await?.into_parts();
        let bytes_max = match head.status.is_success() {
            true if is_counted => return Ok(HttpResponse::from_parts(head, body)),
            true => COLLECTED_BYTES_MAX,
            false => ERROR_BYTES_MAX,
        };
        let body = Limited::new(body, bytes_max);
        let body = http_body_util::BodyExt::map_err(body, |error| HttpError::new_boxed(HttpErrorKind::Decode, error));
        Ok(HttpResponse::from_parts(head, HttpResponseBody::new(body)))
    }
}
