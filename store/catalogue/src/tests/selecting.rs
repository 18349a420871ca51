//! Selections are compared with a plain evaluation over all entries.

use std::cmp::Ordering;
use std::ops::{Bound, RangeBounds};

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select as one_of;

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

fn text(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    one_of(texts).prop_map(str::to_owned)
}

fn texts(texts: &'static [&'static str], most: usize) -> impl Strategy<Value = Vec<String>> {
    vec(text(texts), 0..=most)
}

fn degrees() -> impl Strategy<Value = Option<f64>> {
    option::of(one_of(&[-90.0, -1.5, -0.0, 0.0, 2.0, 180.0][..]))
}

fn entries(resource_type: &'static str, most: usize) -> impl Strategy<Value = Vec<Ordered>> {
    let pair = || (text(&NAMES), text(&VALUES));
    let metadata = (text(&NAMES), option::of(text(&VALUES)), text(&UNITS));
    let metadata = metadata.prop_map(|(key, value, unit)| MetadataEntry { key, value, unit });
    let named = (text(&["samples", "studies"]), text(&IDS));
    let found_in = (text(&["studies"]), text(&IDS), text(&["samples"]));
    let found = (vec(named, 0..4), vec(found_in, 0..2), texts(&WORDS, 4));
    let plain = (texts(&IDS, 2), texts(&LINEAGES, 2), vec(pair(), 0..3), vec(metadata, 0..4), degrees(), degrees());
    let order = || option::of(0..4_u8);
    vec((plain, found, order(), order()), 0..=most).prop_map(move |all| {
        let numbered = all.into_iter().enumerate();
        numbered
            .map(|(number, (plain, (named, found_in, text), x, y))| {
                let (identifiers, lineages, mut attributes, metadata, latitude, longitude) = plain;
                let months: Vec<String> = attributes
                    .iter()
                    .filter(|(_, value)| value == "Mar-2016")
                    .map(|(name, _)| format!("{CANONICAL_DATE}{name}"))
                    .collect();
                attributes.extend(months.into_iter().map(|name| (name, "2016-03".to_owned())));
                attributes.extend(lineages.iter().map(|lineage| (DOCUMENT_LINEAGE.to_owned(), lineage.clone())));
                let mut entry = entry(resource_type, &format!("{resource_type}{number}"));
                entry.identifiers.extend(identifiers);
                let entry = CatalogueEntry {
                    lineages,
                    attributes,
                    metadata,
                    latitude,
                    longitude,
                    named,
                    found_in,
                    text,
                    ..entry
                };
                (entry, [x, y])
            })
            .collect()
    })
}

fn bounds() -> impl Strategy<Value = Bounds> {
    (degrees(), degrees()).prop_map(|(min, max)| Bounds { min, max })
}

fn bound() -> impl Strategy<Value = Bound<String>> {
    prop_oneof![
        Just(Bound::Unbounded),
        text(&VALUES).prop_map(Bound::Included),
        text(&VALUES).prop_map(Bound::Excluded),
    ]
}

fn area() -> impl Strategy<Value = Area> {
    let degrees = || one_of(&[-90.0, -1.5, 0.0, 2.0, 90.0][..]);
    let (corner, opposite, km) = ((degrees(), degrees()), (degrees(), degrees()), one_of(&[0.0, 200.0, 1e4, 2e4][..]));
    (corner, opposite, km, any::<bool>()).prop_map(|((south, west), (north, east), km, is_box)| {
        let circle = Area::Circle { latitude: south, longitude: west, km };
        if is_box { Area::Box { south, north, west, east } } else { circle }
    })
}

