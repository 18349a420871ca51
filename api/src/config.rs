//! The settings of the services.

use std::time::Duration;

use crate::PublicUrl;

/// What the services need to know of the world around them.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct ServiceConfig {
    /// The base URL of links; unset, it is scheme and `Host` of each request.
    pub base_url: Option<PublicUrl>,
    /// Whether `X-Forwarded-Proto`, `X-Forwarded-Host` and `X-Forwarded-For` are believed. Only a proxy that sets them makes that safe.
    pub trust_proxy: bool,
    /// How many bytes a URI may have; longer ones are 414.
    pub uri_bytes_max: usize,
    /// How many requests to a service may be under way; more are 503.
    pub requests_max: usize,
    /// How many of them one client may have; more are 503. Clients behind a trusted proxy are told apart by `X-Forwarded-For`.
    pub requests_of_client_max: usize,
    /// How many bytes the answers of a service may take that are being made or were not read yet; larger ones than what is left are 503. 64 KiB
    /// of each are not counted.
    pub answer_bytes_max: usize,
    /// How long a request may take; longer ones are 503.
    pub request_timeout: Duration,
    /// How long the body of a request may take to arrive; longer ones are 408.
    pub body_timeout: Duration,
    /// Whether the catalogue refuses parameters that it does not know, as it does for a request with `strict=1`.
    pub strict_parameters: bool,
    /// Whether there are pages for people.
    pub has_portal: bool,
    /// Whether profiles are served here at all; if not, every request to them is 503.
    pub has_profiles: bool,
    /// How long answers of the read-only services may be kept before asking again.
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
