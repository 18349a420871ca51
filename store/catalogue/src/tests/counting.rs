//! Facets are compared with a plain count over all entries.

use std::collections::{BTreeMap, BTreeSet};

use super::*;

const NUM_TEXTS: usize = 3;
const NUM_RANGES: usize = 4;

/// A value of an entry: a text, or the unit and the bits of a number.
type Plain = std::result::Result<String, (String, u64)>;

fn fields() -> Vec<FacetField> {
    let attribute = |name: &str, form| FacetValues::Attribute(name.to_owned(), form);
    let values = [
        FacetValues::Lineage(None),
        FacetValues::Lineage(Some(2)),
        attribute("a", AttributeForm::Text),
        attribute("b", AttributeForm::Number),
        attribute("a", AttributeForm::Year),
        FacetValues::Coordinate(Coordinate::Longitude),
        FacetValues::Metadata("a".to_owned()),
        FacetValues::Metadata("none".to_owned()),
    ];
    let scopes = [FacetScope::Own, FacetScope::OfSamples, FacetScope::SampleOf("studies".to_owned())];
    let with = |values: FacetValues| scopes.clone().map(|scope| FacetField { scope, values: values.clone() });
    values.into_iter().flat_map(with).collect()
}

fn number(text: &str) -> Option<u64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite()).map(ascending_bits)
}

fn plain_values(entry: &CatalogueEntry, values: &FacetValues) -> BTreeSet<Plain> {
    let text = |text: &str| Ok(text.trim().to_owned());
    let mut found: BTreeSet<Plain> = match values {
        FacetValues::Lineage(levels) => {
            let cut = |lineage: &String| lineage.split(':').take(levels.unwrap_or(9)).collect::<Vec<_>>().join(":");
            entry.lineages.iter().map(|lineage| Ok(cut(lineage))).collect()
        }
        FacetValues::Attribute(name, form) => {
            let of_name = entry.attributes.iter().filter(|(known, _)| known == name).map(|(_, value)| value);
            match form {
                AttributeForm::Text | AttributeForm::Country => of_name.map(|value| text(value)).collect(),
                AttributeForm::Number => {
                    of_name.filter_map(|value| number(value)).map(|bits| Err((String::new(), bits))).collect()
                }
                // All dates of these entries are of this year.
                AttributeForm::Year => of_name.filter(|value| value.contains("2016")).map(|_| text("2016")).collect(),
            }
        }
        FacetValues::Coordinate(Coordinate::Latitude) => unreachable!("not asked for"),
        FacetValues::Coordinate(Coordinate::Longitude) => {
            entry.longitude.map(|degrees| Err((String::new(), ascending_bits(degrees)))).into_iter().collect()
        }
        FacetValues::Metadata(key) => entry
            .metadata
            .iter()
            .filter(|entry| entry.key == *key)
            .filter_map(|MetadataEntry { value, unit, .. }| {
                let value = value.as_deref()?;
                Some(number(value).map_or_else(|| text(value), |bits| Err((unit.clone(), bits))))
            })
            .collect(),
    };
    found.remove(&text(""));
    found.remove(&text("NaN"));
    found
}

/// Compares the facets of a listing of resources with a plain count. `samples_of` returns the
/// positions of the samples that an entry names.
pub(super) fn check_facets(
    generation: &CatalogueGeneration,
    all: &[&CatalogueEntry],
    selection: &Selection,
    samples_of: impl Fn(usize) -> Vec<usize>,
) {
    let listing = generation.select(selection).expect("readable");
    let found = listing.ordinals(0..listing.len());
    for field in fields() {
        let of = |position: usize| -> BTreeSet<Plain> {
            let whose = match &field.scope {
                FacetScope::Own => vec![position],
                FacetScope::OfSamples => samples_of(position),
                FacetScope::SampleOf(other_type) if selection.resource_type == "samples" => (0..all.len())
                    .filter(|&other| all[other].resource_type == *other_type && samples_of(other).contains(&position))
                    .collect(),
                FacetScope::SampleOf(_) => Vec::new(),
            };
            whose.into_iter().flat_map(|position| plain_values(all[position], &field.values)).collect()
        };
        let values: Vec<BTreeSet<Plain>> = found.iter().map(|&ordinal| of(ordinal as usize)).collect();
        let effort = Effort::unlimited();
        let facet = generation.facet(&selection.resource_type, &listing, &field, NUM_TEXTS, NUM_RANGES, &effort);
        let Ok(Faceted::Counted(counts)) = facet else { panic!("{facet:?}") };
        compare(&counts, &values, &field);
    }
}