fn condition() -> impl Strategy<Value = Condition> {
    let pattern = || one_of(&PATTERNS[..]).prop_map(|text| Pattern::parse(text).expect("valid"));
    let coordinate = one_of(&[Coordinate::Latitude, Coordinate::Longitude][..]);
    let metadata = (texts(&NAMES, 2), option::of(text(&VALUES)), bounds(), option::of(text(&UNITS)));
    let leaf = prop_oneof![
        texts(&IDS, 4).prop_map(Condition::Identified),
        text(&LINEAGES).prop_map(Condition::Lineage),
        pattern().prop_map(Condition::LineagePattern),
        (text(&NAMES), text(&VALUES)).prop_map(|(name, value)| Condition::Attribute(name, value)),
        (text(&NAMES), pattern()).prop_map(|(name, pattern)| Condition::AttributePattern(name, pattern)),
        (coordinate, bounds()).prop_map(|(coordinate, bounds)| Condition::Coordinate(coordinate, bounds)),
        metadata.prop_map(|(keys, value, bounds, unit)| Condition::Metadata { keys, value, bounds, unit }),
        (text(&["samples", "studies"]), text(&IDS)).prop_map(|(named, id)| Condition::Names(named, id)),
        text(&IDS).prop_map(|id| Condition::FoundIn("studies".into(), id, "samples".into())),
        text(&LINEAGES).prop_map(Condition::OwnLineage),
        text(&LINEAGES).prop_map(|lineage| Condition::LineagePath(lineage_path(&lineage.to_uppercase()))),
        (text(&NAMES), bounds()).prop_map(|(name, bounds)| Condition::AttributeNumber(name, bounds)),
        (text(&NAMES), bound(), bound()).prop_map(|(name, from, to)| Condition::AttributeDated(name, from, to)),
        area().prop_map(Condition::Within),
        search().prop_map(Condition::Text),
        search().prop_map(Condition::TextOrSamples),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        prop_oneof![
            boxed().prop_map(Condition::OfSamples),
            (text(&["samples", "studies", "runs"]), boxed())
                .prop_map(|(other, inner)| Condition::SampleOf(other, inner)),
            (text(&["samples", "studies", "runs"]), boxed())
                .prop_map(|(other, inner)| Condition::NamedBy(other, inner)),
            (text(&["samples", "studies", "runs"]), boxed())
                .prop_map(|(other, inner)| Condition::LinkedWith(other, inner)),
            vec(inner.clone(), 0..3).prop_map(Condition::AnyOf),
            vec(inner.clone(), 0..3).prop_map(Condition::AllOf),
            boxed().prop_map(Condition::Not),
        ]
    })
}

/// Words, and phrases in quotes, some with a dash before them.
fn search() -> impl Strategy<Value = String> {
    let part = (any::<bool>(), any::<bool>(), texts(&WORDS, 2)).prop_map(|(is_unwanted, is_phrase, words)| {
        let dash = if is_unwanted { "-" } else { "" };
        if is_phrase { format!("{dash}\"{}\"", words.join(" ")) } else { format!("{dash}{}", words.concat()) }
    });
    vec(part, 0..3).prop_map(|parts| parts.join(" "))
}

fn selections() -> impl Strategy<Value = Vec<Selection>> {
    let orders = vec((one_of(&["x", "y", "z"][..]), any::<bool>()), 0..4);
    let one = (one_of(&["samples", "studies", "runs"][..]), vec(condition(), 0..3), orders);
    vec(one.prop_map(|(resource_type, conditions, orders)| selection(resource_type, conditions, &orders)), 30)
}

fn words(text: &str) -> Vec<String> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Returns whether texts, or those of one of the others, satisfy each part of a search.
fn fits(search: &str, texts: &[String], others: &[&[String]]) -> bool {
    let has = |texts: &[String], part: &str| match part.strip_prefix('"') {
        Some(phrase) => {
            let phrase = words(phrase);
            texts.iter().any(|text| words(text).windows(phrase.len().max(1)).any(|found| found == phrase))
        }
        None => words(part).iter().all(|word| texts.iter().any(|text| words(text).contains(word))),
    };
    let mut parts: Vec<(bool, String)> = Vec::new();
    let mut before = "";
    for (number, part) in search.split('"').enumerate() {
        let is_unwanted = before == "-" || before.ends_with(" -");
        before = part;
        if number % 2 == 1 {
            parts.push((is_unwanted, format!("\"{part}")));
        } else {
            parts.extend(part.split(' ').filter(|part| !part.is_empty()).map(|part| match part.strip_prefix('-') {
                Some(rest) if !rest.is_empty() => (true, rest.to_owned()),
                _ => (false, part.to_owned()),
            }));
        }
    }
    parts.retain(|(_, part)| !words(part).is_empty());
    let has = |part: &str| has(texts, part) || others.iter().any(|texts| has(texts, part));
    !parts.is_empty() && parts.iter().all(|(is_unwanted, part)| has(part) != *is_unwanted)
}

