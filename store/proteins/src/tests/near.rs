//! Proteins that are near others on contigs.

use super::model::MODEL;
use super::querying::{pages, scan};
use super::*;

#[test]
fn near_proteins_are_found_and_narrowed_by_few_others() {
    let parsed = |text: &str| ProteinQuery::parse(text, MODEL.generation.biomes()).expect(text);
    let some = scan(&parsed("near(*, *, 1)"));
    let few: Vec<_> = some.iter().step_by(20).map(|hit| hit.accession.to_string()).collect();
    let few = few.join(" OR ");
    for (text, num_min, is_narrowed) in [
        ("near(*, *, 1)", 50, false),
        ("near(pfam:PF6, *, 2)", 5, false),
        ("near(NOT has:pfam, pfam:PF6, 3, same)", 5, false),
        (&*format!("near(*, accession:({few}) AND length:[1 TO *], 3)"), 3, true),
        ("near(near(*, pfam:PF6, 2), near(*, full_length:true, 1), 2)", 5, true),
    ] {
        let query = parsed(text);
        let expected = scan(&query);
        assert!(expected.len() >= num_min, "{text}: {}", expected.len());
        let resolved = MODEL.generation.resolve_lookups(query.clone()).expect("sound");
        assert_eq!(resolved != query, is_narrowed, "{text}");
        for (query, budget) in [(&query, 0), (&query, PAGE_BUDGET), (&resolved, 0), (&resolved, PAGE_BUDGET)] {
            assert_eq!(pages(query, None, 1000, budget), expected, "{text}");
        }
    }
}

/// Each level multiplies the proteins around a protein.
#[test]
fn conditions_that_take_too_much_work_are_refused() {
    let mut text = "length:99999999".to_owned();
    for _ in 0..12 {
        text = format!("near(*, {text}, 100)");
    }
    let query = ProteinQuery::parse(&text, MODEL.generation.biomes()).expect("sound");
    for budget in [0, PAGE_BUDGET] {
        let mut after = None;
        let error = loop {
            match MODEL.generation.page(&query, after, 9, budget) {
                Ok(page) => after = Some(page.next.expect("not all are examined")),
                Err(error) => break error,
            }
        };
        assert!(matches!(error, Error::TooMuchWork), "{error}");
        assert_eq!(MODEL.generation.facets(&query, FacetKind::Pfam, 9, 1, budget).expect("not counted"), None);
    }
    MODEL.generation.resolve_lookups(query).expect("not narrowed");
}
