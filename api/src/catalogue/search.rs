//! Searches whose parameters come in the body of a request, since they are too long for a URI.

use axum::body::{Body, HttpBody};
use axum::http::HeaderMap;
use serde_json::{Map, Value};

use super::collection::Collection;
use super::filter::FilterKind;
use super::negotiation::Format;
use super::problem::CatalogueProblem;
use crate::SourceError;
use crate::error::shown;
use crate::json_body;
use crate::limits::{Limits, Permit};

/// The last segment of the path.
pub(super) const SEARCH: &str = "search";

/// How many bytes a body may have: those of some 300,000 accessions.
pub(super) const BODY_BYTES_MAX: usize = 4 << 20;

/// How often a body is in memory while it is read: as bytes, as JSON, and as parameters.
const COPIES: usize = 3;

/// Tells whether a path below the prefix is that of a search.
pub(super) fn is_at(path: &str) -> bool {
    let path = path.strip_suffix('/').unwrap_or(path);
    path.strip_prefix('/').and_then(|path| path.split_once('/')).is_some_and(|(_, last)| last == SEARCH)
}

/// Reads the parameters of a search: an object of texts, numbers, booleans, lists of them, and objects for names with brackets.
pub(super) async fn parameters(
    limits: &Limits,
    headers: &HeaderMap,
    body: Body,
    collection: &Collection,
) -> Result<Vec<(String, String)>, CatalogueProblem> {
    let most = body.size_hint().upper().and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(BODY_BYTES_MAX);
    if !Permit::take_memory(most.min(BODY_BYTES_MAX) * COPIES) {
        return Err(SourceError::Overloaded.into());
    }
    let content_types = &[Format::Json.content_type(), Format::JsonApi.content_type()];
    match json_body::object(limits, headers, body, (content_types, BODY_BYTES_MAX)).await {
        Ok(object) => pairs(object, collection),
        Err(fault) => Err(match fault.told() {
            Ok((status, detail)) => CatalogueProblem::Body { status, detail },
            Err(problem) => problem.into(),
        }),
    }
}

fn pairs(object: Map<String, Value>, collection: &Collection) -> Result<Vec<(String, String)>, CatalogueProblem> {
    let mut pairs = Vec::new();
    for (name, value) in object {
        match value {
            Value::Object(members) => {
                for (member, value) in members {
                    push(format!("{name}[{member}]"), value, collection, &mut pairs)?;
                }
            }
            value => push(name, value, collection, &mut pairs)?,
        }
    }
    Ok(pairs)
}

/// Adds a parameter: a list is a comma list, or as many parameters where a filter takes no comma list.
fn push(
    name: String,
    value: Value,
    collection: &Collection,
    pairs: &mut Vec<(String, String)>,
) -> Result<(), CatalogueProblem> {
    let Value::Array(items) = value else {
        let text = text(&name, value)?;
        pairs.push((name, text));
        return Ok(());
    };
    let texts = items.into_iter().map(|item| text(&name, item)).collect::<Result<Vec<_>, _>>()?;
    let is_repeated = collection.filters().any(|filter| match filter.kind {
        FilterKind::Choice(choice) => filter.name == name && !choice.is_comma_list,
        _ => false,
    });
    if is_repeated {
        pairs.extend(texts.into_iter().map(|text| (name.clone(), text)));
    } else {
        pairs.push((name, texts.join(",")));
    }
    Ok(())
}

fn text(name: &str, value: Value) -> Result<String, CatalogueProblem> {
    match value {
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(flag) => Ok(flag.to_string()),
        Value::Null => Ok(String::new()),
        Value::Array(_) | Value::Object(_) => {
            let detail = "Enter a text, a number, or a list of them.".to_owned();
            Err(CatalogueProblem::Parameter { name: shown(name).into_owned().into(), detail, code: "invalid" })
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::collection::COLLECTIONS;
    use super::*;

    fn of(body: Value) -> Result<Vec<(String, String)>, CatalogueProblem> {
        let Value::Object(object) = body else { panic!("{body}") };
        pairs(object, COLLECTIONS.iter().find(|collection| collection.path == "genomes").expect("a collection"))
    }

    #[test]
    fn json_becomes_parameters() {
        let body = json!({
            "accession": ["A", "B"], "page_size": 5, "page": null, "x": true, "geo_origin": ["Asia", "Europe, North"],
            "filter": {"lineage": "root"}, "fields": {"genomes": ["accession", "length"]},
        });
        let expected = [
            ("accession", "A,B"),
            ("page_size", "5"),
            ("page", ""),
            ("x", "true"),
            ("geo_origin", "Asia"),
            ("geo_origin", "Europe, North"),
            ("filter[lineage]", "root"),
            ("fields[genomes]", "accession,length"),
        ];
        let mut pairs = of(body).unwrap();
        let mut expected: Vec<_> = expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        pairs.sort();
        expected.sort();
        assert_eq!(pairs, expected);
        for body in [json!({"accession": [["A"]]}), json!({"filter": {"x": {"y": 1}}})] {
            assert!(matches!(of(body), Err(CatalogueProblem::Parameter { code: "invalid", .. })));
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
