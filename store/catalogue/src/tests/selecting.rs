//! Selections are compared with a plain evaluation over all entries.

mod random;
mod scan;

use std::cmp::Ordering;
use std::ops::{Bound, RangeBounds};

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select as one_of;

use self::random::{entries, selections};
use self::scan::{compare, expected, samples_of};
use super::counting::check_facets;
use super::*;
use crate::model::{CANONICAL_DATE, DOCUMENT_LINEAGE, lineage_path};

const LINEAGES: [&str; 5] = ["root", "root:A", "root:A:B", "root:AB", "root:C:D"];
const WORDS: [&str; 6] = ["sea", "Sea-water", "WATER", "é", "5°", "ÉTÉ sea"];
const VALUES: [&str; 12] = ["1", " 1.0 ", "-2.5", "x", "X1", "", "1e1", "NaN", "-0", "2016", "2016-02", "Mar-2016"];
const UNITS: [&str; 3] = ["", "m", "m\0"];
const NAMES: [&str; 3] = ["a", "b", "a\0b"];
const IDS: [&str; 8] = ["0", "1", "2", "3", "4", "5", "6", "7"];
const PATTERNS: [&str; 5] = ["a", "^root:.$", "1", "^$", "x|D"];

/// An entry, and the values by which it is ordered.
type Ordered = (CatalogueEntry, [Option<u8>; 2]);

/// Adds the orders of a type whose entries begin at a position.
fn add_orders(builder: &mut CatalogueBuilder, all: &[Ordered], resource_type: &str) {
    for (field, name) in ["x", "y"].into_iter().enumerate() {
        let order = [Order { field: name.into(), is_descending: false }];
        let mut positions: Vec<usize> =
            (0..all.len()).filter(|&position| all[position].0.resource_type == resource_type).collect();
        positions.sort_by(|&left, &right| compare(all, &order, left, right));
        let mut previous = None;
        let ascending = positions.into_iter().map(|position| {
            let value = all[position].1[field];
            let is_tied = previous.replace(value) == Some(value);
            Ok((Ordinal::try_from(position).expect("small"), is_tied))
        });
        builder.add_order(resource_type, name, ascending).expect("a permutation");
    }
}

