//! Conditional requests: answers carry a tag, and a client that shows the tag again is told that nothing has changed.

use std::fmt::{Display, Write};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use super::entity_tags::EntityTags;

/// How many bytes a tag has, mostly.
const TAG_BYTES: usize = 64;

/// The tag of the answer to a request: it changes with the generation, the request and the program.
///
/// The tag is weak, since the body may be compressed on its way. Whoever has it got a 200 for this very request from this very
/// generation, so that it needs no look at the data.
#[derive(Clone, Debug)]
pub(crate) struct EntityTag {
    /// As headers have it.
    tag: HeaderValue,
    cache_control: HeaderValue,
}

/// Tags the answer to one request.
#[derive(Debug)]
pub(crate) struct Tagging {
    tag: EntityTag,
    /// Whether the client shows `*`, which stands for any answer.
    any_is_shown: bool,
}

/// Returns the `Cache-Control` of answers that may be kept for some time.
pub(crate) fn cache_control(max_age: Duration) -> HeaderValue {
    let text = format!("public, max-age={}", max_age.as_secs());
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("no-cache"))
}

impl EntityTag {
    /// Computes the tag for a request. What comes from the program alone has its name for a generation; `variant` tells apart the
    /// answers to one URI that differ by headers.
    pub(crate) fn new(generation: impl Display, uri: &Uri, variant: &str, cache_control: &HeaderValue) -> Self {
        let mut hasher = DefaultHasher::new();
        (env!("CARGO_PKG_VERSION"), uri.path(), uri.query(), variant).hash(&mut hasher);
        // Room for the name of a generation: growing takes longer than writing.
        let mut tag = String::with_capacity(TAG_BYTES);
        // Writing into memory does not fail.
        let _ = write!(tag, "W/\"{generation}-{:016x}\"", hasher.finish());
        let tag = HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("W/\"\""));
        Self { tag, cache_control: cache_control.clone() }
    }

    /// Returns what is between the quotes.
    fn opaque(&self) -> &[u8] {
        let tag = self.tag.as_bytes();
        &tag[b"W/\"".len()..tag.len() - b"\"".len()]
    }

    /// Returns what tags the answer to a request.
    ///
    /// # Errors
    ///
    /// * The client shows the tag: the answer is 304.
    pub(crate) fn unless_shown(self, method: &Method, headers: &HeaderMap) -> Result<Tagging, Response> {
        let is_read = method == Method::GET || method == Method::HEAD;
        let shown = EntityTags::of(headers, &header::IF_NONE_MATCH).ok().flatten();
        match shown {
            Some(EntityTags::Any) => Ok(Tagging { tag: self, any_is_shown: true }),
            Some(tags) if is_read && tags.matches_weakly(self.opaque()) => {
                Err(self.attach(StatusCode::NOT_MODIFIED.into_response()))
            }
            _ => Ok(Tagging { tag: self, any_is_shown: false }),
        }
    }

    fn attach(&self, mut response: Response) -> Response {
        let headers = response.headers_mut();
        headers.insert(header::ETAG, self.tag.clone());
        headers.insert(header::CACHE_CONTROL, self.cache_control.clone());
        // A 304 says it too, though there is nothing in it to compress.
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        response
    }
}

impl Tagging {
    /// Puts the tag on a good answer, and keeps others out of caches.
    pub(crate) fn tag(self, mut response: Response) -> Response {
        if response.status() == StatusCode::OK {
            return self.tag.attach(if self.any_is_shown {
                StatusCode::NOT_MODIFIED.into_response()
            } else {
                response
            });
        }
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(generation: &str, uri: &'static str) -> EntityTag {
        EntityTag::new(generation, &Uri::from_static(uri), "", &cache_control(Duration::from_mins(1)))
    }

    #[test]
    fn tags_differ_by_generation_and_request() {
        let tags = [tag("gen-a", "/p?x=1"), tag("gen-b", "/p?x=1"), tag("gen-a", "/p?x=2"), tag("gen-a", "/q?x=1")];
        let mut tags: Vec<_> = tags.into_iter().map(|tag| tag.tag).collect();
        tags.sort();
        tags.dedup();
        assert_eq!(tags.len(), 4);
    }

    #[test]
    fn tags_differ_by_variant() {
        let variant = |variant| {
            EntityTag::new("gen-a", &Uri::from_static("/p"), variant, &cache_control(Duration::from_mins(1))).tag
        };
        assert_ne!(variant("text/csv"), variant("application/json"));
    }

    #[test]
    fn any_of_the_shown_tags_will_do() {
        let tag = tag("gen-a", "/p");
        let shown = |value: String| {
            let headers = HeaderMap::from_iter([(header::IF_NONE_MATCH, value.parse().expect("printable"))]);
            tag.clone().unless_shown(&Method::GET, &headers).is_err()
        };
        assert!(shown(tag.tag.to_str().expect("ASCII").to_owned()));
        assert!(shown(format!("\"other\", {}", &tag.tag.to_str().expect("ASCII")[2..])));
        assert!(!shown("\"other\"".into()));
        assert!(!shown("*".into()), "only an answer shows whether there is one");
        assert!(tag.clone().unless_shown(&Method::GET, &HeaderMap::new()).is_ok());
    }
}
