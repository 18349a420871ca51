//! Random resources and selections.

use super::*;

fn text(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    one_of(texts).prop_map(str::to_owned)
}

fn texts(texts: &'static [&'static str], most: usize) -> impl Strategy<Value = Vec<String>> {
    vec(text(texts), 0..=most)
}

fn degrees() -> impl Strategy<Value = Option<f64>> {
    option::of(one_of(&[-90.0, -1.5, -0.0, 0.0, 2.0, 180.0][..]))
}

pub(super) fn entries(resource_type: &'static str, most: usize) -> impl Strategy<Value = Vec<Ordered>> {
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

pub(super) fn selections() -> impl Strategy<Value = Vec<Selection>> {
    let orders = vec((one_of(&["x", "y", "z"][..]), any::<bool>()), 0..4);
    let one = (one_of(&["samples", "studies", "runs"][..]), vec(condition(), 0..3), orders);
    vec(one.prop_map(|(resource_type, conditions, orders)| selection(resource_type, conditions, &orders)), 30)
}
