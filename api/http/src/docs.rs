//! The description of a service and its interactive documentation, with all that the page needs.

mod text;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Read;
use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::read::GzDecoder;
use serde::Serialize;
use serde_json::{Value, json};

use super::conditional::{EntityTag, cache_control};
use crate::{ServiceConfig, paths};

/// A file of the documentation: its path below the prefix of a service, its media type and its
/// content.
type File = (&'static str, &'static str, Bytes);

/// Headers of the page, into which people paste tokens: it runs its own scripts only, and no other
/// page may embed it. Swagger UI sets inline styles, and its style sheet has images.
pub const FOR_BROWSERS: [(HeaderName, HeaderValue); 2] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
             form-action 'none'; frame-ancestors 'none'",
        ),
    ),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
];

/// The page of each service, in which its title and its links are missing.
const PAGE: &str = include_str!("../../../data/swagger-ui/index.html");

/// The paths of the page below the prefix of a service.
const PAGE_PATHS: [&str; 2] = ["/docs/", "/docs/index.html"];

/// The services with documentation: their prefixes, and the titles of their pages.
const SERVICES: [(&str, &str); 6] = [
    (paths::PROTEINS_V2, "Proteins, version 2"),
    (paths::PROTEINS, "Proteins, version 1"),
    (paths::REFGET, "Refget"),
    (paths::CATALOGUE, "Catalogue, version 1"),
    (paths::CATALOGUE_V2, "Catalogue, version 2"),
    (paths::PROFILES, "Profiles"),
];

/// The other files of the page. `data/README.md` names their sources.
static FILES: LazyLock<[File; 5]> = LazyLock::new(|| {
    let style = Bytes::from_static(include_bytes!("../../../data/swagger-ui/index.css"));
    let icon = Bytes::from_static(include_bytes!("../../../data/swagger-ui/favicon-32x32.png"));
    let initializer = Bytes::from_static(include_bytes!("../../../data/swagger-ui/swagger-initializer.js"));
    [
        ("/docs/index.css", "text/css", style),
        ("/docs/favicon-32x32.png", "image/png", icon),
        ("/docs/swagger-initializer.js", "text/javascript", initializer),
        (
            "/docs/swagger-ui-bundle.js",
            "text/javascript",
            unpacked(include_bytes!("../../../data/swagger-ui/swagger-ui-bundle.js.gz")),
        ),
        ("/docs/swagger-ui.css", "text/css", unpacked(include_bytes!("../../../data/swagger-ui/swagger-ui.css.gz"))),
    ]
});

fn unpacked(packed: &[u8]) -> Bytes {
    let mut content = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut content).expect("a whole file");
    content.into()
}

/// The description of a service, and the page that shows it. They are made for the first request:
/// most servers get none.
pub struct Docs {
    described: LazyLock<Described, Box<dyn FnOnce() -> Described + Send>>,
    cache_control: HeaderValue,
}

struct Described {
    text: Bytes,
    page: Bytes,
    /// Represents the description and all files in entity tags.
    settings: String,
}

/// Completes the description of a service with the operations and schemas of a text, with their
/// paths below a prefix. `docs/text.rs` describes the format of the text.
///
/// # Panics
///
/// * The text does not have that format.
pub fn described(description: &impl Serialize, prefix: &str, text: &str) -> Value {
    let mut description = json!(description);
    text::add(&mut description, prefix, text);
    description
}

/// Returns the page of a service, with links to everything that is served.
fn page(prefix: &str, config: &ServiceConfig) -> String {
    // A proxy may have put a path before ours: the links are relative to `docs/`.
    let root = format!("..{}", "/..".repeat(prefix.matches('/').count()));
    let portal = config.has_portal.then(|| (format!("{}/", paths::PORTAL), "mgdex"));
    let services = SERVICES.into_iter().filter(|(other, _)| *other != paths::PROFILES || config.has_profiles);
    let links = portal
        .into_iter()
        .chain([(format!("{}/", paths::MANUAL), "Manual")])
        .chain(services.map(|(other, title)| (format!("{other}/docs/"), title)));
    let of_page = format!("{prefix}/docs/");
    let links = links.map(|(path, title)| {
        let current = if path == of_page { " aria-current=\"page\"" } else { "" };
        format!("<a href=\"{root}{path}\"{current}>{title}</a>")
    });
    let title = SERVICES.iter().find(|(other, _)| *other == prefix).map_or("", |(_, title)| title);
    PAGE.replace("{title}", title).replace("{links}", &links.collect::<Vec<_>>().join("\n"))
}

impl Docs {
    /// Makes the description of the service with a prefix when it is first requested.
    ///
    /// # Panics
    ///
    /// * The description has keys that are not texts.
    pub fn new<D: Serialize>(
        prefix: &str,
        describe: impl FnOnce() -> D + Send + 'static,
        config: &ServiceConfig,
    ) -> Self {
        let (base_url, page) = (config.base_url.clone(), page(prefix, config));
        let described = move || {
            let mut description = serde_json::to_value(describe()).expect("a description has texts as keys");
            if let Some(url) = &base_url {
                description["servers"] = json!([{"url": url.as_str()}]);
            }
            let text = Bytes::from(description.to_string());
            // The other files depend on the program alone, these two also on the settings: a tag
            // represents all.
            let mut hasher = DefaultHasher::new();
            (&text, &page).hash(&mut hasher);
            FILES.hash(&mut hasher);
            Described { text, page: page.into(), settings: format!("docs-{:016x}", hasher.finish()) }
        };
        Self { described: LazyLock::new(Box::new(described)), cache_control: cache_control(config.max_age) }
    }

    /// Returns the path of the description or of a file of the documentation, if a path below the
    /// prefix of a service names one.
    pub fn find(path: &str) -> Option<&'static str> {
        let files = FILES.iter().map(|(path, ..)| *path);
        [paths::OPENAPI, paths::DOCS].into_iter().chain(PAGE_PATHS).chain(files).find(|known| *known == path)
    }

    /// Answers a request to a path that [`Docs::find`] has found.
    pub fn answer(&self, path: &str, parts: &Parts) -> Response {
        let Described { text, page, settings } = &*self.described;
        let tag = EntityTag::for_request(settings, parts, "", &self.cache_control);
        let answer = tag.map(|tag| {
            tag.tag(match FILES.iter().find(|(known, ..)| *known == path) {
                Some((_, media_type, content)) => {
                    ([(header::CONTENT_TYPE, *media_type)], content.clone()).into_response()
                }
                None if path == paths::OPENAPI => {
                    ([(header::CONTENT_TYPE, "application/json")], text.clone()).into_response()
                }
                None if PAGE_PATHS.contains(&path) => {
                    ([(header::CONTENT_TYPE, "text/html")], page.clone()).into_response()
                }
                // Redirects to the address that relative links need.
                None => (StatusCode::SEE_OTHER, [(header::LOCATION, "docs/")]).into_response(),
            })
        });
        (FOR_BROWSERS, answer.unwrap_or_else(|not_modified| not_modified)).into_response()
    }
}
