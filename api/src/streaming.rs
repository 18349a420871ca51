//! Answers that are written while they are read from the engine.

use axum::http::{Extensions, HeaderMap, StatusCode, Version};

/// The mark of an answer whose body is a stream: an extension of the response.
///
/// The compression layer holds a body back until its buffer is full, so that a slow client of a long stream sees nothing for a while.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Streamed;

/// Tells whether an answer may be compressed as far as this is concerned.
pub(crate) fn may_compress(_: StatusCode, _: Version, _: &HeaderMap, extensions: &Extensions) -> bool {
    extensions.get::<Streamed>().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ServiceConfig;
    use crate::limits::Limits;
    use crate::mount;
    use axum::body::Body;
    use axum::http::{Request, header};
    use axum::response::{IntoResponse, Response};
    use axum::routing::get;
    use axum::{Extension, Router};
    use tower::ServiceExt;

    async fn encoding(path: &str) -> Option<String> {
        let text = || "a text that is long enough for compression to be worth its while ".repeat(20);
        let routes = Router::new()
            .route("/whole", get(move || async move { text() }))
            .route("/streamed", get(move || async move { (Extension(Streamed), text()).into_response() }));
        let request = Request::get(path).header(header::ACCEPT_ENCODING, "gzip").body(Body::empty()).unwrap();
        let response: Response =
            mount::service(routes, Limits::new(&ServiceConfig::default())).oneshot(request).await.unwrap();
        response.headers().get(header::CONTENT_ENCODING).map(|value| value.to_str().unwrap().to_owned())
    }

    #[tokio::test]
    async fn a_stream_is_not_compressed() {
        assert_eq!(encoding("/whole").await.as_deref(), Some("gzip"));
        assert_eq!(encoding("/streamed").await, None);
    }
}
