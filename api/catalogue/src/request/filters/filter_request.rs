//! A filter of a request, checked against the data.

use std::collections::BTreeSet;
use std::ops::Bound;

use api_http::SourceError;
use store_catalogue::model::{BIOMES, RUNS};
use store_catalogue::{Bounds, Condition, Known, LinkStyle};

use super::{Combined, areas, dates, text};
use crate::collections::Collection;
use crate::collections::filter::{BiomePart, Choices, FilterKind, FilterScope};
use crate::problem::CatalogueProblem;
use crate::relations::linked;
use crate::render::resource::Resource;
use crate::snapshot::Snapshot;

/// The number of resources that are read at once to compare their ids.
const RESOURCES_PER_READ: usize = 256;

pub(super) struct FilterRequest<'a> {
    pub(super) collection: &'a Collection,
    pub(super) parameter: &'static str,
    pub(super) snapshot: &'a Snapshot,
}

impl FilterRequest<'_> {
    /// Returns the condition of a filter with the given values, of which most filters use only the
    /// last. Filters that make one condition together are added to their common parts instead.
    pub(super) fn condition(
        &self,
        kind: FilterKind,
        given: &[&str],
        combined: &mut Combined,
    ) -> Result<Option<Condition>, CatalogueProblem> {
        let value = given.last().copied().unwrap_or_default();
        let pattern = || text::pattern(self.parameter, value);
        let number = || text::number(self.parameter, value).map(Some);
        let (date, keys) = (|| dates::date(self.parameter, value).map(Some), || self.existing_keys(value));
        let time = || text::time(self.parameter, value).map(Bound::Excluded);
        let literal = |before, after| text::literal(self.parameter, before, value, after);
        let searched = || text::searched(self.parameter, value);
        let within = |name: &str, min, max| Condition::AttributeNumber(name.to_owned(), Bounds { min, max });
        Ok(Some(match kind {
            FilterKind::AnyIdentifier => return self.identified(given, false),
            FilterKind::MainIdentifier => return self.identified(given, true),
            FilterKind::Choice(choices) => return self.choice(&choices, given),
            _ if value.is_empty() => return Ok(None),
            FilterKind::Lineage(scope) => {
                self.check_lineage(value)?;
                scope.apply(Condition::Lineage(value.to_owned()))
            }
            FilterKind::LineagePattern(scope) => scope.apply(Condition::LineagePattern(pattern()?)),
            FilterKind::BiomeName(BiomePart::Whole) => Condition::LineagePattern(literal("(^|:)", "$")?),
            FilterKind::BiomeName(BiomePart::Any) => Condition::LineagePattern(literal("", "[^:]*$")?),
            FilterKind::Pattern(attribute, scope) => {
                self.check_run_attribute(attribute, scope)?;
                scope.apply(Condition::AttributePattern(attribute.into(), pattern()?))
            }
            FilterKind::Attribute(attribute) => Condition::Attribute(attribute.into(), value.to_owned()),
            FilterKind::Number(attribute) => within(attribute, number()?, number()?),
            FilterKind::NumberMin(attribute) => within(attribute, number()?, None),
            FilterKind::NumberMax(attribute) => within(attribute, None, number()?),
            FilterKind::Contains(attribute) => Condition::AttributePattern(attribute.into(), literal("", "")?),
            FilterKind::After(attribute) => Condition::AttributeDated(attribute.into(), time()?, Bound::Unbounded),
            FilterKind::Before(attribute) => Condition::AttributeDated(attribute.into(), Bound::Unbounded, time()?),
            FilterKind::Box => Condition::Within(areas::bounding_box(self.parameter, value)?),
            FilterKind::Near => Condition::Within(areas::near(self.parameter, value)?),
            FilterKind::Linked(resource_type) => {
                let identifiers: BTreeSet<_> = text::items(value).collect();
                let linked = identifiers.into_iter().map(|identifier| self.linked(resource_type, identifier));
                self.snapshot.collect(&self.collection.resource_type, linked, &self.snapshot.effort)?
            }
            FilterKind::Text(FilterScope::Samples) => Condition::TextOrSamples(searched()?),
            FilterKind::Text(_) => Condition::Text(searched()?),
            FilterKind::DateMin(attribute) => return Ok(set(&mut combined.date(attribute).first, date()?)),
            FilterKind::DateMax(attribute) => return Ok(set(&mut combined.date(attribute).last, date()?)),
            FilterKind::CoordinateMin(axis) => return Ok(set(&mut combined.coordinate(axis).min, number()?)),
            FilterKind::CoordinateMax(axis) => return Ok(set(&mut combined.coordinate(axis).max, number()?)),
            FilterKind::MetadataKey(scope) => return Ok(set(&mut combined.metadata(scope).metadata_keys, keys()?)),
            FilterKind::MetadataValue(scope) => {
                return Ok(set(&mut combined.metadata(scope).metadata_value, Some(value.to_owned())));
            }
            FilterKind::MetadataMin(scope) => return Ok(set(&mut combined.bounds(scope).min, number()?)),
            FilterKind::MetadataMax(scope) => return Ok(set(&mut combined.bounds(scope).max, number()?)),
        }))
    }

    /// Returns the condition of a filter by identifiers, or refuses unknown main identifiers.
    fn identified(&self, given: &[&str], are_main: bool) -> Result<Option<Condition>, CatalogueProblem> {
        let (mut seen, mut identifiers) = (BTreeSet::new(), Vec::new());
        for list in given {
            let items: Vec<&str> = if self.is_whole(list)? { vec![list] } else { text::items(list).collect() };
            identifiers.extend(items.into_iter().filter(|item| seen.insert(*item)).map(str::to_owned));
        }
        if given.iter().all(|list| list.is_empty()) {
            return Ok(None);
        }
        if are_main {
            self.check_main_identifiers(&identifiers)?;
        }
        Ok(Some(Condition::Identified(identifiers)))
    }

    /// Returns a key of metadata or, only if it does not exist, its other spellings, as in the
    /// public service.
    fn existing_keys(&self, key: &str) -> Result<Vec<String>, CatalogueProblem> {
        let mut known = self.snapshot.known_keys(key)?;
        match known.first() {
            None => return Err(text::not_a_choice(self.parameter, key)),
            Some(first) if first == key => known.truncate(1),
            Some(_) => {}
        }
        Ok(known)
    }

    fn choice(&self, choices: &Choices, given: &[&str]) -> Result<Option<Condition>, CatalogueProblem> {
        let values: BTreeSet<&str> = if choices.is_comma_list {
            given.last().into_iter().flat_map(|list| text::items(list)).collect()
        } else {
            given.iter().copied().filter(|value| !value.is_empty()).collect()
        };
        if given.iter().all(|value| value.is_empty()) {
            return Ok(None);
        }
        self.check_run_attribute(choices.attribute, choices.scope)?;
        let mut chosen = Vec::new();
        for value in values.into_iter().take_while(|_| self.snapshot.is_wanted()) {
            self.check_choice(choices, value)?;
            chosen.push(Condition::Attribute(choices.attribute.into(), value.to_owned()));
        }
        Ok(Some(choices.scope.apply(Condition::AnyOf(chosen))))
    }

    /// Returns whether a value with commas is a single identifier, such as that of a pooled run.
    fn is_whole(&self, value: &str) -> Result<bool, CatalogueProblem> {
        Ok(value.contains(',') && self.snapshot.find(&self.collection.resource_type, value)?.is_some())
    }

    fn check_main_identifiers(&self, identifiers: &[String]) -> Result<(), CatalogueProblem> {
        for identifiers in identifiers.chunks(RESOURCES_PER_READ).take_while(|_| self.snapshot.is_wanted()) {
            let mut ordinals = Vec::with_capacity(identifiers.len());
            for identifier in identifiers {
                let found = self.snapshot.find(&self.collection.resource_type, identifier)?;
                ordinals.push(found.ok_or_else(|| text::not_a_choice(self.parameter, identifier))?);
            }
            for (identifier, body) in identifiers.iter().zip(self.snapshot.resources(&ordinals)?) {
                if body.key().is_none_or(|(_, id)| id != *identifier) {
                    return Err(text::not_a_choice(self.parameter, identifier));
                }
            }
        }
        Ok(())
    }

    fn check_lineage(&self, lineage: &str) -> Result<(), CatalogueProblem> {
        if self.snapshot.find(BIOMES, lineage)?.is_some() {
            return Ok(());
        }
        for resource_type in self.snapshot.contents().types.keys() {
            if self.snapshot.knows(&Known::Lineage(resource_type.clone(), lineage.to_owned()))? {
                return Ok(());
            }
        }
        // The real service does not repeat the lineage here.
        Err(text::not_a_choice(self.parameter, "That choice"))
    }

    /// Refuses a filter by an attribute that no run has, since it could not be answered.
    fn check_run_attribute(&self, attribute: &str, scope: FilterScope) -> Result<(), CatalogueProblem> {
        if scope != FilterScope::Runs || self.snapshot.knows(&Known::Attribute(RUNS.into(), attribute.into()))? {
            return Ok(());
        }
        let detail = "This filter needs the runs of samples, but no runs are loaded.";
        Err(CatalogueProblem::refused(self.parameter, detail))
    }

    fn check_choice(&self, choices: &Choices, value: &str) -> Result<(), CatalogueProblem> {
        let of_type = if choices.scope == FilterScope::Runs { RUNS } else { &self.collection.resource_type };
        let occurs = || Known::AttributeValue(of_type.to_owned(), choices.attribute.into(), value.into());
        let is_listed = |listed_in| Ok::<_, SourceError>(self.snapshot.find(listed_in, value)?.is_some());
        let is_known = choices.known.contains(&value)
            || choices.listed_in.map_or(Ok(false), is_listed)?
            || self.snapshot.knows(&occurs())?;
        if is_known { Ok(()) } else { Err(text::not_a_choice(self.parameter, value)) }
    }

    /// Returns the condition for the resources of the collection that are linked with another
    /// resource, even if that was not loaded.
    pub(super) fn linked(&self, resource_type: &str, identifier: &str) -> Result<Condition, CatalogueProblem> {
        let relation = &self.collection.path;
        let Some(ordinal) = self.snapshot.find(resource_type, identifier)? else {
            return Ok(linked::condition_of_missing(resource_type, identifier, relation));
        };
        let resource = Resource::render(&*self.snapshot.resource(ordinal)?, &LinkStyle::default())?;
        Ok(linked::condition(&resource, &self.collection.resource_type, relation)?)
    }
}

/// Sets a part of a condition that several filters make together.
fn set<T>(part: &mut T, value: T) -> Option<Condition> {
    *part = value;
    None
}

impl FilterScope {
    pub(in crate::request) fn apply(self, condition: Condition) -> Condition {
        match self {
            Self::Own => condition,
            Self::Samples => Condition::OfSamples(Box::new(condition)),
            Self::Runs => Condition::SampleOf(RUNS.into(), Box::new(condition)),
        }
    }
}
