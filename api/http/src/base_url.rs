//! The public address of this server, for links.

use std::str::FromStr;

use axum::http::header::AsHeaderName;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use url::Url;

use super::host::FORWARDED_HOST;
use crate::ServiceConfig;

/// The header in which a proxy sends the scheme of the original request.
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The URL at which clients reach a server: `http://` or `https://`, a host, and optionally a port
/// and a path.
///
/// ```
/// assert!("https://mgdex.example.org/public".parse::<api_http::PublicUrl>().is_ok());
/// assert!("mgdex.example.org".parse::<api_http::PublicUrl>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(String);

impl FromStr for PublicUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || format!("{text:?} is not of the form http[s]://host[:port][/path]");
        let url = Url::parse(text).map_err(|_| wrong())?;
        let is_web = ["http", "https"].contains(&url.scheme());
        // The parser corrects much, and links have the text itself.
        let has_host = text.split_once("://").is_some_and(|(_, rest)| !rest.starts_with('/'));
        let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~:/[]%+,=".contains(&byte));
        if is_web && has_host && is_plain { Ok(Self(text.trim_end_matches('/').to_owned())) } else { Err(wrong()) }
    }
}

impl PublicUrl {
    /// Returns the URL without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Makes the prefix of links, for each request.
#[derive(Clone, Debug)]
pub struct BaseUrl {
    configured: Option<PublicUrl>,
    /// If set, the headers of a proxy are trusted.
    trust_proxy: bool,
}

impl BaseUrl {
    /// Makes links according to the settings.
    pub fn new(config: &ServiceConfig) -> Self {
        Self { configured: config.base_url.clone(), trust_proxy: config.trust_proxy }
    }

    /// Returns whether links depend on the headers of a proxy.
    fn depends_on_proxy(&self) -> bool {
        self.trust_proxy && self.configured.is_none()
    }

    /// Returns the prefix of the paths of this server: the path of the configured address, without
    /// a slash at its end. It is usually empty.
    pub fn root(&self) -> &str {
        let behind_scheme = self.configured.as_ref().and_then(|url| Some(url.0.split_once("://")?.1));
        behind_scheme.and_then(|rest| rest.find('/').map(|start| &rest[start..])).unwrap_or_default()
    }

    /// Returns the headers that affect answers with links in several formats.
    pub(crate) fn vary(&self) -> HeaderValue {
        HeaderValue::from_static(if self.depends_on_proxy() {
            "Accept, Accept-Encoding, X-Forwarded-Host, X-Forwarded-Proto"
        } else {
            "Accept, Accept-Encoding"
        })
    }

    /// Returns a link to a path: absolute, or relative to the host if the request does not name
    /// one.
    pub fn link(&self, headers: &HeaderMap, path: &str) -> String {
        if let Some(configured) = &self.configured {
            return [&configured.0, path].concat();
        }
        let forwarded = |name: HeaderName| if self.trust_proxy { first_value(headers, name) } else { None };
        let scheme = forwarded(FORWARDED_PROTO).filter(|scheme| *scheme == "https").unwrap_or("http");
        let host = forwarded(FORWARDED_HOST).or_else(|| first_value(headers, header::HOST));
        match host.filter(|host| host.parse::<Authority>().is_ok()) {
            Some(host) => [scheme, "://", host, path].concat(),
            None => path.to_owned(),
        }
    }
}

/// Returns the first of the comma-separated values of a header.
fn first_value(headers: &HeaderMap, name: impl AsHeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()?.split(',').next().map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(config: &ServiceConfig, headers: &[(&'static str, &'static str)]) -> String {
        let headers =
            headers.iter().map(|&(name, value)| (name.parse().expect(name), value.parse().expect(value))).collect();
        BaseUrl::new(config).link(&headers, "/p")
    }

    #[test]
    fn base_urls_need_a_scheme_and_a_host() {
        for text in [
            "http://a",
            "https://a.org:8443/b/c/",
            "http://127.0.0.1:8080",
            "http://[2001:db8::1]/x",
            "HTTPS://A_b:443/%C3%BC",
        ] {
            assert_eq!(text.parse(), Ok(PublicUrl(text.trim_end_matches('/').to_owned())));
        }
        for text in [
            "not a url",
            "a.org",
            "//a.org",
            "ftp://a.org",
            "http://",
            "http:///x",
            "http:a.org",
            "https://u:p@a.org",
            "https://a.org?x",
            "https://a.org/#x",
            "https://a.org/\r\nX: y",
            "https://a.org\r\n",
            "https://a.org/a b",
            "https://a.org/';id;'",
            " https://a.org",
            "",
        ] {
            assert!(text.parse::<PublicUrl>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn proxy_headers_count_only_if_trusted() {
        let plain = ServiceConfig::default();
        let trusting = ServiceConfig { trust_proxy: true, ..ServiceConfig::default() };
        let fixed = ServiceConfig { base_url: "https://a.org/mgdex/".parse().ok(), ..trusting.clone() };
        let forwarded = [("host", "inner:8080"), ("x-forwarded-proto", "https"), ("x-forwarded-host", "a.org, b.org")];
        assert_eq!(link(&plain, &forwarded), "http://inner:8080/p");
        assert_eq!(link(&trusting, &forwarded), "https://a.org/p");
        assert_eq!(link(&fixed, &forwarded), "https://a.org/mgdex/p");
        assert_eq!(link(&plain, &[]), "/p");
        assert_eq!(link(&plain, &[("host", "a.org/evil?")]), "/p");
        assert_eq!([&plain, &fixed].map(|config| BaseUrl::new(config).root().to_owned()), ["", "/mgdex"]);
        let depends = |config| BaseUrl::new(config).vary().to_str().expect("text").contains("X-Forwarded-Host");
        assert_eq!([&plain, &trusting, &fixed].map(depends), [false, true, false]);
    }
}
