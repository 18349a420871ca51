//! The bodies of answers in JSON.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::links::PageLinks;
use super::negotiation::Format;
use super::paging::Page;

#[derive(Serialize)]
struct Links {
    first: String,
    last: String,
    /// The next page; null on the last.
    next: Option<String>,
    /// The page before; null on the first.
    prev: Option<String>,
}

#[derive(Serialize)]
struct Pagination {
    /// Its number, 1-based.
    page: usize,
    pages: usize,
    count: usize,
}

/// Returns the body of a page of a list.
///
/// # Errors
///
/// * None in practice: texts and numbers are JSON.
pub(super) fn list(
    page: &Page,
    links: &PageLinks,
    data: &[u8],
    included: Option<&[u8]>,
) -> Result<Vec<u8>, serde_json::Error> {
    let links = Links {
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
    json.extend_from_slice(data);
    json.push(b']');
    push_included(included, &mut json);
    json.extend_from_slice(br#","meta":{"pagination":"#);
    serde_json::to_writer(&mut json, &pagination)?;
    json.extend_from_slice(b"}}");
    Ok(json)
}

pub(super) fn single(data: &[u8], included: Option<&[u8]>) -> Vec<u8> {
    let mut json = Vec::with_capacity(data.len() + included.map_or(0, <[u8]>::len) + 32);
    json.extend_from_slice(br#"{"data":"#);
    json.extend_from_slice(data);
    push_included(included, &mut json);
    json.push(b'}');
    json
}

fn push_included(included: Option<&[u8]>, json: &mut Vec<u8>) {
    if let Some(included) = included {
        json.extend_from_slice(br#","included":["#);
        json.extend_from_slice(included);
        json.push(b']');
    }
}

pub(super) fn response(format: Format, json: Vec<u8>) -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static(format.content_type()))], json).into_response()
}

#[cfg(test)]
mod tests {
    use super::super::query::Query;
    use super::*;

    #[test]
    fn documents_are_compact() {
        let query = Query::parse("page=2&page_size=1");
        let page = Page::of(&query, 2).expect("it is there");
        let links = PageLinks::new("http://h/v1", "/cogs", &query);
        let json = list(&page, &links, b"{}", Some(b"1,2")).expect("texts and numbers");
        let expected = concat!(
            r#"{"links":{"first":"http://h/v1/cogs?page=1&page_size=1","last":"http://h/v1/cogs?page=2&page_size=1","#,
            r#""next":null,"prev":"http://h/v1/cogs?page=1&page_size=1"},"data":[{}],"included":[1,2],"#,
            r#""meta":{"pagination":{"page":2,"pages":2,"count":2}}}"#
        );
        assert_eq!(String::from_utf8(json).expect("text"), expected);
        assert_eq!(single(b"{}", None), br#"{"data":{}}"#);
    }
}
