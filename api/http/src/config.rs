//! Settings.

use std::time::Duration;

use crate::PublicUrl;

/// The settings of the services.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct ServiceConfig {
    /// The base URL of links; if unset, the scheme and `Host` of each request.
    pub base_url: Option<PublicUrl>,
    /// If set, `X-Forwarded-Proto`, `X-Forwarded-Host` and `X-Forwarded-For` are trusted. This is
    /// safe only behind a proxy that sets them.
    pub trust_proxy: bool,
    /// The most bytes of a URI; longer ones are 414.
    pub uri_bytes_max: usize,
    /// The most requests to a service that may be under way; more are 503.
    pub requests_max: usize,
    /// The most of these requests that one client may have; more are 503. `X-Forwarded-For`
    /// distinguishes clients behind a trusted proxy.
    pub requests_of_client_max: usize,
    /// The most bytes of answers of a service that are being made or have not been read yet;
    /// answers for which too few are left are 503. The first 64 KiB of each answer are not counted.
    pub answer_bytes_max: usize,
    /// The most time that a request may take; longer ones are 503.
    pub request_timeout: Duration,
    /// The most time that the body of a request may take to arrive; longer ones are 408.
    pub body_timeout: Duration,
    /// If set, the catalogue refuses unknown parameters, as it does for a request with `strict=1`.
    pub strict_parameters: bool,
    /// If set, the portal is served.
    pub has_portal: bool,
    /// If set, profiles are served; otherwise, every request to them is 503.
    pub has_profiles: bool,
    /// The time for which answers of the read-only services may be cached.
    pub max_age: Duration,
}

impl Default for ServiceConfig {
    fn default() -> Self {
        Self {
            base_url: None,
            trust_proxy: false,
            uri_bytes_max: 8 * 1024,
            requests_max: 512,
            requests_of_client_max: 256,
            answer_bytes_max: 256 << 20,
            request_timeout: Duration::from_secs(30),
            body_timeout: Duration::from_secs(10),
            strict_parameters: false,
            has_portal: true,
            has_profiles: true,
            max_age: Duration::from_mins(1),
        }
    }
}
