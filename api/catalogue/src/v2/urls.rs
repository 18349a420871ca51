//! The downloadable files of resources, and their URLs as a list for programs that fetch files.

use std::sync::Arc;

use api_http::SourceError;
use axum::body::Bytes;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use store_catalogue::{Listing, Ordinal, ResourceBody};

use super::details::find;
use super::documents;
use super::kinds::Kind;
use super::list_request::List;
use super::refusal::{NOT_FOUND, Refusal};
use super::routing::{Route, members};
use super::{Context, whole};
use crate::render::stream::{self, File, Writer};
use crate::snapshot::Snapshot;

const SCHEMES: [&str; 3] = ["https", "http", "ftp"];

/// A list of URLs of files.
pub struct UrlList {
    context: Context,
    listing: Arc<Listing>,
}

impl UrlList {
    /// Lists the files of the resource at a path below the prefix of version 2, or those of all
    /// resources in a list that meet the filters of a query.
    ///
    /// # Errors
    ///
    /// * A client would be refused. The error is the status and the JSON of the refusal.
    pub fn at(snapshot: &Snapshot, path: &str, query: &str) -> Result<Self, (StatusCode, Bytes)> {
        let context = Context::of_page(snapshot, query);
        match listing(&context, path) {
            Ok(listing) => Ok(Self { context, listing }),
            Err(refusal) => Err(whole(refusal.into_response())),
        }
    }

    /// Returns whether any of the first `num_resources` resources has a file.
    pub fn has_any(&self, num_resources: usize) -> Result<bool, SourceError> {
        let snapshot = &self.context.snapshot;
        let first = self.listing.ordinals(0..num_resources.min(self.listing.len()));
        snapshot.take_memory(first.len())?;
        for body in snapshot.resources(&first)? {
            if urls(&documents::shown(&body)?).next().is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Answers with the URLs, as a file with a name.
    pub fn respond(self, name: String) -> Result<Response, SourceError> {
        let file = File { content_type: "text/plain; charset=utf-8", name };
        stream::respond(&self.context.snapshot, self.listing, 0, Urls, &file)
    }
}

fn listing(context: &Context, path: &str) -> Result<Arc<Listing>, Refusal> {
    let (snapshot, unknown) = (&context.snapshot, || Refusal::NotFound(NOT_FOUND.to_owned()));
    match Route::to(path).ok_or_else(unknown)? {
        Route::Detail(kind, id) => {
            let body = find(context, kind, &id)?;
            let id = body.key().map(|(_, id)| id).unwrap_or_default();
            let ordinal = snapshot.find(kind.resource_type, &id)?.ok_or_else(unknown)?;
            Ok(Arc::new(Listing::in_this_order(vec![ordinal])))
        }
        Route::Members(kind, id, sublist) => {
            let list = List { kind: Kind::of(sublist.resource_type), is_whole: true, is_selected: false };
            let mut request = list.read(&context.query, false, snapshot)?;
            request.conditions.push(members(context, kind, &id, sublist)?);
            Ok(snapshot.select(sublist.resource_type, request.conditions, request.orders)?)
        }
        _ => Err(unknown()),
    }
}

struct Urls;

impl Writer for Urls {
    fn head(&self) -> Vec<u8> {
        Vec::new()
    }

    fn write(&mut self, _: Ordinal, body: &ResourceBody, chunk: &mut Vec<u8>) -> Result<(), SourceError> {
        for url in urls(&documents::shown(body)?) {
            chunk.extend_from_slice(url.as_bytes());
            chunk.push(b'\n');
        }
        Ok(())
    }
}

/// Returns the URLs of the files of a document.
fn urls(document: &Value) -> impl Iterator<Item = &str> {
    files(document).filter_map(|file| file["url"].as_str()).filter(|url| is_url(url))
}

/// Returns the downloads of a document, each before its index files.
pub fn files(document: &Value) -> impl Iterator<Item = &Value> {
    let downloads = document["downloads"].as_array().into_iter().flatten();
    downloads.flat_map(|download| {
        let indexes = download["index_files"].as_array().into_iter().flatten();
        [download].into_iter().chain(indexes).chain(download.get("index_file").filter(|index| index.is_object()))
    })
}

/// Returns whether a text is an address that is safe for a link. With white space, it would be
/// several lines or words of a list: for `aria2c`, a line that begins with a blank is an option of
/// the download above it.
pub fn is_url(text: &str) -> bool {
    let is_known = |scheme: &str| SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known));
    text.split_once("://").is_some_and(|(scheme, rest)| is_known(scheme) && !rest.is_empty())
        && !text.contains(|letter: char| letter.is_whitespace() || letter.is_control())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn urls_are_addresses_of_files() {
        for (text, expected) in [
            ("https://ftp.ebi.ac.uk/a.tsv.gz", true),
            ("HTTP://x/?a=b&c#d", true),
            ("ftp://ftp.ebi.ac.uk/ü", true),
            ("https://", false),
            ("file:///etc/passwd", false),
            ("javascript://x/%0aalert(1)", false),
            ("javascript:alert('https://x/')", false),
            (" https://x/", false),
            ("https://x/a b", false),
            ("https://x/a\n out=.bashrc", false),
            ("https://x/\u{0}", false),
            ("", false),
        ] {
            assert_eq!(is_url(text), expected, "{text:?}");
        }
    }

    #[test]
    fn files_come_before_their_indexes() {
        let (file, index) = (json!({"url": "http://x/a"}), json!({"url": "http://x/a.fai"}));
        let with = |member: &str, indexes: Value| {
            let mut download = file.clone();
            download[member] = indexes;
            json!({"downloads": [download, {"url": null}, 1]})
        };
        for document in [with("index_files", json!([index])), with("index_file", index.clone())] {
            assert_eq!(urls(&document).collect::<Vec<_>>(), ["http://x/a", "http://x/a.fai"]);
        }
        for document in
            [with("index_files", json!(null)), with("index_files", json!("x")), with("index_file", json!(null))]
        {
            assert_eq!(urls(&document).collect::<Vec<_>>(), ["http://x/a"]);
        }
        assert_eq!(files(&json!({"downloads": null})).chain(files(&json!([]))).count(), 0);
    }
}
