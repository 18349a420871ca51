//! Documents: lists of resources with links, as the service pages them, and single resources.

use std::collections::HashMap;

use indexer::run::{Reason, Rejection};
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

use super::checks::unreadable;
use super::own_link;
use super::resource::Relation;

#[derive(Debug, Default)]
pub(crate) struct Document<'a> {
    /// The related collection that lists the resources.
    pub(crate) found_in: Option<Relation>,
    /// The JSON of the resources in the order of the text, each with whether it is in `included`.
    pub(crate) resources: Vec<(&'a str, bool)>,
    /// A malformed `included` and its error. The `data` are still used.
    pub(super) bad_included: Option<(&'a str, Rejection)>,
}

impl<'a> Document<'a> {
    /// Returns a resource itself.
    pub(crate) fn of(text: &'a str) -> Self {
        Self { resources: vec![(text, false)], ..Self::default() }
    }
}

/// Splits a document into its resources: the `data` and `included` of an object, the `items` of a
/// page of version 2, or the items of a list. Any other object is treated as a resource.
pub(crate) fn split(text: &str) -> Result<Document<'_>, Rejection> {
    let text = text.trim_ascii();
    if text.starts_with('[') {
        return Ok(Document { resources: list(text)?.map(|item| (item, false)).collect(), ..Document::default() });
    }
    let itself = Document::of(text);
    // Nearly all lines are resources, which need not be scanned twice.
    if begins_as_resource(text) || !text.starts_with('{') {
        return Ok(itself);
    }
    let members: HashMap<String, &RawValue> = serde_json::from_str(text).map_err(|error| unreadable(&error))?;
    if members.contains_key("type") {
        return Ok(itself);
    }
    if let Some(errors) = members.get("errors") {
        let detail = errors.get().chars().take(200).collect::<String>();
        return Err(Rejection::new(Reason::ErrorDocument, detail));
    }
    let items = members.get("items").filter(|_| members.contains_key("count"));
    let Some(data) = members.get("data").or(items) else { return Ok(itself) };
    let mut document =
        Document { found_in: members.get("links").and_then(|links| relation(links)), ..Document::default() };
    match data.get() {
        "null" => {}
        array if array.starts_with('[') => document.resources.extend(list(array)?.map(|item| (item, false))),
        single => document.resources.push((single, false)),
    }
    if let Some(included) = members.get("included").filter(|included| included.get() != "null") {
        match list(included.get()) {
            Ok(items) => document.resources.extend(items.map(|item| (item, true))),
            Err(rejection) => document.bad_included = Some((included.get(), rejection)),
        }
    }
    document.resources.sort_by_key(|(text, _)| text.as_ptr().addr());
    Ok(document)
}

pub(crate) fn is_object(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b"{") && serde_json::from_slice::<IgnoredAny>(line).is_ok()
}

/// Returns whether a line is an object with the members of a document, or of a resource that is
/// more than a reference.
pub(super) fn is_resource_or_document(line: &[u8]) -> bool {
    let Ok(members) = serde_json::from_slice::<HashMap<String, &RawValue>>(line) else { return false };
    let has = |name: &&str| members.contains_key(*name);
    has(&"data") || ["type", "id"].iter().all(has) && ["attributes", "relationships", "links"].iter().any(has)
}

