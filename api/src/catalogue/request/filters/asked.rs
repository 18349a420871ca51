//! What a single parameter asks for, checked against the data.

use std::collections::BTreeSet;

use store::model::{BIOMES, RUNS};
use store::{Bounds, Condition, Known, LinkStyle};

use super::text;
use crate::SourceError;
use crate::catalogue::collections::collection::Collection;
use crate::catalogue::collections::filter::{Choice, FilterKind, OfWhat, Part};
use crate::catalogue::problem::CatalogueProblem;
use crate::catalogue::relations::linked;
use crate::catalogue::render::resource::Resource;
use crate::catalogue::snapshot::Snapshot;

/// How many resources are read at once to look at their ids.
const RESOURCES_PER_READ: usize = 256;

pub(super) struct Asked<'a> {
    pub(super) collection: &'a Collection,
    pub(super) parameter: &'static str,
    pub(super) snapshot: &'a Snapshot,
}

impl Asked<'_> {
    /// Returns the condition of a parameter that is one by itself.
    pub(super) fn condition(&self, kind: FilterKind, value: &str) -> Result<Option<Condition>, CatalogueProblem> {
        let pattern = || text::pattern(self.parameter, value);
        let number = || text::number(self.parameter, value).map(Some);
        let part = |after: &str| text::literal(self.parameter, "", value, after);
        let condition = match kind {
            FilterKind::Lineage(of) => {
                self.check_lineage(value)?;
                of.look_at(Condition::Lineage(value.to_owned()))
            }
            FilterKind::LineagePattern(of) => of.look_at(Condition::LineagePattern(pattern()?)),
            FilterKind::BiomeName(Part::Whole) => {
                Condition::LineagePattern(text::literal(self.parameter, "(^|:)", value, "$")?)
            }
            FilterKind::BiomeName(Part::Any) => Condition::LineagePattern(part("[^:]*$")?),
            FilterKind::Pattern(attribute, of) => {
                self.check_given(attribute, of)?;
                of.look_at(Condition::AttributePattern(attribute.into(), pattern()?))
            }
            FilterKind::Attribute(attribute) => Condition::Attribute(attribute.into(), value.to_owned()),
            FilterKind::Number(attribute) => {
                Condition::AttributeNumber(attribute.into(), Bounds { min: number()?, max: number()? })
            }
            FilterKind::NumberMin(attribute) => {
                Condition::AttributeNumber(attribute.into(), Bounds { min: number()?, max: None })
            }
            FilterKind::NumberMax(attribute) => {
                Condition::AttributeNumber(attribute.into(), Bounds { min: None, max: number()? })
            }
            FilterKind::Contains(attribute) => Condition::AttributePattern(attribute.into(), part("")?),
            FilterKind::After(attribute) => {
                Condition::AttributeBetween(attribute.into(), Some(text::time(self.parameter, value)?), None)
            }
            FilterKind::Before(attribute) => {
                Condition::AttributeBetween(attribute.into(), None, Some(text::time(self.parameter, value)?))
            }
            FilterKind::Linked(resource_type) => {
                let identifiers: BTreeSet<_> = text::items(value).collect();
                let linked = identifiers.into_iter().map(|identifier| self.linked(resource_type, identifier));
                self.snapshot.any_of(&self.collection.resource_type, linked)?
            }
            FilterKind::Text(OfWhat::Samples) => Condition::TextOrSamples(text::searched(self.parameter, value)?),
            FilterKind::Text(_) => Condition::Text(text::searched(self.parameter, value)?),
            _ => return Ok(None),
        };
        Ok(Some(condition))
    }

    /// Returns the condition that an attribute has one of the chosen values.
    pub(super) fn choice(&self, choice: &Choice, values: &[&str]) -> Result<Condition, CatalogueProblem> {
        self.check_given(choice.attribute, choice.of)?;
        let mut chosen = Vec::new();
        for value in values.iter().collect::<BTreeSet<_>>().into_iter().take_while(|_| self.snapshot.is_wanted()) {
            self.check_choice(choice, value)?;
            chosen.push(Condition::Attribute(choice.attribute.into(), (*value).to_owned()));
        }
        Ok(choice.of.look_at(Condition::AnyOf(chosen)))
    }

    pub(super) fn check_main_identifiers(&self, identifiers: &[String]) -> Result<(), CatalogueProblem> {
        for identifiers in identifiers.chunks(RESOURCES_PER_READ).take_while(|_| self.snapshot.is_wanted()) {
            let mut ordinals = Vec::with_capacity(identifiers.len());
            for identifier in identifiers {
                let found = self.snapshot.find(&self.collection.resource_type, identifier)?;
                ordinals.push(found.ok_or_else(|| text::no_choice(self.parameter, identifier))?);
            }
            for (identifier, body) in identifiers.iter().zip(self.snapshot.resources(&ordinals)?) {
                if body.key().is_none_or(|(_, id)| id != *identifier) {
                    return Err(text::no_choice(self.parameter, identifier));
                }
            }
        }
        Ok(())
    }

    pub(super) fn check_metadata_key(&self, key: &str) -> Result<(), CatalogueProblem> {
        let is_known = self.snapshot.knows(&Known::MetadataKey(key.to_owned()))?;
        if is_known { Ok(()) } else { Err(text::no_choice(self.parameter, key)) }
    }

    /// Refuses a lineage that is neither that of a biome nor that of anything else.
    fn check_lineage(&self, lineage: &str) -> Result<(), CatalogueProblem> {
        if self.snapshot.find(BIOMES, lineage)?.is_some() {
            return Ok(());
        }
        for resource_type in self.snapshot.contents().types.keys() {
            if self.snapshot.knows(&Known::Lineage(resource_type.clone(), lineage.to_owned()))? {
                return Ok(());
            }
        }
        // The real service names the lineage in no case.
        Err(text::no_choice(self.parameter, "That choice"))
    }

    /// Refuses to look at an attribute of runs where none has it: nothing can be told then.
    fn check_given(&self, attribute: &str, of: OfWhat) -> Result<(), CatalogueProblem> {
        if of != OfWhat::Runs || self.snapshot.knows(&Known::Attribute(RUNS.into(), attribute.into()))? {
            return Ok(());
        }
        let detail = "This filter looks at the runs of samples, and no runs were loaded here: it cannot be answered.";
        Err(text::invalid(self.parameter, detail))
    }

    fn check_choice(&self, choice: &Choice, value: &str) -> Result<(), CatalogueProblem> {
        let of_type = if choice.of == OfWhat::Runs { RUNS } else { &self.collection.resource_type };
        let occurs = || Known::AttributeValue(of_type.to_owned(), choice.attribute.into(), value.into());
        let is_listed = |listed_in| Ok::<_, SourceError>(self.snapshot.find(listed_in, value)?.is_some());
        let is_known = choice.known.contains(&value)
            || choice.listed_in.map_or(Ok(false), is_listed)?
            || self.snapshot.knows(&occurs())?;
        if is_known { Ok(()) } else { Err(text::no_choice(self.parameter, value)) }
    }

    /// Returns what the resources of the collection satisfy that hang on another resource. One that was never loaded may be named
    /// all the same.
    fn linked(&self, resource_type: &str, identifier: &str) -> Result<Condition, CatalogueProblem> {
        let relation = &self.collection.path;
        let Some(ordinal) = self.snapshot.find(resource_type, identifier)? else {
            return Ok(linked::condition_of_missing(resource_type, identifier, relation));
        };
        let resource = Resource::render(&*self.snapshot.resource(ordinal)?, &LinkStyle::default())?;
        Ok(linked::condition(&resource, &self.collection.resource_type, relation)?)
    }
}

impl OfWhat {
    fn look_at(self, condition: Condition) -> Condition {
        match self {
            Self::Itself => condition,
            Self::Samples => Condition::OfSamples(Box::new(condition)),
            Self::Runs => Condition::SampleOf(RUNS.into(), Box::new(condition)),
        }
    }
}
