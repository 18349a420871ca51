//! The public address of this server, for links.

use axum::http::header::AsHeaderName;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, header};

use crate::ServiceConfig;

#[derive(Clone, Debug)]
pub(crate) struct BaseUrl {
    configured: Option<String>,
    /// Whether the headers of a proxy are believed.
    trust_proxy: bool,
}

impl BaseUrl {
    pub(crate) fn new(config: &ServiceConfig) -> Self {
        let configured = config.base_url.as_deref().map(|url| url.trim_end_matches('/').to_owned());
        Self { configured, trust_proxy: config.trust_proxy }
    }

    /// Tells whether links depend on the headers of a proxy.
    fn heeds_proxy(&self) -> bool {
        self.trust_proxy && self.configured.is_none()
    }

    /// Returns what the paths of this server begin with: the path of the configured address, without a slash at its end; mostly nothing.
    pub(crate) fn root(&self) -> &str {
        let behind_scheme = self.configured.as_deref().and_then(|url| Some(url.split_once("://")?.1));
        behind_scheme.and_then(|rest| rest.find('/').map(|start| &rest[start..])).unwrap_or_default()
    }

    /// Returns what answers with links depend on that come in several formats.
    pub(crate) fn vary(&self) -> HeaderValue {
        HeaderValue::from_static(if self.heeds_proxy() {
            "Accept, Accept-Encoding, X-Forwarded-Host, X-Forwarded-Proto"
        } else {
            "Accept, Accept-Encoding"
        })
    }

    /// Returns a link to a path: absolute, or relative to the host where the request does not name one.
    pub(crate) fn link(&self, headers: &HeaderMap, path: &str) -> String {
        if let Some(configured) = &self.configured {
            return [configured, path].concat();
        }
        let forwarded = |name: &str| if self.trust_proxy { first_value(headers, name) } else { None };
        let scheme = forwarded("x-forwarded-proto").filter(|scheme| *scheme == "https").unwrap_or("http");
        let host = forwarded("x-forwarded-host").or_else(|| first_value(headers, header::HOST));
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
    fn a_proxy_is_believed_only_when_it_is_trusted() {
        let plain = ServiceConfig::default();
        let trusting = ServiceConfig { trust_proxy: true, ..ServiceConfig::default() };
        let fixed = ServiceConfig { base_url: Some("https://a.org/mgdex/".into()), ..trusting.clone() };
        let forwarded = [("host", "inner:8080"), ("x-forwarded-proto", "https"), ("x-forwarded-host", "a.org, b.org")];
        assert_eq!(link(&plain, &forwarded), "http://inner:8080/p");
        assert_eq!(link(&trusting, &forwarded), "https://a.org/p");
        assert_eq!(link(&fixed, &forwarded), "https://a.org/mgdex/p");
        assert_eq!(link(&plain, &[]), "/p");
        assert_eq!(link(&plain, &[("host", "a.org/evil?")]), "/p");
        assert_eq!([&plain, &fixed].map(|config| BaseUrl::new(config).root().to_owned()), ["", "/mgdex"]);
    }
}
