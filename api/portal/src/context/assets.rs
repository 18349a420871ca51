//! Files used by pages, at addresses that change with the contents.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use api_http::paths;
use axum::http::header;
use axum::response::{IntoResponse, Response};

/// The files: names, media types and contents, built from `web`.
const FILES: [(&str, &str, &[u8]); 8] = [
    ("portal.css", "text/css; charset=utf-8", include_bytes!("../../web/dist/portal.css")),
    ("portal.js", "text/javascript; charset=utf-8", include_bytes!("../../web/dist/portal.js")),
    ("track.js", "text/javascript; charset=utf-8", include_bytes!("../../web/dist/track.js")),
    ("map.js", "text/javascript; charset=utf-8", include_bytes!("../../web/dist/map.js")),
    ("land.json", "application/json", include_bytes!("../../web/dist/land.json")),
    ("profile.js", "text/javascript; charset=utf-8", include_bytes!("../../web/dist/profile.js")),
    ("favicon.ico", "image/svg+xml", include_bytes!("../../web/dist/favicon.svg")),
    ("NOTICE.txt", "text/plain; charset=utf-8", include_bytes!("../../web/dist/NOTICE.txt")),
];

/// A part of the addresses of all files that changes with any of them.
static DIGEST: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = DefaultHasher::new();
    FILES.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
});

/// Returns the common prefix of the addresses of the files, without a trailing slash.
pub(crate) fn prefix(root: &str) -> String {
    format!("{root}{}/assets/{}", paths::PORTAL, *DIGEST)
}

/// Answers with a file that browsers may cache forever.
pub(crate) fn answer(name: &str) -> Option<Response> {
    let (_, media_type, content) = FILES.into_iter().find(|(known, ..)| *known == name)?;
    let headers = [(header::CONTENT_TYPE, media_type), (header::CACHE_CONTROL, "public, max-age=31536000, immutable")];
    Some((headers, content).into_response())
}
