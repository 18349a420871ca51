//! Requests that a page of another site makes a browser send. They have the permissions of a
//! visitor who did not ask for them.

use axum::http::{HeaderMap, HeaderName};

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The answer to such a request that would change or start something.
pub const REFUSED: &str = "Pages of other sites are not allowed to do this.";

/// Returns whether a browser says that a page of another site sends the request.
pub fn is_cross_site(headers: &HeaderMap) -> bool {
    headers.get(FETCH_SITE).is_some_and(|site| site == "cross-site")
}
