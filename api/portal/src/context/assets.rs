//! Files that pages need, under names that change with their contents.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use api_http::paths;
use axum::http::header;
use axum::response::{IntoResponse, Response};

/// The files: names, media types and contents. `web` says what they are made from.
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

/// Stands in the addresses of all files, and changes when any of them does.
static DIGEST: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = DefaultHasher::new();
    FILES.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
});

/// Returns what the addresses of the files begin with, without a slash at its end.
pub(crate) fn prefix(root: &str) -> String {
    format!("{root}{}/assets/{}", paths::PORTAL, *DIGEST)
}

/// Answers with a file, which browsers may keep for ever.
pub(crate) fn answer(name: &str) -> Option<Response> {
    let (_, media_type, content) = FILES.into_iter().find(|(known, ..)| *known == name)?;
    let headers = [(header::CONTENT_TYPE, media_type), (header::CACHE_CONTROL, "public, max-age=31536000, immutable")];
    Some((headers, content).into_response())
}
