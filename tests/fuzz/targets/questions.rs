//! Requests of strangers, and the query language.

use std::sync::LazyLock;

use axum::http::{Method, StatusCode};
use serde_json::Value;
use store_proteins::{PAGE_BUDGET, ProteinGeneration, ProteinQuery, Relation};
use support::{PROTEINS_V2, encoded};

use super::site::{Site, with_site};

/// Returns the first line of an input as text, and the rest.
fn first_line(input: &[u8]) -> Option<(&str, &[u8])> {
    let end = input.iter().position(|byte| *byte == b'\n')?;
    Some((str::from_utf8(&input[..end]).ok()?, &input[end + 1..]))
}

/// The first line has the method, the path and the type of the body.
pub(super) fn bodies(input: &[u8]) {
    let Some((line, body)) = first_line(input) else { return };
    let mut words = line.splitn(3, ' ');
    let (Some(method), Some(path), Some(kind)) = (words.next(), words.next(), words.next()) else { return };
    let Ok(method) = method.parse::<Method>() else { return };
    with_site(|site| {
        let authorization = format!("Bearer {}", site.administrator);
        site.answer(method, path, &[("content-type", kind), ("authorization", &authorization)], body);
    });
}

/// The first line has the path, and the others headers.
pub(super) fn requests(input: &[u8]) {
    let Ok(text) = str::from_utf8(input) else { return };
    let mut lines = text.lines();
    let Some(path) = lines.next() else { return };
    let headers: Vec<_> = lines.filter_map(|line| line.split_once(": ")).collect();
    with_site(|site| {
        site.answer(Method::GET, path, &headers, b"");
    });
}

/// An input is a cursor: a page continues after it, or it is refused.
pub(super) fn cursors(input: &[u8]) {
    let Ok(cursor) = str::from_utf8(input) else { return };
    let after = encoded(cursor);
    with_site(|site| {
        for collection in ["studies", "samples", "publications"] {
            let path = format!("/metagenomics/api/v2/{collection}/?after={after}&page_size=2");
            let Some(answer) = site.answer(Method::GET, &path, &[], b"") else { continue };
            let is_found = answer.status == StatusCode::OK && !cursor.is_empty();
            assert!(is_found || cursor.is_empty() || answer.status == 422, "{path}: {}", answer.text());
            if is_found {
                assert!(!answer.text().contains(&format!("\"accession\":{}", Value::from(cursor))), "{path}");
            }
        }
        let path = format!("{PROTEINS_V2}/proteins?after={after}&limit=3");
        let Some(answer) = site.answer(Method::GET, &path, &[], b"") else { return };
        let last: Option<u64> = cursor.trim_start_matches("MGYP").parse().ok();
        assert!(matches!(answer.status.as_u16(), 200 | 422), "{path}: {}", answer.text());
        if let (StatusCode::OK, Some(last)) = (answer.status, last) {
            for hit in answer.json()["results"].as_array().expect("results") {
                let accession = hit["mgyp"].as_str().or(hit["accession"].as_str()).expect("an accession");
                assert!(accession.trim_start_matches("MGYP").parse::<u64>().expect("a number") > last, "{path}");
            }
        }
    });
}

/// Returns the number of samples that meet conditions, unless these are refused.
fn num_samples(site: &Site, conditions: &str) -> Option<u64> {
    let path = format!("/metagenomics/api/v1/samples?page_size=1&where={}", encoded(conditions));
    let answer = site.answer(Method::GET, &path, &[], b"")?;
    assert!(matches!(answer.status.as_u16(), 200 | 400 | 414), "{path}: {}", answer.text());
    (answer.status == StatusCode::OK).then(|| answer.json()["meta"]["pagination"]["count"].as_u64().expect("a count"))
}

/// Each sample meets conditions or their negation.
pub(super) fn conditions(input: &[u8]) {
    let Ok(text) = str::from_utf8(input) else { return };
    with_site(|site| {
        let Some(selected) = num_samples(site, text).filter(|_| !text.trim().is_empty()) else { return };
        let Some(others) = num_samples(site, &format!("NOT ({text})")) else { return };
        assert_eq!(Some(selected + others), num_samples(site, "*"), "{text}");
        assert_eq!(Some(selected), num_samples(site, &format!("({text}) OR ({text})")).or(Some(selected)), "{text}");
    });
}

static GENERATION: LazyLock<ProteinGeneration> = LazyLock::new(|| {
    let current = with_site(|site| ProteinGeneration::open_current(&site.folder.generations()));
    current.expect("whole").expect("published")
});

/// Each protein matches a query or its negation, and a page has the first of those that match.
pub(super) fn queries(input: &[u8]) {
    let Ok(text) = str::from_utf8(input) else { return };
    let generation = &*GENERATION;
    let parse = |text: &str| ProteinQuery::parse(text, generation.biomes());
    let query = match parse(text) {
        Ok(query) => query,
        Err(faults) => {
            assert!(!faults.is_empty());
            for fault in faults {
                let part = text.get(fault.place.clone()).expect("part of the text");
                assert!(part.starts_with(fault.part.trim_end_matches('…')), "{fault}");
                assert!(!fault.to_string().is_empty());
            }
            return;
        }
    };
    if query.has_lookup() {
        return;
    }
    let count = |query: &ProteinQuery| {
        let total = generation.total(query, PAGE_BUDGET).expect("whole");
        (total.relation == Relation::Eq).then_some(total.value)
    };
    let negated = ProteinQuery::Not(Box::new(query.clone()));
    let (Some(matched), Some(others)) = (count(&query), count(&negated)) else { return };
    assert_eq!(matched + others, generation.statistics().num_proteins, "{text}");
    let page = generation.page(&query, None, 5, u64::MAX).expect("whole");
    assert_eq!(page.hits.len() as u64, matched.min(5), "{text}");
    assert_eq!(page.next.is_some(), matched > 5, "{text}");
    if let Ok(again) = parse(&format!("({text}) AND ({text})")) {
        assert_eq!(count(&again).unwrap_or(matched), matched, "{text}");
    }
}
