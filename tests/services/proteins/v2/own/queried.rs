//! Queries by name, source, and studies and assemblies that are free texts, compared with a plain
//! scan.

use axum::http::StatusCode;
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use serde_json::json;
use store_proteins::Protein;
use support::machine::{rounds, seeded};
use support::{PROTEINS_V2, get};

use super::{SITE, SOURCES, ask, post, quoted, refused};
use crate::services::proteins::v2::search;

/// A condition, and the check of a scan.
type Condition = (String, Box<dyn Fn(&Protein) -> bool>);

fn condition(random: &mut StdRng) -> Condition {
    let own = SITE.own.choose(random).expect("some").clone();
    let is_any_case = random.random_bool(0.5);
    let cased = |text: &str| if is_any_case { text.to_ascii_uppercase() } else { text.to_owned() };
    match random.random_range(0..10) {
        0 | 1 => (
            format!("name:\"{}\"", own.name),
            Box::new(move |protein| protein.name == own.name && protein.source.is_some()),
        ),
        2 | 3 => {
            let source = own.source.expect("it is of own data");
            (format!("source:{}", cased(&source)), Box::new(move |protein| protein.source.as_ref() == Some(&source)))
        }
        4 => (cased("source:").to_lowercase() + &cased("release"), Box::new(|protein| protein.source.is_none())),
        5 => (
            format!("study:\"{}\"", cased("My soil study (é)")),
            Box::new(|protein| protein.occurrences.iter().any(|found| found.study == "My soil study (é)")),
        ),
        6 => (
            format!("assembly:\"{}\"", cased("Assembly no. 1")),
            Box::new(|protein| protein.occurrences.iter().any(|found| found.assembly == "Assembly no. 1")),
        ),
        7 => (
            "biome:\"root:Environmental:Terrestrial:Soil\"".to_owned(),
            Box::new(|protein| {
                let soil = "root:Environmental:Terrestrial:Soil";
                protein
                    .biomes
                    .iter()
                    .any(|biome| biome.lineage == soil || biome.lineage.starts_with(&format!("{soil}:")))
            }),
        ),
        8 => ("name:*".to_owned(), Box::new(|protein| protein.source.is_some())),
        _ => {
            let length = random.random_range(3..30);
            (format!("length:<={length}"), Box::new(move |protein| protein.sequence.len() <= length))
        }
    }
}

fn query(random: &mut StdRng, depth: u32) -> Condition {
    if depth == 0 || random.random_bool(0.3) {
        return condition(random);
    }
    let (left, right) = (query(random, depth - 1), query(random, depth - 1));
    match random.random_range(0..3) {
        0 => (format!("({} AND {})", left.0, right.0), Box::new(move |own| left.1(own) && right.1(own))),
        1 => (format!("({} OR {})", left.0, right.0), Box::new(move |own| left.1(own) || right.1(own))),
        _ => (format!("({} AND NOT {})", left.0, right.0), Box::new(move |own| left.1(own) && !right.1(own))),
    }
}