fn build(folder: &Folder, all: &[Ordered], segment_size: usize) {
    folder.publish(|builder| {
        for (number, (entry, _)) in all.iter().enumerate() {
            if number % segment_size == segment_size - 1 {
                builder.begin_segment();
            }
            let ordinal = add(builder, entry);
            assert_eq!(ordinal as usize, number);
        }
        for resource_type in ["samples", "studies"] {
            if all.iter().any(|(entry, _)| entry.resource_type == resource_type) {
                add_orders(builder, all, resource_type);
            }
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn selections_match_a_plain_evaluation(
        samples in entries("samples", 150),
        studies in entries("studies", 40),
        selections in selections(),
        segment_size in 20..300_usize,
        page_size in 1..30_usize,
    ) {
        let all: Vec<Ordered> = samples.into_iter().chain(studies).collect();
        let folder = Folder::new();
        build(&folder, &all, segment_size);
        let generation = folder.open();
        let entries: Vec<&CatalogueEntry> = all.iter().map(|(entry, _)| entry).collect();
        for selection in &selections {
            check_facets(&generation, &entries, selection, |position| samples_of(&all, entries[position]));
            let expected = expected(&all, selection);
            let listing = generation.select(selection).expect("readable");
            prop_assert_eq!(listing.ordinals(0..usize::MAX), &*expected, "{:?}", selection);
            prop_assert_eq!((listing.len(), listing.is_empty()), (expected.len(), expected.is_empty()));
            let pages = (0..expected.len()).step_by(page_size);
            let walked: Vec<Ordinal> = pages.flat_map(|start| listing.ordinals(start..start + page_size)).collect();
            prop_assert_eq!(walked, expected);
            prop_assert!(listing.ordinals(listing.len()..listing.len() + 5).is_empty());
            let conditions = selection.conditions.iter().cloned();
            let collected = generation.collect(&selection.resource_type, conditions.map(Ok), &Effort::unlimited());
            let collected: store::Result<Condition> = collected;
            let any_of = Condition::AnyOf(selection.conditions.clone());
            let [of_any, among] = [any_of, collected.expect("readable")].map(|condition| {
                let conditions = vec![condition];
                generation.select(&Selection { conditions, ..selection.clone() }).expect("readable")
            });
            prop_assert_eq!(of_any.ordinals(0..usize::MAX), among.ordinals(0..usize::MAX));
        }
        check_bodies(&generation, &all);
        check_known(&generation, &all);
        let name = generation.name();
        drop(generation);
        let verified = CatalogueGeneration::verify_published(&folder.generations, name).expect("sound");
        prop_assert_eq!(verified.num_resources, all.len() as u64);
    }
}

/// Reads all bodies in an odd order, and finds each by its identifiers.
fn check_bodies(generation: &CatalogueGeneration, all: &[Ordered]) {
    let ordinals: Vec<Ordinal> = (0..).take(all.len()).collect();
    let mixed: Vec<Ordinal> = ordinals.iter().rev().step_by(3).chain(&ordinals).copied().collect();
    let bodies = generation.resources(&mixed).expect("whole");
    for (body, &ordinal) in bodies.iter().zip(&mixed) {
        assert_eq!(**body, all[ordinal as usize].0.body);
    }
    for (entry, _) in all {
        for id in &entry.identifiers {
            let is_it =
                |other: &CatalogueEntry| other.resource_type == entry.resource_type && other.identifiers.contains(id);
            let first = all.iter().position(|(other, _)| is_it(other)).and_then(|it| Ordinal::try_from(it).ok());
            assert_eq!(generation.find(&entry.resource_type, id).expect("readable"), first);
        }
    }
    for (resource_type, id) in [("samples", "none"), ("runs", "0"), ("samples", ""), ("zzz", "0"), ("", "")] {
        assert_eq!(generation.find(resource_type, id).expect("readable"), None);
    }
}

/// Reads the values of the data.
fn check_known(generation: &CatalogueGeneration, all: &[Ordered]) {
    let any = |is_it: &dyn Fn(&CatalogueEntry) -> bool| all.iter().any(|(entry, _)| is_it(entry));
    let knows = |what: Known| generation.knows(&what).expect("readable");
    for name in NAMES {
        let has_key = any(&|entry| entry.metadata.iter().any(|found| found.key == name));
        assert_eq!(knows(Known::MetadataKey(name.into())), has_key, "{name}");
        for of in ["samples", "studies", "runs"] {
            let has = |value: Option<&str>| {
                let is_it = |(known, found): &(String, String)| {
                    known == name && value.is_none_or(|value| value.trim() == found.trim())
                };
                any(&|entry| entry.resource_type == of && entry.attributes.iter().any(is_it))
            };
            assert_eq!(knows(Known::Attribute(of.into(), name.into())), has(None), "{of} {name}");
            for value in VALUES {
                let found = knows(Known::AttributeValue(of.into(), name.into(), value.into()));
                assert_eq!(found, has(Some(value)), "{of} {name} {value}");
            }
        }
    }
    for of in ["samples", "studies", "runs"] {
        for lineage in LINEAGES.into_iter().chain(["root:C", "root:A:"]) {
            let in_biome = Condition::Lineage(lineage.into());
            let expected = !expected(all, &selection(of, vec![in_biome], &[])).is_empty();
            assert_eq!(knows(Known::Lineage(of.into(), lineage.into())), expected, "{of} {lineage}");
        }
    }
}

#[test]
fn cancelled_selections_have_no_answer_and_are_not_cached() {
    let folder = Folder::new();
    folder.publish(|builder| {
        for number in 0..20 {
            let mut entry = entry("samples", &format!("S{number:02}"));
            entry.attributes = vec![("species".to_owned(), format!("x{number}"))];
            add(builder, &entry);
        }
    });
    let generation = folder.open();
    let pattern = Pattern::parse("x1").expect("valid");
    let conditions = vec![Condition::AttributePattern("species".to_owned(), pattern)];
    let selection = Selection { resource_type: "samples".to_owned(), conditions, orders: Vec::new() };
    let cancelled = Effort::unlimited();
    cancelled.cancel();
    assert!(generation.select_unless(&selection, &cancelled).expect("readable").is_none());
    assert_eq!(generation.select(&selection).expect("readable").len(), 11);
    // A cached answer costs nothing.
    assert!(generation.select_unless(&selection, &cancelled).expect("readable").is_some());
}

#[test]
fn links_are_followed_once_for_alternatives_and_for_equal_conditions() {
    let folder = Folder::new();
    folder.publish(|builder| {
        for number in 0..400 {
            let mut entry = entry("samples", &format!("S{number:03}"));
            entry.attributes = vec![("a".to_owned(), number.to_string())];
            entry.named = vec![("studies".to_owned(), format!("{:03}", number % 100))];
            add(builder, &entry);
        }
        for number in 0..100 {
            add(builder, &entry("studies", &format!("{number:03}")));
        }
    });
    let generation = folder.open();
    let found = |condition: Condition, effort: &Effort| {
        let conditions = std::iter::once(store::Result::Ok(condition));
        generation.collect("studies", conditions, effort).expect("readable")
    };
    let cost = |condition: &Condition| {
        let is_enough = |work: &u64| {
            let effort = Effort::new(*work);
            found(condition.clone(), &effort);
            !effort.is_spent()
        };
        (0..40).map(|power| 1 << power).find(is_enough).expect("little work")
    };
    let linked = |number: usize| {
        let inner = Condition::Attribute("a".to_owned(), number.to_string());
        Condition::LinkedWith("samples".to_owned(), Box::new(inner))
    };
    let one = cost(&linked(0));
    let nested = Condition::AnyOf(vec![linked(63), Condition::AnyOf(vec![linked(64), linked(65)])]);
    let any = Condition::AnyOf((0..63).map(linked).chain([nested]).collect());
    assert!(cost(&any) <= 8 * one, "{} {one}", cost(&any));
    let Condition::Among(of_any) = found(any, &Effort::unlimited()) else { panic!("a set") };
    assert_eq!(of_any.0.len(), 66);
    let equal = Condition::AllOf(vec![Condition::Not(Box::new(linked(1))); 64]);
    assert!(cost(&equal) <= 4 * one, "{} {one}", cost(&equal));
    let all = Condition::AllOf((0..64).map(linked).collect());
    assert!(cost(&all) >= 16 * one, "{} {one}", cost(&all));
    // Nothing is selected if more work is needed than allowed.
    let asked = selection("studies", vec![all], &[]);
    assert!(generation.select_unless(&asked, &Effort::new(one)).expect("readable").is_none());
    assert!(generation.select(&asked).expect("readable").is_empty());
}