fn compare(counts: &FacetCounts, values: &[BTreeSet<Plain>], field: &FacetField) {
    assert_eq!(counts.num_resources, values.len() as u64, "{field:?}");
    assert_eq!(counts.num_without, values.iter().filter(|of| of.is_empty()).count() as u64, "{field:?}");
    let mut texts = BTreeMap::<&str, u64>::new();
    let mut units = BTreeMap::<&str, BTreeSet<u64>>::new();
    for value in values.iter().flatten() {
        match value {
            Ok(text) => *texts.entry(text).or_default() += 1,
            Err((unit, bits)) => {
                units.entry(unit).or_default().insert(*bits);
            }
        }
    }
    assert_eq!(counts.num_texts, texts.len(), "{field:?}");
    let mut texts: Vec<_> = texts.into_iter().map(|(text, count)| (text.to_owned(), count)).collect();
    texts.sort_by(|left, right| (right.1, &left.0).cmp(&(left.1, &right.0)));
    texts.truncate(NUM_TEXTS);
    assert_eq!(counts.texts, texts, "{field:?}");
    assert_eq!(counts.numbers.len(), units.len(), "{field:?}");
    for group in &counts.numbers {
        let distinct = &units[&*group.unit];
        assert_eq!(group.num_values, distinct.len());
        assert_eq!(
            [ascending_bits(group.min), ascending_bits(group.max)],
            [*distinct.first().expect("some"), *distinct.last().expect("some")]
        );
        let having = |from: f64, to: f64, has_end: bool| {
            let is_in = |value: &Plain| {
                value.as_ref().is_err_and(|(unit, bits)| {
                    let (from, to) = (ascending_bits(from), ascending_bits(to));
                    *unit == group.unit && *bits >= from && (*bits < to || has_end && *bits == to)
                })
            };
            values.iter().filter(|of| of.iter().any(is_in)).count() as u64
        };
        assert_eq!(group.num_resources, having(group.min, group.max, true));
        assert!(!group.ranges.is_empty() && group.ranges.len() <= NUM_RANGES);
        for (place, range) in group.ranges.iter().enumerate() {
            assert_eq!(range.num_resources, having(range.from, range.to, place + 1 == group.ranges.len()), "{group:?}");
        }
    }
}

#[test]
fn cancelled_counts_and_too_many_values_are_reported() {
    let folder = Folder::new();
    folder.publish(|builder| {
        for number in 0..2_200 {
            let mut entry = entry("samples", &format!("{number:04}"));
            entry.attributes.push(("long".to_owned(), format!("{}{number:04}", "x".repeat(15_990))));
            entry.attributes.push(("two".to_owned(), (number % 2).to_string()));
            add(builder, &entry);
        }
    });
    let generation = folder.open();
    let listing = generation.select(&selection("samples", Vec::new(), &[])).expect("readable");
    let facet = |name: &str, is_cancelled| {
        let effort = if is_cancelled { Effort::new(0) } else { Effort::unlimited() };
        let values = FacetValues::Attribute(name.to_owned(), AttributeForm::Text);
        let field = FacetField { scope: FacetScope::Own, values };
        generation.facet("samples", &listing, &field, 5, 5, &effort).expect("readable")
    };
    assert_eq!(facet("two", true), Faceted::Cancelled);
    let Faceted::Counted(counts) = facet("two", false) else { panic!("it is counted") };
    assert_eq!(counts.texts, [("0".to_owned(), 1_100), ("1".to_owned(), 1_100)]);
    assert_eq!(facet("long", false), Faceted::TooMany);
}
