//! The manual, which mdBook has built from `manual/src`.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use axum::Router;
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use include_dir::{Dir, File, include_dir};

use api_http::ServiceConfig;
use api_http::conditional::{EntityTag, cache_control};
use api_http::docs::FOR_BROWSERS;
use api_http::error::Problem;
use api_http::paths::MANUAL;

static SITE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../manual/dist");

/// Returns the routes of the manual.
pub(crate) fn router(config: &ServiceConfig) -> Router {
    let mut hasher = DefaultHasher::new();
    files(&SITE).for_each(|file| (file.path(), file.contents()).hash(&mut hasher));
    let settings = format!("manual-{:016x}", hasher.finish());
    let cache_control = cache_control(config.max_age);
    let answer = async move |request: Request| {
        let (parts, _) = request.into_parts();
        let name = parts.uri.path().strip_prefix(MANUAL).unwrap_or_default().trim_start_matches('/');
        let Some(file) = SITE.get_file(if name.is_empty() { "index.html" } else { name }) else {
            return Problem::NoSuchPath(parts.uri.path().to_owned()).into_response();
        };
        let answer = EntityTag::for_request(&settings, &parts, "", &cache_control)
            .map(|tag| tag.tag(([(header::CONTENT_TYPE, media_type(file.path()))], file.contents()).into_response()));
        (FOR_BROWSERS, answer.unwrap_or_else(|not_modified| not_modified)).into_response()
    };
    // Relative links need the slash.
    let redirect = async || -> Response { (StatusCode::SEE_OTHER, [(header::LOCATION, "manual/")]).into_response() };
    let routes = Router::new().route(MANUAL, get(redirect)).route(&format!("{MANUAL}/"), get(answer.clone()));
    routes.route(&format!("{MANUAL}/{{*page}}"), get(answer))
}

fn files<'a>(folder: &'a Dir<'a>) -> Box<dyn Iterator<Item = &'a File<'a>> + 'a> {
    Box::new(folder.files().chain(folder.dirs().flat_map(files)))
}

fn media_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_have_known_media_types() {
        assert!(files(&SITE).count() > 10);
        for file in files(&SITE) {
            assert_ne!(media_type(file.path()), "application/octet-stream", "{}", file.path().display());
        }
    }
}
