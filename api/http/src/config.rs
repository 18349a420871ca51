//! Settings.

use std::time::Duration;

use crate::PublicUrl;

/// The settings of the services.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct ServiceConfig {
    /// The base URL of links; unset, it is scheme and `Host` of each request.
    pub base_url: Option<PublicUrl>,
    /// Whether `X-Forwarded-Proto`, `X-Forwarded-Host` and `X-Forwarded-For` are believed. Only a proxy that sets them makes that safe.
    pub trust_proxy: bool,
    /// The most bytes of a URI; longer ones are 414.
    pub uri_bytes_max: usize,
    /// The most requests to a service that may be under way; more are 503.
    pub requests_max: usize,
    /// The most of them that one client may have; more are 503. Clients behind a trusted proxy are told apart by `X-Forwarded-For`.
    pub requests_of_client_max: usize,
    /// The most bytes of answers of a service that are being made or were not read yet; larger ones than what is left are 503. 64 KiB
    /// of each are not counted.
    pub answer_bytes_max: usize,
    /// The most time that a request may take; longer ones are 503.
    pub request_timeout: Duration,
    /// The most time that the body of a request may take to arrive; longer ones are 408.
    pub body_timeout: Duration,
    /// Whether the catalogue refuses parameters that it does not know, as it does for a request with `strict=1`.
    pub strict_parameters: bool,
    /// Whether there are pages for people.
    pub has_portal: bool,
    /// Whether profiles are served here at all; if not, every request to them is 503.
    pub has_profiles: bool,
    /// The time for which answers of the read-only services may be kept before asking again.
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