fn is_within(bounds: Bounds, number: f64) -> bool {
    bounds.min.is_none_or(|min| min <= number) && bounds.max.is_none_or(|max| number <= max)
}

/// The positions of the samples that an entry names.
fn samples_of(all: &[Ordered], entry: &CatalogueEntry) -> Vec<usize> {
    let is_named = |id: &str| {
        all.iter().position(|(other, _)| {
            other.resource_type == "samples" && other.identifiers.iter().any(|known| known == id)
        })
    };
    let named =
        entry.named.iter().filter(|(named_type, _)| named_type == "samples" && entry.resource_type != "samples");
    named.filter_map(|(_, id)| is_named(id)).collect()
}

fn holds(all: &[Ordered], position: usize, condition: &Condition) -> bool {
    let entry = &all[position].0;
    let is_found_by = |id: &String| {
        let is_it =
            |other: &CatalogueEntry| other.resource_type == entry.resource_type && other.identifiers.contains(id);
        all.iter().position(|(other, _)| is_it(other)) == Some(position)
    };
    match condition {
        Condition::Identified(ids) => ids.iter().any(is_found_by),
        Condition::LineagePath(path) => entry.attributes.iter().any(|(name, lineage)| {
            let lineage = lineage_path(lineage);
            let is_within = lineage.strip_prefix(&**path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
            name == DOCUMENT_LINEAGE && is_within
        }),
        Condition::NamedBy(other_type, inner) => all.iter().enumerate().any(|(other, (naming, _))| {
            let names_it = |(named_type, id): &(String, String)| *named_type == entry.resource_type && is_found_by(id);
            naming.resource_type == *other_type && naming.named.iter().any(names_it) && holds(all, other, inner)
        }),
        Condition::LinkedWith(other_type, inner) => all.iter().enumerate().any(|(other, (linked, _))| {
            let first = |resource_type: &str, id: &String| {
                all.iter().position(|(entry, _)| entry.resource_type == resource_type && entry.identifiers.contains(id))
            };
            let leads = |from: &CatalogueEntry, to: &CatalogueEntry, position: usize| {
                let is_it = |kind: &String, id: &String| *kind == to.resource_type && first(kind, id) == Some(position);
                from.named.iter().any(|(kind, id)| is_it(kind, id))
                    || from.found_in.iter().any(|(kind, id, _)| is_it(kind, id))
            };
            linked.resource_type == *other_type
                && (leads(linked, entry, position) || leads(entry, linked, other))
                && holds(all, other, inner)
        }),
        Condition::Lineage(above) => entry
            .lineages
            .iter()
            .any(|lineage| lineage.strip_prefix(&**above).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))),
        Condition::LineagePattern(pattern) => entry.lineages.iter().any(|lineage| pattern.is_match(lineage)),
        Condition::Attribute(name, value) => {
            entry.attributes.iter().any(|(known, found)| known == name && found.trim() == value.trim())
        }
        Condition::AttributePattern(name, pattern) => {
            entry.attributes.iter().any(|(known, value)| known == name && pattern.is_match(value.trim()))
        }
        Condition::Coordinate(Coordinate::Latitude, bounds) => entry.latitude.is_some_and(|it| is_within(*bounds, it)),
        Condition::Coordinate(Coordinate::Longitude, bounds) => {
            entry.longitude.is_some_and(|it| is_within(*bounds, it))
        }
        Condition::Metadata { keys, value, bounds, unit } => entry.metadata.iter().any(|found| {
            let text = found.value.as_ref();
            let number = || text.and_then(|text| text.trim().parse().ok()).filter(|it: &f64| it.is_finite());
            (keys.is_empty() || keys.contains(&found.key))
                && value.as_ref().is_none_or(|value| text.is_some_and(|text| text.trim() == value.trim()))
                && unit.as_ref().is_none_or(|unit| text.is_some() && *unit == found.unit)
                && (*bounds == Bounds::default() || number().is_some_and(|number| is_within(*bounds, number)))
        }),
        Condition::Names(named_type, id) => entry.named.contains(&(named_type.clone(), id.clone())),
        Condition::FoundIn(parent, id, relation) => {
            entry.found_in.contains(&(parent.clone(), id.clone(), relation.clone()))
        }
        Condition::OwnLineage(lineage) => entry.lineages.contains(lineage),
        Condition::AttributeNumber(name, bounds) => entry.attributes.iter().any(|(known, value)| {
            let number = value.trim().parse().ok().filter(|number: &f64| number.is_finite());
            known == name && number.is_some_and(|number| is_within(*bounds, number))
        }),
        Condition::AttributeDated(name, from, to) => {
            entry.attributes.iter().any(|found| is_dated(found, name, &(from.clone(), to.clone())))
        }
        Condition::Within(area) => {
            let [latitude, longitude] = [entry.latitude, entry.longitude].map(|degrees| degrees.unwrap_or(f64::NAN));
            area.contains(latitude, longitude)
        }
        Condition::Text(text) => fits(text, &entry.text, &[]),
        Condition::TextOrSamples(text) => {
            let samples: Vec<_> = samples_of(all, entry).into_iter().map(|sample| &*all[sample].0.text).collect();
            fits(text, &entry.text, &samples)
        }
        Condition::OfSamples(inner) => samples_of(all, entry).into_iter().any(|sample| holds(all, sample, inner)),
        Condition::SampleOf(other_type, inner) => {
            entry.resource_type == "samples"
                && (0..all.len()).any(|other| {
                    all[other].0.resource_type == *other_type
                        && holds(all, other, inner)
                        && samples_of(all, &all[other].0).contains(&position)
                })
        }
        Condition::AllOf(conditions) => conditions.iter().all(|condition| holds(all, position, condition)),
        Condition::AnyOf(conditions) => conditions.iter().any(|condition| holds(all, position, condition)),
        Condition::Among(_) => unreachable!("no condition of the model is collected"),
        Condition::Not(inner) => !holds(all, position, inner),
    }
}

