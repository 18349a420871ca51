//! The bodies of answers in JSON.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use serde::Serialize;
use store_catalogue::{LinkStyle, ResourceBody};

use crate::relations::links::PageAddresses;
use crate::request::negotiation::Format;
use crate::request::paging::Page;

/// The number of headers of an answer. Their table grows only once, before the first header.
const HEADERS: usize = 10;

/// The addresses of pages.
#[derive(Serialize)]
struct PageLinks {
    first: String,
    last: String,
    next: Option<String>,
    prev: Option<String>,
}

/// The position of a page in its list.
#[derive(Serialize)]
struct Pagination {
    page: usize,
    pages: usize,
    count: usize,
}

pub(crate) enum Data<'a> {
    /// Stored resources, with links in the style of the request.
    Stored(Vec<Arc<ResourceBody>>, &'a LinkStyle),
    /// JSON, separated by commas.
    Json(Vec<u8>),
}

impl Data<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Stored(bodies, links) => bodies.iter().map(|body| body.rendered_len(links) + 1).sum(),
            Self::Json(json) => json.len(),
        }
    }

    fn write(&self, json: &mut Vec<u8>) {
        match self {
            Self::Stored(bodies, links) => {
                for (position, body) in bodies.iter().enumerate() {
                    if position > 0 {
                        json.push(b',');
                    }
                    body.render(links, json);
                }
            }
            Self::Json(data) => json.extend_from_slice(data),
        }
    }
}

pub(crate) fn list(
    page: &Page,
    links: &PageAddresses,
    data: &Data<'_>,
    included: Option<&[u8]>,
    ignored: &[String],
) -> Result<Vec<u8>, serde_json::Error> {
    let links = PageLinks {
        first: links.to(1),
        last: links.to(page.num_pages),
        next: page.next().map(|number| links.to(number)),
        prev: page.prev().map(|number| links.to(number)),
    };
    let pagination = Pagination { page: page.number, pages: page.num_pages, count: page.count };
    let mut json = Vec::with_capacity(data.len() + included.map_or(0, <[u8]>::len) + 1024);
    json.extend_from_slice(br#"{"links":"#);
    serde_json::to_writer(&mut json, &links)?;
    json.extend_from_slice(br#","data":["#);
    data.write(&mut json);
    json.push(b']');
    push_included(included, &mut json);
    json.extend_from_slice(br#","meta":{"pagination":"#);
    serde_json::to_writer(&mut json, &pagination)?;
    if !ignored.is_empty() {
        json.extend_from_slice(br#","ignored":"#);
        serde_json::to_writer(&mut json, ignored)?;
    }
    json.extend_from_slice(b"}}");
    Ok(json)
}

pub(crate) fn single(
    data: &Data<'_>,
    included: Option<&[u8]>,
    ignored: &[String],
) -> Result<Vec<u8>, serde_json::Error> {
    let mut json = Vec::with_capacity(data.len() + included.map_or(0, <[u8]>::len) + 32);
    json.extend_from_slice(br#"{"data":"#);
    data.write(&mut json);
    push_included(included, &mut json);
    if !ignored.is_empty() {
        json.extend_from_slice(br#","meta":{"ignored":"#);
        serde_json::to_writer(&mut json, ignored)?;
        json.push(b'}');
    }
    json.push(b'}');
    Ok(json)
}

fn push_included(included: Option<&[u8]>, json: &mut Vec<u8>) {
    if let Some(included) = included {
        json.extend_from_slice(br#","included":["#);
        json.extend_from_slice(included);
        json.push(b']');
    }
}

pub(crate) fn response(format: Format, json: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(json));
    let headers = response.headers_mut();
    headers.reserve(HEADERS);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(format.content_type()));
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::paging::PageRequest;
    use crate::request::query::Query;

    #[test]
    fn documents_are_compact() {
        let query = Query::parse("page=2&page_size=1");
        let page = PageRequest::parse(&query).and_then(|page| page.of(2)).expect("it is there");
        let links = PageAddresses::new("http://h/v1", "/cogs", &query);
        let json = list(&page, &links, &Data::Json(b"{}".to_vec()), Some(b"1,2"), &[]).expect("texts and numbers");
        let expected = concat!(
            r#"{"links":{"first":"http://h/v1/cogs?page=1&page_size=1","last":"http://h/v1/cogs?page=2&page_size=1","#,
            r#""next":null,"prev":"http://h/v1/cogs?page=1&page_size=1"},"data":[{}],"included":[1,2],"#,
            r#""meta":{"pagination":{"page":2,"pages":2,"count":2}}}"#
        );
        assert_eq!(String::from_utf8(json).expect("text"), expected);
        let single = |ignored: &[String]| single(&Data::Json(b"{}".to_vec()), None, ignored).expect("texts");
        assert_eq!(single(&[]), br#"{"data":{}}"#);
        assert_eq!(single(&["a\"".to_owned()]), br#"{"data":{},"meta":{"ignored":["a\""]}}"#);
    }
}
