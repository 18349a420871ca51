//! The same selections by a plain scan.

use super::*;

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
pub(super) fn samples_of(all: &[Ordered], entry: &CatalogueEntry) -> Vec<usize> {
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
pub(super) fn compare(all: &[Ordered], orders: &[Order], left: usize, right: usize) -> Ordering {
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

pub(super) fn expected(all: &[Ordered], selection: &Selection) -> Vec<Ordinal> {
    let is_found = |&position: &usize| {
        all[position].0.resource_type == selection.resource_type
            && selection.conditions.iter().all(|condition| holds(all, position, condition))
    };
    let mut found: Vec<usize> = (0..all.len()).filter(is_found).collect();
    found.sort_by(|&left, &right| compare(all, &selection.orders, left, right));
    found.into_iter().map(|position| Ordinal::try_from(position).expect("small")).collect()
}