/// Returns whether an attribute is a date that lies in a range.
fn is_dated((known, value): &(String, String), name: &str, range: &(Bound<String>, Bound<String>)) -> bool {
    let moments = match (known.strip_prefix(CANONICAL_DATE), value.trim()) {
        (None, "2016") => ["2016-01-01T00:00:00", "2016-12-31T23:59:59"],
        (None, "2016-02") => ["2016-02-01T00:00:00", "2016-02-29T23:59:59"],
        (Some(of), "2016-03") if of == name => ["2016-03-01T00:00:00", "2016-03-31T23:59:59"],
        _ => return false,
    };
    let is_of_name = known.strip_prefix(CANONICAL_DATE).unwrap_or(known) == name;
    is_of_name && moments.iter().all(|moment| range.contains(&(*moment).to_owned()))
}

/// Compares two positions by orders. Ties in `x` ascend by position, ties in `y` descend; the last
/// order says which counts.
fn compare(all: &[Ordered], orders: &[Order], left: usize, right: usize) -> Ordering {
    let known = orders.iter().filter(|order| order.field != "z");
    let by = |order: &Order| {
        let field = usize::from(order.field == "y");
        let ascending = all[left].1[field].cmp(&all[right].1[field]);
        if order.is_descending { ascending.reverse() } else { ascending }
    };
    let ties_descend = known.clone().next_back().is_some_and(|last| last.field == "y");
    let tie = if ties_descend { right.cmp(&left) } else { left.cmp(&right) };
    known.map(by).find(|ordering| ordering.is_ne()).unwrap_or(tie)
}

fn expected(all: &[Ordered], selection: &Selection) -> Vec<Ordinal> {
    let is_found = |&position: &usize| {
        all[position].0.resource_type == selection.resource_type
            && selection.conditions.iter().all(|condition| holds(all, position, condition))
    };
    let mut found: Vec<usize> = (0..all.len()).filter(is_found).collect();
    found.sort_by(|&left, &right| compare(all, &selection.orders, left, right));
    found.into_iter().map(|position| Ordinal::try_from(position).expect("small")).collect()
}

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
    // There is no answer if more work is needed than allowed.
    let asked = selection("studies", vec![all], &[]);
    assert!(generation.select_unless(&asked, &Effort::new(one)).expect("readable").is_none());
    assert!(generation.select(&asked).expect("readable").is_empty());
}