/// Returns whether the first member of an object is one that only resources have.
pub(super) fn begins_as_resource(text: &str) -> bool {
    let member = text.strip_prefix('{').unwrap_or_default().trim_ascii_start();
    member.starts_with(r#""type""#) || member.starts_with(r#""id""#)
}

/// Returns whether an object may be a page of version 2: the objects that it lists have none of the
/// members of a page.
pub(super) fn begins_as_page(text: &str) -> bool {
    let member = text.trim_ascii_start().strip_prefix('{').unwrap_or_default().trim_ascii_start();
    member.starts_with(r#""count""#) || member.starts_with(r#""items""#)
}

fn list(text: &str) -> Result<impl Iterator<Item = &str>, Rejection> {
    let items: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| {
        if error.is_data() { Rejection::new(Reason::NotAResource, error.to_string()) } else { unreadable(&error) }
    })?;
    Ok(items.into_iter().map(RawValue::get))
}

/// Returns the related collection that a document is a page of.
fn relation(links: &RawValue) -> Option<Relation> {
    let links: Value = serde_json::from_str(links.get()).ok()?;
    ["first", "self"].iter().find_map(|name| own_link::related(links.get(name)?.as_str()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resources(text: &str) -> Vec<(&str, bool)> {
        split(text).expect(text).resources
    }

    #[test]
    fn documents_are_split_into_resources() {
        let resource = r#"{"type": "a", "id": "b"}"#;
        assert_eq!(resources(resource), [(resource, false)]);
        assert_eq!(resources(r#"{"attributes": {}, "data": 1, "type": "a"}"#).len(), 1);
        assert_eq!(
            resources(r#"{"meta": {"x": [1]}, "data": [{"id": "1"}, 7]}"#),
            [(r#"{"id": "1"}"#, false), ("7", false)]
        );
        assert_eq!(resources(r#"{"data": {"id": "1"}, "included": [{}]}"#), [(r#"{"id": "1"}"#, false), ("{}", true)]);
        assert_eq!(resources(r#"{"included": [{"x": 1}], "data": []}"#), [(r#"{"x": 1}"#, true)]);
        assert_eq!(resources(r#"{"data": null}"#), []);
        assert_eq!(resources("[1, {}]"), [("1", false), ("{}", false)]);
        assert_eq!(resources("7"), [("7", false)]);
    }

    #[test]
    fn errors_and_torn_documents_are_rejected() {
        for (text, reason) in [
            (r#"{"errors": [{"detail": "Not found."}]}"#, Reason::ErrorDocument),
            (r#"{"data": [{}"#, Reason::UnreadableJson),
        ] {
            assert_eq!(split(text).expect_err(text).reason, reason, "{text}");
        }
    }

    #[test]
    fn malformed_included_resources_keep_the_data() {
        let none = split(r#"{"data": [7], "included": null}"#).expect("a document");
        assert_eq!((none.resources, none.bad_included.is_none()), (vec![("7", false)], true));
        let bad = split(r#"{"included": {"x": 1}, "data": [7]}"#).expect("a document");
        let (text, rejection) = bad.bad_included.expect("bad");
        assert_eq!((bad.resources, text, rejection.reason), (vec![("7", false)], r#"{"x": 1}"#, Reason::NotAResource));
    }

    #[test]
    fn only_more_than_a_reference_is_a_resource() {
        for (line, is_one) in [
            (r#"{"type": "a", "id": "b", "attributes": {}}"#, true),
            (r#"{"id": "b", "type": "a", "links": {"self": null}}"#, true),
            (r#"{"links": {}, "data": []}"#, true),
            (r#"{"type": "a", "id": "b"}"#, false),
            (r#"{"type": "a", "attributes": {}}"#, false),
            (r#"{"type": "a", "id": "b", "attributes": {}},"#, false),
            ("[7]", false),
        ] {
            assert_eq!(is_resource_or_document(line.as_bytes()), is_one, "{line}");
        }
    }

    #[test]
    fn a_page_of_a_related_collection_names_it() {
        let found = |links: &str| split(&format!(r#"{{"links": {links}, "data": []}}"#)).expect("a document").found_in;
        let place = Some(("studies".to_owned(), "M".to_owned(), "samples".to_owned()));
        assert_eq!(found(r#"{"first": "https://a/metagenomics/api/v1/studies/M/samples?page=1"}"#), place);
        assert_eq!(found(r#"{"self": "{base_url}/metagenomics/api/v1/studies/M/samples", "first": null}"#), place);
        assert_eq!(found(r#"{"first": "https://a/metagenomics/api/v1/samples?page=1"}"#), None);
        assert_eq!(found("7"), None);
    }
}
