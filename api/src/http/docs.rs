//! The description of a service and its interactive documentation, with all that the page needs.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Read;
use std::sync::LazyLock;

use axum::body::Bytes;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Router, middleware};
use flate2::read::GzDecoder;
use utoipa::openapi::path::Operation;
use utoipa::openapi::{Content, OpenApi, Ref, ResponseBuilder, Server};

use super::conditional::{EntityTag, cache_control};
use crate::{ServiceConfig, paths};

/// A file of the documentation: its name, its media type and its content.
type File = (&'static str, &'static str, Bytes);

/// Headers of the page, into which people paste tokens: it runs its own scripts only, and no other page may embed it. Swagger UI sets inline
/// styles, and its style sheet has images.
const FOR_BROWSERS: [(HeaderName, HeaderValue); 2] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
             form-action 'none'; frame-ancestors 'none'",
        ),
    ),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
];

/// The page and all that it needs. `data/README.md` says where the files come from.
static FILES: LazyLock<[File; 7]> = LazyLock::new(|| {
    let page = Bytes::from_static(include_bytes!("../../../data/swagger-ui/index.html"));
    let style = Bytes::from_static(include_bytes!("../../../data/swagger-ui/index.css"));
    let icon = Bytes::from_static(include_bytes!("../../../data/swagger-ui/favicon-32x32.png"));
    let initializer = Bytes::from_static(include_bytes!("../../../data/swagger-ui/swagger-initializer.js"));
    [
        ("", "text/html", page.clone()),
        ("index.html", "text/html", page),
        ("index.css", "text/css", style),
        ("favicon-32x32.png", "image/png", icon),
        ("swagger-initializer.js", "text/javascript", initializer),
        (
            "swagger-ui-bundle.js",
            "text/javascript",
            unpacked(include_bytes!("../../../data/swagger-ui/swagger-ui-bundle.js.gz")),
        ),
        ("swagger-ui.css", "text/css", unpacked(include_bytes!("../../../data/swagger-ui/swagger-ui.css.gz"))),
    ]
});

fn unpacked(packed: &[u8]) -> Bytes {
    let mut content = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut content).expect("a whole file");
    content.into()
}

pub(crate) struct ErrorForm {
    pub(crate) schema: &'static str,
    pub(crate) content_type: &'static str,
}

impl ErrorForm {
    pub(crate) fn response(&self, text: &str) -> utoipa::openapi::Response {
        let content = Content::new(Some(Ref::from_schema_name(self.schema)));
        ResponseBuilder::new().description(text).content(self.content_type, content).build()
    }

    /// Adds errors, by status, to all operations that do not describe them.
    pub(crate) fn add_to_all(&self, description: &mut OpenApi, errors: &[(&str, &str)]) {
        for operation in operations(description) {
            for &(status, text) in errors {
                let responses = &mut operation.responses.responses;
                responses.entry(status.to_owned()).or_insert_with(|| self.response(text).into());
            }
        }
    }
}

pub(crate) fn operations(description: &mut OpenApi) -> impl Iterator<Item = &mut Operation> {
    description.paths.paths.values_mut().flat_map(|item| {
        [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete].into_iter().flatten()
    })
}

/// Returns the routes of a service's description and documentation, below its prefix.
pub(crate) fn router(mut description: OpenApi, config: &ServiceConfig) -> Router {
    description.servers = config.base_url.as_ref().map(|url| vec![Server::new(url.as_str())]);
    let description = Bytes::from(description.to_json().expect("a description has texts as keys"));
    // The page comes from the program alone, the description from its settings too: a tag stands for both.
    let mut hasher = DefaultHasher::new();
    description.hash(&mut hasher);
    FILES.hash(&mut hasher);
    let settings = format!("docs-{:016x}", hasher.finish());
    let cache_control = cache_control(config.max_age);
    let description = move || async move { ([(header::CONTENT_TYPE, "application/json")], description) };
    let mut router = Router::new().route(paths::OPENAPI, get(description)).route(paths::DOCS, get(to_page));
    for (name, media_type, content) in &*FILES {
        let answer = move || async move { ([(header::CONTENT_TYPE, *media_type)], content.clone()) };
        router = router.route(&format!("{}/{name}", paths::DOCS), get(answer));
    }
    router
        .layer(middleware::from_fn(move |request: Request, next: Next| {
            let tag = EntityTag::new(&settings, request.uri(), "", &cache_control);
            async move {
                match tag.unless_shown(request.method(), request.headers()) {
                    Ok(tagging) => tagging.tag(next.run(request).await),
                    Err(not_modified) => not_modified,
                }
            }
        }))
        .layer(middleware::map_response(|response: Response| async { (FOR_BROWSERS, response) }))
}

/// Leads from the address without a slash to the one that relative links need.
async fn to_page() -> impl IntoResponse {
    (StatusCode::SEE_OTHER, [(header::LOCATION, format!("{}/", paths::DOCS.trim_start_matches('/')))])
}
