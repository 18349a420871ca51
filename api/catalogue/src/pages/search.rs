//! Searches with parameters in the body of a request, since they are too long for a URI.

use api_http::error::shown;
use api_http::posted::{BodyFault, BodyKind, Contents, Given};

use crate::collections::collection::Collection;
use crate::collections::filter::FilterKind;
use crate::problem::CatalogueProblem;
use crate::request::filters::text::ITEM_END;
use crate::request::negotiation::Format;
use crate::request::query::{WHERE, bracketed};

pub(crate) const SEARCH: &str = "search";

/// The most bytes of a body, enough for about 300,000 accessions.
pub(crate) const BODY_BYTES_MAX: usize = 4 << 20;

const VALUES_MAX: usize = 300_000;

/// The body of a search.
pub(crate) const BODY: BodyKind = BodyKind {
    content_types: &[Format::Json.content_type(), Format::JsonApi.content_type()],
    bytes_max: BODY_BYTES_MAX,
    values_max: (VALUES_MAX, "values"),
    copies: 5,
};

/// Returns whether a path below the prefix is that of a search.
pub(crate) fn is_at(path: &str) -> bool {
    let path = path.strip_suffix('/').unwrap_or(path);
    path.strip_prefix('/').and_then(|path| path.split_once('/')).is_some_and(|(_, last)| last == SEARCH)
}

/// Reads the parameters of a search from its body: an object of texts, numbers, booleans, lists of
/// these, and objects for names with brackets.
pub(crate) fn parameters(body: Contents, collection: &Collection) -> Result<Vec<(String, String)>, CatalogueProblem> {
    let members = body.members().map_err(body_problem)?;
    let mut pairs = Vec::with_capacity(members.len());
    for (name, given) in members {
        match given {
            Given::Members(members) => {
                for (member, given) in members {
                    push(format!("{name}[{member}]"), given, collection, &mut pairs)?;
                }
            }
            given => push(name, given, collection, &mut pairs)?,
        }
    }
    Ok(pairs)
}

/// Adds a parameter. A list becomes a comma list if the filter accepts one, with its items kept
/// apart; otherwise each item becomes a parameter.
fn push(
    name: String,
    given: Given,
    collection: &Collection,
    pairs: &mut Vec<(String, String)>,
) -> Result<(), CatalogueProblem> {
    let filter =
        collection.filters().find(|filter| filter.name == name || bracketed(&name).as_deref() == Some(filter.name));
    let kind = filter.map(|filter| filter.kind);
    let refuse = |name: &str, detail: &str| Err(CatalogueProblem::refused(shown(name).into_owned(), detail));
    match given {
        Given::Null if kind.is_some() => return refuse(&name, "This is null: leave it out, or give a value."),
        Given::Null => pairs.push((name, String::new())),
        Given::Text(text) | Given::Plain(text) => pairs.push((name, text)),
        Given::Many(texts) if kind.is_some_and(FilterKind::takes_list) => {
            // An empty list has no items, and matches nothing.
            let mut list = if texts.is_empty() { ITEM_END.to_string() } else { String::new() };
            for text in texts {
                list.extend([&*text, ITEM_END.encode_utf8(&mut [0; 4])]);
            }
            pairs.push((name, list));
        }
        Given::Many(texts) if kind.is_some() && texts.is_empty() => {
            return refuse(&name, "This list is empty: leave it out, or give a value.");
        }
        Given::Many(texts) if name == WHERE || kind.is_some_and(FilterKind::is_repeatable) => {
            pairs.extend(texts.into_iter().map(|text| (name.clone(), text)));
        }
        Given::Many(texts) => pairs.push((name, texts.join(","))),
        Given::Members(_) | Given::Deeper => {
            return refuse(&name, "Enter a text, a number, or a list of them.");
        }
    }
    Ok(())
}

/// Returns the problem of a body that cannot be used.
pub(crate) fn body_problem(fault: BodyFault) -> CatalogueProblem {
    match fault.into_client_error() {
        Ok((status, detail)) => CatalogueProblem::Body { status, detail },
        Err(problem) => problem.into(),
    }
}

#[cfg(test)]
mod tests {
    use api_http::ServiceConfig;
    use api_http::limits::Limits;
    use api_http::posted::Posted;
    use axum::body::Body;
    use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
    use serde_json::{Value, json};

    use super::*;
    use crate::collections::lookup;

    async fn of(body: &Value) -> Result<Vec<(String, String)>, CatalogueProblem> {
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
        let limits = Limits::new(&ServiceConfig::default());
        let posted =
            Posted::arrive(&limits, &headers, Body::from(body.to_string()), BODY).await.map_err(body_problem)?;
        posted.in_turn(|contents| parameters(contents, &lookup::of_type("genomes"))).await?
    }

    #[tokio::test]
    async fn json_becomes_parameters() {
        let body = json!({
            "accession": ["A", "B"], "page_size": 5, "page": null, "x": true, "geo_origin": ["Asia", "Europe, North"],
            "filter": {"lineage": "root"}, "where": ["a:1", "b:2,3"], "fields": {"genomes": ["accession", "length"]},
        });
        let expected = [
            ("accession", "A\u{1f}B\u{1f}"),
            ("page_size", "5"),
            ("page", ""),
            ("x", "true"),
            ("geo_origin", "Asia"),
            ("geo_origin", "Europe, North"),
            ("filter[lineage]", "root"),
            ("where", "a:1"),
            ("where", "b:2,3"),
            ("fields[genomes]", "accession,length"),
        ];
        let mut pairs = of(&body).await.unwrap();
        let mut expected: Vec<_> = expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        pairs.sort();
        expected.sort();
        assert_eq!(pairs, expected);
        for body in [json!({"accession": [["A"]]}), json!({"filter": {"x": {"y": 1}}})] {
            assert!(matches!(of(&body).await, Err(CatalogueProblem::Parameter { code: "invalid", .. })));
        }
    }

    #[tokio::test]
    async fn too_many_values_are_refused() {
        let most = json!({ "accession": vec![1; VALUES_MAX - 2] });
        assert_eq!(of(&most).await.unwrap()[0].1.len(), VALUES_MAX * 2 - 4);
        for body in [json!({ "accession": vec![1; VALUES_MAX] }), json!({ "a": vec![json!([]); VALUES_MAX] })] {
            let Err(CatalogueProblem::Body { status, .. }) = of(&body).await else { panic!("it is read") };
            assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
        }
    }

    #[test]
    fn searches_are_below_collections() {
        assert!(is_at("/samples/search") && is_at("/samples/search/"));
        for path in ["/search", "/samples", "/samples/ERS1/search", "/samples/search.csv", ""] {
            assert!(!is_at(path), "{path}");
        }
    }
}
