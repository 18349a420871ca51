//! Conditional requests: answers carry a tag, and a client that sends the tag again gets 304 if
//! nothing has changed.

use std::fmt::{Display, Write};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::entity_tags::EntityTags;

/// The bytes of most tags.
const TAG_BYTES: usize = 64;

/// The tag of the answer to a request: it changes with the generation, the request and the program.
///
/// The tag is weak, since the body may be compressed on its way. A client that has it received a
/// 200 for this very request from this very generation, so the data need not be read.
#[derive(Clone, Debug)]
pub struct EntityTag {
    /// The value of the header.
    tag: HeaderValue,
    cache_control: HeaderValue,
    /// Set if the client sends `*`, which matches any answer.
    any_is_shown: bool,
}

/// Returns the `Cache-Control` of answers that may be kept for some time.
pub fn cache_control(max_age: Duration) -> HeaderValue {
    let text = format!("public, max-age={}", max_age.as_secs());
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("no-cache"))
}

impl EntityTag {
    /// Computes the tag of the answer to a request. Answers that depend on the program alone have
    /// another name in place of a generation; `variant` distinguishes the answers to one URI that
    /// differ by headers.
    ///
    /// # Errors
    ///
    /// * The client has the tag already: the answer is 304.
    pub fn for_request(
        generation: impl Display,
        parts: &Parts,
        variant: &str,
        cache_control: &HeaderValue,
    ) -> Result<Self, Response> {
        let mut hasher = DefaultHasher::new();
        (env!("CARGO_PKG_VERSION"), parts.uri.path(), parts.uri.query(), variant).hash(&mut hasher);
        // Room for the name of a generation: growing takes longer than writing.
        let mut tag = String::with_capacity(TAG_BYTES);
        // Writing into memory does not fail.
        let _ = write!(tag, "W/\"{generation}-{:016x}\"", hasher.finish());
        let tag = HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("W/\"\""));
        let shown = EntityTags::parse(&parts.headers, &header::IF_NONE_MATCH).ok().flatten();
        let any_is_shown = matches!(shown, Some(EntityTags::Any));
        let tag = Self { tag, cache_control: cache_control.clone(), any_is_shown };
        let is_read = parts.method == Method::GET || parts.method == Method::HEAD;
        match shown {
            // `*` matches only if there is an answer, which is not known yet.
            Some(tags) if is_read && !any_is_shown && tags.matches_weakly(tag.opaque()) => {
                Err(tag.attach(StatusCode::NOT_MODIFIED.into_response()))
            }
            _ => Ok(tag),
        }
    }

    /// Returns the bytes between the quotes.
    fn opaque(&self) -> &[u8] {
        let tag = self.tag.as_bytes();
        &tag[b"W/\"".len()..tag.len() - b"\"".len()]
    }

    /// Puts the tag on a successful answer, and keeps others out of caches.
    pub fn tag(self, mut response: Response) -> Response {
        if response.status() == StatusCode::OK {
            return if self.any_is_shown {
                self.attach(StatusCode::NOT_MODIFIED.into_response())
            } else {
                self.attach(response)
            };
        }
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }

    fn attach(self, mut response: Response) -> Response {
        let headers = response.headers_mut();
        headers.insert(header::ETAG, self.tag);
        headers.insert(header::CACHE_CONTROL, self.cache_control);
        // A 304 has this header, too, though it has no body to compress.
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        response
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    /// Computes the tag for a request with a header.
    fn tag(generation: &str, uri: &str, variant: &str, shown: &str) -> Result<HeaderValue, Response> {
        let request = Request::get(uri).header(header::IF_NONE_MATCH, shown).body(()).expect("a request");
        let cache_control = cache_control(Duration::from_mins(1));
        EntityTag::for_request(generation, &request.into_parts().0, variant, &cache_control).map(|tag| tag.tag)
    }

    #[test]
    fn tags_differ_by_generation_request_and_variant() {
        let tags = [
            ("a", "/p?x=1", ""),
            ("b", "/p?x=1", ""),
            ("a", "/p?x=2", ""),
            ("a", "/q?x=1", ""),
            ("a", "/p?x=1", "csv"),
        ];
        let mut tags = tags.map(|(generation, uri, variant)| tag(generation, uri, variant, "").expect("not shown"));
        tags.sort();
        assert!(tags.windows(2).all(|pair| pair[0] != pair[1]), "{tags:?}");
    }

    #[test]
    fn any_sent_tag_may_match() {
        let own = tag("gen-a", "/p", "", "").expect("not shown");
        let own = own.to_str().expect("ASCII");
        let is_shown = |value: &str| tag("gen-a", "/p", "", value).is_err();
        assert!(is_shown(own) && is_shown(&format!("\"other\", {}", &own[2..])));
        assert!(!is_shown("\"other\"") && !is_shown("") && !is_shown("*"), "only an answer shows whether there is one");
    }
}