#[tokio::test]
async fn random_queries_agree_with_a_scan() {
    let (mut random, _seed) = seeded();
    let all = || SITE.release.iter().chain(&SITE.own);
    let (mut num_own, mut num_release) = (0, 0);
    // Random queries may match no protein of the release.
    let of_release: Condition = ("source:release".to_owned(), Box::new(|protein| protein.source.is_none()));
    let mut queries = vec![of_release];
    queries.extend((0..rounds(40, 150)).map(|_| query(&mut random, 3)));
    for (text, is_match) in queries {
        let expected: Vec<&Protein> = all().filter(|protein| is_match(protein)).collect();
        num_own += expected.iter().filter(|found| found.source.is_some()).count();
        num_release += expected.iter().filter(|found| found.source.is_none()).count();
        let path = search(&[("q", &text), ("format", "tsv"), ("fields", "accession,name,source,description")]);
        let found = get(&SITE.api, &path).await.checked(200, &text);
        let row = |found: &&Protein| {
            format!(
                "{}\t{}\t{}\t{}",
                found.accession,
                found.name,
                found.source.as_deref().unwrap_or_default(),
                quoted(&found.description)
            )
        };
        assert_eq!(
            found.text().lines().skip(1).collect::<Vec<_>>(),
            expected.iter().map(row).collect::<Vec<_>>(),
            "{text}"
        );
        let counted = get(&SITE.api, &search(&[("q", &text), ("limit", "1"), ("count", "exact")])).await.json();
        assert_eq!(counted["total"], json!({"value": expected.len(), "relation": "eq"}), "{text}");
        let posted =
            post("/proteins/search", "application/json", json!({"q": text, "limit": 3}).to_string()).await.json();
        let first: Vec<_> = expected.iter().take(3).map(|found| found.accession.to_string()).collect();
        let posted = posted["results"].as_array().expect("a list").iter();
        assert_eq!(
            posted.map(|found| found["accession"].as_str().expect("a text")).collect::<Vec<_>>(),
            first,
            "{text}"
        );
    }
    assert!(num_own > 0 && num_release > 0, "{num_own} {num_release}");
}

#[tokio::test]
async fn unknown_names_find_nothing_and_unknown_sources_are_refused() {
    for name in ["nope", "K141_1", "soil:k141_2"] {
        let page = get(&SITE.api, &search(&[("name", name)])).await.json();
        assert_eq!(page["total"], json!({"value": 0, "relation": "eq"}), "{name}");
    }
    for (name, value, expected) in [
        ("source", "siol", "no source has this name; did you mean \"soil\"?"),
        ("source", "relaese", "no source has this name; did you mean \"release\"?"),
        (
            "q",
            "source:nothing_like_it",
            "no source has this name; understood: the name of a source of your own data, or release",
        ),
        ("name", "a/b", "no protein can have this name"),
        ("study", "My soil studi (é)", "did you mean \"My soil study (é)\"?"),
        ("assembly", "Assembly no. 2", "did you mean \"Assembly no. 1\"?"),
        ("study", "\"\"", "this is not an accession"),
        ("study", &"a".repeat(201), "this is not an accession"),
        ("q", "study:\"a\u{7}\"", "this is not an accession"),
    ] {
        let detail = refused(&get(&SITE.api, &search(&[(name, value)])).await, StatusCode::UNPROCESSABLE_ENTITY);
        let message = detail[0]["msg"].as_str().expect("a text");
        assert!(message.contains(expected), "{name}={value}: {message}");
    }
}

#[tokio::test]
async fn facets_and_suggestions_have_the_studies_of_own_data() {
    for (by, value) in [("study", "My soil study (é)"), ("assembly", "Assembly no. 1")] {
        let facets = ask(&format!("/facets?by={by}&source=soil")).await.json();
        let found = facets["facets"].as_array().expect("a list").iter().find(|facet| facet["value"] == value);
        let found = found.unwrap_or_else(|| panic!("{facets}"));
        let query = search(&[(by, value), ("source", "soil")]);
        assert_eq!(get(&SITE.api, &query).await.json()["total"]["value"], found["count"]);
    }
    let total = ask("/facets?by=length&q=source:sea.2").await.json()["total"]["value"].clone();
    assert_eq!(total, SOURCES[1].1.len());
    // The words may come in any order.
    for words in ["study+soil", "MY+study", "soi"] {
        let suggested = ask(&format!("/suggest?kind=study&text={words}")).await.json();
        let suggested = &suggested["suggestions"][0];
        assert_eq!(suggested["value"], "My soil study (é)", "{words}");
        let expected =
            SITE.own.iter().filter(|own| own.occurrences.iter().any(|found| !found.study.is_empty())).count();
        assert_eq!(suggested["count"], expected);
    }
    let compared =
        get(&SITE.api, &format!("{PROTEINS_V2}/enrichment?q=source:soil&by=biome&against=source:release")).await;
    assert_eq!(compared.status, StatusCode::OK);
}
